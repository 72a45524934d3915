# The way in:
#   make demo                   1 000 installs live through 35 days, served by skan serve
#   make check                  all tests, long ones in a short form
#   make check-sanitizers       tests again under sanitizers, fuzz corpora replayed, Swift packages that depend on this one
#   make check-full             the long ones at full length
#   make bench                  libskan beside plain C
#   make install PREFIX=...     the skan command, headers, libraries, pkg-config and CMake packages
#   make wheel                  the Python package, in build/wheel

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
VERSION := 0.1.0
ABI := 1

LIBRARY := $(BUILD)/libskan.so
ARCHIVE := $(BUILD)/libskan.a

.PHONY: all
all: library

# The machine comes first: .ci/setup installs what is missing from Debian and writes down where things are; make then
# reads everything again. So no rule waits for it, and what is asked of the machine while reading is there.
ifneq ($(MAKECMDGOALS),clean)
include $(BUILD)/setup.mk
endif

$(BUILD)/setup.mk: .ci/setup
	.ci/setup $@

# ------------------------------------------------------------------------------------------------------------ library

# Where SwiftPM puts what it builds as Embedded Swift for the C library. Sections are what the linker can leave out.
# Embedded Swift's runtime checks no access for being exclusive: calls of what checks would only take time. Plain Swift,
# which the tests and sanitizers build, does check them.
EMBEDDED := .build/embedded
MODULES := CSKANSupport SKANCore SKANEngine SKANLibrary
EMBEDDED_FLAGS := -c release --scratch-path $(EMBEDDED) \
	-Xswiftc -enable-experimental-feature -Xswiftc Embedded -Xswiftc -Xfrontend -Xswiftc -function-sections \
	-Xswiftc -enforce-exclusivity=unchecked
# Where the modules' sources stand, by the table in Package.swift: SKANCore_FOLDER and so on.
define MODULE_FOLDER
$(word 1,$(subst =, ,$(1)))_FOLDER := Sources/$(word 2,$(subst =, ,$(1)))
endef
$(foreach pair,$(shell tr '\n' ' ' < Package.swift | grep -oE 'module. *"\w+", *"[^"]+"' \
	| sed -E 's/.*"(\w+)", *"(.+)"/\1=\2/'),$(eval $(call MODULE_FOLDER,$(pair))))
# $(call objects,SCRATCH,MODULES): what SwiftPM makes of their sources there, of all folders in one. Named one by one,
# since it leaves the objects of sources that are gone; a missing one ends the link.
objects = $(foreach module,$(2),$(patsubst %,$(1)/release/$(module).build/%.o, \
	$(sort $(notdir $(shell find $($(module)_FOLDER) -name '*.swift' -o -name '*.c')))))
OBJECTS := $(call objects,$(EMBEDDED),$(MODULES))
SOURCES := Package.swift Makefile $(shell find $(foreach module,$(MODULES),$($(module)_FOLDER)) Include/skan -type f)

# What skan.h declares: the roots of the library; nothing else is kept or exported.
FUNCTIONS := $(shell sed -n 's/^[a-z].*[ *]\(skan_[a-z_]*\)\x28.*/\1/p' Include/skan/skan.h | sort -u)

.PHONY: library clean
library: $(LIBRARY) $(ARCHIVE)

$(BUILD)/libskan.o: $(SOURCES)
	$(SWIFT) build $(EMBEDDED_FLAGS) --target SKANLibrary
	@ld -r --gc-sections $(addprefix -u ,$(FUNCTIONS)) -o $@.all \
		$(OBJECTS)
	objcopy --wildcard --keep-global-symbol='skan_*' --strip-debug $@.all $@
	rm $@.all

# Only skan_* leaves the library: Embedded Swift brings weak copies of the Swift runtime's functions, which must not
# meet those of a host that uses the full runtime. Once loaded it stays: threads and forks keep pointers into it.
$(BUILD)/skan.map: Makefile
	mkdir -p $(BUILD)
	printf '{ global: skan_*; local: *; };\n' > $@

LINK := gcc -shared -Wl,-soname,libskan.so.$(ABI) -Wl,--version-script=$(BUILD)/skan.map -Wl,--gc-sections \
	-Wl,--no-undefined -Wl,-z,relro,-z,now,-z,nodelete -s

$(LIBRARY): $(BUILD)/libskan.o $(BUILD)/skan.map
	$(LINK) -o $@ $(BUILD)/libskan.o -ljson-c -lm
	ln -sf $(@F) $@.$(ABI)

$(ARCHIVE): $(BUILD)/libskan.o
	rm -f $@
	ar rcs $@ $<

clean:
	rm -rf $(BUILD) .build

# -------------------------------------------------------------------------------------------------------------- tests

# Of the Python section below.
VENV := $(BUILD)/venv
PYTHON ?= python3
PYTEST := $(VENV)/bin/python -m pytest -q --timeout=1200
PYTHON_SOURCES := $(shell find Bindings/Python -name '*.py' -o -name '*.toml' -o -name 'py.typed')

include Tests/C/tests.mk
include Tests/Stores/stores.mk
include Sources/companions.mk
include Sources/Command/program.mk
include Tests/StoreKit/store_kit.mk
$(eval $(call SWIFT_COMPANION,sqlite,SKANSQLiteLibrary,$(STORE_MODULES) SKANSQLiteRecords,-lsqlite3))
include Tests/SQLite/sqlite.mk
$(eval $(call SWIFT_COMPANION,http,SKANHTTPLibrary,SKANHTTPClient,-lcurl))
include Tests/HTTP/http.mk
$(eval $(call SWIFT_COMPANION,postgres,SKANPostgresLibrary,$(STORE_MODULES) SKANPostgresRecords,-lpq))
include Tests/Postgres/postgres.mk
$(eval $(call SWIFT_COMPANION,redis,SKANRedisLibrary,$(STORE_MODULES) SKANRedisRecords,-lhiredis))
include Tests/Redis/redis.mk
include Tests/Postback/postback.mk
include Tests/Command/command.mk
include Tests/Serve/serve.mk
include Tests/Outbox/outbox.mk
include Tests/Report/report.mk
include Tests/Demo/demo.mk
include Tests/Cpp/stores.mk
include Include/packaging/install.mk
include Bindings/Python/libraries.mk
include Tests/Sanitizers/sanitizers.mk
include Tests/Fuzz/fuzz.mk
include Tests/Bench/bench.mk
include Tests/Model/model.mk
include Tests/Readme/readme.mk

# What each of the two runs, several parts at a time, the long ones first. make comes back to a part only after it has
# looked at all others, so the first ones, and what others wait for, go before.
check_FIRST = swift-tests $(VENV)/libskan $(COMMAND)
check_PARTS := check-swift check-postgres check-python check-command check-redis check-c check-http check-sqlite \
	check-install check-store-kit check-report check-serve check-cpp check-cpp-stores check-outbox check-postback check-model \
	check-demo check-readme check-format check-shared-data
check-sanitizers_PARTS := check-core-sanitizers check-swift-package check-http-sanitizers check-command-sanitizers \
	check-serve-sanitizers check-report-sanitizers check-outbox-sanitizers check-postback-sanitizers fuzz-replay

# How many parts run at a time: much of what they do is waiting.
JOBS ?= 3
RUN_PARTS = SECONDS_LOG=$(BUILD)/$@.seconds $(MAKE) --no-print-directory --output-sync=target \
	$(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

.PHONY: check check-sanitizers check-full check-format check-shared-data swift-tests check-swift check-swift-package
check check-sanitizers:
	@Tests/timed.sh begin $(BUILD)/$@.seconds
	$(if $($@_FIRST),+@$(RUN_PARTS) $($@_FIRST))
	+@$(RUN_PARTS) $($@_PARTS)
	@Tests/timed.sh tell $(BUILD)/$@.seconds
	@echo "make $@: all passed"

# The shell of the recipes of a run that is timed.
ifdef SECONDS_LOG
SHELL := Tests/timed.sh
.SHELLFLAGS = run $(SECONDS_LOG) $@
endif

check-full: check check-sanitizers check-threads-full check-thread-sanitizer-full check-sqlite-full check-postgres-full \
		check-redis-full check-postback-full check-command-full check-serve-full check-outbox-full check-model-full

check-format:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests
	$(PYTHON) Tests/rules.py
	$(PYTHON) Tests/sources.py

# Of each library by itself: what its objects define twice is the same.
check-shared-data: library store-kit $(COMPANIONS:%=%-library)
	$(PYTHON) Tests/shared_data.py $(OBJECTS)
	$(PYTHON) Tests/shared_data.py $(call objects,$(EMBEDDED),$(STORE_KIT_MODULES))
	$(foreach name,$(COMPANIONS),$(PYTHON) Tests/shared_data.py $(call objects,$(EMBEDDED),$($(name)_MODULES)) &&) true

# They are built by all processors, and run beside what waits.
swift-tests:
	timeout 1800 $(SWIFT) build --build-tests

check-swift:
	timeout 1800 $(SWIFT) test
	SWIFT="$(SWIFT)" Tests/SwiftPackage/documentation.sh .

check-swift-package: $(LIBRARY)
	Tests/SwiftPackage/dependents.sh . $(LIBRARY)

# ------------------------------------------------------------------------------------------------------------- Python

.PHONY: wheel check-python bench-python
wheel: python-library
	$(PYTHON) -m pip wheel --no-deps --wheel-dir $(BUILD)/wheel ./Bindings/Python

$(VENV)/tools:
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet pytest pytest-timeout mypy ruff cryptography
	touch $@

$(VENV)/libskan: $(PYTHON_LIBRARIES) $(PYTHON_SOURCES) $(VENV)/tools
	$(VENV)/bin/pip install --quiet --force-reinstall --no-deps ./Bindings/Python
	touch $@

check-python: $(VENV)/libskan $(LIBRARY)
	$(PYTEST) Tests/Python

# What a call costs in Python over C.
bench: bench-python
bench-python: $(VENV)/libskan $(LIBRARY)
	$(VENV)/bin/python Tests/Python/overhead.py
