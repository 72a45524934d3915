# What things cost; nothing is asserted about times.
#   bench    libskan beside plain C, models, requests of skan serve, postbacks, calls from Python
#   bench-sqlite bench-postgres bench-redis bench-postback    beside statements, commands and libcrypto by hand
$(T)/Bench/Core/%.o: CHECK_CFLAGS = -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -IInclude
program.bench/core = $(patsubst Tests/%,%,$(wildcard Tests/Bench/Core/*.c))
program.bench/models = Bench/models.c | | .
program.bench/sqlite = Bench/Stores/sqlite.c Bench/Stores/bench.c $(HOOKS) $(SQLITE) | sqlite
program.bench/postgres = Bench/Stores/postgres.c Bench/Stores/bench.c $(HOOKS) $(POSTGRES) | postgres
program.bench/redis = Bench/Stores/redis.c Bench/Stores/bench.c $(HOOKS) $(REDIS) | redis
program.bench/postback = Bench/postbacks.c $(SIGNER) | postback sqlite

BENCHES := $(addprefix bench-,core models sqlite postgres redis postback)
.PHONY: bench $(BENCHES) bench-serve bench-outbox bench-python
bench: bench-core bench-models bench-serve bench-outbox bench-python

$(BENCHES): bench-%: $(T)/bench/%
	$< $(if $(filter %core,$@),$(BENCH_ARGUMENTS)) $(bench/$*_ARGUMENTS)

bench-serve: $(COMMAND) $(VENV)/tools
	BUILD=$(BUILD) $(VENV)/bin/python Tests/Command/Server/Program/load.py --seconds=10

bench-outbox: $(COMMAND) $(VENV)/tools
	BUILD=$(BUILD) PYTHONPATH=Tests/Command/Server/Program $(VENV)/bin/python Tests/Command/Outbox/Program/bench.py

bench-python: $(VENV)/libskan
	$(VENV)/bin/python Tests/Bench/Python/overhead.py
