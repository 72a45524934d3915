# Tests of the PostgreSQL store; after Tests/Stores/stores.mk and Sources/companions.mk. They start servers
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
	$(INTERFACE) postgres libpq "skan_postgres_store_close skan_postgres_store_open" \
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

# The store as plain Swift and the tests with a sanitizer. In a child of fork(), the threads of its parent look like
# leaked ones.
check-postgres-sanitizers: $(foreach kind,address thread,$(addprefix $(POSTGRES_CHECKS)/$(kind)-,store trouble))
	$(POSTGRES_CHECKS)/address-store
	$(POSTGRES_CHECKS)/address-trouble
	TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0" $(POSTGRES_CHECKS)/thread-store
	TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0" $(POSTGRES_CHECKS)/thread-trouble

POSTGRES_SANITIZED_OBJECTS := Postgres/server.o Stores/hooks.o $(STORE_CASE_SOURCES:Tests/%.c=%.o) C/support.o

define postgres_sanitized
$(POSTGRES_CHECKS)/$(1)-%: $(BUILD)/Sanitizers/$(1)/postgres.rsp $(BUILD)/Sanitizers/$(1)/Tests/Postgres/%.o \
		$(addprefix $(BUILD)/Sanitizers/$(1)/Tests/,$(POSTGRES_SANITIZED_OBJECTS)) $(STORE_KIT) $(LIBRARY)
	$$(call SANITIZED_PROGRAM,$(1)) -lpq
endef
$(foreach kind,address thread,$(eval $(call postgres_sanitized,$(kind))))
