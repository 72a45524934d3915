# The way in: make demo, make check, make bench, make install PREFIX=..., make wheel.

BUILD ?= build
PREFIX ?= /usr/local
SWIFT ?= swift
VERSION := 0.1.0
ABI := 1

# Where SwiftPM puts what it builds as Embedded Swift for the C library.
EMBEDDED := .build/embedded
MODULES := CSupport SKANCore SKANEngine SKANLibrary
EMBEDDED_FLAGS := -c release --traits EmbeddedLibrary --scratch-path $(EMBEDDED) \
	-Xswiftc -Xfrontend -Xswiftc -function-sections

LIBRARY := $(BUILD)/libskan.so
ARCHIVE := $(BUILD)/libskan.a
SOURCES := Package.swift Makefile $(shell find Sources/CSupport Sources/SKANCore Sources/SKANEngine Sources/SKANLibrary Include -type f)

# What skan.h declares: the roots of the library; nothing else is kept or exported.
FUNCTIONS := $(shell sed -n 's/^[a-z].*[ *]\(skan_[a-z_]*\)\x28.*/\1/p' Include/skan/skan.h | sort -u)

.PHONY: all library python-library clean
all: library

library: $(LIBRARY) $(ARCHIVE)

$(BUILD)/libskan.o: $(SOURCES)
	$(SWIFT) build $(EMBEDDED_FLAGS) --target SKANLibrary
	mkdir -p $(BUILD)
	ld -r --gc-sections $(addprefix -u ,$(FUNCTIONS)) -o $@.all $(addprefix $(EMBEDDED)/release/,$(addsuffix .build/*.o,$(MODULES)))
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
	ln -sf libskan.so $@.$(ABI)

$(ARCHIVE): $(BUILD)/libskan.o
	rm -f $@
	ar rcs $@ $<

# For the Python wheel: json-c inside and hidden.
python-library: $(BUILD)/python/libskan.so

$(BUILD)/python/libskan.so: $(BUILD)/libskan.o $(BUILD)/skan.map
	mkdir -p $(BUILD)/python
	$(LINK) -o $@ $(BUILD)/libskan.o -l:libjson-c.a -lm

clean:
	rm -rf $(BUILD) .build
