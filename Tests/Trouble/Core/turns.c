/*
 * Rules, "Turns": calls of one engine that change one install come to its store one after the other, and whatever a hook
 * waits for, no call hangs.
 *
 * Whether a call waits is told by the condition that it waits for, not by the time that it takes.
 */
#define _GNU_SOURCE
#include "host.h"
#include "support.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 200, CALLS = 20, IN_LINE = 8, INSTALLS = 10, MANY_THREADS = 16 };

/* How often a thread of this process began to wait for a turn. */
static atomic_int waits;

/* In place of the system's, which the library calls. It waits by the same clock, in another function. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
    atomic_fetch_add(&waits, 1);
    return pthread_cond_clockwait(condition, mutex, CLOCK_MONOTONIC, end);
}

/* ------------------------------------------------------------------------------------------------------ the store */

static host_store records;
static skan_engine *engine;
static atomic_int conflicts, saves;
/* What the next save does first. */
static void (*_Atomic before_save)(void);

static skan_status yielding_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    skan_status status = host_store_load(context, key, out, version);
    sched_yield(); /* lets others come in between */
    return status;
}

/* The calls in line, in the order in which they came to the store, and the call of this thread; -1: it is in no line. */
static int order[IN_LINE];
static atomic_int came;
static _Thread_local int place_in_line = -1;

static skan_status noting_save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                               uint64_t *version) {
    void (*before)(void) = atomic_exchange(&before_save, NULL);
    if (before) before();
    atomic_fetch_add(&saves, 1);
    if (place_in_line >= 0) order[atomic_fetch_add(&came, 1) % IN_LINE] = place_in_line;
    skan_status status = host_store_save(context, key, data, length, expected, version);
    if (status == SKAN_ERROR_STORE_CONFLICT) atomic_fetch_add(&conflicts, 1);
    return status;
}

static void noting_save_many(void *context, skan_save_item *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        items[i].status = noting_save(context, items[i].key, items[i].data, items[i].length, items[i].expected_version,
                                      &items[i].new_version);
}

/* `keeps_stack` is that of the store. */
static void open_engine(bool switches_stacks, bool keeps_stack) {
    host_store_init(&records);
    const skan_store store = {.size = sizeof store,
                              .context = &records,
                              .load = yielding_load,
                              .save = noting_save,
                              .remove = host_store_remove,
                              .load_many = host_store_load_many,
                              .save_many = noting_save_many,
                              .keeps_stack = keeps_stack};
    const skan_options options = {.size = sizeof options,
                                  .store = &store,
                                  .endpoint_url = "https://skan.example.com",
                                  .switches_stacks = switches_stacks};
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    atomic_store(&waits, 0);
}

static skan_status buy(const char *id) {
    return skan_update_revenue(engine, id, AMOUNT(1), "USD", SKAN_IAP, NULL, NULL);
}

static void expect_dollars(const char *id, int dollars) {
    char *details = NULL;
    ANSWER(SKAN_OK, skan_details(engine, id, &details, &failure));
    char *total = text_of("\"skan_total_revenue_by_currency\":{\"USD\":%d}", dollars);
    EXPECT(strstr(details, total), "%s is not in %s", total, details);
    skan_free(details);
}

static void wait_for(atomic_int *count, int least) {
    while (atomic_load(count) < least) usleep(100);
}

/* ------------------------------------------------------------------------------------------------ one after the other */

static atomic_int wrong;

static void *buy_often(void *unused) {
    for (int i = 0; i < CALLS; i++) atomic_fetch_add(&wrong, buy("busy") != SKAN_OK);
    return unused;
}

static void run_threads(int count, void *(*work)(void *)) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i) != 0) abort();
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

CASE(calls_on_one_install_never_meet) {
    open_engine(false, false);
    run_threads(THREADS, buy_often);
    EXPECT_NUMBER(0, wrong);
    EXPECT_NUMBER(0, conflicts);
    EXPECT_NUMBER(THREADS * CALLS, saves);
    expect_dollars("busy", THREADS * CALLS);
}

CASE(a_store_that_keeps_its_stack_has_turns_where_other_hooks_do_not) {
    open_engine(true, true);
    run_threads(THREADS, buy_often);
    EXPECT_NUMBER(0, wrong);
    EXPECT_NUMBER(0, conflicts);
    expect_dollars("busy", THREADS * CALLS);
}

/* Installs of a batch in another order for each thread, and single calls on some of them between. */
static void *buy_many(void *argument) {
    for (int call = 0; call < CALLS; call++) {
        char ids[INSTALLS][16];
        skan_revenue items[INSTALLS];
        skan_status statuses[INSTALLS];
        for (int i = 0; i < INSTALLS; i++) {
            snprintf(ids[i], sizeof ids[i], "many-%d", (i + call + (int)(intptr_t)argument) % INSTALLS);
            items[i] = (skan_revenue){
                .size = sizeof *items, .install_id = ids[i], .amount = AMOUNT(1), .currency = "USD"};
        }
        atomic_fetch_add(&wrong, skan_update_revenue_many(engine, items, INSTALLS, statuses, NULL) != SKAN_OK);
        atomic_fetch_add(&wrong, buy("many-0") != SKAN_OK);
    }
    return NULL;
}

CASE(calls_on_many_installs_never_meet_either) {
    open_engine(false, false);
    run_threads(MANY_THREADS, buy_many);
    EXPECT_NUMBER(0, wrong);
    EXPECT_NUMBER(0, conflicts);
    expect_dollars("many-0", 2 * MANY_THREADS * CALLS);
    for (int i = 1; i < INSTALLS; i++) expect_dollars(text_of("many-%d", i), MANY_THREADS * CALLS);
}

/* -------------------------------------------------------------------------------------------------- a call that lasts */

static sem_t may_go_on;
static atomic_int held;

static void hold_turn(void) {
    atomic_fetch_add(&held, 1);
    sem_wait(&may_go_on);
}

static void *buy_once(void *id) {
    atomic_fetch_add(&wrong, buy(id ? id : "busy") != SKAN_OK);
    return NULL;
}

/* Begins a call that stays in the store until `may_go_on`. */
static pthread_t begin_long_call(void) {
    pthread_t thread;
    sem_init(&may_go_on, 0, 0);
    atomic_store(&before_save, hold_turn);
    if (pthread_create(&thread, NULL, buy_once, NULL) != 0) abort();
    wait_for(&held, 1);
    return thread;
}

static void end_long_call(pthread_t thread) {
    sem_post(&may_go_on);
    pthread_join(thread, NULL);
    EXPECT_NUMBER(0, wrong);
}

CASE(calls_on_other_installs_and_calls_that_read_do_not_wait) {
    open_engine(false, false);
    pthread_t thread = begin_long_call();
    char *details = NULL;
    ANSWER(SKAN_OK, skan_details(engine, "busy", &details, &failure));
    skan_free(details);
    for (int i = 0; i < 1000; i++) EXPECT_STATUS(SKAN_OK, buy(text_of("other-%d", i)));
    EXPECT_NUMBER(0, waits);
    end_long_call(thread);
    expect_dollars("busy", 1);
}

CASE(with_switches_stacks_nobody_waits) {
    open_engine(true, false);
    pthread_t thread = begin_long_call();
    EXPECT_STATUS(SKAN_OK, buy("busy"));
    EXPECT_NUMBER(0, waits);
    end_long_call(thread);
    expect_dollars("busy", 2);
}

static void *buy_in_line(void *number) {
    place_in_line = (int)(intptr_t)number;
    atomic_fetch_add(&wrong, buy("busy") != SKAN_OK);
    return NULL;
}

/* A turn that lasts a second is passed on: where the machine is so slow that this happens, there is another try. */
CASE(the_turn_goes_to_whoever_waited_longest) {
    open_engine(false, false);
    for (int left = 100; left > 0; left--) {
        pthread_t threads[IN_LINE], first = begin_long_call();
        atomic_store(&waits, 0);
        atomic_store(&came, 0);
        for (intptr_t i = 0; i < IN_LINE; i++) {
            if (pthread_create(&threads[i], NULL, buy_in_line, (void *)i) != 0) abort();
            wait_for(&waits, (int)i + 1);
        }
        bool is_slow = atomic_load(&waits) > IN_LINE;
        end_long_call(first);
        for (int i = 0; i < IN_LINE; i++) pthread_join(threads[i], NULL);
        atomic_store(&held, 0);
        if (is_slow) continue;
        EXPECT_NUMBER(IN_LINE, came);
        for (int i = 0; i < IN_LINE; i++) EXPECT_NUMBER(i, order[i]);
        return;
    }
    EXPECT(false, "the machine is too slow");
}

/* ------------------------------------------------------------------------------------------- hooks that wait for calls */

static void make_another_call(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, buy_once, NULL) != 0) abort();
    pthread_join(thread, NULL);
}

CASE(a_hook_may_wait_for_a_call_on_its_install) {
    open_engine(false, false);
    atomic_store(&before_save, make_another_call);
    EXPECT_STATUS(SKAN_OK, buy("busy"));
    EXPECT_NUMBER(0, wrong);
    expect_dollars("busy", 2);
}

/* A hook of a call on each of two installs waits for a call on the other one. */
static const char *other_install;
static atomic_int inside;

static void cross(void) {
    const char *id = other_install;
    atomic_fetch_add(&inside, 1);
    wait_for(&inside, 2);
    pthread_t thread;
    if (pthread_create(&thread, NULL, buy_once, (void *)id) != 0) abort();
    pthread_join(thread, NULL);
}

CASE(hooks_of_two_installs_may_wait_for_each_other) {
    open_engine(false, false);
    pthread_t thread;
    other_install = "right";
    atomic_store(&before_save, cross);
    if (pthread_create(&thread, NULL, buy_once, "left") != 0) abort();
    wait_for(&inside, 1);
    other_install = "left";
    atomic_store(&before_save, cross);
    EXPECT_STATUS(SKAN_OK, buy("right"));
    pthread_join(thread, NULL);
    EXPECT_NUMBER(0, wrong);
    expect_dollars("left", 2);
    expect_dollars("right", 2);
}

/* -------------------------------------------------------------------------------------------------------------- forks */

static bool nobody_waits_here(void) {
    atomic_store(&waits, 0);
    for (int i = 0; i < CALLS; i++) atomic_fetch_add(&wrong, buy("busy") != SKAN_OK);
    return EXPECT_NUMBER(0, waits) && EXPECT_NUMBER(0, wrong);
}

static void in_a_child(const void *unused) {
    (void)unused;
    nobody_waits_here();
    skan_destroy(engine);
}

CASE(a_fork_leaves_no_turn_behind) {
    open_engine(false, false);
    pthread_t waiting[IN_LINE], first = begin_long_call();
    for (int i = 0; i < IN_LINE; i++)
        if (pthread_create(&waiting[i], NULL, buy_once, NULL) != 0) abort();
    wait_for(&waits, IN_LINE);
    EXPECT(run_case("a fork while a turn is held", in_a_child, NULL), "the child failed");
    end_long_call(first);
    for (int i = 0; i < IN_LINE; i++) pthread_join(waiting[i], NULL);
    EXPECT_NUMBER(0, wrong);
    expect_dollars("busy", 1 + IN_LINE);
}

static int child_of_hook;

static void fork_here(void) { child_of_hook = fork(); }

/* The call goes on in both processes. */
CASE(a_hook_that_forks_leaves_no_turn_behind) {
    open_engine(false, false);
    atomic_store(&before_save, fork_here);
    EXPECT_STATUS(SKAN_OK, buy("busy"));
    bool passes = nobody_waits_here();
    expect_dollars("busy", 1 + CALLS);
    if (child_of_hook == 0) _exit(passes ? 0 : 1);
    expect_success(child_of_hook);
}

int main(void) {
    return run_cases();
}
