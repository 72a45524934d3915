/* Engines of several processes on one database: no revenue is lost or counted twice:
 *   purchases [purchases of each process] */
#define _GNU_SOURCE
#include "calls.h"
#include "database.h"
#include "support.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUYERS = 4 }; /* processes */

/* Of all processes. */
typedef struct counted {
    atomic_llong dollars[INSTALLS];
    atomic_llong again, wrong;
} counted;

static counted *all;
static skan_engine *engine;
static long purchases; /* of each process */
static int process;

static void *buy(void *argument) {
    intptr_t thread = (intptr_t)argument;
    unsigned chance = (unsigned)(process * THREADS + thread + 1);
    for (long i = 0; i < purchases / THREADS; i++) {
        int install = rand_r(&chance) % INSTALLS, dollars = 1 + rand_r(&chance) % 9;
        char id[32], event[48];
        snprintf(id, sizeof id, "install-%d", install);
        snprintf(event, sizeof event, "%d-%ld-%ld", process, (long)thread, i);
        skan_status status;
        for (bool retries = false;; retries = true) {
            status = skan_update_revenue(engine, id, AMOUNT(dollars), "USD", SKAN_IAP, event, NULL);
            if (status == SKAN_OK || (retries && status == SKAN_DUPLICATE_EVENT)) break;
            if (status < SKAN_ERROR_STORE || status > SKAN_ERROR_STORE_UNKNOWN) {
                atomic_fetch_add(&all->wrong, 1);
                return NULL;
            }
            atomic_fetch_add(&all->again, 1);
        }
        atomic_fetch_add(&all->dollars[install], dollars);
    }
    return NULL;
}

static void sums_are_exact(void) {
    all = shared_memory(sizeof *all);
    for (process = 0; process < BUYERS; process++) {
        if (fork() != 0) continue;
        engine = open_engine("worker");
        pthread_t threads[THREADS];
        for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, buy, (void *)i);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        skan_destroy(engine);
        _exit(0);
    }
    for (int i = 0; i < BUYERS; i++) expect_success(-1);
    printf("%d processes, %d threads each: %ld purchases, %lld calls made again\n", BUYERS, THREADS,
           purchases * BUYERS, (long long)all->again);
    EXPECT_NUMBER(0, all->wrong);
    engine = open_engine("test");
    for (int i = 0; i < INSTALLS; i++) {
        in_round("install-%d", i);
        char *details = NULL;
        ANSWER(SKAN_OK, skan_details(engine, text_of("install-%d", i), &details, &failure));
        EXPECT_NUMBER(all->dollars[i], dollars_in(details));
        skan_free(details);
    }
    skan_destroy(engine);
}

int main(int count, char **texts) {
    purchases = count > 1 ? strtol(texts[1], NULL, 10) : 500;
    database_start(false);
    RUN(sums_are_exact);
    return finish_cases();
}
