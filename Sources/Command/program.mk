# The skan command in Swift; after Sources/companions.mk.
#   command-swift   build/Swift/skan, Embedded Swift, linked with other people's libraries, and for tests
#                   build/Swift/faulty-skan, whose SQLite stores have accidents
# and with sanitizers, which Embedded Swift has none of: build/Swift/address/skan, build/Swift/thread/skan.
# $(call SWIFT_PROGRAM,FILE,TARGET) gives one of TARGET and all it is built on, whose main it has.

# What Package.swift says a module is built on: SKANCore_NEEDS and so on.
define MODULE_NEEDS
$(word 1,$(subst =, ,$(1)))_NEEDS := $(subst $(COMMA), ,$(word 2,$(subst =, ,$(1))))
endef
COMMA := ,
$(foreach pair,$(shell tr -d ' \n' < Package.swift | grep -oE 'module."\w+","[^"]+",\[[^]]*\]' \
	| sed -E 's/module."(\w+)","[^"]+",\[(.*)\]/\1=\2/; s/"//g; s/,$$//'),$(eval $(call MODULE_NEEDS,$(pair))))
# $(call built_on,MODULES): they and all below them that have sources.
built_on = $(sort $(foreach module,$(1),$(if $($(module)_FOLDER),$(module) $(call built_on,$($(module)_NEEDS)))))

COMMAND_LIBRARIES := -Wl,--as-needed -lsqlite3 -lpq -lhiredis -lcurl -lcrypto -lmicrohttpd -ljson-c -lm

define SWIFT_PROGRAM
$(2)_MODULES := $$(call built_on,$(2))
$(2)_SOURCES := Package.swift $$(shell find $$(foreach module,$$($(2)_MODULES),$$($$(module)_FOLDER)) Sources/System \
	-type f)

$(BUILD)/$(1): $$($(2)_SOURCES) Sources/Command/program.mk
	$$(SWIFT) build $$(EMBEDDED_FLAGS) --target $(2)
	@mkdir -p $$(@D)
	@$$(PYTHON) Tests/shared_data.py $$(call objects,$$(EMBEDDED),$$($(2)_MODULES))
	@$$(CC) -s -o $$@ $$(call objects,$$(EMBEDDED),$$($(2)_MODULES)) -Wl,--gc-sections -Wl,-z,relro,-z,now \
		$$(COMMAND_LIBRARIES) -pthread

$(foreach sanitizer,address thread,$(call SANITIZED_SWIFT_PROGRAM,$(sanitizer),$(dir $(1))$(sanitizer)/$(notdir $(1)),$(2)))
endef

# $(1): address or thread, $(2): FILE, $(3): TARGET
define SANITIZED_SWIFT_PROGRAM
$(BUILD)/$(2): $$($(3)_SOURCES) Sources/Command/program.mk
	$$(SWIFT) build -c release --sanitize=$(1) --scratch-path .build/$(1) --target $(3)
	@mkdir -p $$(@D)
	@printf '%s\n' $$(call objects,.build/$(1),$$($(3)_MODULES)) > $$@.rsp
	swiftc -use-ld=lld -sanitize=$(1) -o $$@ @$$@.rsp $$(filter -l%,$$(COMMAND_LIBRARIES))

endef

.PHONY: command-swift
command-swift: $(BUILD)/Swift/skan $(BUILD)/Swift/faulty-skan
$(eval $(call SWIFT_PROGRAM,Swift/skan,SKANCommandProgram))
$(eval $(call SWIFT_PROGRAM,Swift/faulty-skan,SKANFaultyCommand))
