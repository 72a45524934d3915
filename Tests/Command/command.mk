# Tests of the skan command; after Tests/C/tests.mk and Sources/Command/program.mk.
#   check-command            everything, in a short form where it is long
#   check-command-sanitizers the same on SQLite, with AddressSanitizer
#   check-command-full       1 000 000 installs in the memory test, 100 kills
COMMAND_CHECKS := $(CHECKS)/Command
# The same modules, with accidents in SQLite's stores.
FAULTY_COMMAND := $(COMMAND_CHECKS)/faulty-skan
$(eval $(call SWIFT_PROGRAM,Tests/Command/faulty-skan,SKANFaultyCommand))
SANITIZED_COMMAND := $(BUILD)/Sanitizers/address/skan
RACE_CHECKED_COMMAND := $(BUILD)/Sanitizers/thread/skan

COMMAND_PARTS := $(COMMAND) $(FAULTY_COMMAND) $(COMMAND_CHECKS)/fill
COMMAND_STORES := sqlite postgres redis

.PHONY: check-command check-command-sanitizers check-command-full
check-command: $(COMMAND_PARTS)
	BUILD=$(BUILD) SKAN_STORES="$(COMMAND_STORES)" $(PYTHON) Tests/run.py Tests/Command

check-command-sanitizers: $(SANITIZED_COMMAND) $(BUILD)/Sanitizers/address/faulty-skan $(COMMAND_CHECKS)/fill
	BUILD=$(BUILD) SKAN_STORES=sqlite SKAN_KILLS=4 SKAN_COMMAND=$(abspath $<) \
		SKAN_FAULTY_COMMAND=$(abspath $(<D))/faulty-skan $(PYTHON) Tests/run.py Tests/Command

check-command-full: $(COMMAND_PARTS)
	BUILD=$(BUILD) SKAN_STORES="$(COMMAND_STORES)" SKAN_INSTALLS=1000000 SKAN_KILLS=100 \
		$(PYTHON) Tests/run.py Tests/Command

$(COMMAND_CHECKS)/fill: Tests/Command/fill.c $(CHECK_HEADERS) $(CHECKS)/include/skan/sqlite.h $(sqlite_LIBRARY) \
		$(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -o $@ $< $(sqlite_LIBRARY) $(CHECK_LIBS)
