# Tests of skan serve; after Tests/Command/command.mk.
#   check-serve              everything
#   check-serve-sanitizers   the same with AddressSanitizer and with ThreadSanitizer
#   check-serve-full         five minutes under load: its memory stays
#   bench-serve              requests a second, and how long one takes at half of that
.PHONY: check-serve check-serve-sanitizers check-serve-full bench-serve
check-serve: $(COMMAND)
	BUILD=$(BUILD) $(PYTHON) Tests/run.py Tests/Serve

check-serve-sanitizers: check-serve-sanitized check-serve-sanitized-thread

.PHONY: check-serve-sanitized check-serve-sanitized-thread
check-serve-sanitized: $(SANITIZED_COMMAND)
check-serve-sanitized-thread: $(RACE_CHECKED_COMMAND)
check-serve-sanitized check-serve-sanitized-thread:
	BUILD=$(BUILD) SKAN_COMMAND=$(abspath $<) $(PYTHON) Tests/run.py Tests/Serve

check-serve-full: $(COMMAND)
	BUILD=$(BUILD) $(PYTHON) Tests/Serve/load.py --seconds=300

bench: bench-serve
bench-serve: $(COMMAND)
	BUILD=$(BUILD) $(PYTHON) Tests/Serve/load.py --seconds=10
