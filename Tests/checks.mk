# Programs of tests and checks, each by its name:
#   check-NAME               its short form, a part of make check
#   check-NAME-sanitizers    the same with AddressSanitizer and ThreadSanitizer, a part of make check-sanitizers
#   check-NAME-full          at full length
#   mutants                  changes in the core, one at a time, that its tests have to notice
#   bench-NAME               libskan beside doing it by hand
# A program with a sanitizer is the same one in another build folder: build/address/sqlite/store.
T := $(BUILD)/Tests
CHECK_FLAGS ?=
CHECK_WARNINGS := -Wall -Wextra -pedantic -Werror
CHECK_INCLUDES := -IInclude -IBindings/Cpp -ITests -ITests/Hosts/C
CHECK_CFLAGS = -std=c11 $(CHECK_WARNINGS) -O2 -g $(CHECK_INCLUDES) $(postgres_CFLAGS) $(CHECK_FLAGS)
CHECK_CXXFLAGS = $(CHECK_WARNINGS) -O2 -g $(CHECK_INCLUDES) $(CHECK_FLAGS)
OTHER_CPP := "$(CXX) -std=c++20" "$(OTHER_CXX) -std=c++17" "$(OTHER_CXX) -std=c++20"
COMPILERS := CC="$(CC)" CXX="$(CXX)" OTHER_CC="$(OTHER_CC)" OTHER_CXX="$(OTHER_CXX)"

$(T)/%.c.o: Tests/%.c
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -MMD -MP -c -o $@ $<

$(T)/%.cpp.o: Tests/%.cpp
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(CHECK_CXXFLAGS) -MMD -MP -c -o $@ $<

# What other compilers say of it.
$(T)/%.compiles: Tests/% $(T)/%.o
	set -e; for compiler in $(if $(filter %.c,$<),"$(OTHER_CC) -std=c11",$(OTHER_CPP)); do \
		$$compiler $(CHECK_CXXFLAGS) -fsyntax-only $<; done
	touch $@

# ----------------------------------------------------------------------------------------------------------- programs

# program.NAME = SOURCES | LIBRARIES | ARGUMENTS: sqlite, http, … and kit are libraries of ours; checks give it ARGUMENTS.
ours = $(filter sqlite http postgres redis postback,$(1))
others = $(filter-out kit $(call ours,$(1)),$(1)) $(foreach name,$(call ours,$(1)),$($(name)_LIBS))
define PROGRAM
$(1)_ARGUMENTS := $(4)
$(T)/$(1): $(2:%=$(T)/%.o) $(addprefix $(BUILD)/libskan-,$(addsuffix .so,$(call ours,$(3)))) \
		$(if $(filter kit,$(3)),$(STORE_KIT)) $(LIBRARY)
	@mkdir -p $$(@D)
	$(if $(filter %.cpp,$(2)),$(CXX),$(CC)) $(CHECK_FLAGS) -o $$@ $$^ -Wl,-rpath,$(abspath $(BUILD)) \
		$(call others,$(3)) $(SKAN_LIBS) -pthread

$(foreach kind,address thread,$(call KIND_PROGRAM,$(kind),$(1),$(2),$(3)))
endef

# With a sanitizer the whole library goes into the program, so that nothing escapes the sanitizer.
address_C := -fsanitize=address
thread_C := -fsanitize=thread
fuzz_C := -fsanitize=address,fuzzer-no-link
address_LINK := -sanitize=address
thread_LINK := -sanitize=thread
fuzz_LINK := -sanitize=fuzzer,address -Xlinker --wrap=support_pause
define KIND_PROGRAM
$(BUILD)/$(1)/$(2): $(3:%=$(BUILD)/$(1)/%.o) $(BUILD)/$(1)/skan.rsp $(addprefix $(BUILD)/$(1)/skan-,$(addsuffix .rsp,\
		$(call ours,$(4)))) $(if $(filter kit,$(4)),$(BUILD)/$(1)/skan_store_kit.rsp)
	@mkdir -p $$(@D)
	sort -u $$(filter %.rsp,$$^) > $$@.rsp
	swiftc -use-ld=lld $($(1)_LINK) -o $$@ $$(filter %.o,$$^) @$$@.rsp \
		$(call others,$(4)) $(SKAN_LIBS)

endef

define KIND_SOURCES
$(BUILD)/$(1)/%.c.o: Tests/%.c
	@mkdir -p $$(@D)
	clang $$(CHECK_CFLAGS) $($(1)_C) -MMD -MP -c -o $$@ $$<

endef
$(foreach kind,$(KINDS),$(eval $(call KIND_SOURCES,$(kind))))

S := Hosts/C/support.c
HOST := Hosts/C/host.c $(S)
program.vectors/c = Vectors/runner.c Vectors/traces.c $(HOST) | | Tests/Vectors .
program.vectors/cpp = Vectors/runner.cpp Vectors/traces.c $(S) | | Tests/Vectors .
program.core/contract = $(patsubst Tests/%,%,$(wildcard Tests/Hosts/C/contract*.c)) Hosts/C/functions.c $(HOST)
program.core/models_contract = Hosts/C/models.c $(HOST)
program.core/faults = Trouble/Core/faults.c Hosts/C/functions.c $(HOST)
program.core/threads = Trouble/Core/threads.c $(HOST) | | 5000
program.core/forks = Trouble/Core/forks.c Hosts/C/functions.c $(S)
program.core/game_server = Hosts/C/Examples/game_server.c

program.cpp/models = Hosts/Cpp/models.cpp $(S) | | Sources/SKANModels/mixed.json
program.cpp/binding = Hosts/Cpp/binding.cpp $(S)
program.cpp/many = Hosts/Cpp/many.cpp $(S)
program.cpp/game_server = Hosts/Cpp/Examples/game_server.cpp
program.cpp/http = Hosts/Cpp/http.cpp Trouble/HTTP/server.c $(S) | http | Tests/Trouble/HTTP/server.py
program.cpp/postback = Hosts/Cpp/postback.cpp $(S) | postback sqlite | Tests/Vectors/postbacks.json
program.cpp/sqlite = Hosts/Cpp/sqlite.cpp $(S) | sqlite
program.cpp/postgres = Hosts/Cpp/postgres.cpp $(S) | postgres
program.cpp/redis = Hosts/Cpp/redis.cpp $(S) | redis

HTTP := Trouble/HTTP/server.c Trouble/HTTP/tools.c $(S)
program.http/misbehaviour = Trouble/HTTP/misbehaviour.c $(HTTP) | http -Xlinker --export-dynamic | \
	Tests/Trouble/HTTP/server.py
program.http/transport = HTTP/Library/transport.c $(HTTP) | http -Xlinker --export-dynamic | \
	Tests/Trouble/HTTP/server.py
program.http/client = HTTP/Library/client.c $(HTTP) | http -Xlinker --export-dynamic | Tests/Trouble/HTTP/server.py
program.http/forks = Trouble/HTTP/forks.c $(HTTP) | http -Xlinker --export-dynamic | Tests/Trouble/HTTP/server.py
program.http/http2 = HTTP/Library/http2.c $(HTTP) | http

HOOKS := Stores/Library/hooks.c
CASES := $(addprefix Stores/Library/,arguments.c contract.c counters.c listing.c many.c) $(HOOKS)
TROUBLE := Trouble/Stores/trouble.c $(HOOKS)
RESTARTS := Trouble/Stores/restarts.c $(TROUBLE)
PURCHASES := Trouble/Stores/purchases.c $(HOOKS)
KILLS := $(addprefix Trouble/Stores/,kills.c calls.c) $(HOOKS)
program.kit/host = Hosts/C/store_kit.c $(HOST) | kit

SQLITE := Stores/Library/SQLite/files.c $(S)
program.sqlite/store = Stores/Library/SQLite/store.c $(CASES) $(SQLITE) | sqlite kit
program.sqlite/trouble = Trouble/Stores/sqlite.c $(TROUBLE) Stores/Library/counters.c $(SQLITE) | sqlite
program.sqlite/faults = Trouble/Stores/sqlite_faults.c $(HOOKS) $(SQLITE) | sqlite
program.sqlite/purchases = $(PURCHASES) $(SQLITE) | sqlite | 1000
program.sqlite/kills = Trouble/Stores/sqlite_kills.c $(KILLS) $(SQLITE) | sqlite | 20 $(COMMAND)

POSTGRES := $(addprefix Trouble/Servers/,postgres.c server.c) $(S)
program.postgres/store = Stores/Library/Postgres/store.c $(CASES) $(POSTGRES) | postgres kit
program.postgres/trouble = Trouble/Stores/postgres.c $(RESTARTS) $(POSTGRES) | postgres
program.postgres/purchases = $(PURCHASES) $(POSTGRES) | postgres | 500
program.postgres/kills = Trouble/Stores/server_kills.c $(KILLS) $(POSTGRES) | postgres | 10 3

REDIS := $(addprefix Trouble/Servers/,redis.c server.c) $(S)
program.redis/store = Stores/Library/Redis/store.c $(CASES) $(REDIS) | redis kit
program.redis/trouble = Trouble/Stores/redis.c $(RESTARTS) Trouble/Servers/fake.c $(REDIS) | redis
program.redis/purchases = $(PURCHASES) $(REDIS) | redis | 500
program.redis/kills = Trouble/Stores/server_kills.c $(KILLS) $(REDIS) | redis | 10 3

SIGNER := Postbacks/Library/signer.c $(S)
program.postback/verify = Postbacks/Library/verify.c $(SIGNER) | postback sqlite | Tests/Vectors/postbacks.json
program.postback/receive = Postbacks/Library/receive.c $(SIGNER) | postback sqlite
program.postback/stores = Postbacks/Library/stores.c $(SIGNER) | postback sqlite
program.postback/kills = Trouble/Postbacks/kills.c $(SIGNER) | postback sqlite | 20

program.command/fill = Command/fill.c | sqlite
program.command/postbacks = Command/Report/Program/postbacks.c $(SIGNER) | postback sqlite
program.demo/demo = $(patsubst Tests/%,%,$(wildcard Tests/Demo/*.c)) | sqlite http

# ------------------------------------------------------------------------------------------------------------- checks

# $(call run,PROGRAMS): each with the arguments of its row; what a sanitizer has of them, with its own if it has such.
define newline


endef
run = $(foreach each,$(1),$(T)/$(each) $($(each)_ARGUMENTS)$(newline))
sanitized = $(addprefix $(BUILD)/$(1)/,$(2))
run_sanitized = $(foreach each,$(2),TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0" \
	$(BUILD)/$(1)/$(each) $(or $($(1)/$(each)_ARGUMENTS),$($(each)_ARGUMENTS))$(newline))

# check.NAME = PROGRAMS | WHAT ELSE PASSES BEFORE | PROGRAMS WITH ADDRESSSANITIZER | WITH THREADSANITIZER
define CHECK
.PHONY: check-$(1) check-$(1)-sanitizers
check-$(1): $(addprefix $(T)/,$(2)) $(3)
	$$(call run,$(2))
$(if $(4)$(5),
check-$(1)-sanitizers: $(call sanitized,address,$(4)) $(call sanitized,thread,$(5))
	$$(call run_sanitized,address,$(4))$$(call run_sanitized,thread,$(5)))
endef

thread/core/threads_ARGUMENTS := 2000
check.core = core/contract core/models_contract core/faults core/threads core/forks | | vectors/c core/contract \
	core/models_contract core/faults | core/threads
check.c =  | check-core check-c-headers check-c-example
check.cpp = cpp/binding cpp/many cpp/models | check-cpp-headers check-cpp-example
check.cpp-stores = cpp/sqlite | check-cpp-postgres check-cpp-redis
check.http = http/misbehaviour http/transport http/client http/forks cpp/http | check-http-interface check-http2 | \
	http/misbehaviour http/transport http/client http/forks | http/misbehaviour http/transport http/client
check.store-kit = kit/host | $(T)/Hosts/C/store_kit.c.compiles
check.sqlite = sqlite/store sqlite/trouble sqlite/faults sqlite/purchases sqlite/kills | \
	check-sqlite-interface $(COMMAND) | sqlite/store sqlite/trouble | sqlite/store sqlite/trouble
check.postgres = postgres/store postgres/trouble postgres/purchases postgres/kills | check-postgres-interface | \
	postgres/store postgres/trouble | postgres/store postgres/trouble
check.redis = redis/store redis/trouble redis/purchases redis/kills | check-redis-interface | redis/store \
	redis/trouble | redis/store redis/trouble
check.postback = postback/verify postback/receive postback/stores cpp/postback postback/kills | \
	check-postback-interface check-postback-reference | postback/verify postback/receive | postback/stores
check.vectors = vectors/c vectors/cpp | check-vectors-python check-vectors-reference

# Headers, exports and what was promised of both; a companion's, with what it brings beside libskan and libc.
.PHONY: check-c-headers check-cpp-headers $(COMPANIONS:%=check-%-interface)
check-c-headers: library
	$(COMPILERS) Tests/Hosts/C/header.sh .
	$(COMPILERS) Tests/Hosts/C/exports.sh Include/skan/skan.h $(LIBRARY) $(ARCHIVE)
	$(COMPILERS) $(PYTHON) Tests/Hosts/C/released.py Tests/Hosts/C/released.txt Include

check-cpp-headers: $(patsubst Tests/%,$(T)/%.compiles,$(shell find Tests/Hosts/Cpp Tests/Vectors -name '*.cpp'))
	$(COMPILERS) Tests/Hosts/Cpp/names.sh .

sqlite_BRINGS := libsqlite3 "skan_sqlite_store_close skan_sqlite_store_open"
http_BRINGS := libcurl "skan_http_client_create skan_http_transport_open"
postgres_BRINGS := libpq "skan_postgres_store_close skan_postgres_store_open"
redis_BRINGS := libhiredis "skan_redis_store_close skan_redis_store_open"
postback_BRINGS := libcrypto "skan_postback_receive skan_postback_verify"
$(COMPANIONS:%=check-%-interface): check-%-interface: $(BUILD)/libskan-%.so $(BUILD)/libskan-%.a
	$(COMPILERS) Tests/Hosts/C/interface.sh $* $($*_BRINGS) $^

.PHONY: check-c-example check-cpp-example check-cpp-postgres check-cpp-redis check-http2
check-c-example: $(T)/core/game_server
check-cpp-example: $(T)/cpp/game_server
check-c-example check-cpp-example:
	$< 2> $<.log | diff Tests/Hosts/C/Examples/game_server.txt -

check-cpp-postgres check-cpp-redis: check-cpp-%: $(T)/cpp/%
	Tests/Hosts/Cpp/on_server.sh $* $<

check-http2: $(T)/http/http2
	Tests/HTTP/Library/http2.sh $<

# All that it installs is made before: it calls make beside whatever else runs.
.PHONY: check-install check-demo demo
check-install: installable
	$(COMPILERS) Tests/Hosts/Install/install.sh .

demo check-demo: RUN_DEMO = $(T)/demo/demo $(COMMAND) Sources/SKANModels/mixed.json
demo: $(T)/demo/demo $(COMMAND)
	$(RUN_DEMO)

check-demo: $(T)/demo/demo $(COMMAND)
	@$(RUN_DEMO) > $(T)/demo.log 2>&1 || { cat $(T)/demo.log; exit 1; }
	@tail -n 1 $(T)/demo.log

# ------------------------------------------------------------------------------------------------------------- Python

# pytest runs all of it, of README's snippets and of the command too.
.PHONY: check-python check-readme check-vectors-python check-vectors-reference check-postback-reference vectors
check-python: $(VENV)/libskan
	$(PYTEST) Tests/Hosts/Python

check-readme: library store-kit command sqlite-library postback-library $(VENV)/libskan
	BUILD=$(BUILD) $(COMPILERS) SWIFT="$(SWIFT)" $(PYTEST) Tests/Hosts/Readme

check-vectors-python: $(VENV)/libskan
	$(VENV)/bin/python Tests/Vectors/runner.py Tests/Vectors .

check-vectors-reference: $(VENV)/libskan
	$(VENV)/bin/python Tests/Vectors/Reference/make.py --check Tests/Vectors
	$(VENV)/bin/python Tests/Vectors/Reference/differential.py 200

check-postback-reference: $(VENV)/libskan
	$(VENV)/bin/python Tests/Postbacks/Reference/differential.py 1000

# The vectors of models and batches anew, by the reference.
vectors:
	$(PYTHON) Tests/Vectors/Reference/make.py Tests/Vectors

# $(call command_check,NAME,FOLDERS,ENVIRONMENT,WHAT IT NEEDS) gives check-NAME, and its sanitizers' halves.
COMMAND_PARTS := $(BUILD)/bin/faulty-skan $(T)/command/fill $(T)/command/postbacks $(VENV)/tools
RUN_COMMAND = BUILD=$(BUILD) SKAN_COMMAND=$(abspath $(COMMAND)) $(1) $(PYTEST) $(addprefix Tests/Command/,$(2))
ALL_STORES := SKAN_STORES="sqlite postgres redis"
COMMAND_TESTS := Records Models skan
.PHONY: check-command check-report check-serve check-outbox
check-command: $(COMMAND) $(COMMAND_PARTS)
	$(call RUN_COMMAND,$(ALL_STORES),$(COMMAND_TESTS))

check-report: $(COMMAND) $(COMMAND_PARTS)
	$(call RUN_COMMAND,$(ALL_STORES),Report)

check-serve: $(COMMAND) $(VENV)/tools
	$(call RUN_COMMAND,,Server)

check-outbox: $(COMMAND) $(VENV)/tools
	$(call RUN_COMMAND,,Outbox)

# The same with sanitizers, on SQLite; ThreadSanitizer where threads are.
.PHONY: $(foreach name,command report serve outbox,$(addprefix check-$(name)-,sanitizers address thread))
check-command-sanitizers: check-command-address
check-report-sanitizers: check-report-address
check-serve-sanitizers: check-serve-address check-serve-thread
check-outbox-sanitizers: check-outbox-address check-outbox-thread
check-%-address: COMMAND = $(BUILD)/address/bin/skan
check-%-thread: COMMAND = $(BUILD)/thread/bin/skan
check-command-address: $(BUILD)/address/bin/skan $(BUILD)/address/bin/faulty-skan $(COMMAND_PARTS)
	$(call RUN_COMMAND,SKAN_KILLS=4 SKAN_FAULTY_COMMAND=$(abspath $(BUILD)/address/bin/faulty-skan),$(COMMAND_TESTS))

check-report-address: $(BUILD)/address/bin/skan $(COMMAND_PARTS)
	$(call RUN_COMMAND,,Report)

check-serve-address check-serve-thread: check-serve-%: $(BUILD)/%/bin/skan $(VENV)/tools
	$(call RUN_COMMAND,,Server)

check-outbox-address check-outbox-thread: check-outbox-%: $(BUILD)/%/bin/skan $(VENV)/tools
	$(call RUN_COMMAND,SKAN_KILLS=3,Outbox)

# -------------------------------------------------------------------------------------------------------- full length

.PHONY: $(patsubst %,check-%-full,threads thread-sanitizer sqlite postgres redis postback command serve outbox vectors)
check-threads-full: $(T)/core/threads
	$< 100000 8 50

check-thread-sanitizer-full: $(BUILD)/thread/core/threads
	TSAN_OPTIONS=halt_on_error=1 $< 100000 8 50

check-sqlite-full: check-sqlite check-sqlite-sanitizers
	$(T)/sqlite/purchases 20000
	$(T)/sqlite/kills 500 $(COMMAND)

check-postgres-full check-redis-full: check-%-full: check-% check-%-sanitizers
	$(T)/$*/purchases 20000
	$(T)/$*/kills 200 20

check-postback-full: check-postback
	$(VENV)/bin/python Tests/Postbacks/Reference/differential.py 10000
	$(T)/postback/kills 300

check-command-full: $(COMMAND) $(COMMAND_PARTS)
	$(call RUN_COMMAND,$(ALL_STORES) SKAN_INSTALLS=1000000 SKAN_KILLS=100,$(COMMAND_TESTS))

check-serve-full: $(COMMAND) $(VENV)/tools
	BUILD=$(BUILD) $(VENV)/bin/python Tests/Command/Server/Program/load.py --seconds=300

check-outbox-full: $(COMMAND) $(VENV)/tools
	$(call RUN_COMMAND,SKAN_KILLS=100,Outbox/Program/test_kills.py)

check-vectors-full: $(VENV)/libskan
	$(VENV)/bin/python Tests/Vectors/Reference/differential.py 10000

# One change at a time in the core, each of which its tests have to notice.
.PHONY: mutants
mutants:
	$(PYTHON) Tests/Core/Mutants/mutants.py --swift "$(SWIFT)" --folder $(BUILD)/mutants --json $(BUILD)/mutants.json

-include $(shell find $(T) $(KINDS:%=$(BUILD)/%) -name '*.d' 2> /dev/null)
