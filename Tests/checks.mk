# Programs of tests and checks, each by its name:
#   check-NAME               its short form, a part of make check or make check-all
#   check-NAME-sanitizers    the same with AddressSanitizer and ThreadSanitizer, a part of make check-all
#   check-NAME-full          at full length
#   check-NAME SERVERS="postgres redis chromium"   a part of make check, also on these servers and in this browser
#   mutants                  changes in the sources, one at a time, that their tests have to notice: over an hour
#   mutants AREAS="NAME ..." the same in these areas: core models exchange pool sqlite redis postgres http postbacks
#                            server outbox receive report campaigns page estimates records classes python asyncio cpp
# A program with a sanitizer is the same one in another build folder: build/address/sqlite/store.
CHECK_WARNINGS := -Wall -Wextra -pedantic -Werror
CHECK_INCLUDES := -IInclude -IBindings/Cpp -ITests -ITests/Hosts/C
CHECK_CFLAGS = -std=c11 $(CHECK_WARNINGS) -O2 -g $(CHECK_INCLUDES) $(postgres_CFLAGS)
CHECK_CXXFLAGS = $(CHECK_WARNINGS) -O1 $(CHECK_INCLUDES)
COMPILERS := CC="$(CC)" CXX="$(CXX)" OTHER_CC="$(OTHER_CC)" OTHER_CXX="$(OTHER_CXX)"

# Sources are named by their path in Tests, examples by theirs.
vpath %.c Tests
vpath %.cpp Tests
$(T)/%.cpp.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) -std=c++17 $(CHECK_CXXFLAGS) -MMD -MP -c -o $@ $<

# ----------------------------------------------------------------------------------------------------------- programs
# program.NAME = SOURCES | LIBRARIES, ours as sqlite, http, … and kit | ARGUMENTS in a check | at full length
ours = $(filter $(EVERY_COMPANION),$(1))
others = $(filter-out kit $(call ours,$(1)),$(1)) $(foreach name,$(call ours,$(1)),$($(name)_LIBS))
define rules-of-program
$(1)_ARGUMENTS := $(4)
$(1)_FULL := $(5)
$(T)/$(1): $(2:%=$(T)/%.o) $(addprefix $(BUILD)/libskan-,$(addsuffix .so,$(call ours,$(3)))) \
		$(if $(filter kit,$(3)),$(STORE_KIT)) $(LIBRARY)
	@mkdir -p $$(@D)
	$(if $(filter %.cpp,$(2)),$(CXX),$(CC)) -o $$@ $$^ -Wl,-rpath,$(abspath $(BUILD)) \
		$(call others,$(3)) $(SKAN_LIBS) -pthread

$(foreach kind,address thread mutant,$(call KIND_PROGRAM,$(kind),$(1),$(2),$(3)))
endef

# With a sanitizer the whole library goes into the program, so that nothing escapes the sanitizer.
fuzz_LINK := -sanitize=fuzzer,address -Xlinker --wrap=support_pause
define KIND_PROGRAM
$(BUILD)/$(1)/$(2): $(3:%=$(BUILD)/$(1)/%.o) $(BUILD)/$(1)/skan.rsp $(addprefix $(BUILD)/$(1)/skan-,$(addsuffix .rsp,\
		$(call ours,$(4)))) $(if $(filter kit,$(4)),$(BUILD)/$(1)/skan_store_kit.rsp)
	@mkdir -p $$(@D)
	sort -u $$(filter %.rsp,$$^) > $$@.rsp
	swiftc -use-ld=lld $(or $($(1)_LINK),-sanitize=$(1)) -o $$@ $$(filter %.o,$$^) @$$@.rsp \
		$(call others,$(4)) $(SKAN_LIBS)

endef

# $(call C_OBJECTS,FOLDER,COMPILER): those of C sources, with it.
define C_OBJECTS
$(1)/%.c.o: %.c
	@mkdir -p $$(@D)
	$(2) $$(CHECK_CFLAGS) -MMD -MP -c -o $$@ $$<

endef
$(eval $(call C_OBJECTS,$(T),$$(CC)) $(call C_OBJECTS,$(BUILD)/fuzz,clang -fsanitize=address,fuzzer-no-link) \
	$(call C_OBJECTS,$(BUILD)/mutant,$$(CC)) \
	$(foreach kind,address thread,$(call C_OBJECTS,$(BUILD)/$(kind),clang -fsanitize=$(kind))))

S := Hosts/C/support.c
HOST := Hosts/C/host.c $(S)
TOGETHER := $(T)/vectors/together.jsonl
program.vectors/c = Vectors/runner.c Vectors/traces.c $(HOST) | | Tests/Vectors $(TOGETHER) .
program.vectors/cpp = Vectors/runner.cpp Vectors/traces.c $(S) | | Tests/Vectors $(TOGETHER) .
$(T)/vectors/c $(T)/vectors/cpp $(BUILD)/address/vectors/c: | $(TOGETHER)
$(TOGETHER): Tests/Vectors/Reference/together.py $(wildcard Tests/Vectors/*.jsonl)
	@mkdir -p $(@D)
	$(PYTHON) $< Tests/Vectors > $@.new
	mv $@.new $@

PAUSES := Hosts/C/pauses.c
program.core/contract = $(call in,Hosts/C,$(notdir $(wildcard Tests/Hosts/C/contract*.c))) Hosts/C/functions.c $(HOST) \
	$(PAUSES)
program.core/faults = Trouble/Core/faults.c Hosts/C/functions.c $(HOST) $(PAUSES)
program.core/threads = Trouble/Core/threads.c $(HOST) | | 5000 | 100000 8 50
program.core/forks = Trouble/Core/forks.c Hosts/C/functions.c $(S)
program.core/turns = Trouble/Core/turns.c $(HOST)
# On the libraries as they are installed.
program.leaks/refusals = Trouble/Leaks/refusals.c Hosts/C/functions.c $(HOST) $(PAUSES) | \
	http postback postgres redis sqlite | 1000 | 1000000
program.leaks/lives = Trouble/Leaks/lives.c $(HOOKS) $(SQLITE) | http postback postgres redis sqlite kit
program.c/game_server = Bindings/C/Examples/game_server.c

program.cpp/models = Hosts/Cpp/models.cpp $(S) | | Sources/SKANModels/mixed.json
program.cpp/binding = Hosts/Cpp/binding.cpp $(S) $(PAUSES)
program.cpp/many = Hosts/Cpp/many.cpp $(S) $(PAUSES)
program.cpp/reengagements = Hosts/Cpp/reengagements.cpp $(S)
program.cpp/game_server = Bindings/Cpp/Examples/game_server.cpp
program.cpp/http = Hosts/Cpp/http.cpp Trouble/HTTP/server.c $(S) | http | Tests/Trouble/HTTP/server.py
program.cpp/postback = Hosts/Cpp/postback.cpp $(S) | postback sqlite | Tests/Vectors/postbacks.json
program.cpp/stores = Hosts/Cpp/stores.cpp $(S) | sqlite postgres redis

HTTP := Trouble/HTTP/server.c Trouble/HTTP/tools.c $(S)
SERVED := http -Xlinker --export-dynamic | Tests/Trouble/HTTP/server.py
program.http/misbehaviour = Trouble/HTTP/misbehaviour.c $(HTTP) | $(SERVED)
program.http/transport = HTTP/Library/transport.c Stores/Library/options.c $(HTTP) | $(SERVED)
program.http/client = HTTP/Library/client.c $(HTTP) | $(SERVED)
program.http/forks = Trouble/HTTP/forks.c $(HTTP) | $(SERVED) 15 | Tests/Trouble/HTTP/server.py 60
program.http/http2 = HTTP/Library/http2.c $(HTTP) | http
program.answers/asks = Trouble/Answers/asks.c | http sqlite

HOOKS := Stores/Library/hooks.c
CASES := $(addprefix Stores/Library/,arguments.c contract.c counters.c options.c repeats.c) $(HOOKS)
TROUBLE := $(addprefix Trouble/Stores/,trouble.c turns.c forks.c) Bench/measure.c $(HOOKS)
RESTARTS := Trouble/Stores/restarts.c $(TROUBLE)
PURCHASES := $(addprefix Trouble/Stores/,purchases.c calls.c) $(HOOKS)
RENAMES := $(addprefix Trouble/Stores/,renames.c calls.c) $(HOOKS)
KILLS := $(addprefix Trouble/Stores/,kills.c calls.c) $(HOOKS)
program.kit/host = Hosts/C/store_kit.c $(HOST) | kit

SQLITE := Stores/Library/SQLite/files.c $(S)
program.sqlite/store = Stores/Library/SQLite/store.c $(CASES) $(SQLITE) | sqlite kit
program.sqlite/trouble = Trouble/Stores/sqlite.c $(TROUBLE) Stores/Library/counters.c $(SQLITE) | sqlite | 15 | 60
program.sqlite/faults = Trouble/Stores/sqlite_faults.c $(HOOKS) $(SQLITE) | sqlite
program.sqlite/purchases = $(PURCHASES) $(SQLITE) | sqlite | 1000 | 20000
program.sqlite/renames = $(RENAMES) $(SQLITE) | sqlite | 20 | 1000
program.sqlite/kills = Trouble/Stores/sqlite_kills.c $(KILLS) $(SQLITE) | sqlite | 20 $(COMMAND) | 500 $(COMMAND)

POSTGRES := $(addprefix Trouble/Servers/,postgres.c server.c) $(S)
program.postgres/store = Stores/Library/Postgres/store.c $(CASES) $(POSTGRES) | postgres kit
program.postgres/trouble = Trouble/Stores/postgres.c $(RESTARTS) $(POSTGRES) | \
	postgres -Xlinker --export-dynamic | 15 | 60
program.postgres/sockets = Trouble/Stores/postgres_sockets.c $(HOOKS) $(POSTGRES) | \
	postgres -Xlinker --export-dynamic
program.postgres/pooler = Trouble/Stores/postgres_pooler.c Trouble/Servers/relay.c $(TROUBLE) $(POSTGRES) | postgres
POSTGRES_DATABASE := Trouble/Servers/postgres_database.c $(POSTGRES)
program.postgres/purchases = $(PURCHASES) $(POSTGRES_DATABASE) | postgres | 500 | 20000
program.postgres/renames = $(RENAMES) $(POSTGRES_DATABASE) | postgres | 20 | 1000
program.postgres/kills = Trouble/Stores/server_kills.c $(KILLS) $(POSTGRES_DATABASE) | postgres | 10 3 | 200 20

REDIS := $(addprefix Trouble/Servers/,redis.c server.c) $(S)
CLUSTER := Trouble/Servers/redis_cluster.c $(TROUBLE)
program.redis/store = Stores/Library/Redis/store.c $(CASES) $(filter-out $(HOOKS),$(CLUSTER)) $(REDIS) | redis kit
program.redis/trouble = Trouble/Stores/redis.c $(RESTARTS) Trouble/Servers/fake.c $(REDIS) | \
	redis -Xlinker --export-dynamic | 15 | 60
program.redis/cluster = Trouble/Stores/redis_cluster.c Trouble/Servers/fake.c $(CLUSTER) $(REDIS) | redis
DISTURBANCES := $(addprefix Trouble/Stores/,disturbances.c calls.c) $(TROUBLE)
program.redis/disturbances = Trouble/Servers/redis_disturbances.c Trouble/Servers/redis_cluster.c $(DISTURBANCES) \
	$(REDIS) | redis | 1 | 10
program.redis/tls = Trouble/Stores/redis_tls.c Trouble/Servers/tls_flood.c $(TROUBLE) $(REDIS) | redis -lssl -lcrypto
REDIS_DATABASE := Trouble/Servers/redis_database.c $(REDIS)
program.redis/purchases = $(PURCHASES) $(REDIS_DATABASE) | redis | 500 | 20000
program.redis/renames = $(RENAMES) $(REDIS_DATABASE) | redis | 20 | 1000
program.redis/kills = Trouble/Stores/server_kills.c $(KILLS) $(REDIS_DATABASE) | redis | 10 3 | 200 20

program.patroni/disturbances = Trouble/Servers/patroni_disturbances.c $(DISTURBANCES) $(POSTGRES) | postgres | 1 | 10

SIGNER := Postbacks/Library/signer.c $(S)
program.postback/verify = Postbacks/Library/verify.c $(SIGNER) | postback sqlite
program.postback/receive = Postbacks/Library/receive.c Hosts/C/host.c $(SIGNER) | postback sqlite
program.postback/field = Postbacks/Library/field.c $(HOST) | postback -ljson-c | Tests/Postbacks/Field
program.postback/stores = Postbacks/Library/stores.c $(SIGNER) | postback sqlite

program.command/fill = Command/fill.c | sqlite
# No program: the command's tests load it into the command.
$(T)/command/clock.so: Tests/Command/clock.c
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -shared -fPIC -o $@ $<

# ------------------------------------------------------------------------------------------------------------- checks
# $(call run,FOLDER,PROGRAMS,FULL): each with the arguments of its row, or with those for this build folder.
define newline


endef
run = $(foreach each,$(2),$(if $(filter thread,$(1)),TSAN_OPTIONS="halt_on_error=1 report_thread_leaks=0") \
	$(BUILD)/$(1)/$(each) $(or $($(1)/$(each)_ARGUMENTS),$($(each)_$(or $(3),ARGUMENTS)))$(newline))
in = $(foreach each,$(2),$(if $(findstring /,$(each)),$(each),$(1)/$(each)))
long = $(foreach each,$(call in,$(1),$(2)),$(if $($(each)_FULL),$(each)))
thread/core/threads_ARGUMENTS := 2000

# check.NAME = PROGRAMS, those of other folders by their path | WHAT ELSE PASSES | WITH ADDRESSSANITIZER | WITH
# THREADSANITIZER gives check-NAME, check-NAME-sanitizers and check-NAME-full.
define rules-of-check
.PHONY: check-$(1) check-$(1)-sanitizers check-$(1)-full
check-$(1): $(addprefix $(T)/,$(call in,$(1),$(2))) $(3)
	$$(call run,Tests,$(call in,$(1),$(2)))

check-$(1)-sanitizers: $(addprefix $(BUILD)/address/,$(call in,$(1),$(4))) \
		$(addprefix $(BUILD)/thread/,$(call in,$(1),$(5)))
	$$(call run,address,$(call in,$(1),$(4)))$$(call run,thread,$(call in,$(1),$(5)))

check-$(1)-full: check-$(1) check-$(1)-sanitizers
	$$(call run,Tests,$(call long,$(1),$(2)),FULL)
endef

# task.NAME = WHAT IT NEEDS | COMMAND
define rules-of-task
.PHONY: $(1)
$(1): $(2)
	$(3)
endef

check.core = contract faults threads forks turns | | vectors/c contract faults | threads
check.cpp = binding many models reengagements | check-cpp-headers check-cpp-example
check.http = misbehaviour transport client forks cpp/http | check-http-interface | \
	misbehaviour transport client forks | misbehaviour transport client
check.store-kit = kit/host
check.sqlite = store trouble faults purchases kills renames | check-sqlite-interface $(COMMAND) | store trouble | store trouble
check.postgres = store trouble pooler sockets purchases kills renames | check-postgres-interface | store trouble | store trouble
check.redis = store trouble cluster disturbances tls purchases kills renames | check-redis-interface | store trouble tls | store trouble tls
# Servers that nothing else needs: they are installed by it, and it is no part of make check.
check.patroni = disturbances | check-patroni-contract
task.check-patroni-contract = $(T)/postgres/store | Tests/Stores/Library/Postgres/clustered.sh $<
check.postback = verify receive field stores cpp/postback | check-postback-interface check-postback-reference check-postback-respellings | \
	verify receive | stores
check.vectors = c cpp | check-vectors-python check-vectors-reference check-phone

# valgrind sees what sanitizers cannot, which is Embedded Swift: every function of every header, every status, and each
# refusal.
VALGRIND := valgrind --quiet --leak-check=full --show-leak-kinds=definite,indirect \
	--errors-for-leak-kinds=definite,indirect --trace-children=yes --error-exitcode=9 \
	--suppressions=Tests/Trouble/Leaks/tests.supp
SEEN := leaks/refusals leaks/lives core/contract postback/verify
objects_of_program = $(patsubst %,$(T)/%.o,$(call part,program.$(1),1))
task.check-calls = $(SEEN:%=$(T)/%) | Tests/Trouble/Leaks/calls.sh \
	$$(foreach each,$$(basename $$(notdir $$(wildcard Include/skan/*.h))),$$(call functions,$$(each))) -- \
	$$(sort $$(foreach each,$$(SEEN),$$(call objects_of_program,$$(each))))
task.check-leaks = check-calls | $(VALGRIND) $(T)/leaks/refusals 1 && $(VALGRIND) $(T)/leaks/lives && \
	$(foreach kind,postgres redis,Tests/Hosts/Cpp/on_server.sh $(kind) $(VALGRIND) $(T)/leaks/lives &&) \
	$(VALGRIND) $(T)/core/contract && $(VALGRIND) $(T)/postback/verify
check.leaks-of-refusals = leaks/refusals leaks/lives
task.check-c = check-core check-c-headers check-c-example
task.check-cpp-stores = $(T)/cpp/stores | $(T)/cpp/stores && \
	$(foreach kind,postgres redis,Tests/Hosts/Cpp/on_server.sh $(kind) $(T)/cpp/stores &&) true
task.check-http2 = $(T)/http/http2 | Tests/HTTP/Library/http2.sh $(T)/http/http2
# All that it installs is made before: it calls make beside whatever else runs.
task.check-install = installable | $(COMPILERS) Tests/Hosts/Install/install.sh .
# On new machines, in folders: one without a compiler, and those of older and newer distributions at full length. They
# need a root user, for chroot.
PACKAGE_TESTS := $(addprefix Tests/Hosts/Packages/test_,debian.py wheel.py reproducible.py)
task.check-packages = packages | BUILD=$(BUILD) $(PYTEST) $(PACKAGE_TESTS)
task.check-packages-full = packages | BUILD=$(BUILD) $(PYTEST) Tests/Hosts/Packages
# A host in C++ with the libraries of make install SANITIZE=thread and SANITIZE=address.
task.check-sanitized = $(COMMAND) $(SANITIZERS:%=$(BUILD)/%/libskan-http.so) | \
	CXX="$(CXX)" Tests/Hosts/Sanitized/sanitized.sh $(COMMAND) $(BUILD)
# By the package as it is in the tree: nothing is installed for it.
HARDENED := $(LIBRARY) $(COMPANIONS:%=$(BUILD)/libskan-%.so) $(COMMAND)
task.check-hardened = $(HARDENED) | Tests/Hosts/Install/hardened.sh $(HARDENED)
DEMO := $(PYTHON_PACKAGE) $(PYTHON_LIBRARY) $(BUILD)/python/libskan-sqlite.so $(BUILD)/python/libskan-http.so $(COMMAND)
RUN_DEMO = PYTHONPATH=$(dir $(PYTHON_PACKAGE)) $(PYTHON) Tests/Demo/demo.py $(COMMAND) Sources/SKANModels/mixed.json \
	Sources/SKANModels/reengagement.json
task.check-demo = $(DEMO) | $(RUN_DEMO)
# What a new user runs first: it shows the demo, and the output of the build only where the build fails.
.PHONY: demo
demo:
	@echo "Building libskan. The first time, this takes some minutes. The output goes to $(BUILD)/demo.log."
	@$(MAKE) --no-print-directory AT_ONCE=SKANInstalled $(DEMO) > $(BUILD)/demo.log 2>&1 || { tail -n 40 $(BUILD)/demo.log; exit 1; }
	@$(RUN_DEMO)

# By one compiler; the others are asked by check-compilers.
INTERFACE := Tests/Hosts/C/interface.sh
.PHONY: check-c-headers check-cpp-headers check-c-example check-cpp-example $(COMPANIONS:%=check-%-interface)
check-c-headers: library
	$(COMPILERS) Tests/Hosts/C/headers.sh alone
	$(COMPILERS) $(INTERFACE) "skan store model reengagement companion" "libjson-c|libm" 417792 "$(call functions,skan)" $(LIBRARY) $(ARCHIVE)
	$(COMPILERS) $(PYTHON) Tests/Hosts/C/released.py Tests/Hosts/C/released.txt Include

# Of each header's library, what abidiff finds changed since the release. make release-dump is run when a version is
# tagged.
RELEASED := Tests/Hosts/C/Released
ABI_PARTS := skan store_kit $(COMPANIONS)
abi_library = $(or $(if $(filter skan,$(1)),$(LIBRARY)),$(if $(filter store_kit,$(1)),$(STORE_KIT)),$(BUILD)/libskan-$(1).so)
abi_of = $(call abi_library,$(1)) $(call headers_of,$(1))
ABI_BUILT := library store-kit $(COMPANIONS:%=%-library)
task.check-abi = $(ABI_BUILT) | CC="$(CC)"; export CC; $(foreach each,$(ABI_PARTS),\
	Tests/Hosts/C/abi.sh check $(RELEASED)/$(each).abi $(call abi_of,$(each)) &&) \
	Tests/Hosts/C/abi_changes.sh $(ARCHIVE) $(call headers_of,skan)
task.release-dump = $(ABI_BUILT) | CC="$(CC)"; export CC; mkdir -p $(RELEASED) && $(foreach each,$(ABI_PARTS),\
	Tests/Hosts/C/abi.sh dump $(call abi_of,$(each)) > $(RELEASED)/$(each).abi &&) true

check-cpp-headers:
	$(CXX) -std=c++17 $(CHECK_CXXFLAGS) -fsyntax-only Tests/Hosts/Cpp/namespace.cpp

# Every compiler and standard that the headers are for. What C++ programs of tests make of the headers' templates is
# compiled by each as one file.
CPP_SOURCES := $(wildcard Tests/Hosts/Cpp/*.cpp Tests/Vectors/*.cpp Bindings/Cpp/Examples/*.cpp)
EVERY_CPP := $(foreach standard,17 20,"$(CXX) -std=c++$(standard)" "$(OTHER_CXX) -std=c++$(standard)")
# Their packages are large and used by nothing else.
task.check-generators = library | .ci/setup $(BUILD)/generators.mk bindgen golang-go && \
	Tests/Hosts/C/generators.sh $(BUILD)
task.check-compilers = | $(COMPILERS) Tests/Hosts/C/headers.sh together && \
	Tests/Hosts/Cpp/one_file.sh "$(CHECK_CXXFLAGS)" $(EVERY_CPP) -- $(CPP_SOURCES) && \
	$(OTHER_CC) -std=c11 $(CHECK_CFLAGS) -fsyntax-only Tests/Hosts/C/store_kit.c

check-c-example check-cpp-example: check-%-example: $(T)/%/game_server
	$< 2> $<.log | diff Bindings/C/Examples/game_server.txt -

# With the libraries that each brings beside libskan and libc, the first one always, and the functions that its header
# declares.
redis_MOST := 212992
$(COMPANIONS:%=check-%-interface): check-%-interface: $(BUILD)/libskan-%.so $(BUILD)/libskan-%.a
	$(COMPILERS) $(INTERFACE) $* "$(subst $(space),|,$($*_LIBS:-l%=lib%))" $(or $($*_MOST),147456) "$(call functions,$*)" $^

# ------------------------------------------------------------------------------------------------------------- Python
# What tests may start: nothing in make check, where stores are in SQLite files and in memory, and no browser shows pages.
EVERY_SERVER := postgres redis chromium
SERVERS ?=
export SKAN_SERVERS := $(SERVERS)
PAGES := $(if $(filter chromium,$(SERVERS)),$(VENV)/pages)
# One pip at a time.
$(VENV)/libskan: | $(PAGES)
WHEEL := Tests/Hosts/Python/test_wheel.py
task.check-python = $(VENV)/libskan | $(PYTEST) --ignore=$(WHEEL) Tests/Hosts/Python
# How it is built and installed.
task.check-wheel = $(VENV)/libskan | $(PYTEST) -n 0 $(WHEEL)
SWIFT_PROGRAMS = SWIFT="$(SWIFT)" SWIFT_FLAGS="$(SWIFT_TESTED_FLAGS)" SKAN_MODULES_FOR_SPEED="$(FOR_SPEED)"
# The names in texts, which needs nothing that is built: it is a part of make check.
NAMES := Tests/Hosts/Readme/test_names.py Tests/Hosts/Readme/test_same_names.py
task.check-names = $(VENV)/tools | $(PYTEST) -n 0 $(NAMES)
task.check-readme = library store-kit command http-library sqlite-library postback-library $(VENV)/libskan | \
	BUILD=$(BUILD) $(COMPILERS) $(SWIFT_PROGRAMS) $(PYTEST) $(NAMES:%=--ignore=%) Tests/Hosts/Readme
# Pyright, as editors run it; basedpyright brings it to PyPI with all that it needs.
task.check-pyright = $(VENV)/libskan | $(VENV)/bin/pip install --quiet --no-compile basedpyright && \
	$(VENV)/bin/basedpyright --project Bindings/Python/pyright.json
# What make check CHANGED=1 runs.
task.check-changed = $(VENV)/tools | $(PYTEST) Tests/Make
# Engines and skan serve, with a network between them that loses, doubles and delays.
ANSWERS := library http-library sqlite-library swift-tests $(T)/answers/asks $(COMMAND) $(VENV)/libskan
LOST_ANSWERS = $(SWIFT_PROGRAMS) $(VENV)/bin/python Tests/Trouble/Answers/lost_answers.py
task.check-lost-answers = $(ANSWERS) | $(LOST_ANSWERS) 400 $(T)/answers/asks $(COMMAND)
task.check-lost-answers-full = $(ANSWERS) | $(LOST_ANSWERS) 20000 $(T)/answers/asks $(COMMAND)
# Ways through several parts, as README tells them, with libskan's defaults on both sides.
task.check-journeys = library http-library $(COMMAND_PARTS) $(COMMAND) $(VENV)/libskan | \
	$(call command_tests,../Journeys,$(BUILD),$(COMPILERS) $(SWIFT_PROGRAMS))
# The package where it lies, with libskan alone: the wheel, which the other checks install, waits for all companions.
PACKAGE := $(PYTHON_PACKAGE) $(PYTHON_LIBRARIES) $(VENV)/tools
WITH_PACKAGE := PYTHONPATH=$(dir $(PYTHON_PACKAGE)):Tests/Hosts/Python:Tests/Vectors/Reference
LIVED := $(WITH_PACKAGE) $(VENV)/bin/python Tests/Vectors/Reference/differential.py
SIGNED := $(VENV)/bin/python Tests/Postbacks/Reference/differential.py
task.check-vectors-python = $(PACKAGE) $(TOGETHER) | $(WITH_PACKAGE) \
	$(VENV)/bin/python Tests/Vectors/runner.py Tests/Vectors $(TOGETHER) .
task.check-vectors-reference = $(PACKAGE) | $(WITH_PACKAGE) $(VENV)/bin/python Tests/Vectors/Reference/replay.py \
	--check Tests/Vectors && $(LIVED) 60
task.check-vectors-reference-full = $(PACKAGE) | $(LIVED) 10000
# Simulated lives on an iPhone: in a few worlds, in which every two readings of Apple's text come together, or in all.
PHONE := $(WITH_PACKAGE) $(VENV)/bin/python Tests/Phone
task.check-phone = $(PACKAGE) | $(WITH_PACKAGE) $(PYTEST) Tests/Phone && $(PHONE)/run.py 2000
task.check-phone-full = $(PACKAGE) | $(PHONE)/run.py --all-worlds 100800
# A build with changes of the engine, one for each property of these lives, which has to find it.
task.check-phone-mutants = $(PACKAGE) | mkdir -p $(BUILD)/phone-mutants && \
	$(PHONE)/mutants.py . $(BUILD)/phone-mutants
task.check-postback-reference = $(VENV)/libskan | $(SIGNED) 1000
# A library in front of libcrypto counts how many signatures are checked for each.
COUNTER := $(T)/postback/counter.so
$(COUNTER): Postbacks/Library/counter.c
	@mkdir -p $(@D)
	$(CC) $(CHECK_CFLAGS) -shared -fPIC -o $@ $<
RESPELLED := COUNTER=$(abspath $(COUNTER)) LD_PRELOAD=$(abspath $(COUNTER)) \
	$(VENV)/bin/python Tests/Postbacks/Field/respellings.py
task.check-postback-respellings = $(VENV)/libskan $(COUNTER) | $(RESPELLED) 3000
task.check-postback-respellings-full = $(VENV)/libskan $(COUNTER) | $(RESPELLED) 1000000
task.check-postback-reference-full = $(VENV)/libskan | $(SIGNED) 10000
check-vectors-full check-postback-full: check-%-full: check-%-reference-full
check-postback-full: check-postback-respellings-full
check-vectors-full: check-phone-full check-phone-mutants
# What is expected of models and batches anew, by the reference.
task.vectors = | $(PYTHON) Tests/Vectors/Reference/replay.py Tests/Vectors
# One change at a time in the sources, each of which their tests have to notice. AREAS="http pool": only there.
task.mutants = $(COMMAND_PARTS) $(VENV)/pages | $(PYTHON) Tests/Mutants/mutants.py --swift "$(SWIFT)" \
	--folder $(BUILD)/mutants --json $(BUILD)/mutants.json $(if $(AREAS),--area $(AREAS))

# command-tests.NAME = FOLDERS | SANITIZERS | VARIABLES AT FULL LENGTH gives check-NAME, on SQLite and on SERVERS, and
# check-NAME-sanitizers, on SQLite, of check-NAME-address and check-NAME-thread; ThreadSanitizer where threads are.
COMMAND_PARTS := $(T)/command/fill $(T)/command/clock.so $(BUILD)/bin/world $(VENV)/tools $(PAGES)
command_tests = BUILD=$(BUILD) SKAN_COMMAND=$(abspath $(2)/bin/skan) SKAN_FAULTY_COMMAND=$(abspath $(2)/bin/faulty-skan) \
	$(3) $(PYTEST) $(foreach each,$(1),$(call folder_of_tests,$(each)))
folder_of_tests = $(or $(wildcard Tests/Command/$(1)),Tests/$(1))
servers_of = $(if $(filter %-full,$(1)),$(EVERY_SERVER),$(SERVERS))
# Estimates are judged by more worlds in check-all, and more random stores are recounted.
on_servers = $(if $(call servers_of,$(1)),SKAN_WORLDS=3 SKAN_RANDOM_STORES=100) SKAN_SERVERS="$(call servers_of,$(1))" SKAN_STORES="$(strip sqlite $(filter-out chromium,$(call servers_of,$(1))))"
define rules-of-command-tests
.PHONY: check-$(1) check-$(1)-sanitizers check-$(1)-full $(3:%=check-$(1)-%)
check-$(1) check-$(1)-full: $(COMMAND) $(BUILD)/bin/faulty-skan $(COMMAND_PARTS)
	$$(call command_tests,$(2),$(BUILD),$$(call on_servers,$$@) $$(if $$(filter %-full,$$@),$(4)))

check-$(1)-full $(3:%=check-$(1)-%): $(VENV)/pages
check-$(1)-sanitizers: $(3:%=check-$(1)-%)
$(3:%=check-$(1)-%): check-$(1)-%: $(BUILD)/%/bin/skan $(BUILD)/%/bin/faulty-skan $(COMMAND_PARTS)
	$$(call command_tests,$(2),$(BUILD)/$$*,SKAN_SERVERS="$(EVERY_SERVER)" SKAN_STORES=sqlite SKAN_KILLS=4 \
		PYTEST_ADDOPTS="-m 'not many'")
endef
command-tests.command = Records Models skan | address | SKAN_INSTALLS=1000000 SKAN_KILLS=100 SKAN_HISTORIES=1000
command-tests.report = Report Truth | address
command-tests.serve = Server | address thread
command-tests.outbox = Outbox Receive | address thread | SKAN_KILLS=300 SKAN_REFUSED=50000
LOADED := PYTHONPATH=Tests/Command:Tests/Command/Outbox/Program $(VENV)/bin/python Tests/Command/Server/Program
task.serve-load = $(COMMAND) $(VENV)/tools | BUILD=$(BUILD) $(LOADED)/load.py --seconds=300
task.serve-strangers = $(COMMAND) $(VENV)/tools | export BUILD=$(BUILD); $(LOADED)/strangers.py attacks && \
	$(LOADED)/strangers.py crowd && $(LOADED)/strangers.py day 300 && $(LOADED)/strangers.py kept 100000
RESTARTED := Tests/Command/Server/Program/test_restarts.py
RELOADED := Tests/Command/Server/Program/test_models.py
task.serve-restarts = $(COMMAND) $(VENV)/tools | BUILD=$(BUILD) SKAN_REQUESTS=20000 SKAN_RESTARTS=10 $(PYTEST) -n 0 -s $(RESTARTED)
task.serve-reloads = $(COMMAND) $(VENV)/tools | BUILD=$(BUILD) SKAN_RELOADS=50 $(PYTEST) -n 0 -s $(RELOADED)
check-serve-full: serve-load serve-strangers serve-restarts serve-reloads
JUDGE := BUILD=$(BUILD) $(PYTHON) Tests/Truth/judge.py
task.truth = $(COMMAND) $(BUILD)/bin/world | $(JUDGE)
# The core's threads at full length, as they are and with ThreadSanitizer.
task.check-threads-full = $(T)/core/threads | $$< $(core/threads_FULL)
task.check-thread-sanitizer-full = $(BUILD)/thread/core/threads | TSAN_OPTIONS=halt_on_error=1 $$< $(core/threads_FULL)

-include $(shell find $(T) $(KINDS:%=$(BUILD)/%) -name '*.d' 2> /dev/null)
