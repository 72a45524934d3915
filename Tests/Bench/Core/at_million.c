/* at_million.c - memory of a million installs, and each operation's time against its time with 1 000. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define SMALL 1000

typedef struct population {
    skan_engine *engine;
    uint64_t count;
    uint32_t *order; /* a permutation of the first three quarters; the last one is for access in order */
    uint64_t next_random, next_in_order, next_unseen;
} population;

static uint32_t *permutation(uint64_t count) {
    uint32_t *order = malloc(count * sizeof *order);
    if (order == NULL) abort();
    srand(7);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t j = (((uint64_t)rand() << 31) ^ (uint64_t)rand()) % (i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    return order;
}

static population build(uint64_t installs) {
    population many = {.engine = create_engine(), .count = installs, .next_unseen = installs};
    many.order = permutation(installs / 4 * 3);
    malloc_trim(0); /* what was freed before is not to be used again unseen */
    double resident = resident_bytes(), allocated = allocated_bytes(), start = seconds_now();
    add_installs(many.engine, installs);
    double count = (double)installs;
    printf("\n%.0f installs, one purchase each\n", count);
    print_measure("register and purchase, ns", (seconds_now() - start) * 1e9 / count, 0);
    print_measure("bytes an install, resident", (resident_bytes() - resident) / count, 0);
    print_measure("bytes an install, allocated", (allocated_bytes() - allocated) / count, 0);
    return many;
}

/* Other installs in every round, as far as there are any: most are as young as when they were made. */
static double time_many(population *many, operation operation, bool in_order) {
    static call calls[BATCH];
    size_t batch = batch_size(operation);
    uint64_t spread = many->count / 4 * 3;
    for (size_t i = 0; i < batch; i++) {
        uint64_t index = operation_is_fresh(operation) ? many->next_unseen++
                         : in_order ? spread + many->next_in_order++ % (many->count - spread)
                                    : many->order[many->next_random++ % spread];
        prepare_call(&calls[i], index);
    }
    return time_calls(many->engine, operation, calls, batch);
}

/* With 1 000 installs, made anew so that they are as young as those of the many. */
static double time_small(operation operation) {
    static call calls[BATCH];
    bool fresh = operation_is_fresh(operation);
    size_t batch = batch_size(operation);
    skan_engine *engine = create_engine();
    add_installs(engine, SMALL);
    if (fresh) {
        /* The table has grown for a batch of other installs before. */
        for (size_t i = 0; i < batch; i++) prepare_call(&calls[i], 2 * SMALL + i);
        time_calls(engine, operation, calls, batch);
    }
    for (size_t i = 0; i < batch; i++) prepare_call(&calls[i], fresh ? SMALL + i : i * 617 % SMALL);
    double time = time_calls(engine, operation, calls, batch);
    skan_destroy(engine);
    return time;
}

void measure_million(effort effort) {
    population many = build(effort.installs);
    for (int in_order = 0; in_order < 2; in_order++) {
        printf("\nThe same, %s: ns a call, and to the time with 1 000\n", in_order ? "in order" : "at random");
        for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
            if (in_order && operation_is_fresh(operation)) continue;
            double by_many[MAX_ROUNDS], by_small[MAX_ROUNDS];
            for (int round = 0; round < effort.rounds; round++) {
                by_many[round] = time_many(&many, operation, in_order);
                by_small[round] = time_small(operation);
            }
            double time = median(by_many, (size_t)effort.rounds);
            print_measure(operation_name(operation), time, time / median(by_small, (size_t)effort.rounds));
        }
    }
    skan_destroy(many.engine);
    free(many.order);
}
