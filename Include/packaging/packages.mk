# Packages for machines without Swift, of what is built:
#   packages         all of them, in build/packages
#   debian           Debian's packages, with those of debug symbols
#   tarball          a tarball for other distributions, and one of its debug symbols
#   wheel            the Python package as pip installs it from an index, also in build/wheel
PACKAGES := $(BUILD)/packages
PORTABLE := $(BUILD)/portable
MULTIARCH := $(shell $(CC) -print-multiarch)
# The same commit gives the same bytes.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2> /dev/null || date +%s)
MAINTAINER ?= $(shell git log -1 --format='%an <%ae>' 2> /dev/null)

packages debian tarball wheel: export SOURCE_DATE_EPOCH := $(SOURCE_DATE_EPOCH)
task.packages = debian tarball wheel | cp $(WHEELS)/*.whl $(PACKAGES)/ && ls -l $(PACKAGES)

# ---------------------------------------------------------------------------------------------------- other distributions
# They have other versions of json-c, hiredis and libmicrohttpd, so these are inside, and older ones of glibc.
# libmicrohttpd needs GnuTLS.
INSIDE := -ljson-c -lhiredis -lmicrohttpd
inside = $(call archived,$(INSIDE),$(1))
OLDER_GLIBC := $(PORTABLE)/older_glibc.o $(PORTABLE)/older_glibc/libpthread.so
PORTABLE_LIBRARIES := $(LIBRARY) $(COMPANIONS:%=$(BUILD)/libskan-%.so)
PORTABLE_ARCHIVES := $(ARCHIVE) $(STORE_KIT) $(COMPANIONS:%=$(BUILD)/libskan-%.a)
PORTABLE_BUILD := $(patsubst $(BUILD)/%,$(PORTABLE)/%,$(PORTABLE_LIBRARIES) $(PORTABLE_ARCHIVES) $(COMMAND))

$(PORTABLE)/older_glibc.o: Include/packaging/portable/older_glibc.c
	@mkdir -p $(@D)
	$(CC) -std=c11 $(CHECK_WARNINGS) -O2 -fPIC -c -o $@ $<

$(PORTABLE)/older_glibc/libpthread.so: Include/packaging/portable/older_glibc.sh
	@mkdir -p $(@D)
	CC="$(CC)" $< $@

$(PORTABLE)/libskan.so: $(UNSTRIPPED)/libskan.o $(OLDER_GLIBC)
	$(call SHARED,skan) -Wl,-soname,$(@F).$(ABI) $^ $(call inside,$(SKAN_LIBS))
	$(STRIP)
$(COMPANIONS:%=$(PORTABLE)/libskan-%.so): $(PORTABLE)/libskan-%.so: $(UNSTRIPPED)/libskan-%.o $(PORTABLE)/libskan.so \
		$(OLDER_GLIBC)
	$(call SHARED,skan_$*) -Wl,-soname,$(@F).$(ABI) $^ -Wl,-rpath,'$$ORIGIN' $(call inside,$($*_LIBS))
	$(STRIP)

$(PORTABLE)/%.a: $(BUILD)/%.a
	@mkdir -p $(@D)
	$(CC) -r -nostdlib -o $(PORTABLE)/$*.o -Wl,--whole-archive $< -Wl,--no-whole-archive \
		$(filter %.a,$(call inside,$(if $(filter libskan,$*),$(SKAN_LIBS),$($(*:libskan-%=%)_LIBS))))
	objcopy --wildcard --keep-global-symbol='skan_*' $(PORTABLE)/$*.o
	rm -f $@
	ar rcs $@ $(PORTABLE)/$*.o

$(PORTABLE)/bin/skan: $(COMMAND) $(OLDER_GLIBC)
	@mkdir -p $(@D) $(dir $(unstripped))
	@$(CC) -o $(unstripped) $(BUILD)/commit.o $(call objects,$(EMBEDDED),$(bin/skan_MODULES)) $(OLDER_GLIBC) \
		$(PROGRAM_FLAGS) $(call inside,$(COMMAND_LIBS)) -lgnutls
	$(STRIP)

# $(call STAGED,FOLDER,BUILD,ARCHIVES,PREFIX,LIBDIR,INSIDE): all that make install installs, anew.
STAGED = rm -rf "$(1)" && $(call INSTALL_LIBRARIES,$(2),$(3),$(4),$(1),$(5),$(6)) && \
	Include/packaging/install_command.sh $(2)/bin/skan $(4) "$(1)"

TARBALL := $(BUILD)/tarball
task.tarball = $(PORTABLE_BUILD) | $(call STAGED,$(TARBALL),$(PORTABLE),$(PORTABLE),/usr/local,lib,$(INSIDE)) && \
	Include/packaging/tarball.sh $(TARBALL)/usr/local $(UNSTRIPPED)/portable $(PACKAGES) \
	libskan-$(VERSION)-$(shell uname -m)

# ------------------------------------------------------------------------------------------------------------------ Debian
# The Python package opens Debian's libskan in place of that of the wheel, and its store kit is linked with it.
DEBIAN := $(BUILD)/debian/libskan
DEBIAN_STORE_KIT := $(BUILD)/python/debian/libskan-store-kit.so
$(DEBIAN_STORE_KIT): $(UNSTRIPPED)/libskan_store_kit.o $(LIBRARY)
	$(call SHARED,skan_store_kit) $^ -pthread
	$(STRIP)
task.debian = library store-kit command $(COMPANIONS:%=%-library) $(DEBIAN_STORE_KIT) wheel | \
	rm -rf $(DEBIAN) && $(call STAGED,$(DEBIAN)/stage,$(UNSTRIPPED),$(BUILD),/usr,lib/$(MULTIARCH)) && \
	Include/packaging/debian_python.sh $(WHEELS)/*.whl $(DEBIAN)/stage $(ABI) $(MULTIARCH) \
	$(DEBIAN_STORE_KIT:$(BUILD)/%=$(UNSTRIPPED)/%) && MAINTAINER="$(MAINTAINER)" \
	Include/packaging/debian.sh $(DEBIAN) $(PACKAGES) $(VERSION) $(ABI) "$(COMPANIONS)"
