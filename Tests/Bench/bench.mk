# The bench: libskan beside plain C. `make bench` shows its table; nothing is asserted about times.
BUILD ?= build
LIBRARY ?= $(BUILD)/libskan.so

BENCH_SOURCES := $(wildcard Tests/Bench/*.c)
BENCH_OBJECTS := $(BENCH_SOURCES:Tests/Bench/%.c=$(BUILD)/Bench/%.o)
BENCH_FLAGS := -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -IInclude

$(BUILD)/Bench/%.o: Tests/Bench/%.c $(wildcard Tests/Bench/*.h) Include/skan/skan.h
	@mkdir -p $(@D)
	$(CC) $(BENCH_FLAGS) -c $< -o $@

$(BUILD)/Bench/bench: $(BENCH_OBJECTS) $(LIBRARY)
	$(CC) $(BENCH_OBJECTS) -o $@ $(LIBRARY) -Wl,-rpath,'$$ORIGIN/..' -ljson-c -lpthread -lm

.PHONY: bench
bench: $(BUILD)/Bench/bench
	$(BUILD)/Bench/bench $(BENCH_ARGUMENTS)
