/*
 * Many threads on few installs: no revenue is lost or counted twice, and no update number is lost or given twice.
 *   threads [operations of each thread] [threads] [installs]
 * First on an engine's in-memory store; then on a store of the host that fails, with two engines on it as two
 * processes would be.
 */
#define _GNU_SOURCE
#include "host.h"
#include "support.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_THREADS 64
#define MOST_UPDATES 131072 /* of one install */
#define CHURNED 8           /* installs that are made and forgotten all the time */

static int operation_count = 100000, thread_count = 8, install_count = 50;

/* --------------------------------------------------------------------------------------------------------- chance */

static _Thread_local unsigned chance_state = 1;

static uint32_t chance(uint32_t below) {
    return (uint32_t)rand_r(&chance_state) % below;
}

static bool percent(uint32_t chances) {
    return chance(100) < chances;
}

/* ------------------------------------------------------------------------------------------- a store that fails */

static _Thread_local bool next_load_fails;

static skan_status failing_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    bool fail = next_load_fails || chance(500) == 0;
    next_load_fails = false;
    if (fail) return SKAN_ERROR_STORE;
    skan_status status = host_store_load(context, key, out, version);
    if (percent(5)) sched_yield(); /* lets others come in between */
    return status;
}

static skan_status ends_unknown(void) {
    next_load_fails = percent(30);
    return SKAN_ERROR_STORE_UNKNOWN;
}

/* A save, or a removal where there are no data. */
static skan_status failing_write(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                                 uint64_t *version) {
    uint32_t drawn = chance(100);
    if (drawn < 3) return SKAN_ERROR_STORE_CONFLICT; /* for nothing */
    if (drawn < 5) return SKAN_ERROR_STORE;
    if (drawn < 7) return ends_unknown();
    skan_status status = data ? host_store_save(context, key, data, length, expected, version)
                              : host_store_remove(context, key, expected);
    return status == SKAN_OK && drawn < 10 ? ends_unknown() : status;
}

static skan_status failing_remove(void *context, const char *key, uint64_t expected) {
    return failing_write(context, key, NULL, 0, expected, NULL);
}

static skan_status get(void *context, const char *url, skan_buffer *body) {
    (void)context, (void)url;
    char answer[64];
    int length = snprintf(answer, sizeof answer, "{\"conversion_value\":%u}", chance(64));
    return skan_buffer_set(body, answer, (size_t)length);
}

/* ------------------------------------------------------------------------------------------------- what is expected */

enum { IAP = SKAN_IAP, ADS = SKAN_AD, KINDS };
static const char *const currencies[] = {"EUR", "JPY", "USD"};
#define CURRENCIES 3

typedef struct install {
    char id[32];
    uint64_t before; /* the number before that of its first update */
    atomic_llong cents[KINDS][CURRENCIES];
    atomic_int counted[KINDS][CURRENCIES];
    atomic_uchar numbers[MOST_UPDATES]; /* how often an update number was given */
    atomic_int numbers_in_doubt;        /* calls that may have used a number, and did not give it */
    atomic_uint next_purchase;
} install;

static install *installs;
static skan_engine *engines[2];
static bool store_fails;
static atomic_llong answers[256];
static atomic_int wrong_answers, duplicate_numbers, old_tickets, lost_retries, distinct_events;
static atomic_uint_least64_t newest_tickets[2]; /* of each engine */

/* The purchase that each thread is at: install and number, 0 = none. The memory of event ids holds 64, so a purchase
 * waits where another one, which may have to be repeated, began long before it. Relaxed: it must not order what the
 * threads do in the library. */
static atomic_uint_least64_t under_way[MOST_THREADS];

static void begin_purchase(int thread, int index) {
    unsigned number = atomic_fetch_add_explicit(&installs[index].next_purchase, 1, memory_order_relaxed) + 1;
    atomic_store_explicit(&under_way[thread], (uint64_t)index << 32 | number, memory_order_relaxed);
    for (int other = 0; other < thread_count; other++)
        for (;;) {
            uint64_t theirs = atomic_load_explicit(&under_way[other], memory_order_relaxed);
            if (theirs == 0 || theirs >> 32 != (uint64_t)index || (int)(number - (uint32_t)theirs) < 40) break;
            sched_yield();
        }
}

static void end_purchase(int thread) {
    atomic_store_explicit(&under_way[thread], 0, memory_order_relaxed);
}

/* ----------------------------------------------------------------------------------------------------- operations */

static skan_status noted(skan_status status, skan_error **error, const char *operation) {
    atomic_fetch_add_explicit(&answers[status & 255], 1, memory_order_relaxed);
    bool fine = status < 100 || status == SKAN_ERROR_STORE_CONFLICT ||
                (store_fails && (status == SKAN_ERROR_STORE || status == SKAN_ERROR_STORE_UNKNOWN));
    if ((!fine || (*error != NULL) != (status >= 100)) &&
        atomic_fetch_add_explicit(&wrong_answers, 1, memory_order_relaxed) < 10)
        printf("%s answers %s: %s\n", operation, skan_status_name(status), skan_error_message(*error));
    skan_error_free(*error);
    return status;
}

static void purchase(int thread, skan_engine *engine, int index) {
    install *install = &installs[index];
    int kind = percent(30) ? ADS : IAP;
    int currency = (int)chance(CURRENCIES);
    long long cents = percent(10) ? -(long long)chance(1000) : (long long)chance(1000);
    char event[64];
    unsigned number = (unsigned)atomic_fetch_add_explicit(&distinct_events, 1, memory_order_relaxed);
    snprintf(event, sizeof event, "order-%u", number);
    bool repeats_needlessly = percent(5), in_doubt = false;
    begin_purchase(thread, index);
    for (;;) {
        skan_error *error = NULL;
        skan_status status = skan_update_revenue(engine, install->id, AMOUNT((double)cents / 100),
                                                 currencies[currency], kind, event, &error);
        noted(status, &error, "update_revenue");
        if (status == SKAN_OK && repeats_needlessly) {
            repeats_needlessly = false;
            in_doubt = true;
            continue;
        }
        bool is_counted = status == SKAN_OK || (in_doubt && status == SKAN_DUPLICATE_EVENT);
        if (status == SKAN_DUPLICATE_EVENT && !in_doubt)
            atomic_fetch_add_explicit(&lost_retries, 1, memory_order_relaxed);
        if (is_counted && cents != 0) {
            atomic_fetch_add_explicit(&install->cents[kind][currency], cents, memory_order_relaxed);
            atomic_fetch_add_explicit(&install->counted[kind][currency], 1, memory_order_relaxed);
        }
        if (status == SKAN_ERROR_STORE_UNKNOWN) in_doubt = true;
        if (status < 100 || !in_doubt) break;
    }
    end_purchase(thread);
}

/* Numbers count from the install's first. */
static void number_given(install *install, uint64_t id) {
    const uint64_t number = id - install->before;
    if (number >= MOST_UPDATES) {
        fprintf(stderr, "update %" PRIu64 " of %s: this test keeps %d\n", number, install->id, MOST_UPDATES);
        exit(2);
    }
    if (atomic_fetch_add_explicit(&install->numbers[number], 1, memory_order_relaxed) > 0)
        atomic_fetch_add_explicit(&duplicate_numbers, 1, memory_order_relaxed);
}

/* A ticket is greater than all that its engine had given when it was asked for. */
static void ticket_given(int engine, uint64_t newest_before, uint64_t ticket) {
    if (ticket <= newest_before) atomic_fetch_add_explicit(&old_tickets, 1, memory_order_relaxed);
    uint64_t newest = newest_before;
    while (newest < ticket && !atomic_compare_exchange_weak_explicit(&newest_tickets[engine], &newest, ticket,
                                                                     memory_order_relaxed, memory_order_relaxed))
        continue;
}

static void conversion(int which, install *install) {
    skan_engine *engine = engines[which];
    uint64_t newest_before = atomic_load_explicit(&newest_tickets[which], memory_order_relaxed);
    char *url = NULL;
    uint64_t ticket = 0;
    skan_error *error = NULL;
    skan_status status = skan_conversion_request(engine, install->id, EVENT(.name = "level_up"), &url, &ticket, &error);
    skan_free(url);
    if (noted(status, &error, "conversion_request") != SKAN_OK) return;
    ticket_given(which, newest_before, ticket);
    char body[64];
    int length = snprintf(body, sizeof body, "{\"conversion_value\":%u,\"skan_updated_coarse_value\":%u}", chance(64),
                          chance(3));
    for (bool in_doubt = false;;) {
        skan_update update = {.size = sizeof update};
        error = NULL;
        status = skan_apply_response(engine, install->id, NULL, ticket, body, (size_t)length, &update, &error);
        noted(status, &error, "apply_response");
        if (status == SKAN_OK) number_given(install, update.id);
        if (status == SKAN_ERROR_STORE_UNKNOWN) in_doubt = true;
        if (status >= 100 && in_doubt) continue;
        if (status != SKAN_OK && in_doubt)
            atomic_fetch_add_explicit(&install->numbers_in_doubt, 1, memory_order_relaxed);
        return;
    }
}

static void conversion_in_one_call(skan_engine *engine, install *install) {
    skan_update update = {.size = sizeof update};
    skan_error *error = NULL;
    skan_status status = skan_update_conversion_values(engine, install->id, EVENT(.name = "purchase"), &update, &error);
    noted(status, &error, "update_conversion_values");
    if (status == SKAN_OK) number_given(install, update.id);
    if (status == SKAN_ERROR_STORE_UNKNOWN)
        atomic_fetch_add_explicit(&install->numbers_in_doubt, 1, memory_order_relaxed);
}

static void delivery(skan_engine *engine, install *install) {
    skan_call calls[SKAN_CALLS_MAX] = {{.size = sizeof *calls}};
    size_t count = 0;
    skan_error *error = NULL;
    skan_status status = skan_pending_calls(engine, install->id, NULL, calls, SKAN_CALLS_MAX, &count, &error);
    if (noted(status, &error, "pending_calls") != SKAN_OK) return;
    const skan_acknowledgement result = {.size = sizeof result,
                                         .id = calls[0].id,
                                         .result = percent(80) ? SKAN_CALL_DELIVERED : SKAN_CALL_FAILED};
    noted(skan_acknowledge_calls(engine, install->id, &result, 1, &error), &error, "acknowledge_calls");
}

static void look(skan_engine *engine, install *install) {
    char *text = NULL;
    skan_error *error = NULL;
    skan_status status = percent(50) ? skan_details(engine, install->id, &text, &error)
                                     : skan_metadata(engine, install->id, &text, &error);
    noted(status, &error, "details");
    skan_free(text);
}

static void churn(skan_engine *engine) {
    char id[32];
    snprintf(id, sizeof id, "churned-%u", chance(CHURNED));
    skan_error *error = NULL;
    uint32_t drawn = chance(5);
    if (drawn == 0) noted(skan_register(engine, id, NULL, NULL, &error), &error, "register");
    if (drawn == 1) noted(skan_forget(engine, id, &error), &error, "forget");
    if (drawn == 2) noted(skan_import_details(engine, id, "{}", 2, &error), &error, "import_details");
    if (drawn == 3)
        noted(skan_apply_response(engine, id, NULL, 0, "{\"conversion_value\":3}", 22, NULL, &error), &error, "apply");
    if (drawn == 4)
        noted(skan_update_revenue(engine, id, AMOUNT(1), "USD", SKAN_IAP, "same", &error), &error,
              "update_revenue of churned");
}

static void *run_thread(void *argument) {
    int thread = (int)(intptr_t)argument;
    chance_state = (unsigned)thread + (store_fails ? 77 : 1);
    for (int i = 0; i < operation_count; i++) {
        int index = (int)chance((uint32_t)install_count);
        skan_engine *engine = engines[thread % 2];
        uint32_t drawn = chance(100);
        if (drawn < 45)
            purchase(thread, engine, index);
        else if (drawn < 60)
            conversion(store_fails ? thread % 2 : 0, &installs[index]);
        else if (drawn < 70)
            conversion_in_one_call(engine, &installs[index]);
        else if (drawn < 82)
            delivery(engine, &installs[index]);
        else if (drawn < 94)
            look(engine, &installs[index]);
        else
            churn(engine);
    }
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------------- a round */

static int64_t now(void *context) {
    (void)context;
    return INT64_C(1700000000000000);
}

static skan_engine *make_engine(host_store *store, bool with_faults) {
    const skan_store failing = {.size = sizeof failing,
                                .context = store,
                                .load = failing_load,
                                .save = failing_write,
                                .remove = failing_remove};
    const skan_store plain = host_store_hooks(store);
    const skan_clock clock = {sizeof clock, NULL, now, NULL};
    const skan_transport transport = {sizeof transport, NULL, get, NULL};
    const skan_options options = {.size = sizeof options,
                                  .store = !store_fails  ? NULL
                                           : with_faults ? &failing
                                                         : &plain,
                                  .clock = &clock,
                                  .transport = &transport,
                                  .endpoint_url = "https://skan.example.com"};
    skan_engine *engine = NULL;
    EXPECT(skan_create(&options, &engine, NULL) == SKAN_OK, "an engine is made");
    return engine;
}

/* The revenue table of what was counted, as details write it. */
static void write_table(const install *install, int kind, char *text, size_t size) {
    size_t length = 0;
    const char *separator = "{";
    for (int currency = 0; currency < CURRENCIES; currency++) {
        if (atomic_load(&install->counted[kind][currency]) == 0) continue;
        long long cents = atomic_load(&install->cents[kind][currency]);
        unsigned long long size_of = (unsigned long long)llabs(cents);
        length += (size_t)snprintf(text + length, size - length, "%s\"%s\":%s%llu", separator, currencies[currency],
                                   cents < 0 ? "-" : "", size_of / 100);
        if (size_of % 100) length += (size_t)snprintf(text + length, size - length, ".%02llu", size_of % 100);
        if (size_of % 100 && size_of % 10 == 0) text[--length] = '\0';
        separator = ",";
    }
    snprintf(text + length, size - length, "%s", length ? "}" : "null");
}

static void check_revenue(skan_engine *engine, const install *install) {
    static const char *const keys[KINDS][2] = {{"skan_total_revenue_by_currency", "p0_total_iap_revenue"},
                                               {"skan_total_admon_revenue_by_currency", "p0_total_admon_revenue"}};
    char *details = NULL;
    EXPECT(skan_details(engine, install->id, &details, NULL) == SKAN_OK, "details of %s", install->id);
    for (int kind = 0; kind < KINDS; kind++) {
        char table[256];
        write_table(install, kind, table, sizeof table);
        for (int i = 0; i < 2; i++) {
            char member[512];
            snprintf(member, sizeof member, "\"%s\":%s", keys[kind][i], table);
            EXPECT(details && strstr(details, member), "%s: expected %s, came %s", install->id, member, details);
        }
    }
    skan_free(details);
}

static void check_numbers(skan_engine *engine, install *install) {
    skan_update last = {.size = sizeof last};
    EXPECT(skan_apply_response(engine, install->id, NULL, 0, "{\"conversion_value\":1}", 22, &last, NULL) == SKAN_OK,
          "one more update of %s", install->id);
    number_given(install, last.id);
    int missing = 0;
    for (uint64_t number = 1; number <= last.id - install->before; number++) missing += atomic_load(&install->numbers[number]) == 0;
    int in_doubt = atomic_load(&install->numbers_in_doubt);
    EXPECT(missing <= in_doubt, "%s: of %" PRIu64 " update numbers %d were not given, %d calls ended unknown",
          install->id, last.id - install->before, missing, in_doubt);
}

static void run_round(const void *subject) {
    const bool with_faults = store_fails = *(const bool *)subject;
    installs = calloc((size_t)install_count, sizeof *installs);
    if (!installs) abort();
    host_store store;
    host_store_init(&store);
    skan_engine *plain = make_engine(&store, false);
    engines[0] = with_faults ? make_engine(&store, true) : plain;
    engines[1] = with_faults ? make_engine(&store, true) : plain;
    for (int i = 0; i < install_count; i++) {
        snprintf(installs[i].id, sizeof installs[i].id, "install-%d", i);
        skan_update update = {.size = sizeof update};
        EXPECT(skan_register(plain, installs[i].id, NULL, &update, NULL) == SKAN_OK && update.id > 0, "register %d", i);
        installs[i].before = update.id - 1;
        number_given(&installs[i], update.id);
    }

    pthread_t threads[MOST_THREADS];
    for (intptr_t i = 0; i < thread_count; i++)
        if (pthread_create(&threads[i], NULL, run_thread, (void *)i) != 0) abort();
    for (int i = 0; i < thread_count; i++) pthread_join(threads[i], NULL);

    printf("%s: %d threads, %d operations each, %d installs\n",
           with_faults ? "a store that fails, two engines" : "in memory", thread_count, operation_count, install_count);
    for (skan_status status = 0; status < 256; status++)
        if (answers[status]) printf("  %10lld %s\n", (long long)answers[status], skan_status_name(status));
    EXPECT(wrong_answers == 0, "%d answers were none of those expected", wrong_answers);
    EXPECT(old_tickets == 0, "%d tickets were not greater than all before", old_tickets);
    EXPECT(lost_retries == 0, "%d event ids counted as duplicates at their first call", lost_retries);
    for (int i = 0; i < install_count; i++) check_revenue(plain, &installs[i]);
    for (int i = 0; i < install_count; i++) check_numbers(plain, &installs[i]);
    EXPECT(duplicate_numbers == 0, "%d update numbers were given twice", duplicate_numbers);
    skan_destroy(plain);
    if (with_faults) {
        skan_destroy(engines[0]);
        skan_destroy(engines[1]);
    }
    host_store_end(&store);
    free(installs);
}

int main(int count, char **texts) {
    if (count > 1) operation_count = atoi(texts[1]);
    if (count > 2) thread_count = atoi(texts[2]);
    if (count > 3) install_count = atoi(texts[3]);
    if (thread_count < 1 || thread_count > MOST_THREADS) return 2;
    run_case("in memory", run_round, &(bool){false});
    run_case("on a store that fails", run_round, &(bool){true});
    return finish_cases();
}
