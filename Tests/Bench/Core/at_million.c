/*
 * at_million.c - memory of a million installs, and each operation's time against its time with 1 000.
 *
 * Each side has two processes of its own, one with many installs and one with 1 000, which take turns: so memory can
 * be told, and neither works in the other's heap or caches.
 */
#include <malloc.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define SMALL 1000

/* What the two processes of a side find out, in memory that they share; nanoseconds a call. */
typedef struct findings {
    double resident, allocated; /* bytes an install */
    double build;               /* ns to register an install and add its purchase */
    double small[OPERATION_COUNT][MAX_ROUNDS], random[OPERATION_COUNT][MAX_ROUNDS];
    double in_order[OPERATION_COUNT][MAX_ROUNDS];
    sem_t turns[2]; /* of the one with 1 000, of the one with many */
} findings;

typedef struct population {
    const side *side;
    skan *engine;
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

static void build(population *population, findings *findings) {
    malloc_trim(0); /* what was freed before is not to be used again unseen */
    double resident = resident_bytes(), allocated = allocated_bytes(), start = seconds_now();
    add_installs(population->side, population->engine, population->count);
    double count = (double)population->count;
    findings->build = (seconds_now() - start) * 1e9 / count;
    findings->resident = (resident_bytes() - resident) / count;
    findings->allocated = (allocated_bytes() - allocated) / count;
}

static size_t batch_size(operation operation) {
    return operation_is_fresh(operation) ? FRESH_BATCH : BATCH;
}

/* Other installs in every round, as far as there are any: most are as young as when they were made. */
static double time_batch(population *population, operation operation, bool random) {
    static call calls[BATCH];
    size_t batch = batch_size(operation);
    uint64_t spread = population->count / 4 * 3;
    bool fresh = operation_is_fresh(operation);
    for (size_t i = 0; i < batch; i++) {
        uint64_t index = fresh ? population->next_unseen++
                         : random ? population->order[population->next_random++ % spread]
                                  : spread + population->next_in_order++ % (population->count - spread);
        prepare_call(&calls[i], index);
    }
    return time_calls(population->side, population->engine, operation, calls, batch);
}

/* With 1 000 installs, made anew so that they are as young as those of the many. */
static double time_small(const side *side, operation operation) {
    static call calls[BATCH];
    bool fresh = operation_is_fresh(operation);
    size_t batch = batch_size(operation);
    skan *engine = side->create();
    add_installs(side, engine, SMALL);
    if (fresh) {
        /* The table has grown for a batch of other installs before. */
        for (size_t i = 0; i < batch; i++) prepare_call(&calls[i], 2 * SMALL + i);
        time_calls(side, engine, operation, calls, batch);
    }
    for (size_t i = 0; i < batch; i++) prepare_call(&calls[i], fresh ? SMALL + i : i * 617 % SMALL);
    double time = time_calls(side, engine, operation, calls, batch);
    side->destroy(engine);
    return time;
}

/* ------------------------------------------------------------------------------------------------------ processes */

static void run_many(population *many, findings *findings, operation operation, int round) {
    findings->random[operation][round] = time_batch(many, operation, true);
    if (!operation_is_fresh(operation)) findings->in_order[operation][round] = time_batch(many, operation, false);
}

/* A process with so many installs; with many, it builds them before its first turn. */
static pid_t start(const side *side, uint64_t installs, int rounds, findings *findings) {
    fflush(NULL);
    pid_t process = fork();
    if (process < 0) exit(1);
    if (process > 0) return process;
    bool is_many = installs > SMALL;
    population many = {.side = side, .count = installs, .next_unseen = installs};
    if (is_many) {
        many.order = permutation(installs / 4 * 3);
        many.engine = side->create();
        build(&many, findings);
        sem_post(&findings->turns[0]);
    }
    for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
        for (int round = 0; round < rounds; round++) {
            while (sem_wait(&findings->turns[is_many]) != 0) continue;
            if (is_many) {
                run_many(&many, findings, operation, round);
            } else {
                findings->small[operation][round] = time_small(side, operation);
            }
            sem_post(&findings->turns[!is_many]);
        }
    }
    _exit(0);
}

static findings *find(const side *side, effort effort) {
    findings *out = mmap(NULL, sizeof *out, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (out == MAP_FAILED) exit(1);
    for (int i = 0; i < 2; i++) sem_init(&out->turns[i], 1, 0);
    pid_t small = start(side, SMALL, effort.rounds, out), many = start(side, effort.installs, effort.rounds, out);
    for (int i = 0, status; i < 2; i++) {
        if (wait(&status) > 0 && status == 0) continue;
        kill(small, SIGKILL);
        kill(many, SIGKILL);
        exit(1);
    }
    return out;
}

/* ------------------------------------------------------------------------------------------------------- findings */

static void print_memory(const findings *skan, const findings *plain) {
    table_line((line){.name = "bytes an install, resident",
                      .skan = skan->resident,
                      .plain = plain->resident,
                      .judged = skan->resident,
                      .limit = 250,
                      .bar = BAR_AT_MOST});
    table_line((line){.name = "bytes an install, allocated", .skan = skan->allocated, .plain = plain->allocated});
    table_line((line){.name = "register and purchase, ns", .skan = skan->build, .plain = plain->build});
}

void measure_million(effort effort) {
    findings *skan = find(&side_skan, effort), *plain = find(&side_plain, effort);
    const char *many = effort.installs == 1000000 ? "1 000 000" : "100 000";
    size_t rounds = (size_t)effort.rounds;
    char title[64];
    snprintf(title, sizeof title, "%s installs, one purchase each", many);
    table_part(title, "", "", "");
    print_memory(skan, plain);

    double small[2][OPERATION_COUNT];
    for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
        small[0][operation] = median(skan->small[operation], rounds);
        small[1][operation] = median(plain->small[operation], rounds);
    }
    for (int in_order = 0; in_order < 2; in_order++) {
        snprintf(title, sizeof title, "%s installs, %s", many, in_order ? "in order" : "at random");
        table_part(title, "ns", "to 1 000", "plain's");
        for (operation operation = 0; operation < OPERATION_COUNT; operation++) {
            if (in_order && operation_is_fresh(operation)) continue;
            double by_skan = median((in_order ? skan->in_order : skan->random)[operation], rounds);
            double by_plain = median((in_order ? plain->in_order : plain->random)[operation], rounds);
            double growth = by_skan / small[0][operation];
            table_line((line){.name = operation_name(operation),
                              .skan = by_skan,
                              .plain = by_plain,
                              .ratio = growth,
                              .plain_ratio = by_plain / small[1][operation],
                              .judged = growth,
                              .limit = 1.5,
                              .bar = in_order ? BAR_NONE : BAR_AT_MOST});
        }
    }
}
