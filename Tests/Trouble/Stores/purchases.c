/* Engines of several processes on one database: no revenue is lost or counted twice:
 *   purchases [purchases of each process] */
#define _GNU_SOURCE
#include "database.h"
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 4, THREADS = 2, INSTALLS = 20 };

/* Of all processes. */
typedef struct counted {
    atomic_llong halves[INSTALLS]; /* of a dollar */
    atomic_llong again, wrong;
} counted;

static counted *all;
static skan *engine;
static long purchases; /* of each process */
static int process;

static skan *open_worker(void) {
    skan_store store = database_open("worker");
    const skan_options engine_options = {.size = sizeof engine_options, .store = &store};
    skan *made = NULL;
    if (skan_create(&engine_options, &made, NULL) != SKAN_OK) abort();
    return made;
}

static void *buy(void *argument) {
    intptr_t thread = (intptr_t)argument;
    unsigned chance = (unsigned)(process * THREADS + thread + 1);
    for (long i = 0; i < purchases / THREADS; i++) {
        int install = rand_r(&chance) % INSTALLS, halves = 1 + rand_r(&chance) % 9;
        char id[32], event[48];
        snprintf(id, sizeof id, "install-%d", install);
        snprintf(event, sizeof event, "%d-%ld-%ld", process, (long)thread, i);
        skan_status status;
        for (bool retries = false;; retries = true) {
            status = skan_update_revenue(engine, id, halves / 2.0, "USD", false, event, NULL);
            if (status == SKAN_OK || (retries && status == SKAN_DUPLICATE_EVENT)) break;
            if (status < SKAN_ERROR_STORE || status > SKAN_ERROR_STORE_UNKNOWN) {
                atomic_fetch_add(&all->wrong, 1);
                return NULL;
            }
            atomic_fetch_add(&all->again, 1);
        }
        atomic_fetch_add(&all->halves[install], halves);
    }
    return NULL;
}

/* In halves of a dollar. */
static void expect_revenue(const char *id, long long halves) {
    char *details = NULL;
    const char *table = text_of("\"skan_total_revenue_by_currency\":{\"USD\":%lld%s}", halves / 2,
                                halves % 2 ? ".5" : "");
    ANSWER(SKAN_OK, skan_details(engine, id, &details, &failure));
    EXPECT(details && strstr(details, table), "%s: expected %s, came %s", id, table, details);
    skan_free(details);
}

static void sums_are_exact(void) {
    all = shared_memory(sizeof *all);
    for (process = 0; process < PROCESSES; process++) {
        if (fork() != 0) continue;
        engine = open_worker();
        pthread_t threads[THREADS];
        for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, buy, (void *)i);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        skan_destroy(engine);
        _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int ending = 1;
        wait(&ending);
        EXPECT_NUMBER(0, ending);
    }
    printf("%d processes, %d threads each: %ld purchases, %lld calls made again\n", PROCESSES, THREADS,
           purchases * PROCESSES, (long long)all->again);
    EXPECT_NUMBER(0, all->wrong);
    engine = open_worker();
    for (int i = 0; i < INSTALLS; i++) expect_revenue(text_of("install-%d", i), all->halves[i]);
    skan_destroy(engine);
}

int main(int count, char **texts) {
    purchases = count > 1 ? strtol(texts[1], NULL, 10) : 500;
    database_start(false);
    RUN(sums_are_exact);
    return finish_cases();
}
