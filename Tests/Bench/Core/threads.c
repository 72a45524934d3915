/* threads.c - two threads on different installs of one engine against one thread. */
#include <pthread.h>
#include <stdlib.h>

#include "bench.h"

#define INSTALLS 1000 /* of each thread */
#define CALLS 5000    /* of each thread in a round, each with a mix of operations */

typedef struct worker {
    const side *side; /* NULL = no engine: what the machine itself gives to two threads */
    skan *engine;
    pthread_barrier_t *barrier;
    call calls[CALLS];
    double start, end;
} worker;

static worker workers[2];

/* Shares nothing with anyone. */
static void spin(void) {
    volatile uint64_t value = 1;
    for (int i = 0; i < 20000000; i++) value = value * 3 + 1;
}

static void *work(void *context) {
    static const operation mix[] = {OPERATION_REVENUE, OPERATION_REQUEST, OPERATION_APPLY, OPERATION_DETAILS};
    worker *worker = context;
    pthread_barrier_wait(worker->barrier);
    worker->start = seconds_now();
    if (worker->side == NULL) {
        spin();
    } else {
        for (const call *call = worker->calls; call < worker->calls + CALLS; call++) {
            for (int i = 0; i < 4; i++) run_calls(worker->side, worker->engine, mix[i], call, 1);
        }
    }
    worker->end = seconds_now();
    return NULL;
}

/* Seconds until the last of `count` threads is done. */
static double run_threads(const side *side, skan *engine, int count) {
    pthread_t threads[2];
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        workers[i].side = side;
        workers[i].engine = engine;
        workers[i].barrier = &barrier;
        for (uint64_t j = 0; j < CALLS; j++) {
            prepare_call(&workers[i].calls[j], (uint64_t)i * INSTALLS + j * 617 % INSTALLS);
        }
    }
    for (int i = 0; i < count; i++) {
        if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0) exit(1);
    }
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    double start = workers[0].start, end = workers[0].end;
    if (count == 2 && workers[1].start < start) start = workers[1].start;
    if (count == 2 && workers[1].end > end) end = workers[1].end;
    return end - start;
}

/* What two threads get done in the time of one: by the median of all rounds, and by the best of each. */
typedef struct gain {
    double rounds[MAX_ROUNDS];
    double one, two; /* seconds, best rounds */
    double median, best;
} gain;

static void take_round(gain *gain, size_t round, double one, double two) {
    gain->rounds[round] = 2 * one / two;
    if (round == 0 || one < gain->one) gain->one = one;
    if (round == 0 || two < gain->two) gain->two = two;
}

void measure_threads(effort effort) {
    static const side *const sides[] = {&side_skan, &side_plain, NULL};
    static gain gains[3];
    skan *engines[3] = {NULL};
    size_t rounds = (size_t)effort.rounds;
    for (int i = 0; i < 2; i++) {
        engines[i] = sides[i]->create();
        add_installs(sides[i], engines[i], 2 * INSTALLS);
        add_history(sides[i], engines[i], 2 * INSTALLS, 0);
    }
    for (size_t round = 0; round < rounds; round++) {
        for (int i = 0; i < 3; i++) {
            double one = run_threads(sides[i], engines[i], 1), two = run_threads(sides[i], engines[i], 2);
            take_round(&gains[i], round, one, two);
        }
    }
    for (int i = 0; i < 3; i++) {
        gains[i].median = median(gains[i].rounds, rounds);
        gains[i].best = 2 * gains[i].one / gains[i].two;
    }
    for (int i = 0; i < 2; i++) sides[i]->destroy(engines[i]);

    table_part("revenue, request, apply, details in turn", "", "", "");
    table_line((line){.name = "one thread, thousand calls a second",
                      .skan = 4 * CALLS / gains[0].one / 1000,
                      .plain = 4 * CALLS / gains[1].one / 1000});
    table_line((line){.name = "two threads, thousand calls a second",
                      .skan = 8 * CALLS / gains[0].two / 1000,
                      .plain = 8 * CALLS / gains[1].two / 1000});
    table_line((line){.name = "two threads to one",
                      .skan = gains[0].median,
                      .plain = gains[1].median,
                      .judged = gains[0].median,
                      .limit = 1.7,
                      .bar = BAR_AT_LEAST});
    table_line((line){.name = "  by the best rounds", .skan = gains[0].best, .plain = gains[1].best});
    table_line((line){.name = "  threads that share nothing, on this machine", .skan = gains[2].median});
    table_line((line){.name = "  the same by the best rounds", .skan = gains[2].best});
}
