# Tests of the C++ headers of stores, after the companions' rules.
#   check-cpp-stores   each on a file, or a server, of its own

CPP_STORES := sqlite postgres redis
CPP_STORE_HEADERS := $(CPP_STORES:%=$(CHECKS)/include/skan/%.h) $(CPP_STORES:%=$(CHECKS)/include/skan/%.hpp) \
	$(CHECKS)/include/skan/companion_store.hpp

.PHONY: check-cpp-stores
check-cpp-stores: $(addprefix $(CHECKS)/Cpp/,$(CPP_STORES) stores-compile)
	$(CHECKS)/Cpp/sqlite
	Tests/Cpp/on_server.sh postgres $(CHECKS)/Cpp/postgres
	Tests/Cpp/on_server.sh redis $(CHECKS)/Cpp/redis

$(filter %.hpp,$(CPP_STORE_HEADERS)): $(CHECKS)/include/skan/%.hpp: \
		Bindings/Cpp/%.hpp
	@mkdir -p $(@D)
	cp $< $@

define cpp_store
$(CHECKS)/Cpp/$(1): Tests/Cpp/$(1).cpp $(CHECKS)/C/support.o $(CHECK_HEADERS) $(CPP_STORE_HEADERS) $($(1)_LIBRARY)
	@mkdir -p $$(@D)
	$(CXX) -std=c++17 $(CHECK_CXXFLAGS) -o $$@ $$< $$(filter %.o,$$^) $($(1)_LIBRARY) $(CHECK_LIBS)
endef
$(foreach store,$(CPP_STORES),$(eval $(call cpp_store,$(store))))

# Each header alone and twice, and what uses them, by both compilers in both languages.
$(CHECKS)/Cpp/stores-compile: $(wildcard Tests/Cpp/*.cpp) $(CHECK_HEADERS) $(CPP_STORE_HEADERS)
	@mkdir -p $(@D)
	set -e; for compiler in "$(CXX)" "$(OTHER_CXX)"; do for standard in c++17 c++20; do \
		for header in $(notdir $(filter %.hpp,$(CPP_STORE_HEADERS))); do \
			printf '#include <skan/%s>\n#include <skan/%s>\n' $$header $$header | \
				$$compiler -std=$$standard $(CHECK_CXXFLAGS) -fsyntax-only -x c++ -; done; done; done
	set -e; for compiler in $(OTHER_CPP); do for store in $(CPP_STORES); do \
		$$compiler $(CHECK_CXXFLAGS) -fsyntax-only Tests/Cpp/$$store.cpp; done; done
	touch $@
