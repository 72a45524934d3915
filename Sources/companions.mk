# Companions of libskan, each a library of its own beside it, in Embedded Swift:
# $(eval $(call SWIFT_COMPANION,NAME,TARGET,MODULES,LIBRARIES)) gives
#   NAME-library   build/libskan-NAME.so and .a, of TARGET, which has the functions of NAME.h, and the MODULES below it
# with the variables NAME_LIBRARY, NAME_ARCHIVE, NAME_LIBS and NAME_SOURCES, and adds NAME to COMPANIONS; and, for tests,
#   build/Sanitizers/address|thread/NAME.rsp   the objects of plain Swift with a sanitizer, Embedded Swift has none
#   build/Sanitizers/address|thread/libskan-NAME.so.1  the library of them, without a sanitizer's own: a program has it
#   build/Sanitizers/address|thread/Tests/%.o  C tests with it
# which are linked by SANITIZED_PROGRAM. Only skan_NAME_* leaves the libraries. Once loaded they stay: fork() keeps
# pointers into them. What they use of the core is in them; what needs an engine of the host's they ask of libskan.so.

# What every companion has below its own, and what stores have.
COMPANION_MODULES := CSKANSupport SKANCore SKANSystem SKANCompanionLibrary
STORE_MODULES := SKANStorePool SKANStoreLibrary

# $(1): address or thread, $(2): NAME, $(3): TARGET
define SANITIZED_COMPANION
$(BUILD)/Sanitizers/$(1)/$(2).rsp: $$($(2)_SOURCES)
	$(SWIFT) build -c release --sanitize=$(1) --scratch-path .build/$(1) --target $(3)
	@mkdir -p $$(@D)
	@printf '%s\n' $$(call objects,.build/$(1),$$($(2)_MODULES)) > $$@

$(BUILD)/Sanitizers/$(1)/libskan-$(2).so.$(ABI): $(BUILD)/Sanitizers/$(1)/$(2).rsp $(BUILD)/skan-$(2).map $(LIBRARY)
	swiftc -use-ld=lld -emit-library -o $$@ @$$< $(LIBRARY) -ljson-c -lm $$($(2)_LIBS) \
		-Xlinker -soname=$$(@F) -Xlinker --version-script=$(BUILD)/skan-$(2).map -Xlinker -z -Xlinker nodelete

endef
# Of objects and one .rsp; libskan and the companion's own library as they are.
SANITIZED_PROGRAM = swiftc -use-ld=lld -sanitize=$(1) -o $@ $(filter %.o %.a,$^) $(addprefix @,$(filter %.rsp,$^)) \
	$(LIBRARY) -Xlinker -rpath -Xlinker $(abspath $(BUILD)) -ljson-c -lm

define SANITIZED_TESTS
$(BUILD)/Sanitizers/$(1)/Tests/%.o: Tests/%.c $$(STORE_HEADERS)
	@mkdir -p $$(@D)
	clang $$(CHECK_CFLAGS) -I$$(<D) $$(postgres_CFLAGS) -fsanitize=$(1) -c -o $$@ $$<

endef
$(foreach sanitizer,address thread,$(eval $(call SANITIZED_TESTS,$(sanitizer))))

# What the tests of every companion begin with: its header, exports, needs and size.
INTERFACE = CC="$(CC)" CXX="$(CXX)" OTHER_CC="$(OTHER_CC)" OTHER_CXX="$(OTHER_CXX)" Tests/Companions/interface.sh

define SWIFT_COMPANION
$(1)_LIBRARY := $(BUILD)/libskan-$(1).so
$(1)_ARCHIVE := $(BUILD)/libskan-$(1).a
$(1)_MODULES := $(COMPANION_MODULES) $(3) $(2)
$(1)_SOURCES := Package.swift $$(shell find $$(foreach module,$$($(1)_MODULES),$$($$(module)_FOLDER)) Sources/System \
	Include/skan -type f)
$(1)_FUNCTIONS := $$(shell sed -n 's/^[a-z].*[ *]\(skan_$(1)_[a-z_]*\)\x28.*/\1/p' Include/skan/$(1).h | sort -u)
$(1)_LIBS := $(4)
COMPANIONS += $(1)

.PHONY: $(1)-library
$(1)-library: $(BUILD)/libskan-$(1).so $(BUILD)/libskan-$(1).a

$(BUILD)/libskan-$(1).o: $$($(1)_SOURCES) Makefile Sources/companions.mk
	$(SWIFT) build $(EMBEDDED_FLAGS) --target $(2)
	@ld -r --gc-sections $$(addprefix -u ,$$($(1)_FUNCTIONS)) -o $$@.all $$(call objects,$(EMBEDDED),$$($(1)_MODULES))
	objcopy --wildcard --keep-global-symbol='skan_$(1)_*' --strip-debug $$@.all $$@
	rm $$@.all

$(BUILD)/skan-$(1).map: Sources/companions.mk
	@mkdir -p $$(@D)
	printf '{ global: skan_$(1)_*; local: *; };\n' > $$@

$(BUILD)/libskan-$(1).so: $(BUILD)/libskan-$(1).o $(BUILD)/skan-$(1).map $(LIBRARY)
	$$(CC) -shared -Wl,-soname,$$(@F).$(ABI) -Wl,--version-script=$(BUILD)/skan-$(1).map -Wl,--no-undefined \
		-Wl,--gc-sections -Wl,-z,relro,-z,now,-z,nodelete -Wl,-rpath,'$$$$ORIGIN' -s -o $$@ $$< $(LIBRARY) $(4)
	ln -sf $$(@F) $$@.$(ABI)

$(BUILD)/libskan-$(1).a: $(BUILD)/libskan-$(1).o
	rm -f $$@
	ar rcs $$@ $$<

$(foreach sanitizer,address thread,$(call SANITIZED_COMPANION,$(sanitizer),$(1),$(2)))
endef
