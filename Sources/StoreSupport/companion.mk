# Companions of libskan, each a library of its own beside it: $(eval $(call COMPANION,NAME,FOLDER,LIBRARIES)) gives
#   NAME-library   build/libskan-NAME.so and .a, of the C files in Sources/FOLDER and Sources/StoreSupport
# with the variables NAME_LIBRARY, NAME_ARCHIVE and NAME_LIBS, and adds NAME to COMPANIONS. Only skan_NAME_* leaves
# them. Once loaded they stay: fork() keeps pointers into them.
COMPANION_CFLAGS := -std=c11 -O2 -g -fPIC -Wall -Wextra -pedantic -Werror -IInclude
COMPANION_HEADERS := $(wildcard Include/skan/*.h Sources/StoreSupport/*.h)
STORE_SUPPORT := $(patsubst Sources/%.c,$(BUILD)/%.o,$(wildcard Sources/StoreSupport/*.c))

# What the tests of every companion begin with: its header, exports and needs.
INTERFACE = CC="$(CC)" CXX="$(CXX)" OTHER_CC="$(OTHER_CC)" OTHER_CXX="$(OTHER_CXX)" \
	SOURCE_CFLAGS="$(postgres_CFLAGS)" Tests/Companions/interface.sh

$(BUILD)/StoreSupport/%.o: Sources/StoreSupport/%.c $(COMPANION_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(COMPANION_CFLAGS) -c -o $@ $<

define COMPANION
$(1)_LIBRARY := $(BUILD)/libskan-$(1).so
$(1)_ARCHIVE := $(BUILD)/libskan-$(1).a
$(1)_OBJECTS := $(patsubst Sources/%.c,$(BUILD)/%.o,$(wildcard Sources/$(2)/*.c)) $(STORE_SUPPORT)
$(1)_LIBS := $(3)
COMPANIONS += $(1)

.PHONY: $(1)-library
$(1)-library: $(BUILD)/libskan-$(1).so $(BUILD)/libskan-$(1).a

$(BUILD)/$(2)/%.o: Sources/$(2)/%.c $(wildcard Sources/$(2)/*.h) $(COMPANION_HEADERS)
	@mkdir -p $$(@D)
	$$(CC) $$(COMPANION_CFLAGS) $$($(1)_CFLAGS) -c -o $$@ $$<

$(BUILD)/$(2)/library.map: Sources/StoreSupport/companion.mk
	@mkdir -p $$(@D)
	printf '{ global: skan_$(1)_*; local: *; };\n' > $$@

$(BUILD)/libskan-$(1).so: $$($(1)_OBJECTS) $(BUILD)/$(2)/library.map $(LIBRARY)
	$$(CC) -shared -Wl,-soname,$$(@F).$(ABI) -Wl,--version-script=$(BUILD)/$(2)/library.map -Wl,--no-undefined \
		-Wl,-z,relro,-z,now,-z,nodelete -Wl,-rpath,'$$$$ORIGIN' -s -o $$@ $$($(1)_OBJECTS) $(LIBRARY) $(3) -pthread
	ln -sf $$(@F) $$@.$(ABI)

$(BUILD)/libskan-$(1).a: $$($(1)_OBJECTS)
	ld -r -o $(BUILD)/$(2)/library.o $$^
	objcopy --wildcard --keep-global-symbol='skan_$(1)_*' $(BUILD)/$(2)/library.o
	rm -f $$@
	ar rcs $$@ $(BUILD)/$(2)/library.o
endef
