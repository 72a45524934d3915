# Tests of skan serve; after Tests/Command/command.mk.
#   check-serve              everything
#   check-serve-sanitizers   the same with AddressSanitizer and with ThreadSanitizer
#   check-serve-full         five minutes under load: its memory stays
#   bench-serve              requests a second, and how long one takes at half of that
SERVE_CHECKS := $(CHECKS)/Serve

.PHONY: check-serve check-serve-sanitizers check-serve-full bench-serve
check-serve: $(COMMAND) $(sqlite_LIBRARY)
	BUILD=$(BUILD) $(PYTHON) Tests/run.py Tests/Serve

check-serve-sanitizers: check-serve-sanitized check-serve-sanitized-thread

.PHONY: check-serve-sanitized check-serve-sanitized-thread
check-serve-sanitized: $(COMMAND_CHECKS)/sanitized/skan
check-serve-sanitized-thread: $(SERVE_CHECKS)/sanitized-thread/skan
check-serve-sanitized check-serve-sanitized-thread: $(sqlite_LIBRARY)
	BUILD=$(BUILD) SKAN_COMMAND=$(abspath $(filter %/sanitized/skan %/sanitized-thread/skan,$^)) $(PYTHON) Tests/run.py Tests/Serve

check-serve-full: $(COMMAND)
	BUILD=$(BUILD) $(PYTHON) Tests/Serve/load.py --seconds=300

bench: bench-serve
bench-serve: $(COMMAND)
	BUILD=$(BUILD) $(PYTHON) Tests/Serve/load.py --seconds=10

# With companions that have the sanitizer too: what counts references in them would look like races else.
$(SERVE_CHECKS)/sanitized-thread/skan: $(COMMAND_SOURCES) $(COMMAND_HEADERS) $(LIBRARY) \
		$(addprefix $(BUILD)/Sanitizers/thread/libskan-,$(addsuffix .so.$(ABI),sqlite http postback))
	@mkdir -p $(@D)
	set -e; for file in $(COMMAND_SOURCES); do \
		clang $(COMMAND_CFLAGS) -fsanitize=thread -c -o $(@D)/$$(basename $$file .c).o $$file; done
	swiftc -use-ld=lld -sanitize=thread -o $@ $(@D)/*.o $(LIBRARY) -Xlinker --export-dynamic \
		$(addprefix -Xlinker -rpath -Xlinker ,$(abspath $(BUILD)/Sanitizers/thread $(BUILD))) $(COMMAND_LIBS:-pthread=)
