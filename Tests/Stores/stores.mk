# What the tests of stores share; after Tests/C/tests.mk and Tests/StoreKit/store_kit.mk.
#   STORE_CASES   what a store's own cases put it through
#   STORE_HOOKS   its hooks, called as an engine calls them
# kills.o and purchases.o, of all stores and of those on servers, are linked with a store's database.o.
STORE_CASE_SOURCES := $(addprefix Tests/Stores/,arguments.c contract.c counters.c listing.c many.c)
STORE_CASES := $(STORE_CASE_SOURCES:Tests/%.c=$(CHECKS)/%.o)
STORE_HOOKS := $(CHECKS)/Stores/hooks.o
STORE_HEADERS := $(wildcard Tests/Stores/*.h Tests/Servers/*.h) $(CHECKS)/include/skan/store_kit.h $(CHECK_HEADERS)

$(CHECKS)/Stores/%.o: Tests/Stores/%.c $(STORE_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -c -o $@ $<

$(CHECKS)/Servers/%.o: Tests/Servers/%.c $(STORE_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -c -o $@ $<
