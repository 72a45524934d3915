# Tests of the SQLite store; after Tests/C/tests.mk and Sources/SKANSQLite/sqlite_library.mk.
#   check-sqlite        everything, in a short form where it is long
#   check-sqlite-full   20 000 purchases by each of 4 processes, 500 kills
#   bench-sqlite        the store beside statements by hand
SQLITE_CHECKS := $(CHECKS)/SQLite
SQLITE_CHECK_CFLAGS := $(CHECK_CFLAGS) -ITests/SQLite
SQLITE_CHECK_LIBS := $(SQLITE_LIBRARY) -Wl,-rpath,$(abspath $(dir $(SQLITE_LIBRARY))) $(CHECK_LIBS) -lsqlite3

.PHONY: check-sqlite check-sqlite-full bench-sqlite
check-sqlite: $(addprefix $(SQLITE_CHECKS)/,store trouble faults purchases kills) $(SQLITE_ARCHIVE)
	CC="$(CC)" CXX="$(CXX)" OTHER_CC="$(OTHER_CC)" OTHER_CXX="$(OTHER_CXX)" \
		Tests/SQLite/interface.sh . $(SQLITE_LIBRARY) $(SQLITE_ARCHIVE)
	$(SQLITE_CHECKS)/store
	$(SQLITE_CHECKS)/trouble
	$(SQLITE_CHECKS)/faults
	$(SQLITE_CHECKS)/purchases 1000
	$(SQLITE_CHECKS)/kills 20

check-sqlite-full: check-sqlite
	$(SQLITE_CHECKS)/purchases 20000
	$(SQLITE_CHECKS)/kills 500

bench-sqlite: $(SQLITE_CHECKS)/bench
	$(SQLITE_CHECKS)/bench

$(CHECKS)/include/skan/sqlite.h: Include/skan/sqlite.h
	@mkdir -p $(@D)
	cp $< $@

$(SQLITE_CHECKS)/%.o: Tests/SQLite/%.c $(wildcard Tests/SQLite/*.h) $(CHECK_HEADERS) $(CHECKS)/include/skan/sqlite.h
	@mkdir -p $(@D)
	$(CC) $(SQLITE_CHECK_CFLAGS) -c -o $@ $<

# Those that call the hooks themselves; then those with engines.
$(addprefix $(SQLITE_CHECKS)/,store trouble faults bench): $(SQLITE_CHECKS)/%: $(SQLITE_CHECKS)/%.o \
		$(SQLITE_CHECKS)/hooks.o $(SQLITE_CHECKS)/files.o $(CHECKS)/C/support.o $(SQLITE_LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(SQLITE_CHECK_LIBS)

$(addprefix $(SQLITE_CHECKS)/,purchases kills): $(SQLITE_CHECKS)/%: $(SQLITE_CHECKS)/%.o $(SQLITE_CHECKS)/files.o \
		$(CHECKS)/C/support.o $(SQLITE_LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(SQLITE_CHECK_LIBS)
