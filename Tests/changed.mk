# Only what a change can affect, for the work between two commits:
#   check CHANGED=1        the parts of make check that judge what has changed since the last commit
#   check CHANGED=COMMIT   those that judge what has changed since that commit
# libskan's own modules are judged where nothing else of ours is: by programs that are linked with it alone, and by
# Swift's tests of the core. What is built on libskan is judged by its own programs and tests. A file that no part
# judges, as this one, makes all parts run. The run names the parts that it left out.
folders_of = $(foreach module,$(1),$($(module)_FOLDER:%=%/))
besides_libskan = $(filter-out $(skan_MODULES),$(1))

# Of a program's row: its sources and the modules that it judges.
modules_of_program = $(or $(call besides_libskan,$(foreach name,$(call ours,$(call part,program.$(1),2)),\
	$(skan-$(name)_MODULES)) $(if $(filter kit,$(call part,program.$(1),2)),$(skan_store_kit_MODULES))),$(skan_MODULES))
judged_by_program = $(addprefix Tests/,$(call part,program.$(1),1)) $(call folders_of,$(call modules_of_program,$(1)))
judged_by_check = $(foreach each,$(call in,$(1),$(call part,check.$(1),1)),$(call judged_by_program,$(each)))

# Of a row of the command's tests: their folders, and the modules whose folders have the same names, with all below.
module_in = $(strip $(foreach module,$(patsubst %_FOLDER,%,$(filter SKAN%_FOLDER,$(.VARIABLES))),\
	$(if $(filter Sources/$(1),$($(module)_FOLDER)),$(module))))
judged_by_command_tests = $(foreach each,$(call part,command-tests.$(1),1),$(call folder_of_tests,$(each))/ \
	$(call folders_of,$(call besides_libskan,$(call built_on,$(call module_in,$(patsubst Tests/%,%,$(call folder_of_tests,$(each))))))))

# judges.PART = FOLDERS, which end with a slash, AND FILES
$(foreach name,$(call rows,check),$(eval judges.check-$(name) = $$(call judged_by_check,$(name))))
$(foreach name,$(call rows,command-tests),$(eval judges.check-$(name) = $$(call judged_by_command_tests,$(name))))
judges.check-c = $(call judged_by_check,core) Bindings/C/ Tests/Hosts/C/
judges.check-abi = $(RELEASED)/ Tests/Hosts/C/abi.sh Tests/Hosts/C/abi_changes.sh
judges.check-cpp = $(call folders_of,SKANLibrary SKANFace) Bindings/Cpp/ Tests/Hosts/Cpp/ Tests/Hosts/C/support.c
judges.check-python = $(call folders_of,SKANLibrary SKANFace) Bindings/Python/ Tests/Hosts/Python/
judges.check-changed = Tests/Make/
judges.check-demo = Bindings/Python/ Tests/Demo/ $(call folders_of,$(call besides_libskan,$(call built_on,SKANCommandServer)))
judges.check-journeys = Tests/Journeys/ $(call folders_of,$(call besides_libskan,$(call built_on,SKANCommandServer)))
judges.check-swift = $(foreach each,$(SWIFT_TESTS),$(judges.$(each)))
judges.check-vectors = Tests/Vectors/ Tests/Phone/ $(call judged_by_check,vectors)
judges.check-postback = Tests/Postbacks/Reference/ $(call judged_by_check,postback)

# The tests in Package.swift: judges.SKANHTTPTests has their folder and the modules.
define SWIFT_TEST
judges.$(word 1,$(subst =, ,$(1))) = Tests/$(word 2,$(subst =, ,$(1)))/%.swift $$(call folders_of,$\
	$$(or $$(call besides_libskan,$$(call built_on,$(subst +, ,$(word 3,$(subst =, ,$(1)))))),$$(skan_MODULES)))
endef
SWIFT_TEST_ROWS := $(shell tr '\n' ' ' < Package.swift | grep -oE ' tests. *"\w+", *"[^"]+", *"[^"]*"' \
	| sed -E 's/ tests. *"(\w+)", *"([^"]+)", *"([^"]*)"/\1=\2=\3/; s/ /+/g')
$(foreach each,$(SWIFT_TEST_ROWS),$(eval $(call SWIFT_TEST,$(each))))
SWIFT_TESTS := $(foreach each,$(SWIFT_TEST_ROWS),$(firstword $(subst =, ,$(each))))

# Texts are read by check-format and check-names, which look at everything and always run.
ifdef CHANGED
SINCE := $(if $(filter 1,$(CHANGED)),HEAD,$(CHANGED))
CHANGED_FILES := $(shell git rev-parse --verify --quiet "$(SINCE)^{commit}" > /dev/null || echo /; \
	git diff --name-only $(SINCE) -- && git ls-files --others --exclude-standard)
$(if $(filter /,$(CHANGED_FILES)),$(error CHANGED=$(CHANGED): git knows no such commit))
endif
judged_files = $(filter $(patsubst %/,%/%,$(judges.$(1))),$(CHANGED_FILES))
of_nobody = $(filter-out %.md,$(filter-out $(foreach one,$(1),$(call judged_files,$(one))),$(CHANGED_FILES)))
# $(call chosen,PARTS): those that are to run.
chosen = $(if $(CHANGED),$(or $(if $(call of_nobody,$(1)),$(1)),$\
	$(foreach one,$(1),$(if $(or $(filter check-format check-names,$(one)),$(call judged_files,$(one))),$(one)))),$(1))
chosen_swift_tests = $(if $(CHANGED),$(foreach each,$(SWIFT_TESTS),$(if $(call judged_files,$(each)),--filter $(each))))
# Nothing runs before a few parts. Those that need neither the command nor companions have libskan built alone.
chosen_first = $(if $(CHANGED),,$(1))
NEED_LIBSKAN_ALONE := check-swift check-c check-vectors check-cpp check-names check-format
at_once = $(if $(filter-out $(NEED_LIBSKAN_ALONE),$(call chosen,$(1))),SKANTestPrograms)
left_out = $(filter-out $(call chosen,$(1)),$(1))

# Names the parts, and the filters of Swift's tests.
.PHONY: chosen
chosen:
	@echo $(call chosen,$(check_PARTS)) $(chosen_swift_tests)
