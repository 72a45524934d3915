# Tests of skan report; after Tests/Command/command.mk and Tests/Postback/postback.mk.
#   check-report              everything; the page in headless Chromium
#   check-report-sanitizers   the same on SQLite, with AddressSanitizer
# They use the tools of Tests/Command.
REPORT_CHECKS := $(CHECKS)/Report
REPORT_RUN := PYTHONPATH=Tests/Command $(PYTHON) Tests/run.py Tests/Report

REPORT_NEEDS := $(COMMAND) $(COMMAND_CHECKS)/fill $(REPORT_CHECKS)/postbacks

.PHONY: check-report check-report-sanitizers
check-report: $(REPORT_NEEDS)
	BUILD=$(BUILD) SKAN_STORES="$(COMMAND_STORES)" $(REPORT_RUN)

check-report-sanitizers: $(REPORT_NEEDS) $(SANITIZED_COMMAND)
	BUILD=$(BUILD) SKAN_STORES=sqlite SKAN_COMMAND=$(abspath $(SANITIZED_COMMAND)) $(REPORT_RUN)

$(REPORT_CHECKS)/postbacks: Tests/Report/postbacks.c $(CHECK_HEADERS) Tests/Postback/signer.h \
		$(CHECKS)/include/skan/postback.h $(CHECKS)/include/skan/sqlite.h $(POSTBACK_CHECKS)/signer.o \
		$(CHECKS)/C/support.o $(postback_LIBRARY) $(sqlite_LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(POSTBACK_CHECK_CFLAGS) -o $@ $< $(POSTBACK_CHECKS)/signer.o $(CHECKS)/C/support.o $(POSTBACK_CHECK_LIBS)
