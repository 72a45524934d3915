/* at_thousand.c - each operation with 1 000 installs, in turns with the yardstick. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define INSTALLS 1000

static skan_engine *engine_with(int events) {
    skan_engine *engine = create_engine();
    add_installs(engine, INSTALLS);
    add_history(engine, INSTALLS, events);
    return engine;
}

/* Every install once, in another order each time; or installs never seen. */
static void prepare_batch(call calls[BATCH], operation operation) {
    static uint64_t unseen = INSTALLS;
    if (operation_is_fresh(operation)) {
        for (size_t i = 0; i < FRESH_BATCH; i++) prepare_call(&calls[i], unseen++);
        return;
    }
    uint64_t order[BATCH];
    for (size_t i = 0; i < BATCH; i++) {
        size_t j = (size_t)rand() % (i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < BATCH; i++) prepare_call(&calls[i], order[i]);
}

/* Nanoseconds a call. */
static double time_round(skan_engine *engine, operation operation) {
    static call calls[BATCH];
    prepare_batch(calls, operation);
    return time_calls(engine, operation, calls, batch_size(operation));
}

static void measure(skan_engine *engine, operation operation, int rounds) {
    double values[MAX_ROUNDS], json[MAX_ROUNDS];
    time_round(engine, operation);
    for (int round = 0; round < rounds; round++) {
        values[round] = time_round(engine, operation);
        json[round] = time_json();
    }
    double time = median(values, (size_t)rounds);
    print_measure(operation_name(operation), time, time / median(json, (size_t)rounds));
}

void measure_operations(effort effort) {
    skan_engine *engine = engine_with(0);
    printf("\n1 000 installs: ns a call, and how often json-c reads and prints an answer meanwhile\n");
    for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
        /* With few ids to forget it gets slower call by call: measured below. */
        if (operation != OPERATION_REVENUE_EVENT) measure(engine, operation, effort.rounds);
    }
    skan_destroy(engine);

    printf("\n1 000 installs that remember 64 event ids\n");
    engine = engine_with(64);
    for (operation operation = OPERATION_REVENUE; operation <= OPERATION_DETAILS; operation++) {
        measure(engine, operation, effort.rounds);
    }
    skan_destroy(engine);
}
