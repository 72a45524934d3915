# Tests of the SQLite store; after Tests/Stores/stores.mk and Sources/companions.mk.
#   check-sqlite        everything, in a short form where it is long
#   check-sqlite-full   20 000 purchases by each of 4 processes, 500 kills
#   check-sqlite-sanitizers  the store and its troubles, with AddressSanitizer and ThreadSanitizer
#   bench-sqlite        the store beside statements by hand
SQLITE_CHECKS := $(CHECKS)/SQLite
SQLITE_CHECK_CFLAGS := $(CHECK_CFLAGS) -ITests/SQLite
SQLITE_CHECK_LIBS := $(sqlite_LIBRARY) -Wl,-rpath,$(abspath $(dir $(sqlite_LIBRARY))) $(CHECK_LIBS) -lsqlite3

.PHONY: check-sqlite check-sqlite-full check-sqlite-sanitizers bench-sqlite
check-sqlite: $(addprefix $(SQLITE_CHECKS)/,laws store trouble faults purchases kills) $(sqlite_ARCHIVE) \
		$(BUILD)/bin/skan
	$(INTERFACE) sqlite libsqlite3 "skan_sqlite_store_close skan_sqlite_store_open" \
		$(sqlite_LIBRARY) $(sqlite_ARCHIVE)
	$(SQLITE_CHECKS)/laws
	$(SQLITE_CHECKS)/store
	$(SQLITE_CHECKS)/trouble
	$(SQLITE_CHECKS)/faults
	$(SQLITE_CHECKS)/purchases 1000
	$(SQLITE_CHECKS)/kills 20 $(BUILD)/bin/skan

check-sqlite-full: check-sqlite check-sqlite-sanitizers
	$(SQLITE_CHECKS)/purchases 20000
	$(SQLITE_CHECKS)/kills 500 $(BUILD)/bin/skan

bench-sqlite: $(SQLITE_CHECKS)/bench
	$(SQLITE_CHECKS)/bench

$(CHECKS)/include/skan/sqlite.h: Include/skan/sqlite.h
	@mkdir -p $(@D)
	cp $< $@

$(SQLITE_CHECKS)/%.o: Tests/SQLite/%.c $(wildcard Tests/SQLite/*.h) $(STORE_HEADERS) $(CHECKS)/include/skan/sqlite.h
	@mkdir -p $(@D)
	$(CC) $(SQLITE_CHECK_CFLAGS) -c -o $@ $<

$(SQLITE_CHECKS)/laws: $(SQLITE_CHECKS)/laws.o $(SQLITE_CHECKS)/files.o $(CHECKS)/C/support.o $(STORE_KIT) \
		$(sqlite_LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(STORE_KIT) $(SQLITE_CHECK_LIBS)

$(SQLITE_CHECKS)/store: $(CHECKS)/Stores/arguments.o

# Those that call the hooks themselves; then those with engines.
$(addprefix $(SQLITE_CHECKS)/,store trouble faults bench): $(SQLITE_CHECKS)/%: $(SQLITE_CHECKS)/%.o \
		$(SQLITE_CHECKS)/hooks.o $(SQLITE_CHECKS)/files.o $(CHECKS)/C/support.o $(sqlite_LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(SQLITE_CHECK_LIBS)

$(addprefix $(SQLITE_CHECKS)/,purchases kills): $(SQLITE_CHECKS)/%: $(SQLITE_CHECKS)/%.o $(CHECKS)/Stores/%.o \
		$(addprefix $(SQLITE_CHECKS)/,database.o files.o) $(CHECKS)/C/support.o $(sqlite_LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(SQLITE_CHECK_LIBS)

$(SQLITE_CHECKS)/kills: $(CHECKS)/Stores/calls.o

# The store as plain Swift and the tests with a sanitizer. In a child of fork(), the threads of its parent look like
# leaked ones.
check-sqlite-sanitizers: $(foreach kind,address thread,$(addprefix $(SQLITE_CHECKS)/$(kind)-,store trouble))
	$(SQLITE_CHECKS)/address-store
	$(SQLITE_CHECKS)/address-trouble
	TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0" $(SQLITE_CHECKS)/thread-store
	TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0" $(SQLITE_CHECKS)/thread-trouble

define sqlite_sanitized
$(SQLITE_CHECKS)/$(1)-%: $(BUILD)/Sanitizers/$(1)/sqlite.rsp $(BUILD)/Sanitizers/$(1)/Tests/SQLite/%.o \
		$(addprefix $(BUILD)/Sanitizers/$(1)/Tests/,SQLite/hooks.o SQLite/files.o Stores/arguments.o C/support.o) \
		$(LIBRARY)
	$$(call SANITIZED_PROGRAM,$(1)) -lsqlite3
endef
$(foreach kind,address thread,$(eval $(call sqlite_sanitized,$(kind))))
