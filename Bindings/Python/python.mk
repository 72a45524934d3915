# The Python package.
#   wheel            the package, in build/wheel
#   python-library   what it carries, in build/python: libskan, its companions and the store kit
# json-c and SQLite are inside and hidden; all else that companions are linked with is the system's. The library has a
# soname of its own: its companions must not find another libskan that is in the process, one that an embedding host is
# linked with.
# Much of what tests do is waiting: several run at a time, those of one class one after another, since they may share what
# the class has set up.
WORKERS ?= 3
PYTEST := $(VENV)/bin/python -m pytest -q --timeout=1200 -n $(WORKERS) --dist loadscope
PYTHON_SOURCES := $(shell find Bindings/Python -name '*.py' -o -name '*.toml' -o -name 'py.typed')
PYTHON_LIBRARY := $(BUILD)/python/libskan.so
PYTHON_COMPANIONS := $(BUILD)/python/libskan-store-kit.so $(EVERY_COMPANION:%=$(BUILD)/python/libskan-%.so)
PYTHON_LIBRARIES := $(PYTHON_LIBRARY) $(PYTHON_COMPANIONS)
PYTHON_PACKAGE := $(BUILD)/python/package/libskan

task.python-library = $(PYTHON_LIBRARIES)
task.wheel = python-library | $(PYTHON) -m pip wheel --no-deps --wheel-dir $(BUILD)/wheel ./Bindings/Python

$(PYTHON_LIBRARY): $(BUILD)/libskan.o
	$(call SHARED,skan) -Wl,-soname,libskan-python.so.$(ABI) $< -l:libjson-c.a -lm

# Its name and libraries by that of its header: libskan-store-kit.so has skan_store_kit_*.
$(PYTHON_COMPANIONS): name = $(subst -,_,$(@F:libskan-%.so=%))
$(filter-out %-store-kit.so,$(PYTHON_COMPANIONS)): $(BUILD)/python/%.so: $(BUILD)/%.a
$(BUILD)/python/libskan-store-kit.so: $(STORE_KIT)
$(BUILD)/python/libskan-sqlite.so: private sqlite_LIBS := -l:libsqlite3.a -lm
$(PYTHON_COMPANIONS): $(PYTHON_LIBRARY)
	$(call SHARED,skan_$(name)) -Wl,--whole-archive $(filter %.a,$^) -Wl,--no-whole-archive $(PYTHON_LIBRARY) \
		$($(name)_LIBS) -pthread

# The package beside what it carries, to be used where it lies. It opens each library when that is first used: who uses
# the package needs those that it opens.
$(PYTHON_PACKAGE): $(PYTHON_SOURCES)
	rm -rf $@
	mkdir -p $(@D)
	cp -r Bindings/Python/libskan $@
	ln -s ../.. $@/_lib

$(VENV)/tools: Bindings/Python/python.mk
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --no-compile pytest pytest-timeout pytest-xdist mypy ruff cryptography \
		duckdb fastapi httpx gevent types-greenlet pdoc
	touch $@

$(VENV)/libskan: $(PYTHON_LIBRARIES) $(PYTHON_SOURCES) $(VENV)/tools
	$(VENV)/bin/pip install --quiet --force-reinstall --no-deps ./Bindings/Python
	touch $@
