# Tests of postbacks in skan serve, and of its outbox; after Tests/Serve/serve.mk and Tests/Postback/postback.mk.
#   check-outbox              everything
#   check-outbox-sanitizers   the same with AddressSanitizer and with ThreadSanitizer
#   check-outbox-full         100 kills
#   bench-outbox              postbacks a second into SQLite FULL, by 8 connections, with and without a partner
OUTBOX_PARTS := $(COMMAND) $(sqlite_LIBRARY) $(postback_LIBRARY) $(http_LIBRARY) $(VENV)/tools
OUTBOX_RUN := $(VENV)/bin/python Tests/run.py Tests/Outbox

.PHONY: check-outbox check-outbox-sanitizers check-outbox-full bench-outbox
check-outbox: $(OUTBOX_PARTS) $(CHECKS)/Outbox/due_queue
	$(CHECKS)/Outbox/due_queue
	BUILD=$(BUILD) $(OUTBOX_RUN)

check-outbox-sanitizers: check-outbox-sanitized check-outbox-sanitized-thread

.PHONY: check-outbox-sanitized check-outbox-sanitized-thread
check-outbox-sanitized: $(COMMAND_CHECKS)/sanitized/skan
check-outbox-sanitized-thread: $(SERVE_CHECKS)/sanitized-thread/skan
check-outbox-sanitized check-outbox-sanitized-thread: $(OUTBOX_PARTS)
	BUILD=$(BUILD) SKAN_KILLS=3 SKAN_COMMAND=$(abspath $(filter %/sanitized/skan %/sanitized-thread/skan,$^)) $(OUTBOX_RUN)

check-outbox-full: $(OUTBOX_PARTS)
	BUILD=$(BUILD) SKAN_KILLS=100 $(OUTBOX_RUN) test_kills

bench: bench-outbox
bench-outbox: $(OUTBOX_PARTS)
	BUILD=$(BUILD) $(VENV)/bin/python Tests/Outbox/bench.py

$(CHECKS)/Outbox/due_queue: Tests/Outbox/due_queue.c Sources/Outbox/due_queue.c $(wildcard Sources/Outbox/*.h)
	@mkdir -p $(@D)
	$(CC) $(COMMAND_CFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all -o $@ $(filter %.c,$^)
