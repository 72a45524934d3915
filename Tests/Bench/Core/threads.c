/* threads.c - two threads on different installs of one engine against one thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define INSTALLS 1000 /* of each thread */
#define CALLS 5000    /* of each thread in a round, each with a mix of operations */

typedef struct worker {
    skan_engine *engine; /* NULL: what the machine itself gives to two threads that share nothing */
    pthread_barrier_t *barrier;
    call calls[CALLS];
    double start, end;
} worker;

static worker workers[2];

static void spin(void) {
    volatile uint64_t value = 1;
    for (int i = 0; i < 20000000; i++) value = value * 3 + 1;
}

static void *work(void *context) {
    static const operation mix[] = {OPERATION_REVENUE, OPERATION_REQUEST, OPERATION_APPLY, OPERATION_DETAILS};
    worker *worker = context;
    pthread_barrier_wait(worker->barrier);
    worker->start = seconds_now();
    if (worker->engine == NULL) spin();
    for (const call *call = worker->calls; worker->engine != NULL && call < worker->calls + CALLS; call++) {
        for (int i = 0; i < 4; i++) run_calls(worker->engine, mix[i], call, 1);
    }
    worker->end = seconds_now();
    return NULL;
}

/* Seconds until the last of `count` threads is done. */
static double run_threads(skan_engine *engine, int count) {
    pthread_t threads[2];
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
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

/* Seconds, and what two threads get done in the time of one. */
typedef struct gain {
    double one[MAX_ROUNDS], two[MAX_ROUNDS], ratio[MAX_ROUNDS];
} gain;

static void take_round(gain *gain, skan_engine *engine, int round) {
    gain->one[round] = run_threads(engine, 1);
    gain->two[round] = run_threads(engine, 2);
    gain->ratio[round] = 2 * gain->one[round] / gain->two[round];
}

void measure_threads(effort effort) {
    static gain shared, nothing;
    size_t rounds = (size_t)effort.rounds;
    skan_engine *engine = create_engine();
    add_installs(engine, 2 * INSTALLS);
    add_history(engine, 2 * INSTALLS, 0);
    for (int round = 0; round < effort.rounds; round++) {
        take_round(&shared, engine, round);
        take_round(&nothing, NULL, round);
    }
    skan_destroy(engine);
    printf("\nrevenue, request, apply, details in turn: thousand calls a second, and two threads to one\n");
    print_measure("one thread", 4 * CALLS / median(shared.one, rounds) / 1000, 0);
    print_measure("two threads", 8 * CALLS / median(shared.two, rounds) / 1000, median(shared.ratio, rounds));
    printf("  threads that share nothing, on this machine: %.2f\n", median(nothing.ratio, rounds));
}
