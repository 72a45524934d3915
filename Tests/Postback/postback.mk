# Tests of libskan-postback; after Tests/C/tests.mk, Sources/companions.mk and Tests/SQLite/sqlite.mk.
#   check-postback             everything, in a short form where it is long
#   check-postback-sanitizers  the same with AddressSanitizer and ThreadSanitizer
#   check-postback-full        10 000 postbacks beside Python's cryptography, 300 kills
#   bench-postback             verifying beside bare libcrypto; receiving into SQLite
$(eval $(call SWIFT_COMPANION,postback,SKANPostbackLibrary,SKANEngine SKANStorePool SKANPostbackVerification \
	SKANPostbackReceiving,-lcrypto))

POSTBACK_CHECKS := $(CHECKS)/Postback
POSTBACK_CHECK_CFLAGS := $(CHECK_CFLAGS) -ITests/Postback
POSTBACK_CHECK_LIBS := $(postback_LIBRARY) $(sqlite_LIBRARY) -Wl,-rpath,$(abspath $(BUILD)) $(CHECK_LIBS) -lcrypto
POSTBACK_CHECK_PROGRAMS := verify receive stores kills bench

.PHONY: check-postback check-postback-full bench-postback
check-postback: $(addprefix $(POSTBACK_CHECKS)/,verify receive stores kills cpp) $(postback_ARCHIVE) \
		check-postback-python
	$(INTERFACE) postback libcrypto "skan_postback_receive skan_postback_verify" \
		$(postback_LIBRARY) $(postback_ARCHIVE)
	$(POSTBACK_CHECKS)/verify Tests/Postback/postbacks.json
	$(POSTBACK_CHECKS)/receive
	$(POSTBACK_CHECKS)/stores
	$(POSTBACK_CHECKS)/cpp Tests/Postback/postbacks.json
	$(POSTBACK_CHECKS)/kills 20

check-postback-full: check-postback
	$(VENV)/bin/python Tests/Postback/differential.py 10000
	$(POSTBACK_CHECKS)/kills 300

bench-postback: $(POSTBACK_CHECKS)/bench
	$(POSTBACK_CHECKS)/bench

$(CHECKS)/include/skan/postback.h: Include/skan/postback.h
	@mkdir -p $(@D)
	cp $< $@

$(POSTBACK_CHECKS)/%.o: Tests/Postback/%.c $(wildcard Tests/Postback/*.h) $(CHECK_HEADERS) \
		$(CHECKS)/include/skan/postback.h $(CHECKS)/include/skan/sqlite.h
	@mkdir -p $(@D)
	$(CC) $(POSTBACK_CHECK_CFLAGS) -c -o $@ $<

$(addprefix $(POSTBACK_CHECKS)/,$(POSTBACK_CHECK_PROGRAMS)): $(POSTBACK_CHECKS)/%: $(POSTBACK_CHECKS)/%.o \
		$(POSTBACK_CHECKS)/signer.o $(CHECKS)/C/support.o $(postback_LIBRARY) $(sqlite_LIBRARY)
	$(CC) $(CHECK_FLAGS) -o $@ $(filter %.o,$^) $(POSTBACK_CHECK_LIBS)

$(CHECKS)/include/skan/postback.hpp: Bindings/Cpp/postback.hpp
	@mkdir -p $(@D)
	cp $< $@

$(POSTBACK_CHECKS)/cpp: Tests/Postback/cpp.cpp $(CHECKS)/C/support.o $(CHECK_HEADERS) $(postback_LIBRARY) \
		$(sqlite_LIBRARY) $(addprefix $(CHECKS)/include/skan/,postback.h postback.hpp sqlite.h)
	@mkdir -p $(@D)
	set -e; for compiler in $(OTHER_CPP); do $$compiler $(CHECK_CXXFLAGS) -fsyntax-only $<; done
	$(CXX) -std=c++17 $(CHECK_CXXFLAGS) -o $@ $< $(filter %.o,$^) $(POSTBACK_CHECK_LIBS)

# Through Python, and beside Python's cryptography.
.PHONY: check-postback-python
check-postback-python: $(VENV)/libskan
	$(PYTEST) Tests/Postback
	$(VENV)/bin/python Tests/Postback/differential.py 1000

# The library as plain Swift and the tests with a sanitizer.
.PHONY: check-postback-sanitizers
check-postback-sanitizers: $(addprefix $(POSTBACK_CHECKS)/address-,verify receive) $(POSTBACK_CHECKS)/thread-stores
	$(POSTBACK_CHECKS)/address-verify Tests/Postback/postbacks.json
	$(POSTBACK_CHECKS)/address-receive
	TSAN_OPTIONS=halt_on_error=1 $(POSTBACK_CHECKS)/thread-stores

define postback_sanitized
$(BUILD)/Sanitizers/$(1)/Tests/Postback/%.o: $(addprefix $(CHECKS)/include/skan/,postback.h sqlite.h)

$(POSTBACK_CHECKS)/$(1)-%: $(BUILD)/Sanitizers/$(1)/postback.rsp $(BUILD)/Sanitizers/$(1)/Tests/Postback/%.o \
		$(addprefix $(BUILD)/Sanitizers/$(1)/Tests/,Postback/signer.o C/support.o) $(LIBRARY) $(sqlite_LIBRARY)
	$$(call SANITIZED_PROGRAM,$(1)) $(sqlite_LIBRARY) -lcrypto
endef
$(foreach kind,address thread,$(eval $(call postback_sanitized,$(kind))))
