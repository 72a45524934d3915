# The skan command; after Sources/companions.mk.
#   command           build/bin/skan: Embedded Swift, linked with other people's libraries
#   install-command   bin/skan and its manual page under PREFIX, a part of install
# $(eval $(call SWIFT_PROGRAM,FILE,TARGET)) gives build/FILE of TARGET, which has its main, and all that it is built on;
# and of plain Swift, since Embedded Swift has no sanitizers, build/Sanitizers/address|thread/ with FILE's name.
COMMAND := $(BUILD)/bin/skan

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

$(BUILD)/$(1): $$($(2)_SOURCES) Makefile Sources/Command/program.mk
	$$(SWIFT) build $$(EMBEDDED_FLAGS) --target $(2)
	@mkdir -p $$(@D)
	@$$(PYTHON) Tests/shared_data.py $$(call objects,$$(EMBEDDED),$$($(2)_MODULES))
	@$$(CC) -s -o $$@ $$(call objects,$$(EMBEDDED),$$($(2)_MODULES)) -Wl,--gc-sections -Wl,-z,relro,-z,now \
		$$(COMMAND_LIBRARIES) -pthread

$(foreach sanitizer,address thread,$(call SANITIZED_SWIFT_PROGRAM,$(sanitizer),$(notdir $(1)),$(2)))
endef

# $(1): address or thread, $(2): NAME, $(3): TARGET
define SANITIZED_SWIFT_PROGRAM
$(BUILD)/Sanitizers/$(1)/$(2): $$($(3)_SOURCES) Sources/Command/program.mk
	$$(SWIFT) build -c release --sanitize=$(1) --scratch-path .build/$(1) --target $(3)
	@mkdir -p $$(@D)
	@printf '%s\n' $$(call objects,.build/$(1),$$($(3)_MODULES)) > $$@.rsp
	swiftc -use-ld=lld -sanitize=$(1) -o $$@ @$$@.rsp $$(filter -l%,$$(COMMAND_LIBRARIES))

endef

$(eval $(call SWIFT_PROGRAM,bin/skan,SKANCommandProgram))

.PHONY: command install-command
command: $(COMMAND)
installable: $(COMMAND)

install-command: $(COMMAND)
	install -d $(INSTALLED)/bin
	install -m 755 $< $(INSTALLED)/bin/skan
	install -d $(INSTALLED)/share/man/man1
	sed 's|@VERSION@|$(VERSION)|' Sources/Command/skan/skan.1 > $(INSTALLED)/share/man/man1/skan.1
	chmod 644 $(INSTALLED)/share/man/man1/skan.1

install: install-command
