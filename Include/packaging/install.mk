# make install, after the companions' rules.
#   install                        the library, every companion and the store kit: headers, libraries, pkg-config, CMake
#   install COMPANIONS=            the same without companions; COMPANIONS="sqlite" with that one

INSTALLED := $(DESTDIR)$(PREFIX)
INSTALLED_CMAKE := $(INSTALLED)/lib/cmake/skan
PACKAGING := Include/packaging
COMPANION_HEADERS_CPP = $(wildcard $(COMPANIONS:%=Bindings/Cpp/%.hpp))

# $(call INSTALL_LIBRARY,FILE): FILE.VERSION and the links to it.
define INSTALL_LIBRARY
	install -m 755 $(1) $(INSTALLED)/lib/$(notdir $(1)).$(VERSION)
	ln -sf $(notdir $(1)).$(VERSION) $(INSTALLED)/lib/$(notdir $(1)).$(ABI)
	ln -sf $(notdir $(1)).$(ABI) $(INSTALLED)/lib/$(notdir $(1))
endef

# $(call INSTALL_FILLED,FILE,PLACE,NAME,LIBRARIES AS THAT FILE LISTS THEM)
define INSTALL_FILLED
	sed -e 's|@VERSION@|$(VERSION)|' -e 's|@ABI@|$(ABI)|' -e 's|@NAME@|$(3)|g' -e 's|@LIBS@|$(4)|' \
		$(PACKAGING)/$(1) > $(INSTALLED)/lib/$(2)
	chmod 644 $(INSTALLED)/lib/$(2)
endef

space := $(subst ,, )
# -lsqlite3 -lm as CMake lists it: sqlite3;m
CMAKE_LIBS = $(subst $(space),;,$(strip $(patsubst -l%,%,$($(1)_LIBS))))

define INSTALL_COMPANION
	install -m 644 Include/skan/$(1).h $(INSTALLED)/include/skan/
	$(call INSTALL_LIBRARY,$($(1)_LIBRARY))
	install -m 644 $($(1)_ARCHIVE) $(INSTALLED)/lib/
	$(call INSTALL_FILLED,companion.pc,pkgconfig/skan-$(1).pc,$(1),$($(1)_LIBS))
	$(call INSTALL_FILLED,companion.cmake,cmake/skan/components/$(1).cmake,$(1),$(call CMAKE_LIBS,$(1)))

endef

.PHONY: install installable
installable: library store-kit $(COMPANIONS:%=%-library)

install: installable
	install -d $(INSTALLED)/include/skan $(INSTALLED)/lib/pkgconfig $(INSTALLED_CMAKE)/components \
		$(INSTALLED)/share/skan/models
	install -m 644 Sources/SKANModels/* $(INSTALLED)/share/skan/models/
	install -m 644 -D Sources/Core/Rules.md $(INSTALLED)/share/doc/skan/Rules.md
	install -m 644 Include/skan/skan.h Include/skan/store_kit.h Bindings/Cpp/skan.hpp \
		Bindings/Cpp/companion_store.hpp $(COMPANION_HEADERS_CPP) $(INSTALLED)/include/skan/
	$(call INSTALL_LIBRARY,$(LIBRARY))
	install -m 644 $(ARCHIVE) $(STORE_KIT) $(INSTALLED)/lib/
	$(call INSTALL_FILLED,skan.pc,pkgconfig/skan.pc)
	$(call INSTALL_FILLED,skan-store-kit.pc,pkgconfig/skan-store-kit.pc)
	install -m 644 $(PACKAGING)/skanConfig.cmake $(INSTALLED_CMAKE)/
	install -m 644 $(PACKAGING)/store_kit.cmake $(INSTALLED_CMAKE)/components/
	$(call INSTALL_FILLED,skanConfigVersion.cmake,cmake/skan/skanConfigVersion.cmake)
	$(foreach companion,$(COMPANIONS),$(call INSTALL_COMPANION,$(companion)))
