# What things cost; nothing is asserted about times.
#   bench            calls in memory beside json-c, models, re-engagements, requests of skan serve, postbacks over HTTP
#                    and from files, calls from Python
#   bench-NAME       sqlite postgres redis postback: beside statements, commands and libcrypto by hand
#   bench-busy-NAME  own sqlite postgres redis: calls that meet on one install beside those of one thread, and calls on
#                    many installs; BASELINE=LIBRARY: beside another libskan.so
#   bench-busy-swift calls of 200 tasks that meet on one install, beside those of one task, on each store
#   bench-servers    one Redis server beside the same with TLS and beside a cluster
$(T)/Bench/Core/%.o: CHECK_CFLAGS += -D_GNU_SOURCE
MEASURE := Bench/measure.c
program.bench/core = $(call in,Bench/Core,$(notdir $(wildcard Tests/Bench/Core/*.c))) $(MEASURE) | | $(BENCH_ARGUMENTS)
program.bench/model = Bench/models.c $(MEASURE) | | .
program.bench/reengagements = Bench/reengagements.c $(MEASURE)
STORES_BENCH := Bench/Stores/bench.c $(MEASURE)
program.bench/sqlite = Bench/Stores/sqlite.c $(STORES_BENCH) $(HOOKS) $(SQLITE) | sqlite
program.bench/postgres = Bench/Stores/postgres.c $(STORES_BENCH) $(HOOKS) $(POSTGRES) | postgres
program.bench/redis = Bench/Stores/redis.c $(STORES_BENCH) $(HOOKS) $(REDIS) | redis
BUSY := Bench/Stores/busy.c $(MEASURE) $(HOOKS)
program.bench/busy-own = Bench/Stores/busy.c Bench/Stores/slow.c $(MEASURE) $(HOST) | | $(BASELINE:%=5 %)
program.bench/busy-sqlite = $(BUSY) $(SQLITE) | sqlite | $(BASELINE:%=5 %)
program.bench/busy-postgres = $(BUSY) $(POSTGRES_DATABASE) | postgres | $(BASELINE:%=5 %)
program.bench/busy-redis = $(BUSY) $(REDIS_DATABASE) | redis | $(BASELINE:%=5 %)
program.bench/servers = Bench/Stores/servers.c $(CLUSTER) $(REDIS) | redis
program.bench/postback = Bench/postbacks.c $(MEASURE) $(SIGNER) | postback sqlite
task.bench = bench-core bench-model bench-reengagements bench-busy-own bench-busy-sqlite bench-serve bench-outbox bench-receive bench-python
task.bench-serve = $(COMMAND) $(VENV)/tools | BUILD=$(BUILD) $(LOADED)/load.py --seconds=10
task.bench-outbox = $(COMMAND) $(VENV)/tools | BUILD=$(BUILD) PYTHONPATH=Tests/Command:Tests/Command/Server/Program \
	$(VENV)/bin/python Tests/Command/Outbox/Program/bench.py
# Of postbacks in a file; then runs that are killed ten times and repeated.
task.bench-receive = $(COMMAND) $(VENV)/tools | BUILD=$(BUILD) $(LOADED)/../../Receive/Program/bench.py 300000 10
task.bench-report = $(COMMAND) $(BUILD)/bin/world | $(JUDGE) --measure=$(T)/million
task.bench-python = $(VENV)/libskan | $(VENV)/bin/python Tests/Bench/Python/overhead.py
task.bench-busy-swift = swift-tests | $(SWIFT_PROGRAMS) $(VENV)/bin/python Tests/Bench/Swift/busy.py
BENCHES := $(addprefix bench-,core model reengagements sqlite postgres redis servers postback)
BENCHES += $(addprefix bench-busy-,own sqlite postgres redis)
.PHONY: $(BENCHES)
$(BENCHES): bench-%: $(T)/bench/%
	$< $(bench/$*_ARGUMENTS)
