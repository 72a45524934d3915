# What Swift is built to:
#   library          build/libskan.so and .a
#   NAME-library     a companion's, build/libskan-NAME.so and .a; Package.swift has their names
#   store-kit        build/libskan_store_kit.a
#   command          build/bin/skan
# Each is Embedded Swift. With a sanitizer it is plain Swift, since Embedded Swift has none: build/address, build/thread
# and build/fuzz have lists of objects for programs of tests, NAME.rsp.
# Where SwiftPM puts what it builds as Embedded Swift. Sections are what the linker can leave out. Embedded Swift's
# runtime checks no access for being exclusive: calls of what checks would only take time. Plain Swift does check them.
# An Embedded Swift module also compiles the functions of other modules that it calls, and those that these call. A
# function marked @export(interface) is compiled only in its own module, and callers cannot inline it. The entry points
# of large parts have this mark, so that the parts are not compiled in each of their callers' modules. Debug information
# names sources from the root of the tree on, so that every folder of a build gives the same bytes, and does not refer to
# Clang's modules, which stay in that folder. Debian 12's valgrind ends where it finds debug information of version 5.
EMBEDDED := .build/embedded
EMBEDDED_FLAGS := -c release \
	-Xswiftc -enable-experimental-feature -Xswiftc Embedded -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xswiftc -enforce-exclusivity=unchecked -Xcc -fstack-protector-strong -Xcc -D_FORTIFY_SOURCE=2 \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
	-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
	-Xswiftc -dwarf-version=4 -Xcc -gdwarf-4
# $(BUILD_EMBEDDED) MODULE
BUILD_EMBEDDED = $(SWIFT_ALONE) build $(EMBEDDED_FLAGS) --scratch-path $(EMBEDDED) --target
# SwiftPM plans and builds one module with all below it at a time, and each run waits for the one before. So a run of make
# that needs most libraries names a module that is built on all of them, and the run's libraries and programs wait for
# that; otherwise each is built by itself.
AT_ONCE ?= $(if $(filter install installable packages debian tarball,$(MAKECMDGOALS)),$\
	$(if $(filter-out $(COMPANIONS),$(EVERY_COMPANION)),,SKANInstalled))
MODULES_AT_ONCE := SKANInstalled SKANTestPrograms
built_at_once = $(MODULES_AT_ONCE:%=$(EMBEDDED)/%.built)
$(EMBEDDED)/%.built:
	$(BUILD_EMBEDDED) $*
	touch $@

# Of plain Swift. Changes of mutants are built with Swift's tests, which see what is internal. Fuzzers have the checks
# of a debug build too, of bounds above all.
mutant_FLAGS := -Xswiftc -enable-testing
mutant_LINK := -lpthread
fuzz_FLAGS := --sanitize=address -Xswiftc -sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link \
	-Xswiftc -Xfrontend -Xswiftc -assert-config -Xswiftc -Xfrontend -Xswiftc Debug

# The modules in Package.swift: SKANCore_FOLDER is where a module's sources stand, SKANCore_NEEDS what it is built on, and
# SKANCore_LINKS what its own code calls.
define MODULE
$(word 1,$(subst =, ,$(1)))_FOLDER := Sources/$(word 2,$(subst =, ,$(1)))
$(word 1,$(subst =, ,$(1)))_NEEDS := $(subst +, ,$(word 3,$(subst =, ,$(1))))
$(word 1,$(subst =, ,$(1)))_LINKS := $(subst +, ,$(word 4,$(subst =, ,$(1))))
endef
$(foreach each,$(shell tr '\n' ' ' < Package.swift \
	| grep -oE 'module. *"\w+", *"[^"]+", *"[^"]*"(, *links: *\[[^]]*\])?' \
	| sed -E 's/[^"]*"(\w+)", *"([^"]+)", *"([^"]*)"/\1=\2=+\3=+/; s/, *links: *\[|[]",]//g; s/ /+/g'),\
	$(eval $(call MODULE,$(each))))

# $(call built_on,MODULES): they and all below them that have sources. $(call links,MODULES): what these are linked with.
built_on = $(sort $(foreach module,$(1),$(if $($(module)_FOLDER),$(module) $(call built_on,$($(module)_NEEDS)))))
first_of_each = $(if $(1),$(firstword $(1)) $(call first_of_each,$(filter-out $(firstword $(1)),$(1))))
# $(call archived,INSIDE,LIBRARIES): how libraries are linked, those of INSIDE as archives.
archived = $(foreach each,$(2),$(if $(filter $(each),$(1)),$(each:-l%=-l:lib%.a),$(each)))
links = $(patsubst %,-l%,$(call first_of_each,$(foreach module,$(call built_on,$(1)),$($(module)_LINKS))))
SKAN_LIBS := $(call links,SKANLibrary)
COMMAND_LIBS := $(call links,SKANCommandProgram)

# The companions in Package.swift: postgres_LIBRARY is the module of its C functions, and postgres_LIBS is what it is
# linked with besides libskan. COMPANIONS, which `make install` may be given, are those that are installed.
COMPANION_ROWS := $(shell sed -nE 's/^ *companion."(\w+)", "(\w+)".*/\1=\2Library/p' Package.swift)
EVERY_COMPANION := $(foreach each,$(COMPANION_ROWS),$(firstword $(subst =, ,$(each))))
COMPANIONS := $(EVERY_COMPANION)
define COMPANION
$(1)_LIBRARY := $(2)
$(1)_LIBS := $(filter-out $(SKAN_LIBS),$(call links,$(2)))
endef
$(foreach each,$(COMPANION_ROWS),$(eval $(call COMPANION,$(firstword $(subst =, ,$(each))),$(lastword $(subst =, ,$(each))))))
# All files of modules, looked for only once, and $(call files,FOLDERS), those in these folders.
EVERY_FILE := $(sort $(shell find Sources/System Include/skan \
	$(foreach each,$(filter SKAN%_FOLDER CSKAN%_FOLDER,$(.VARIABLES)),$($(each))) -type f))
files = $(filter $(1:%=%/%),$(EVERY_FILE))
sources = Package.swift Sources/libraries.mk \
	$(call files,$(foreach module,$(1),$($(module)_FOLDER)) Sources/System Include/skan)
# $(call objects,SCRATCH,MODULES): what SwiftPM makes of their sources there, of all folders in one. Named one by one,
# since it leaves the objects of sources that are gone; a missing one ends the link.
objects = $(foreach module,$(2),$(patsubst %,$(1)/release/$(module).build/%.o, \
	$(sort $(notdir $(filter %.swift %.c,$(call files,$($(module)_FOLDER)))))))
# What a header declares: the roots of a library; nothing else is kept or exported.
headers_of = $(if $(filter skan,$(1)),skan store model reengagement companion,$(1))
functions = $(sort $(shell sed -n 's/^[a-z].*[ *]\(skan_[a-z_]*\)\x28.*/\1/p' \
	$(patsubst %,Include/skan/%.h,$(headers_of))))

# $(call SHARED,PREFIX): a link where only PREFIX_* leaves the library: Embedded Swift brings weak copies of the Swift
# runtime's functions, which must not meet those of a host that uses the full runtime. Once loaded it stays: threads and
# forks keep pointers into it.
define SHARED
@mkdir -p $(@D) $(dir $(unstripped))
printf '{ global: $(1)_*; local: *; };\n' > $@.map
$(CC) -shared -Wl,--version-script=$@.map $(SHARED_FLAGS) -Wl,--no-undefined -Wl,--build-id -o $(unstripped)
endef
SHARED_FLAGS := -Wl,--gc-sections -Wl,-z,relro,-z,now,-z,nodelete
# glibc reads these relocations since 2.36.
$(BUILD)/lib%.so: SHARED_FLAGS += -Wl,-z,pack-relative-relocs
PROGRAM_FLAGS := -Wl,--gc-sections -Wl,-z,relro,-z,now -Wl,--build-id -Wl,--as-needed -pthread

# What is linked has its symbols and debug information in build/unstripped, for packages of debug symbols. What is used is
# the same without them.
UNSTRIPPED := $(BUILD)/unstripped
unstripped = $(@:$(BUILD)/%=$(UNSTRIPPED)/%)
STRIP = strip -o $@ $(unstripped)

# swift-library.NAME = TARGET | HEADER | PREFIX | WHAT IT IS LINKED WITH gives build/libNAME.so, .a and .rsp of each
# kind of TARGET, which has the functions of HEADER, and all that it is built on.
define rules-of-swift-library
$(1)_MODULES := $(call built_on,$(2))
$(1)_SOURCES := $$(call sources,$$($(1)_MODULES))

$(built_at_once): $$($(1)_SOURCES)
$(UNSTRIPPED)/lib$(1).o: $$($(1)_SOURCES) | $(AT_ONCE:%=$(EMBEDDED)/%.built)
	$(if $(AT_ONCE),,$$(BUILD_EMBEDDED) $(2))
	@mkdir -p $$(@D)
	@ld -r --gc-sections $$(addprefix -u ,$$(call functions,$(3))) -o $$@.all \
		$$(call objects,$(EMBEDDED),$$($(1)_MODULES))
	objcopy --wildcard --keep-global-symbol='$(4)_*' --remove-section=.swift_modhash --remove-section='*.debug_names' \
		$$@.all $$@
	rm $$@.all

$(BUILD)/lib$(1).a: $(UNSTRIPPED)/lib$(1).o
	objcopy --strip-debug --strip-unneeded $$< $(BUILD)/lib$(1).o
	$(PYTHON) Include/packaging/ascii_names.py $(BUILD)/lib$(1).o
	rm -f $$@
	ar rcs $$@ $(BUILD)/lib$(1).o

$(BUILD)/lib$(1).so: $(UNSTRIPPED)/lib$(1).o $(filter %.so,$(5))
	$$(call SHARED,$(4)) -Wl,-soname,$$(@F).$(ABI) $$< $(5)
	$$(STRIP)
	ln -sf $$(@F) $$@.$(ABI)

$(foreach kind,$(KINDS),$(call SWIFT_OBJECTS,$(kind),$(1),$(2)))
$(foreach kind,$(SANITIZERS),$(call SANITIZED,$(kind),$(1),$(4),$(5)))
endef

define SWIFT_OBJECTS
$(BUILD)/$(1)/$(2).rsp: $$($(2)_SOURCES)
	$$(SWIFT_ALONE) build -c release $(or $($(1)_FLAGS),--sanitize=$(1)) --scratch-path .build/$(1) --target $(3)
	@mkdir -p $$(@D)
	@printf '%s\n' $$(call objects,.build/$(1),$$($(2)_MODULES)) > $$@

endef

# For programs of hosts that test with this sanitizer, whose runtime is theirs: build/thread/libskan.so. Swift's runtime
# is inside, and what one runtime or another has not.
$(BUILD)/%/runtime.o: Include/packaging/sanitized/%.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -Wall -Wextra -pedantic -Werror -O2 -fPIC -fno-builtin -c -o $@ $<
thread_RUNTIME := $(BUILD)/thread/runtime.o
define SANITIZED
$(BUILD)/$(1)/lib$(2).so: $(BUILD)/$(1)/$(2).rsp $($(1)_RUNTIME) $(patsubst $(BUILD)/%,$(BUILD)/$(1)/%,$(filter %.so,$(4)))
	printf '{ global: $(3)_*; local: *; };\n' > $$@.map
	swiftc -emit-library -static-stdlib -use-ld=lld -sanitize=$(1) -o $$@ @$$< $($(1)_RUNTIME) \
		$$(addprefix -Xclang-linker ,-Wl,--version-script=$$@.map -Wl,-soname,lib$(2).so.$(ABI) -Wl,--build-id \
		$$(SHARED_FLAGS) $(patsubst $(BUILD)/%.so,$(BUILD)/$(1)/%.so,$(4)))
	ln -sf lib$(2).so $$@.$(ABI)

endef

# swift-program.FILE = TARGET gives build/FILE of TARGET, which has its main, and all that it is built on; and
# build/address/FILE, build/thread/FILE.
define rules-of-swift-program
$(1)_MODULES := $(call built_on,$(2))
$(1)_SOURCES := $$(call sources,$$($(1)_MODULES))

$(built_at_once): $$($(1)_SOURCES)
$(BUILD)/$(1): $$($(1)_SOURCES) $(BUILD)/commit.o | $(AT_ONCE:%=$(EMBEDDED)/%.built)
	$(if $(AT_ONCE),,$$(BUILD_EMBEDDED) $(2))
	@mkdir -p $$(@D) $$(dir $$(unstripped))
	@$$(PYTHON) .ci/shared_data.py $$(call objects,$(EMBEDDED),$$($(1)_MODULES))
	@$$(CC) -o $$(unstripped) $(BUILD)/commit.o $$(call objects,$(EMBEDDED),$$($(1)_MODULES)) $$(PROGRAM_FLAGS) \
		$$(COMMAND_LIBS)
	$$(STRIP)

$(foreach kind,address thread mutant,$(call SWIFT_OBJECTS,$(kind),$(1),$(2)))
endef

# The commit that a program was linked at, for its --version; CSKANSupport has an empty one for all other links.
COMMIT := $(shell git describe --always --dirty 2> /dev/null)
ifneq ($(shell cat $(BUILD)/commit.c 2> /dev/null),const char support_commit[] = "$(COMMIT)";)
$(shell mkdir -p $(BUILD) && echo 'const char support_commit[] = "$(COMMIT)";' > $(BUILD)/commit.c)
endif
$(BUILD)/commit.o: $(BUILD)/commit.c
	$(CC) -c -o $@ $<

kind_of = $(firstword $(subst /, ,$(1)))
$(BUILD)/%: $(BUILD)/%.rsp $(BUILD)/commit.o
	swiftc -use-ld=lld $(or $($(call kind_of,$*)_LINK),-sanitize=$(call kind_of,$*)) -o $@ @$< $(BUILD)/commit.o \
		$(COMMAND_LIBS)

# What companions use of the core is in them, what needs an engine of the host's they ask of libskan.so.
BESIDE = $(LIBRARY) -Wl,-rpath,'$$$$ORIGIN'
swift-library.skan = SKANLibrary | skan | skan | $(SKAN_LIBS)
$(foreach name,$(EVERY_COMPANION),$(eval \
	swift-library.skan-$(name) = $($(name)_LIBRARY) | $(name) | skan_$(name) | $$(BESIDE) $($(name)_LIBS)))
swift-library.skan_store_kit = SKANStoreKitLibrary | store_kit | skan_store_kit
swift-program.bin/skan = SKANCommandProgram
swift-program.bin/faulty-skan = SKANFaultyCommand
swift-program.bin/world = SKANSimulatedWorld

.PHONY: library store-kit command $(COMPANIONS:%=%-library)
library: $(LIBRARY) $(ARCHIVE)
store-kit: $(STORE_KIT)
command: $(COMMAND)
$(COMPANIONS:%=%-library): %-library: $(BUILD)/libskan-%.so $(BUILD)/libskan-%.a
