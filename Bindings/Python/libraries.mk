# What the Python wheel carries, after the companions' rules.
#   python-library   build/python: libskan, its companions and the store kit
# json-c and SQLite are inside and hidden; libcrypto, libcurl, libpq and hiredis are the system's. The library has a
# soname of its own: its companions must not find another libskan that is in the process, one that an embedding host is
# linked with.
PYTHON_COMPANIONS := http postback postgres redis sqlite
PYTHON_LIBRARY := $(BUILD)/python/libskan.so
PYTHON_LIBRARIES := $(PYTHON_LIBRARY) $(PYTHON_COMPANIONS:%=$(BUILD)/python/libskan-%.so) \
	$(BUILD)/python/libskan-store-kit.so
PYTHON_LINK := gcc -shared -Wl,--gc-sections -Wl,--no-undefined -Wl,-z,relro,-z,now,-z,nodelete -s

# What differs from the libraries that are installed.
sqlite_PYTHON_LIBS := -l:libsqlite3.a -lm

.PHONY: python-library
python-library: $(PYTHON_LIBRARIES)

$(PYTHON_LIBRARY): $(BUILD)/libskan.o $(BUILD)/skan.map
	@mkdir -p $(@D)
	$(PYTHON_LINK) -Wl,-soname,libskan-python.so.$(ABI) -Wl,--version-script=$(BUILD)/skan.map -o $@ \
		$(BUILD)/libskan.o -l:libjson-c.a -lm

$(PYTHON_COMPANIONS:%=$(BUILD)/python/libskan-%.so): $(BUILD)/python/libskan-%.so: $(BUILD)/libskan-%.a \
		$(PYTHON_LIBRARY)
	printf '{ global: skan_$*_*; local: *; };\n' > $@.map
	$(PYTHON_LINK) -Wl,--version-script=$@.map -o $@ -Wl,--whole-archive $< -Wl,--no-whole-archive $(PYTHON_LIBRARY) \
		$(or $($*_PYTHON_LIBS),$($*_LIBS)) -pthread

$(BUILD)/python/libskan-store-kit.so: $(STORE_KIT) $(PYTHON_LIBRARY)
	printf '{ global: skan_store_kit_*; local: *; };\n' > $@.map
	$(PYTHON_LINK) -Wl,--version-script=$@.map -o $@ -Wl,--whole-archive $< -Wl,--no-whole-archive $(PYTHON_LIBRARY) \
		-pthread
