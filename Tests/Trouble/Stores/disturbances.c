/* Four processes buy by one database, each purchase with an event id and again until it is acknowledged. Meanwhile the
 * database is disturbed; in the end every purchase is there once, or counted as lost:
 *   disturbances [times that each happens] [part of the names of those that do] */
#define _GNU_SOURCE
#include "disturbances.h"
#include "calls.h"
#include "database.h"
#include "support.h"
#include "trouble.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUYERS = 4 /* processes */, PLACES = 240 /* installs */ };

/* Of all processes. */
typedef struct counted {
    atomic_llong bought[PLACES];
    atomic_llong answered, again, wrong, longest_ms;
    atomic_bool is_over;
} counted;

static counted *all;
static skan_engine *engine;
static int process, times;

static void note_longest(double seconds) {
    long long took = (long long)(seconds * 1000), known = atomic_load(&all->longest_ms);
    while (took > known && !atomic_compare_exchange_weak(&all->longest_ms, &known, took)) continue;
}

/* Until it is acknowledged. */
static void buy(int place, const char *event) {
    char id[32];
    snprintf(id, sizeof id, "buyer-%d", place);
    double start = seconds_now();
    for (bool is_again = false;; is_again = true) {
        skan_status status = skan_update_revenue(engine, id, AMOUNT(1), "USD", SKAN_IAP, event, NULL);
        if (status == SKAN_OK || (is_again && status == SKAN_DUPLICATE_EVENT)) break;
        if (status < SKAN_ERROR_STORE || status > SKAN_ERROR_STORE_UNKNOWN) {
            atomic_fetch_add(&all->wrong, 1);
            fprintf(stderr, "%s: %s\n", id, skan_status_name(status));
            return;
        }
        atomic_fetch_add(&all->again, 1);
        pass_milliseconds(5);
    }
    note_longest(seconds_now() - start);
    atomic_fetch_add(&all->bought[place], 1);
    atomic_fetch_add(&all->answered, 1);
}

static void *buy_on(void *argument) {
    int thread = (int)(intptr_t)argument;
    unsigned chance = (unsigned)(process * THREADS + thread + 1);
    for (long i = 0; !atomic_load(&all->is_over); i++) {
        char event[48];
        snprintf(event, sizeof event, "%d-%d-%ld", process, thread, i);
        buy(rand_r(&chance) % PLACES, event);
    }
    return NULL;
}

static void start_buyers(void) {
    fflush(NULL);
    for (process = 0; process < BUYERS; process++) {
        if (fork() != 0) continue;
        engine = open_engine("worker");
        pthread_t threads[THREADS];
        for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, buy_on, (void *)i);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        skan_destroy(engine);
        _exit(0);
    }
}

static void await_answers(long long count) {
    long long enough = all->answered + count;
    EVENTUALLY(all->answered >= enough);
}

/* Purchases that are not there, and those that are there too often. */
static void compare(long long *lost, long long *twice) {
    engine = open_engine("test");
    for (int i = 0; i < PLACES; i++) {
        char *details = NULL;
        EVENTUALLY(skan_details(engine, text_of("buyer-%d", i), &details, NULL) == SKAN_OK);
        long long more = dollars_in(details) - all->bought[i];
        if (more < 0) *lost -= more;
        if (more > 0) *twice += more;
        skan_free(details);
    }
    skan_destroy(engine);
}

static void disturb(const void *subject) {
    const disturbance *disturbance = subject;
    long long lost = 0, twice = 0;
    double longest = 0;
    memset(all, 0, sizeof *all);
    database_empty();
    start_buyers();
    await_answers(200);
    for (int i = 0; i < times; i++) {
        in_round("time %d", i);
        double took = disturbance->happen(i);
        if (took > longest) longest = took;
        await_answers(200);
    }
    in_round("%s", "");
    atomic_store(&all->is_over, true);
    for (int i = 0; i < BUYERS; i++) expect_success(-1);
    compare(&lost, &twice);
    printf("%s, %d times: %lld purchases, %lld calls made again; another node wrote after %.1f s at most, every buyer "
           "after %.1f s; %lld lost\n",
           disturbance->name, times, (long long)all->answered, (long long)all->again, longest,
           (double)all->longest_ms / 1000, lost);
    EXPECT_NUMBER(0, all->wrong);
    EXPECT_NUMBER(0, twice);
    if (!disturbance->may_lose) EXPECT_NUMBER(0, lost);
}

int main(int count, char **texts) {
    times = count > 1 ? atoi(texts[1]) : 1;
    all = shared_memory(sizeof *all);
    database_start(true);
    for (const disturbance *each = disturbances; each->name; each++)
        if (count < 3 || strstr(each->name, texts[2])) run_case(each->name, disturb, each);
    return finish_cases();
}
