# The kit that proves stores, and its tests, for the Makefile, after Tests/C/tests.mk and Sources/companions.mk;
# paths are from the top of the tree.
#   $(STORE_KIT)       the library
#   check-store-kit    the kit on a right store and on many broken ones


STORE_KIT := $(BUILD)/libskan_store_kit.a
STORE_KIT_MODULES := CSKANSupport SKANCore SKANSystem SKANStoreLaws SKANStoreKitLibrary
STORE_KIT_SOURCES := Package.swift $(shell find $(foreach module,$(STORE_KIT_MODULES),$($(module)_FOLDER)) \
	Sources/System Include/skan -type f)

.PHONY: store-kit check-store-kit
store-kit: $(STORE_KIT)

check-store-kit: $(CHECKS)/StoreKit/kit $(CHECKS)/StoreKit/compiles
	$(CHECKS)/StoreKit/kit

# Only skan_store_kit_* leaves it, so that it goes with any program. Of the core it has what the laws use.
$(BUILD)/libskan_store_kit.o: $(STORE_KIT_SOURCES) Makefile Tests/StoreKit/store_kit.mk
	$(SWIFT) build $(EMBEDDED_FLAGS) --target SKANStoreKitLibrary
	@ld -r --gc-sections -u skan_store_kit_run -u skan_store_kit_law -o $@.all \
		$(call objects,$(EMBEDDED),$(STORE_KIT_MODULES))
	objcopy --wildcard --keep-global-symbol='skan_store_kit_*' --strip-debug --strip-unneeded $@.all $@
	rm $@.all

$(STORE_KIT): $(BUILD)/libskan_store_kit.o
	rm -f $@
	ar rcs $@ $<

$(CHECKS)/include/skan/store_kit.h: Include/skan/store_kit.h
	@mkdir -p $(@D)
	cp $< $@

$(CHECKS)/StoreKit/%.o: Tests/StoreKit/%.c Tests/StoreKit/mutants.h $(CHECKS)/include/skan/store_kit.h $(CHECK_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -ITests/StoreKit -c -o $@ $<

$(CHECKS)/StoreKit/kit: $(addprefix $(CHECKS)/StoreKit/,kit.o mutants.o) $(addprefix $(CHECKS)/C/,host.o support.o) \
		$(STORE_KIT) $(LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o %libskan_store_kit.a,$^) $(CHECK_LIBS)

# The header alone and twice, in every language that it is for; the tests, by both compilers.
$(CHECKS)/StoreKit/compiles: $(wildcard Tests/StoreKit/*.[ch]) $(CHECK_HEADERS) \
		$(CHECKS)/include/skan/store_kit.h
	@mkdir -p $(@D)
	set -e; header='#include <skan/store_kit.h>'; for compiler in "$(CC)" "$(OTHER_CC)"; do \
		for standard in c99 c11 c17; do printf '%s\n%s\n' "$$header" "$$header" | \
			$$compiler -std=$$standard $(CHECK_WARNINGS) -I$(CHECKS)/include -fsyntax-only -x c -; done; \
		for file in Tests/StoreKit/*.c; do \
			$$compiler $(CHECK_CFLAGS) -ITests/StoreKit -fsyntax-only $$file; done; done
	set -e; header='#include <skan/store_kit.h>'; for compiler in "$(CXX)" "$(OTHER_CXX)"; do \
		for standard in c++17 c++20; do printf '%s\n%s\n' "$$header" "$$header" | \
			$$compiler -std=$$standard $(CHECK_WARNINGS) -I$(CHECKS)/include -fsyntax-only -x c++ -; done; done
	touch $@
