# Tests of the Redis store; after Tests/Stores/stores.mk and Sources/companions.mk. They start servers of
# their own: Tests/Servers/redis.sh.
#   check-redis             everything, in a short form where it is long
#   check-redis-full        20 000 purchases by each of 4 processes, 200 kills of clients and 20 of the server
#   check-redis-sanitizers  the store and its troubles, with AddressSanitizer and ThreadSanitizer
#   bench-redis             the store beside commands by hand
REDIS_CHECKS := $(CHECKS)/Redis
REDIS_CHECK_CFLAGS := $(CHECK_CFLAGS) -ITests/Redis
REDIS_CHECK_LIBS := $(redis_LIBRARY) -Wl,-rpath,$(abspath $(dir $(redis_LIBRARY))) $(CHECK_LIBS) -lhiredis
REDIS_PROGRAMS := store trouble bench

.PHONY: check-redis check-redis-full check-redis-sanitizers bench-redis
check-redis: $(addprefix $(REDIS_CHECKS)/,store trouble purchases kills) $(redis_ARCHIVE)
	$(INTERFACE) redis libhiredis "skan_redis_store_close skan_redis_store_open" \
		$(redis_LIBRARY) $(redis_ARCHIVE)
	$(REDIS_CHECKS)/store
	$(REDIS_CHECKS)/trouble
	$(REDIS_CHECKS)/purchases 500
	$(REDIS_CHECKS)/kills 10 3

check-redis-full: check-redis check-redis-sanitizers
	$(REDIS_CHECKS)/purchases 20000
	$(REDIS_CHECKS)/kills 200 20

bench-redis: $(REDIS_CHECKS)/bench
	$(REDIS_CHECKS)/bench

$(CHECKS)/include/skan/redis.h: Include/skan/redis.h
	@mkdir -p $(@D)
	cp $< $@

REDIS_HEADERS := $(wildcard Tests/Redis/*.h) $(STORE_HEADERS) $(CHECKS)/include/skan/redis.h

# What all stores on a server are put through, on this one.
$(addprefix $(REDIS_CHECKS)/,purchases kills): $(REDIS_CHECKS)/%: $(CHECKS)/Servers/%.o $(CHECKS)/Stores/%.o \
		$(addprefix $(REDIS_CHECKS)/,database.o server.o) $(CHECKS)/C/support.o $(redis_LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(REDIS_CHECK_LIBS)

$(REDIS_CHECKS)/kills: $(CHECKS)/Stores/calls.o

$(REDIS_CHECKS)/%.o: Tests/Redis/%.c $(REDIS_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(REDIS_CHECK_CFLAGS) -c -o $@ $<

$(addprefix $(REDIS_CHECKS)/,$(REDIS_PROGRAMS)): $(REDIS_CHECKS)/%: $(REDIS_CHECKS)/%.o \
		$(addprefix $(REDIS_CHECKS)/,server.o fake.o) $(STORE_HOOKS) $(CHECKS)/C/support.o $(redis_LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o %libskan_store_kit.a,$^) $(REDIS_CHECK_LIBS)

$(REDIS_CHECKS)/store: $(STORE_CASES) $(STORE_KIT)

# The store's own code, as plain Swift, and the tests with a sanitizer; hiredis and libskan as they are. In a child of
# fork(), the threads of its parent look like leaked ones.
check-redis-sanitizers: $(foreach kind,address thread,$(addprefix $(REDIS_CHECKS)/$(kind)-,store trouble))
	$(REDIS_CHECKS)/address-store
	$(REDIS_CHECKS)/address-trouble
	TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0" $(REDIS_CHECKS)/thread-store
	TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0" $(REDIS_CHECKS)/thread-trouble

REDIS_SANITIZED := $(STORE_CASE_SOURCES:Tests/%.c=%.o) Stores/hooks.o Redis/server.o Redis/fake.o C/support.o

define redis_sanitized
$(addprefix $(BUILD)/Sanitizers/$(1)/Tests/Redis/,store.o trouble.o server.o fake.o): $(REDIS_HEADERS)

$(REDIS_CHECKS)/$(1)-%: $(BUILD)/Sanitizers/$(1)/redis.rsp $(BUILD)/Sanitizers/$(1)/Tests/Redis/%.o \
		$(addprefix $(BUILD)/Sanitizers/$(1)/Tests/,$(REDIS_SANITIZED)) $(STORE_KIT) $(LIBRARY)
	$$(call SANITIZED_PROGRAM,$(1)) -lhiredis
endef
$(foreach kind,address thread,$(eval $(call redis_sanitized,$(kind))))
