# The way in:
#   demo                        1 000 installs live through 35 days, served by skan serve
#   check                       tests that need no database server, no browser, no second compiler and no sanitizer
#   check CHANGED=1             of these, what judges the changes since the last commit; CHANGED=COMMIT: since that one
#   check-all                   all tests, long ones in a short form: this is what CI runs
#   check-full                  the long ones at full length
#   check-sanitizers            only tests under sanitizers, fuzz corpora and Swift packages that depend on this one
#   truth                       simulated worlds of 30 families judge the estimates of skan report
#   install PREFIX=...          the library, every companion, the store kit and the command, for pkg-config and CMake
#   install COMPANIONS=         the same without companions; COMPANIONS="sqlite" with that one
#   install SANITIZE=thread     shared libraries for programs that are built with -fsanitize=thread, or address
#   packages                    for machines without Swift: Debian's packages, a tarball and a wheel, in build/packages
#   docs                        the documentation as a static site, in build/docs
#   check-format                the sources' form, names and order
#   check-swift                 Swift's tests of every module
#   check-docs                  the documentation, whose warnings are errors
#   check-swift-package         packages that depend on this one
BUILD ?= build
PREFIX ?= /usr/local
SWIFT ?= swift
PYTHON ?= python3
# SwiftPM takes the compiler of its C targets from CC, and gives it options that clang alone knows.
SWIFT_ALONE = env -u CC -u CXX $(SWIFT)
OTHER_CC ?= clang
OTHER_CXX ?= clang++
CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
CXX := $(if $(filter default,$(origin CXX)),g++,$(CXX))
VERSION := 0.2.0
ABI := 1

# What the files below build.
LIBRARY := $(BUILD)/libskan.so
ARCHIVE := $(BUILD)/libskan.a
STORE_KIT := $(BUILD)/libskan_store_kit.a
COMMAND := $(BUILD)/bin/skan
VENV := $(BUILD)/venv
space := $(subst ,, )
# Kinds of plain Swift and what is linked with it: Embedded Swift has no sanitizers, and its tests none. The kind
# `mutant` has no sanitizer and is built in the copy of make mutants.
SANITIZERS := address thread
KINDS := $(SANITIZERS) fuzz mutant
T := $(BUILD)/Tests

.PHONY: all help clean
all: library

help:
	@sed -n 's/^#   //p' $(filter-out $(BUILD)/%,$(MAKEFILE_LIST))

clean:
	rm -rf $(BUILD) .build

# The machine comes first: .ci/setup installs what is missing from Debian and writes down where things are; make then
# reads everything again. So no rule waits for it, and what is asked of the machine while reading is there. Targets that
# only build, install or run the demo do not install what tests, packages and documentation need.
ONLY_BUILT := all demo install library command store-kit installable %-library $(BUILD)/%
ONLY_TESTS_NEED := postgresql pgbouncer redis-tools nginx-light systemd openssl curl wrk cmake man-db mandoc zsh fish \
	python3-venv git prometheus chromium time doxygen valgrind abigail-tools debhelper dh-python lintian debootstrap
ifeq ($(filter clean help,$(MAKECMDGOALS)),)
include $(BUILD)/setup.mk $(if $(filter-out $(ONLY_BUILT),$(MAKECMDGOALS)),$(BUILD)/setup-tests.mk)
endif

$(BUILD)/setup.mk: .ci/setup Package.swift
	.ci/setup $@
$(BUILD)/setup-tests.mk: .ci/setup Package.swift Makefile
	.ci/setup $@ $(ONLY_TESTS_NEED)

# A table's rows are TABLE.NAME = PART | PART | …; rules-of-TABLE makes rules of NAME and the parts.
rows = $(sort $(patsubst $(1).%,%,$(filter $(1).%,$(.VARIABLES))))
part = $(strip $(subst ^, ,$(word $(2),$(subst |, ,^$(subst $(space),^,$($(1)))))))
parts = $(call $(1),$(3),$(call part,$(2).$(3),1),$(call part,$(2).$(3),2),$(call part,$(2).$(3),3),$\
	$(call part,$(2).$(3),4))

# They have tables, whose rows become rules at the end, when all are read. The first one reads Package.swift, too; the
# others come in any order.
include Sources/libraries.mk
include Bindings/Python/python.mk Include/packaging/packages.mk Tests/checks.mk Tests/changed.mk
include Tests/Fuzz/fuzz.mk Tests/Bench/bench.mk

# The parts of each tier. Several run at a time, the long ones first. make comes back to a part only after it has looked
# at all others, so what others wait for goes before, beside parts that wait more than they work.
check_FIRST = swift-tests $(VENV)/libskan $(COMMAND) check-http check-python
check_PARTS := check-http check-python check-leaks-of-refusals check-sqlite check-vectors check-swift check-report \
	check-command check-outbox check-c check-serve check-cpp check-journeys check-postback check-store-kit check-demo \
	check-abi check-names check-format check-changed
check-sanitizers_PARTS := check-report-sanitizers check-command-sanitizers check-swift-package check-outbox-sanitizers \
	check-core-sanitizers check-serve-sanitizers check-http-sanitizers check-leaks check-postback-sanitizers fuzz-replay
check-all_VARIABLES = SERVERS="$(EVERY_SERVER)"
check-all_FIRST = $(check_FIRST) $(addprefix $(T)/postgres/,store trouble sockets purchases kills)
check-all_PARTS := check-postgres check-redis $(check_PARTS) check-packages check-docs check-install check-readme \
	check-compilers check-lost-answers check-wheel check-generators check-pyright check-cpp-stores check-http2 \
	check-shared-data check-hardened
# Their builds wait for each other and would keep places that tests could use.
check-all_LAST = $(check-sanitizers_PARTS)
# Companions without a place of their own in this order come last.
check-all_PARTS += $(filter-out $(check-all_PARTS),$(EVERY_COMPANION:%=check-%))

# How many parts run at a time: much of what they do is waiting.
JOBS ?= 4
RUN_PARTS = SECONDS_LOG=$(BUILD)/$@.seconds $(MAKE) --no-print-directory --output-sync=target \
	$(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS)) AT_ONCE=$(call at_once,$($@_PARTS)) $($@_VARIABLES)

.PHONY: check check-all check-sanitizers check-full
check check-all check-sanitizers:
	@.ci/timed.sh begin $(BUILD)/$@.seconds
	$(if $(call chosen_first,$($@_FIRST)),+@$(RUN_PARTS) $(call chosen_first,$($@_FIRST)))
	+@$(RUN_PARTS) $(call chosen,$(if $(call chosen_first,$($@_FIRST)),$(filter-out $($@_FIRST),$($@_PARTS)),$($@_PARTS)))
	$(if $($@_LAST),+@$(RUN_PARTS) $($@_LAST))
	@.ci/timed.sh tell $(BUILD)/$@.seconds
	@echo "make $@: all passed$(if $(call left_out,$($@_PARTS)),; no change since $(SINCE) is judged by \
		$(call left_out,$($@_PARTS)))"

# The shell of the recipes of a run that is timed.
ifdef SECONDS_LOG
SHELL := .ci/timed.sh
.SHELLFLAGS = run $(SECONDS_LOG) $@
endif

SANITIZE ?=
task.installable = $(if $(SANITIZE),$(addprefix $(BUILD)/$(SANITIZE)/lib,skan.so $(COMPANIONS:%=skan-%.so)),$\
	library store-kit command $(COMPANIONS:%=%-library))
# $(call INSTALL_LIBRARIES,BUILD,ARCHIVES,PREFIX,DESTDIR,LIBDIR,LIBRARIES THAT ARE INSIDE)
INSTALL_LIBRARIES = Include/packaging/install.sh "$(1)" "$(2)" "$(3)" "$(4)" "$(5)" $(VERSION) $(ABI) \
	"$(filter-out $(6),$(SKAN_LIBS))" $(foreach name,$(COMPANIONS),"$(name)=$(filter-out $(6),$($(name)_LIBS))")
task.install = installable | $(call INSTALL_LIBRARIES,$(BUILD)/$(SANITIZE),$(BUILD)/$(SANITIZE),$(PREFIX),$(DESTDIR),lib) \
	&& $(if $(SANITIZE),$(foreach file,$(wildcard Include/packaging/sanitized/$(SANITIZE).supp),\
	install -D -m 644 -t "$(DESTDIR)$(PREFIX)/share/skan" $(file) &&) true,$\
	Include/packaging/install_command.sh $(COMMAND) "$(PREFIX)" "$(DESTDIR)")
check-full: check-all check-sanitized $(patsubst %,check-%-full,lost-answers threads thread-sanitizer packages $(EVERY_COMPANION) \
	patroni command serve outbox vectors leaks-of-refusals)

# Of each library by itself: what its objects define twice is the same.
SHARED_DATA = $(PYTHON) .ci/shared_data.py $(call objects,$(EMBEDDED),$($(1)_MODULES))
task.check-shared-data = library store-kit $(COMPANIONS:%=%-library) | $(foreach name,skan skan_store_kit \
	$(COMPANIONS:%=skan-%),$(call SHARED_DATA,$(name)) &&) true
task.check-format = | $(SWIFT) format lint --strict --recursive Package.swift Sources Tests && \
	$(PYTHON) .ci/rules.py && $(PYTHON) .ci/sources.py && $(PYTHON) .ci/initializers.py && $(PYTHON) .ci/words.py && \
	$(PYTHON) Tests/Mutants/mutants.py --list > /dev/null
# Only what the tests use, each module as a whole and without debug information: that takes two thirds of the processor
# time. What draws and calls by the million is built for speed: the tests take a third of theirs. Overflows trap as
# without it.
FOR_SPEED = SKANTruth SKANStoreLaws
SWIFT_TESTED = env -u CC -u CXX SKAN_MODULES_FOR_SPEED="$(FOR_SPEED)" $(SWIFT)
SWIFT_TESTED_FLAGS := --scratch-path .build/tests -debug-info-format none \
	$(addprefix -Xswiftc ,-whole-module-optimization -num-threads 2 -no-emit-module-separately-wmo)
task.swift-tests = | timeout 1800 $(SWIFT_TESTED) build $(SWIFT_TESTED_FLAGS) --product libskanPackageTests
# Runs the tests as swift test does, but without holding SwiftPM's lock until they end.
task.check-swift = swift-tests | timeout 1800 .build/tests/debug/libskanPackageTests.xctest \
	--testing-library swift-testing $(if $(SERVERS),,--skip ServerStoreTests) $(chosen_swift_tests)
# Swift's pages are made of what the tests build, too.
DOCUMENTED := $(shell sed -nE 's/^ *(product|companion)\(.*"(\w+)"\),$$/\2/p' Package.swift) SKANStoreThreads
task.docs-modules = | $(if $(DOCS_TMPDIR),mkdir -p $(DOCS_TMPDIR) && export TMPDIR=$(DOCS_TMPDIR) &&) \
	$(foreach name,$(DOCUMENTED),$(SWIFT_TESTED) build $(SWIFT_TESTED_FLAGS) --target $(name) &&) true
MAKE_DOCS = SWIFT="$(SWIFT)" BUILT=.build/tests/debug \
	PYTHON="$(abspath $(VENV))/bin/python" Include/packaging/docs/docs.sh $(1) $(COMMAND) $(PYTHON_PACKAGE) "$(DOCUMENTED)"
DOCS_NEED := $(PYTHON_PACKAGE) $(PYTHON_LIBRARY) $(VENV)/pages $(COMMAND)
# All at once: tools are fetched, and SwiftPM, whose lock is in TMPDIR, builds for the command and for the pages.
.PHONY: docs-needed
docs-needed:
	+@$(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j3) AT_ONCE=SKANTestPrograms \
		DOCS_TMPDIR=$(abspath $(BUILD))/docs.tmp $(COMMAND) docs-modules $(DOCS_NEED) docs-picture
task.docs-picture = $(COMMAND) $(BUILD)/bin/world $(VENV)/pages | BUILD=$(BUILD) $(VENV)/bin/python \
	Include/packaging/docs/picture.py Include/packaging/docs/pictures/report.png
task.docs = docs-needed | $(call MAKE_DOCS,$(BUILD)/docs)
task.check-docs = $(DOCS_NEED) docs-modules | $(call MAKE_DOCS,$(T)/docs) && SITE=$(T)/docs \
	PYTHONPATH=$(dir $(PYTHON_PACKAGE)) $(PYTEST) -n 0 Tests/Hosts/Site
task.check-swift-package = $(LIBRARY) | Tests/Hosts/SwiftPackage/dependents.sh . $(LIBRARY)

$(foreach table,swift-library swift-program program fuzzer check command-tests task,$\
	$(foreach name,$(call rows,$(table)),$(eval $(call parts,rules-of-$(table),$(table),$(name)))))
