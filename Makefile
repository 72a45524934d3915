# The way in:
#   make demo                   recorded install lives, played through the C library and told
#   make check                  all tests, long ones in a short form
#   make check-full             the long ones at full length
#   make bench                  libskan beside plain C
#   make install PREFIX=...     headers, libraries, pkg-config and CMake packages
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

# ------------------------------------------------------------------------------------------------------------ library

# Where SwiftPM puts what it builds as Embedded Swift for the C library. Sections are what the linker can leave out.
EMBEDDED := .build/embedded
MODULES := CSupport SKANCore SKANEngine SKANLibrary
EMBEDDED_FLAGS := -c release --traits EmbeddedLibrary --scratch-path $(EMBEDDED) \
	-Xswiftc -Xfrontend -Xswiftc -function-sections
SOURCES := Package.swift Makefile $(shell find $(addprefix Sources/,$(MODULES)) Include -type f)

# What skan.h declares: the roots of the library; nothing else is kept or exported.
FUNCTIONS := $(shell sed -n 's/^[a-z].*[ *]\(skan_[a-z_]*\)\x28.*/\1/p' Include/skan/skan.h | sort -u)

.PHONY: library python-library setup clean
library: $(LIBRARY) $(ARCHIVE)

# Debian packages that building and testing need.
setup: $(BUILD)/setup.done

$(BUILD)/setup.done: .ci/setup
	.ci/setup
	mkdir -p $(BUILD)
	touch $@

$(BUILD)/libskan.o: $(SOURCES) | $(BUILD)/setup.done
	$(SWIFT) build $(EMBEDDED_FLAGS) --target SKANLibrary
	ld -r --gc-sections $(addprefix -u ,$(FUNCTIONS)) -o $@.all \
		$(addprefix $(EMBEDDED)/release/,$(addsuffix .build/*.o,$(MODULES)))
	objcopy --wildcard --keep-global-symbol='skan_*' --strip-debug $@.all $@
	rm $@.all

# Only skan_* leaves the library: Embedded Swift brings weak copies of the Swift runtime's functions, which must not meet
# those of a host that uses the full runtime. Once loaded it stays: threads and forks keep pointers into it.
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

# For the Python wheel: json-c inside and hidden.
python-library: $(BUILD)/python/libskan.so

$(BUILD)/python/libskan.so: $(BUILD)/libskan.o $(BUILD)/skan.map
	mkdir -p $(@D)
	$(LINK) -o $@ $(BUILD)/libskan.o -l:libjson-c.a -lm

clean:
	rm -rf $(BUILD) .build

# ------------------------------------------------------------------------------------------------------------ install

INSTALLED := $(DESTDIR)$(PREFIX)

.PHONY: install
install: library
	install -d $(INSTALLED)/include/skan $(INSTALLED)/lib/pkgconfig $(INSTALLED)/lib/cmake/skan
	install -m 644 Include/skan/skan.h Bindings/Cpp/skan.hpp $(INSTALLED)/include/skan/
	install -m 755 $(LIBRARY) $(INSTALLED)/lib/libskan.so.$(VERSION)
	ln -sf libskan.so.$(VERSION) $(INSTALLED)/lib/libskan.so.$(ABI)
	ln -sf libskan.so.$(ABI) $(INSTALLED)/lib/libskan.so
	install -m 644 $(ARCHIVE) $(INSTALLED)/lib/libskan.a
	sed 's|@VERSION@|$(VERSION)|' Include/packaging/skan.pc > $(INSTALLED)/lib/pkgconfig/skan.pc
	install -m 644 Include/packaging/skanConfig.cmake $(INSTALLED)/lib/cmake/skan/
	sed 's|@VERSION@|$(VERSION)|' Include/packaging/skanConfigVersion.cmake \
		> $(INSTALLED)/lib/cmake/skan/skanConfigVersion.cmake

# ------------------------------------------------------------------------------------------------------------- Python

VENV := $(BUILD)/venv
PYTHON ?= python3
PYTHON_SOURCES := $(shell find Bindings/Python -name '*.py' -o -name '*.toml' -o -name 'py.typed')

.PHONY: wheel check-python bench-python
wheel: $(BUILD)/python/libskan.so
	$(PYTHON) -m pip wheel --no-deps --wheel-dir $(BUILD)/wheel ./Bindings/Python

$(VENV)/tools: | $(BUILD)/setup.done
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet pytest mypy ruff
	touch $@

$(VENV)/libskan: $(BUILD)/python/libskan.so $(PYTHON_SOURCES) $(VENV)/tools
	$(VENV)/bin/pip install --quiet --force-reinstall --no-deps ./Bindings/Python
	touch $@

check-python: $(VENV)/libskan $(LIBRARY)
	$(VENV)/bin/python -m pytest -q Tests/Python

# What a call costs in Python over C.
bench: bench-python
bench-python: $(VENV)/libskan $(LIBRARY)
	$(VENV)/bin/python Tests/Python/overhead.py

# -------------------------------------------------------------------------------------------------------------- tests

include Tests/C/tests.mk
include Tests/StoreKit/store_kit.mk
include Sources/SKANSQLite/sqlite_library.mk
include Tests/SQLite/sqlite.mk
include Tests/Sanitizers/sanitizers.mk
include Tests/Fuzz/fuzz.mk
include Tests/Bench/bench.mk

.PHONY: check check-full check-format check-swift check-swift-package
check: check-format check-swift check-c check-cpp check-install check-python check-swift-package check-demo \
		check-store-kit check-sqlite check-sanitizers fuzz-replay
	@echo "make check: all passed"

check-full: check check-threads-full check-thread-sanitizer-full check-sqlite-full

check-format: | $(BUILD)/setup.done
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests

check-swift: | $(BUILD)/setup.done
	$(SWIFT) test

check-swift-package: $(LIBRARY)
	Tests/SwiftPackage/run.sh .
	Tests/SwiftPackage/together.sh . $(LIBRARY)

# --------------------------------------------------------------------------------------------------------------- demo

.PHONY: demo check-demo
demo: $(BUILD)/demo
	$(BUILD)/demo $(CHECK_VECTORS)

check-demo: $(BUILD)/demo
	$(BUILD)/demo $(CHECK_VECTORS) | tail -n 1

$(BUILD)/demo: Tests/Demo/demo.c $(addprefix $(CHECKS)/C/,trace.o host.o) $(LIBRARY)
	gcc $(CHECK_CFLAGS) -o $@ $< $(filter %.o,$^) $(CHECK_LIBS)
