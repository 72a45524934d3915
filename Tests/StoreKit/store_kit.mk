# The kit that proves stores, and its tests, for the Makefile, after Tests/C/tests.mk; paths are from the top of the
# tree.
#   $(STORE_KIT)       the library
#   check-store-kit    the kit on a right store and on many broken ones

STORE_KIT := $(BUILD)/libskan_store_kit.a
STORE_KIT_OBJECTS := $(patsubst Sources/%.c,$(BUILD)/%.o,$(wildcard Sources/StoreKit/*.c))
STORE_KIT_CFLAGS := -std=c11 $(CHECK_WARNINGS) -O2 -g -fPIC -IInclude $(CHECK_FLAGS)

.PHONY: store-kit check-store-kit
store-kit: $(STORE_KIT)

check-store-kit: $(CHECKS)/StoreKit/kit $(CHECKS)/StoreKit/compiles
	$(CHECKS)/StoreKit/kit

$(BUILD)/StoreKit/%.o: Sources/StoreKit/%.c Sources/StoreKit/run.h Include/skan/skan.h Include/skan/store_kit.h
	@mkdir -p $(@D)
	$(CC) $(STORE_KIT_CFLAGS) -c -o $@ $<

# Only skan_store_kit_* leaves it, so that it goes with any program.
$(STORE_KIT): $(STORE_KIT_OBJECTS)
	ld -r -o $(BUILD)/StoreKit/all.o $^
	objcopy --wildcard --keep-global-symbol='skan_store_kit_*' $(BUILD)/StoreKit/all.o
	rm -f $@
	ar rcs $@ $(BUILD)/StoreKit/all.o

$(CHECKS)/include/skan/store_kit.h: Include/skan/store_kit.h
	@mkdir -p $(@D)
	cp $< $@

$(CHECKS)/StoreKit/%.o: Tests/StoreKit/%.c Tests/StoreKit/mutants.h $(CHECKS)/include/skan/store_kit.h $(CHECK_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -ITests/StoreKit -c -o $@ $<

$(CHECKS)/StoreKit/kit: $(addprefix $(CHECKS)/StoreKit/,kit.o mutants.o) $(addprefix $(CHECKS)/C/,host.o support.o) \
		$(STORE_KIT) $(LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o %libskan_store_kit.a,$^) $(CHECK_LIBS)

# The header alone and twice, in every language that it is for; the kit and its tests, by both compilers.
$(CHECKS)/StoreKit/compiles: $(wildcard Sources/StoreKit/* Tests/StoreKit/*.[ch]) $(CHECK_HEADERS) \
		$(CHECKS)/include/skan/store_kit.h
	@mkdir -p $(@D)
	set -e; header='#include <skan/store_kit.h>'; for compiler in "$(CC)" "$(OTHER_CC)"; do \
		for standard in c99 c11 c17; do printf '%s\n%s\n' "$$header" "$$header" | \
			$$compiler -std=$$standard $(CHECK_WARNINGS) -I$(CHECKS)/include -fsyntax-only -x c -; done; \
		for file in Sources/StoreKit/*.c Tests/StoreKit/*.c; do \
			$$compiler $(CHECK_CFLAGS) -ITests/StoreKit -fsyntax-only $$file; done; done
	set -e; header='#include <skan/store_kit.h>'; for compiler in "$(CXX)" "$(OTHER_CXX)"; do \
		for standard in c++17 c++20; do printf '%s\n%s\n' "$$header" "$$header" | \
			$$compiler -std=$$standard $(CHECK_WARNINGS) -I$(CHECKS)/include -fsyntax-only -x c++ -; done; done
	touch $@
