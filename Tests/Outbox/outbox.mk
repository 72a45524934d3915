# Tests of postbacks in skan serve, and of its outbox; after Tests/Serve/serve.mk and Tests/Postback/postback.mk.
#   check-outbox              everything
#   check-outbox-sanitizers   the same with AddressSanitizer and with ThreadSanitizer
#   check-outbox-full         100 kills
#   bench-outbox              postbacks a second into SQLite FULL, by 8 connections, with and without a partner
OUTBOX_PARTS := $(COMMAND) $(VENV)/tools
OUTBOX_RUN := $(VENV)/bin/python Tests/run.py Tests/Outbox

.PHONY: check-outbox check-outbox-sanitizers check-outbox-full bench-outbox
check-outbox: $(OUTBOX_PARTS)
	BUILD=$(BUILD) $(OUTBOX_RUN)

check-outbox-sanitizers: check-outbox-sanitized check-outbox-sanitized-thread

.PHONY: check-outbox-sanitized check-outbox-sanitized-thread
check-outbox-sanitized: $(SANITIZED_COMMAND)
check-outbox-sanitized-thread: $(RACE_CHECKED_COMMAND)
check-outbox-sanitized check-outbox-sanitized-thread: | $(VENV)/tools
	BUILD=$(BUILD) SKAN_KILLS=3 SKAN_COMMAND=$(abspath $<) $(OUTBOX_RUN)

check-outbox-full: $(OUTBOX_PARTS)
	BUILD=$(BUILD) SKAN_KILLS=100 $(OUTBOX_RUN) test_kills

bench: bench-outbox
bench-outbox: $(OUTBOX_PARTS)
	BUILD=$(BUILD) $(VENV)/bin/python Tests/Outbox/bench.py
