# libskan-sqlite: the SQLite store, beside libskan.
#   sqlite-library   build/libskan-sqlite.so and .a
SQLITE_LIBRARY := $(BUILD)/libskan-sqlite.so
SQLITE_ARCHIVE := $(BUILD)/libskan-sqlite.a
SQLITE_OBJECTS := $(patsubst Sources/SKANSQLite/%.c,$(BUILD)/SQLite/%.o,$(wildcard Sources/SKANSQLite/*.c))
SQLITE_CFLAGS := -std=c11 -O2 -g -fPIC -Wall -Wextra -pedantic -Werror -IInclude

.PHONY: sqlite-library
sqlite-library: $(SQLITE_LIBRARY) $(SQLITE_ARCHIVE)

$(BUILD)/SQLite/%.o: Sources/SKANSQLite/%.c $(wildcard Sources/SKANSQLite/*.h) Include/skan/skan.h Include/skan/sqlite.h
	@mkdir -p $(@D)
	$(CC) $(SQLITE_CFLAGS) -c -o $@ $<

$(BUILD)/SQLite/library.map: Sources/SKANSQLite/sqlite_library.mk
	@mkdir -p $(@D)
	printf '{ global: skan_sqlite_*; local: *; };\n' > $@

# Once loaded it stays: fork() keeps pointers into it.
$(SQLITE_LIBRARY): $(SQLITE_OBJECTS) $(BUILD)/SQLite/library.map $(LIBRARY)
	$(CC) -shared -Wl,-soname,$(@F).$(ABI) -Wl,--version-script=$(BUILD)/SQLite/library.map -Wl,--no-undefined \
		-Wl,-z,relro,-z,now,-z,nodelete -s -o $@ $(SQLITE_OBJECTS) $(LIBRARY) -lsqlite3 -pthread
	ln -sf $(@F) $@.$(ABI)

$(SQLITE_ARCHIVE): $(SQLITE_OBJECTS)
	ld -r -o $(BUILD)/SQLite/library.o $^
	objcopy --wildcard --keep-global-symbol='skan_sqlite_*' $(BUILD)/SQLite/library.o
	rm -f $@
	ar rcs $@ $(BUILD)/SQLite/library.o
