#define _GNU_SOURCE
#include "trouble.h"

#include "support.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A fair turn is one call of each thread. Turns are counted rather than timed: a loaded machine makes all of them
 * longer alike. */
enum { THREADS = 200, CALLS = 12, SAVED = 4, BYTES = 60000 };

static const skan_store *subject;
static atomic_int begun, done, failed, judged, most;

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

/* How often the system took the processor from this thread though it could go on. A thread that waits for its turn
 * gives the processor up itself. */
static long interruptions(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static void *take_turns(void *number) {
    int thread = *(int *)number;
    uint64_t versions[SAVED] = {0};
    atomic_fetch_add(&begun, 1);
    while (atomic_load(&begun) < THREADS) pass_milliseconds(1);
    for (int call = 0; call < CALLS; call++) {
        long interrupted = interruptions();
        int before = atomic_load(&done);
        make_call(thread, versions);
        int others = atomic_fetch_add(&done, 1) - before, known = atomic_load(&most);
        /* A thread that was interrupted may not have asked for its turn yet. */
        if (interruptions() > interrupted) continue;
        atomic_fetch_add(&judged, 1);
        while (others > known && !atomic_compare_exchange_weak(&most, &known, others)) continue;
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
    EXPECT(atomic_load(&judged) >= THREADS / 10, "%d calls were not interrupted; %d are needed to judge turns",
           atomic_load(&judged), THREADS / 10);
    EXPECT(atomic_load(&most) <= 3 * THREADS, "while a call waited, %d others were made; a fair turn is %d",
           atomic_load(&most), THREADS);
}
