/* Engines of several processes on one database, and many threads of one engine on one install: no revenue is lost or
 * counted twice, and calls of one engine do not get in each other's way:
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

/* ------------------------------------------------------------------------------------------- one engine, one install */

enum { MANY = 200 }; /* threads */

static atomic_int refused;

static void *buy_at_once(void *unused) {
    for (long i = 0; i < purchases / MANY; i++)
        if (skan_update_revenue(engine, "busy", AMOUNT(1), "USD", SKAN_IAP, NULL, NULL) != SKAN_OK)
            atomic_fetch_add(&refused, 1);
    return unused;
}

/* Rules, "Turns". */
static void a_busy_install_fails_no_call(void) {
    engine = open_engine("test");
    pthread_t threads[MANY];
    for (int i = 0; i < MANY; i++)
        if (pthread_create(&threads[i], NULL, buy_at_once, NULL) != 0) abort();
    for (int i = 0; i < MANY; i++) pthread_join(threads[i], NULL);
    EXPECT_NUMBER(0, refused);
    char *details = NULL;
    ANSWER(SKAN_OK, skan_details(engine, "busy", &details, &failure));
    EXPECT_NUMBER(purchases / MANY * MANY, dollars_in(details));
    skan_free(details);
    skan_destroy(engine);
}

int main(int count, char **texts) {
    purchases = count > 1 ? strtol(texts[1], NULL, 10) : 500;
    database_start(false);
    RUN(sums_are_exact);
    RUN(a_busy_install_fails_no_call);
    return finish_cases();
}
