# Tests of skan serve; after Tests/Command/command.mk.
#   check-serve        everything, also with AddressSanitizer and with ThreadSanitizer
#   check-serve-full   five minutes under load: its memory stays
#   bench-serve        requests a second, and how long one takes at half of that
SERVE_CHECKS := $(CHECKS)/Serve

.PHONY: check-serve check-serve-full bench-serve
# Side by side: most of the time they wait.
check-serve: $(COMMAND) $(sqlite_LIBRARY) $(COMMAND_CHECKS)/sanitized/skan $(SERVE_CHECKS)/sanitized-thread/skan
	@mkdir -p $(SERVE_CHECKS)
	@set -e; for command in $(COMMAND) $(filter %/sanitized/skan %/sanitized-thread/skan,$^); do \
		name=$$(basename $$(dirname $$command)); \
		{ BUILD=$(BUILD) SKAN_COMMAND=$$(realpath $$command) $(PYTHON) Tests/run.py Tests/Serve \
			> $(SERVE_CHECKS)/$$name.log 2>&1 || touch $(SERVE_CHECKS)/$$name.failed; } & \
	done; wait; \
	for name in bin sanitized sanitized-thread; do \
		if [ -e $(SERVE_CHECKS)/$$name.failed ]; then rm $(SERVE_CHECKS)/$$name.failed; cat $(SERVE_CHECKS)/$$name.log; \
			failed=yes; else tail -n 1 $(SERVE_CHECKS)/$$name.log; fi; \
	done; [ -z "$$failed" ]

check-serve-full: $(COMMAND)
	BUILD=$(BUILD) $(PYTHON) Tests/Serve/load.py --seconds=300

bench: bench-serve
bench-serve: $(COMMAND)
	BUILD=$(BUILD) $(PYTHON) Tests/Serve/load.py --seconds=10

$(SERVE_CHECKS)/sanitized-thread/skan: $(COMMAND_SOURCES) $(COMMAND_HEADERS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(COMMAND_CFLAGS) -fsanitize=thread -o $@ $(COMMAND_SOURCES) $(LIBRARY) \
		-Wl,-rpath,$(abspath $(dir $(LIBRARY))) $(COMMAND_LIBS)
