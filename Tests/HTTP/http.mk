# Tests of the HTTP transport; after Tests/C/tests.mk and Sources/companions.mk.
#   check-http              everything
#   check-http-sanitizers   the same with AddressSanitizer and ThreadSanitizer
HTTP_CHECKS := $(CHECKS)/HTTP
HTTP_CHECK_CFLAGS := $(CHECK_CFLAGS) -ITests/HTTP
HTTP_CHECK_LIBS := $(http_LIBRARY) -Wl,-rpath,$(abspath $(dir $(http_LIBRARY))) $(CHECK_LIBS)
HTTP_SERVER := Tests/HTTP/server.py
HTTP_PROGRAMS := misbehaviour transport client forks

.PHONY: check-http check-http-python
check-http: $(addprefix $(HTTP_CHECKS)/,$(HTTP_PROGRAMS) http2 binding) $(http_ARCHIVE) check-http-python
	$(HTTP_CHECKS)/misbehaviour $(HTTP_SERVER)
	$(HTTP_CHECKS)/transport $(HTTP_SERVER)
	$(HTTP_CHECKS)/client $(HTTP_SERVER)
	$(HTTP_CHECKS)/forks $(HTTP_SERVER)
	$(INTERFACE) http libcurl "skan_http_client_create skan_http_transport_open" \
		$(http_LIBRARY) $(http_ARCHIVE)
	Tests/HTTP/http2.sh $(HTTP_CHECKS)/http2
	$(HTTP_CHECKS)/binding $(HTTP_SERVER)
	set -e; for compiler in $(OTHER_CPP); do \
		$$compiler $(CHECK_CXXFLAGS) -ITests/HTTP -fsyntax-only Tests/HTTP/binding.cpp; done

# The package as it is installed where the wheel has both libraries.
check-http-python: $(http_LIBRARY) $(LIBRARY) $(PYTHON_SOURCES) $(VENV)/tools
	CC="$(CC)" Tests/HTTP/python.sh . $(VENV)/bin/python $(LIBRARY) $(http_LIBRARY)

$(CHECKS)/include/skan/http.h: Include/skan/http.h
	@mkdir -p $(@D)
	cp $< $@

$(HTTP_CHECKS)/%.o: Tests/HTTP/%.c $(wildcard Tests/HTTP/*.h) $(CHECK_HEADERS) $(CHECKS)/include/skan/http.h
	@mkdir -p $(@D)
	$(CC) $(HTTP_CHECK_CFLAGS) -c -o $@ $<

$(addprefix $(HTTP_CHECKS)/,$(HTTP_PROGRAMS) http2): $(HTTP_CHECKS)/%: \
		$(HTTP_CHECKS)/%.o $(HTTP_CHECKS)/server.o $(HTTP_CHECKS)/tools.o $(CHECKS)/C/support.o $(http_LIBRARY)
	$(CC) $(CHECK_FLAGS) -rdynamic -o $@ $(filter %.o,$^) $(HTTP_CHECK_LIBS)

$(CHECKS)/include/skan/http.hpp: Bindings/Cpp/http.hpp
	@mkdir -p $(@D)
	cp $< $@

$(HTTP_CHECKS)/binding: Tests/HTTP/binding.cpp $(HTTP_CHECKS)/server.o $(CHECKS)/C/support.o $(CHECK_HEADERS) \
		$(CHECKS)/include/skan/http.h $(CHECKS)/include/skan/http.hpp $(http_LIBRARY)
	$(CXX) -std=c++17 $(CHECK_CXXFLAGS) -ITests/HTTP -o $@ $< $(filter %.o,$^) $(HTTP_CHECK_LIBS)

# The same programs with the transport inside, as plain Swift with a sanitizer. libcurl has none.
HTTP_SANITIZED := $(BUILD)/Sanitizers/HTTP
# ThreadSanitizer does not know threads that a fork's child starts.
HTTP_THREAD_PROGRAMS := $(filter-out forks,$(HTTP_PROGRAMS))

.PHONY: check-http-sanitizers
check-http-sanitizers: $(addprefix $(HTTP_SANITIZED)/address/,$(HTTP_PROGRAMS)) \
		$(addprefix $(HTTP_SANITIZED)/thread/,$(HTTP_THREAD_PROGRAMS))
	set -e; for program in $(HTTP_PROGRAMS); do \
		ASAN_OPTIONS=detect_leaks=1 $(HTTP_SANITIZED)/address/$$program $(HTTP_SERVER); \
		done
	set -e; for program in $(HTTP_THREAD_PROGRAMS); do \
		TSAN_OPTIONS=halt_on_error=1 $(HTTP_SANITIZED)/thread/$$program $(HTTP_SERVER); \
		done

# $(1): address or thread
define http_sanitized
$(addprefix $(BUILD)/Sanitizers/$(1)/Tests/,$(HTTP_PROGRAMS:%=HTTP/%.o) HTTP/server.o HTTP/tools.o C/support.o): \
		$(wildcard Tests/HTTP/*.h) $(CHECKS)/include/skan/http.h

$(HTTP_SANITIZED)/$(1)/%: $(BUILD)/Sanitizers/$(1)/http.rsp $(BUILD)/Sanitizers/$(1)/Tests/HTTP/%.o \
		$(addprefix $(BUILD)/Sanitizers/$(1)/Tests/,HTTP/server.o HTTP/tools.o C/support.o) $(LIBRARY)
	@mkdir -p $$(@D)
	$$(call SANITIZED_PROGRAM,$(1)) -lcurl -Xlinker --export-dynamic
endef
$(foreach sanitizer,address thread,$(eval $(call http_sanitized,$(sanitizer))))
