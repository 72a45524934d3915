# The skan command and its tests; after Tests/C/tests.mk and Sources/companions.mk.
#   command            build/bin/skan
#   check-command            everything, in a short form where it is long
#   check-command-sanitizers the same on SQLite, with AddressSanitizer
#   check-command-full       1 000 000 installs in the memory test, 100 kills
#   install-command          bin/skan and its manual page under PREFIX, a part of install
COMMAND := $(BUILD)/bin/skan
COMMAND_FOLDERS := Command Serve Report Outbox
COMMAND_SOURCES := $(wildcard $(COMMAND_FOLDERS:%=Sources/%/*.c))
COMMAND_HEADERS := $(wildcard $(COMMAND_FOLDERS:%=Sources/%/*.h) Include/skan/*.h)
COMMAND_OBJECTS := $(patsubst Sources/%.c,$(BUILD)/%.o,$(COMMAND_SOURCES))
COMMAND_CFLAGS := -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -pedantic -Werror -IInclude
# Companions are found by the loader at run time: beside libskan.
COMMAND_LIBS := -lmicrohttpd -ljson-c -ldl -pthread

.PHONY: command install-command check-command check-command-sanitizers check-command-full
command: $(COMMAND)

$(BUILD)/Command/%.o: Sources/Command/%.c $(COMMAND_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(COMMAND_CFLAGS) -c -o $@ $<

$(BUILD)/Serve/%.o: Sources/Serve/%.c $(COMMAND_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(COMMAND_CFLAGS) -c -o $@ $<

$(BUILD)/Report/%.o: Sources/Report/%.c $(COMMAND_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(COMMAND_CFLAGS) -c -o $@ $<

$(BUILD)/Outbox/%.o: Sources/Outbox/%.c $(COMMAND_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(COMMAND_CFLAGS) -c -o $@ $<

$(COMMAND): $(COMMAND_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) -o $@ $(COMMAND_OBJECTS) $(LIBRARY) -Wl,-rpath,'$$ORIGIN/..' $(COMMAND_LIBS)

# The same, for a lib beside bin.
$(BUILD)/install/skan: $(COMMAND_OBJECTS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) -s -o $@ $(COMMAND_OBJECTS) $(LIBRARY) -Wl,-rpath,'$$ORIGIN/../lib' $(COMMAND_LIBS)

installable: $(BUILD)/install/skan

install-command: $(BUILD)/install/skan
	install -d $(INSTALLED)/bin
	install -m 755 $< $(INSTALLED)/bin/skan
	install -d $(INSTALLED)/share/man/man1
	sed 's|@VERSION@|$(VERSION)|' Sources/Command/skan.1 > $(INSTALLED)/share/man/man1/skan.1
	chmod 644 $(INSTALLED)/share/man/man1/skan.1

install: install-command

COMMAND_CHECKS := $(CHECKS)/Command
COMMAND_PARTS := $(COMMAND) $(sqlite_LIBRARY) $(postgres_LIBRARY) $(redis_LIBRARY) $(COMMAND_CHECKS)/fill \
	$(COMMAND_CHECKS)/faulty/libskan-sqlite.so.1
COMMAND_STORES := sqlite postgres redis

check-command: $(COMMAND_PARTS)
	BUILD=$(BUILD) SKAN_STORES="$(COMMAND_STORES)" $(PYTHON) Tests/run.py Tests/Command

check-command-sanitizers: $(COMMAND_PARTS) $(COMMAND_CHECKS)/sanitized/skan
	BUILD=$(BUILD) SKAN_STORES=sqlite SKAN_KILLS=4 SKAN_COMMAND=$(abspath $(COMMAND_CHECKS)/sanitized/skan) \
		$(PYTHON) Tests/run.py Tests/Command

check-command-full: $(COMMAND_PARTS)
	BUILD=$(BUILD) SKAN_STORES="$(COMMAND_STORES)" SKAN_INSTALLS=1000000 SKAN_KILLS=100 \
		$(PYTHON) Tests/run.py Tests/Command

$(COMMAND_CHECKS)/fill: Tests/Command/fill.c $(CHECK_HEADERS) $(CHECKS)/include/skan/sqlite.h $(sqlite_LIBRARY) \
		$(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -o $@ $< $(sqlite_LIBRARY) $(CHECK_LIBS)

$(COMMAND_CHECKS)/faulty/libskan-sqlite.so.1: Tests/Command/faulty.c $(CHECK_HEADERS) $(CHECKS)/include/skan/sqlite.h \
		$(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -fPIC -shared -o $@ $< $(LIBRARY) -ldl

$(COMMAND_CHECKS)/sanitized/skan: $(COMMAND_SOURCES) $(COMMAND_HEADERS) $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(COMMAND_CFLAGS) -fsanitize=address,undefined -fno-sanitize-recover=all -o $@ $(COMMAND_SOURCES) $(LIBRARY) \
		-Wl,-rpath,$(abspath $(dir $(LIBRARY))) $(COMMAND_LIBS)
