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

$(SERVE_CHECKS)/sanitized-thread/skan: $(COMMAND_SOURCES) $(COMMAND_HEADERS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(COMMAND_CFLAGS) -fsanitize=thread -o $@ $(COMMAND_SOURCES) $(LIBRARY) \
		-Wl,-rpath,$(abspath $(dir $(LIBRARY))) $(COMMAND_LIBS)
