#define _GNU_SOURCE
#include "trouble.h"

#include "support.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A fair turn is one call of each thread. Turns are counted rather than timed: a loaded machine makes all of them
 * longer alike. */
enum { THREADS = 200, CALLS = 12, SAVED = 4, BYTES = 60000 };

static const skan_store *subject;
static atomic_int begun, done, failed, most;

/* Large enough that a call takes longer than the system needs to run a thread that is ready. */
static void make_call(int thread, uint64_t versions[SAVED]) {
    static const char bytes[BYTES];
    char keys[SAVED][32];
    skan_save_item items[SAVED];
    for (int i = 0; i < SAVED; i++) {
        snprintf(keys[i], sizeof keys[i], "turn-%d-%d", thread, i);
        items[i] = (skan_save_item){keys[i], bytes, sizeof bytes, versions[i], 0, -1};
    }
    subject->save_many(subject->context, items, SAVED);
    for (int i = 0; i < SAVED; i++) {
        if (items[i].status != SKAN_OK) atomic_fetch_add(&failed, 1);
        versions[i] = items[i].new_version;
    }
}

/* The seconds in which this thread was ready to run and the system ran others; 0 where the system does not count them.
 * A store cannot give a turn to a thread that has not come to ask for it. */
static double seconds_not_run(void) {
    unsigned long long run, ready = 0;
    FILE *counts = fopen("/proc/thread-self/schedstat", "r");
    if (!counts) return 0;
    if (fscanf(counts, "%llu %llu", &run, &ready) != 2) ready = 0;
    fclose(counts);
    return (double)ready / 1e9;
}

/* The calls of others that were made while this thread waited for its turn, of those that were made during its call. */
static int made_meanwhile(int others, double seconds, double not_run) {
    return not_run < seconds ? (int)(others * (1 - not_run / seconds)) : 0;
}

static void *take_turns(void *number) {
    int thread = *(int *)number;
    uint64_t versions[SAVED] = {0};
    atomic_fetch_add(&begun, 1);
    while (atomic_load(&begun) < THREADS) pass_milliseconds(1);
    for (int call = 0; call < CALLS; call++) {
        double not_run = -seconds_not_run(), seconds = -seconds_now();
        int before = atomic_load(&done);
        make_call(thread, versions);
        int others = atomic_fetch_add(&done, 1) - before;
        seconds += seconds_now();
        not_run += seconds_not_run();
        int waited = made_meanwhile(others, seconds, not_run), known = atomic_load(&most);
        while (waited > known && !atomic_compare_exchange_weak(&most, &known, waited)) continue;
    }
    return NULL;
}

void expect_fair_turns(const skan_store *store) {
    static pthread_t threads[THREADS];
    static int numbers[THREADS];
    subject = store;
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, take_turns, &numbers[i]) != 0) abort();
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    EXPECT_NUMBER(0, atomic_load(&failed));
    EXPECT(atomic_load(&most) <= 3 * THREADS, "while a call waited, %d others were made; a fair turn is %d",
           atomic_load(&most), THREADS);
}
