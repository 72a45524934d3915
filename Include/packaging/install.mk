# make install PREFIX=... : the skan command, headers, libraries, pkg-config and CMake packages.
#   install                the library, every companion, the store kit and the command
#   install COMPANIONS=    the same without companions; COMPANIONS="sqlite" with that one
INSTALLED := $(DESTDIR)$(PREFIX)
INSTALLED_CMAKE := $(INSTALLED)/lib/cmake/skan
PACKAGING := Include/packaging

# $(call INSTALL_LIBRARY,FILE): FILE.VERSION and the links to it.
define INSTALL_LIBRARY
	install -m 755 $(1) $(INSTALLED)/lib/$(notdir $(1)).$(VERSION)
	ln -sf $(notdir $(1)).$(VERSION) $(INSTALLED)/lib/$(notdir $(1)).$(ABI)
	ln -sf $(notdir $(1)).$(ABI) $(INSTALLED)/lib/$(notdir $(1))
endef

# $(call INSTALL_FILLED,FILE,PLACE,NAME,LIBRARIES AS THAT FILE LISTS THEM)
define INSTALL_FILLED
	sed -e 's|@VERSION@|$(VERSION)|' -e 's|@ABI@|$(ABI)|' -e 's|@NAME@|$(3)|g' -e 's|@LIBS@|$(4)|' \
		$(1) > $(INSTALLED)/$(2)
	chmod 644 $(INSTALLED)/$(2)
endef

# -lsqlite3 -lm as CMake lists it: sqlite3;m
CMAKE_LIBS = $(subst $(space),;,$(strip $(patsubst -l%,%,$($(1)_LIBS))))

define INSTALL_COMPANION
	install -m 644 Include/skan/$(1).h $(INSTALLED)/include/skan/
	$(call INSTALL_LIBRARY,$(BUILD)/libskan-$(1).so)
	install -m 644 $(BUILD)/libskan-$(1).a $(INSTALLED)/lib/
	$(call INSTALL_FILLED,$(PACKAGING)/companion.pc,lib/pkgconfig/skan-$(1).pc,$(1),$($(1)_LIBS))
	$(call INSTALL_FILLED,$(PACKAGING)/companion.cmake,lib/cmake/skan/components/$(1).cmake,$(1),$(call CMAKE_LIBS,$(1)))

endef

.PHONY: install installable
installable: library store-kit command $(COMPANIONS:%=%-library)

install: installable
	install -d $(INSTALLED)/bin $(INSTALLED)/include/skan $(INSTALLED)/lib/pkgconfig $(INSTALLED_CMAKE)/components \
		$(INSTALLED)/share/skan/models $(INSTALLED)/share/man/man1
	install -m 755 $(COMMAND) $(INSTALLED)/bin/skan
	$(call INSTALL_FILLED,Sources/Command/skan/skan.1,share/man/man1/skan.1)
	install -m 644 Sources/SKANModels/* $(INSTALLED)/share/skan/models/
	install -m 644 -D Sources/Core/Rules.md $(INSTALLED)/share/doc/skan/Rules.md
	install -m 644 Include/skan/skan.h Include/skan/store_kit.h Bindings/Cpp/skan/skan.hpp \
		Bindings/Cpp/skan/companion_store.hpp $(wildcard $(COMPANIONS:%=Bindings/Cpp/skan/%.hpp)) \
		$(INSTALLED)/include/skan/
	$(call INSTALL_LIBRARY,$(LIBRARY))
	install -m 644 $(ARCHIVE) $(STORE_KIT) $(INSTALLED)/lib/
	$(call INSTALL_FILLED,$(PACKAGING)/skan.pc,lib/pkgconfig/skan.pc)
	$(call INSTALL_FILLED,$(PACKAGING)/skan-store-kit.pc,lib/pkgconfig/skan-store-kit.pc)
	install -m 644 $(PACKAGING)/skanConfig.cmake $(INSTALLED_CMAKE)/
	install -m 644 $(PACKAGING)/store_kit.cmake $(INSTALLED_CMAKE)/components/
	$(call INSTALL_FILLED,$(PACKAGING)/skanConfigVersion.cmake,lib/cmake/skan/skanConfigVersion.cmake)
	$(foreach companion,$(COMPANIONS),$(call INSTALL_COMPANION,$(companion)))
