#define _GNU_SOURCE
#include "support.h"
#include "trouble.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { CALLERS = 8, HANGS_AFTER_S = 240 };

int fork_count = 15;

static const skan_store *called;
static atomic_bool is_over;

static void *call_again(void *argument) {
    uint64_t version = *(uint64_t *)argument;
    for (int i = 0; !atomic_load(&is_over); i++) {
        if (i % 2) save_text(called, PLAYER, "lost", version, NULL);
        else load(called, PLAYER);
    }
    return NULL;
}

void expect_forks_beside_time_outs(const skan_store *store, uint64_t version, uint32_t timeout_ms) {
    pthread_t callers[CALLERS];
    double longest = 0;
    called = store;
    atomic_store(&is_over, false);
    for (int i = 0; i < CALLERS; i++) pthread_create(&callers[i], NULL, call_again, &version);
    for (int i = 0; i < fork_count; i++) {
        in_round("fork %d", i);
        fflush(NULL);
        alarm(HANGS_AFTER_S); /* a fork and a call that wait for each other end the case, and not the test */
        const double start = seconds_now();
        const pid_t child = fork();
        if (child == 0) {
            alarm(HANGS_AFTER_S);
            load(store, PLAYER);
            _exit(0);
        }
        const double took = seconds_now() - start;
        if (took > longest) longest = took;
        expect_success(child);
    }
    in_round("%s", "");
    atomic_store(&is_over, true);
    for (int i = 0; i < CALLERS; i++) pthread_join(callers[i], NULL);
    alarm(0);
    printf("%d forks beside calls with a time-out of %g s: the longest took %.2f s\n", fork_count, timeout_ms / 1000.0,
           longest);
    EXPECT(longest < timeout_ms / 1000.0 + LATENESS, "a fork took %g s", longest);
}
