# Tests of skan report; after Tests/Command/command.mk and Tests/Postback/postback.mk.
#   check-report              everything; the page in headless Chromium
#   check-report-sanitizers   the same on SQLite, with AddressSanitizer
# They use the tools of Tests/Command.
REPORT_CHECKS := $(CHECKS)/Report
REPORT_RUN := PYTHONPATH=Tests/Command $(PYTHON) Tests/run.py Tests/Report

REPORT_NEEDS := $(COMMAND) $(sqlite_LIBRARY) $(postback_LIBRARY) $(postgres_LIBRARY) $(redis_LIBRARY) \
	$(COMMAND_CHECKS)/fill $(addprefix $(REPORT_CHECKS)/,postbacks parts)

.PHONY: check-report check-report-sanitizers
check-report: $(REPORT_NEEDS)
	BUILD=$(BUILD) SKAN_STORES="$(COMMAND_STORES)" $(REPORT_RUN)

check-report-sanitizers: $(REPORT_NEEDS) $(COMMAND_CHECKS)/sanitized/skan
	BUILD=$(BUILD) SKAN_STORES=sqlite SKAN_COMMAND=$(abspath $(COMMAND_CHECKS)/sanitized/skan) $(REPORT_RUN)

$(REPORT_CHECKS)/postbacks: Tests/Report/postbacks.c $(CHECK_HEADERS) Tests/Postback/signer.h \
		$(CHECKS)/include/skan/postback.h $(CHECKS)/include/skan/sqlite.h $(POSTBACK_CHECKS)/signer.o \
		$(CHECKS)/C/support.o $(postback_LIBRARY) $(sqlite_LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(POSTBACK_CHECK_CFLAGS) -o $@ $< $(POSTBACK_CHECKS)/signer.o $(CHECKS)/C/support.o $(POSTBACK_CHECK_LIBS)

REPORT_PARTS := $(addprefix Sources/,Report/csv.c Report/money.c Report/seen.c Command/memory.c Command/messages.c \
	Command/text.c Command/progress.c)
$(REPORT_CHECKS)/parts: Tests/Report/parts.c $(REPORT_PARTS) $(COMMAND_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(COMMAND_CFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all -o $@ $< $(REPORT_PARTS)
