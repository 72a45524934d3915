# Tests of the PostgreSQL store; after Tests/Stores/stores.mk and Sources/StoreSupport/companion.mk. They start servers
# of their own: Tests/Servers/postgres.sh.
#   check-postgres             everything, in a short form where it is long
#   check-postgres-full        20 000 purchases by each of 4 processes, 200 kills of clients and 20 of the server
#   check-postgres-sanitizers  the store and its troubles, with AddressSanitizer and ThreadSanitizer
#   bench-postgres             the store beside statements by hand
POSTGRES_CHECKS := $(CHECKS)/Postgres
POSTGRES_CHECK_CFLAGS := $(CHECK_CFLAGS) -ITests/Postgres $(postgres_CFLAGS)
POSTGRES_CHECK_LIBS := $(postgres_LIBRARY) -Wl,-rpath,$(abspath $(dir $(postgres_LIBRARY))) $(CHECK_LIBS) -lpq
POSTGRES_PROGRAMS := store trouble bench

.PHONY: check-postgres check-postgres-full check-postgres-sanitizers bench-postgres
check-postgres: $(addprefix $(POSTGRES_CHECKS)/,store trouble purchases kills) $(postgres_ARCHIVE)
	$(INTERFACE) postgres SKANPostgres libpq "skan_postgres_store_close skan_postgres_store_open" \
		$(postgres_LIBRARY) $(postgres_ARCHIVE)
	$(POSTGRES_CHECKS)/store
	$(POSTGRES_CHECKS)/trouble
	$(POSTGRES_CHECKS)/purchases 500
	$(POSTGRES_CHECKS)/kills 10 3

check-postgres-full: check-postgres check-postgres-sanitizers
	$(POSTGRES_CHECKS)/purchases 20000
	$(POSTGRES_CHECKS)/kills 200 20

bench-postgres: $(POSTGRES_CHECKS)/bench
	$(POSTGRES_CHECKS)/bench

$(CHECKS)/include/skan/postgres.h: Include/skan/postgres.h
	@mkdir -p $(@D)
	cp $< $@

POSTGRES_HEADERS := $(wildcard Tests/Postgres/*.h) $(STORE_HEADERS) $(CHECKS)/include/skan/postgres.h

# What all stores on a server are put through, on this one.
$(addprefix $(POSTGRES_CHECKS)/,purchases kills): $(POSTGRES_CHECKS)/%: $(CHECKS)/Servers/%.o $(CHECKS)/Stores/%.o \
		$(addprefix $(POSTGRES_CHECKS)/,database.o server.o) $(CHECKS)/C/support.o $(postgres_LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(POSTGRES_CHECK_LIBS)

$(POSTGRES_CHECKS)/kills: $(CHECKS)/Stores/calls.o

$(POSTGRES_CHECKS)/%.o: Tests/Postgres/%.c $(POSTGRES_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(POSTGRES_CHECK_CFLAGS) -c -o $@ $<

$(addprefix $(POSTGRES_CHECKS)/,$(POSTGRES_PROGRAMS)): $(POSTGRES_CHECKS)/%: $(POSTGRES_CHECKS)/%.o \
		$(POSTGRES_CHECKS)/server.o $(STORE_HOOKS) $(CHECKS)/C/support.o $(postgres_LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o %libskan_store_kit.a,$^) $(POSTGRES_CHECK_LIBS)

$(POSTGRES_CHECKS)/store: $(STORE_CASES) $(STORE_KIT)

# The store's own code and the tests with a sanitizer; libpq and libskan as they are. In a child of fork(), the threads
# of its parent look like leaked ones.
POSTGRES_SANITIZED_SOURCES := $(wildcard Sources/SKANPostgres/*.c Sources/StoreSupport/*.c) \
	Tests/Postgres/server.c Tests/Stores/hooks.c Tests/C/support.c

check-postgres-sanitizers: $(foreach kind,address thread,$(addprefix $(POSTGRES_CHECKS)/$(kind)-,store trouble))
	$(POSTGRES_CHECKS)/address-store
	$(POSTGRES_CHECKS)/address-trouble
	TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0" $(POSTGRES_CHECKS)/thread-store
	TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0" $(POSTGRES_CHECKS)/thread-trouble

define postgres_sanitized
$(POSTGRES_CHECKS)/$(1)-%: Tests/Postgres/%.c $(POSTGRES_SANITIZED_SOURCES) $(POSTGRES_HEADERS) \
		$(wildcard Sources/SKANPostgres/*.h) $(COMPANION_HEADERS) $(LIBRARY)
	@mkdir -p $$(@D)
	$$(CC) $(POSTGRES_CHECK_CFLAGS) -fsanitize=$(1) -o $$@ $$(filter %.c %libskan_store_kit.a,$$^) $(CHECK_LIBS) -lpq

$(POSTGRES_CHECKS)/$(1)-store: $(STORE_CASE_SOURCES) $(STORE_KIT)
endef
$(foreach kind,address thread,$(eval $(call postgres_sanitized,$(kind))))
