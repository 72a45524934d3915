/* skan_update_revenue_many and stores that load and save many, as C sees them: what hooks may leave out or answer,
 * sizes of items, statuses. What is counted, and what is said of an item, is proven in Tests/Core and Tests/Vectors. */
#define _GNU_SOURCE
#include "contract.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the store offers for many. */
enum { NEITHER, LOADS, SAVES, BOTH, OFFERS };
enum { LOAD, SAVE };
#define UNTOUCHED INT32_MIN /* the status of an item is not written; a hook for one answers what it would have been */

/* What a hook answers for the record of "a", and what comes of it. */
typedef struct fault {
    int hook;
    bool is_lasting; /* or the first time alone */
    bool is_applied; /* the store saves all the same */
    skan_status answer;
    enum { ITS_OWN, ZERO, EXPECTED } version;
    skan_status end;
    const char *message;
} fault;

/* The store of the running case counts, and misbehaves. */
static int round_trips, faults_seen;
static size_t largest;
static const fault *failing;
static skan_engine *nested; /* hooks call back into it */

static void took(size_t count) {
    round_trips++;
    EXPECT(count >= 1 && count <= SKAN_BATCH_MAX, "%zu items", count);
    if (count > largest) largest = count;
    if (!nested) return;
    const skan_revenue item = {.size = sizeof item, .install_id = "other", .amount = {.number = 1}, .currency = "USD"};
    skan_status status = -1;
    EXPECT_STATUS(SKAN_ERROR_MISUSE, skan_update_revenue_many(nested, &item, 1, &status, NULL));
    EXPECT_STATUS(SKAN_ERROR_MISUSE, status);
}

static const fault *fault_of(const char *key, int hook) {
    if (!failing || failing->hook != hook || strcmp(key, "a") != 0) return NULL;
    return faults_seen++ == 0 || failing->is_lasting ? failing : NULL;
}

static void load_many(void *store, skan_load_item *items, size_t count) {
    took(count);
    for (skan_load_item *item = items; item < items + count; item++) {
        const fault *found = fault_of(item->key, LOAD);
        skan_status answer = host_store_load(store, item->key, item->out, &item->version);
        if (found) answer = found->answer;
        if (found && found->version == ZERO) item->version = 0;
        if (answer != UNTOUCHED) item->status = answer;
    }
}

static void save_many(void *store, skan_save_item *items, size_t count) {
    took(count);
    for (skan_save_item *item = items; item < items + count; item++) {
        const fault *found = fault_of(item->key, SAVE);
        skan_status answer = SKAN_OK;
        EXPECT(item->length >= 1 && item->length <= SKAN_RECORD_MAX, "a record of %zu bytes", item->length);
        if (!found || found->is_applied)
            answer = host_store_save(store, item->key, item->data, item->length, item->expected_version,
                                     &item->new_version);
        if (found) answer = found->answer;
        if (found && found->version != ITS_OWN) item->new_version = found->version == ZERO ? 0 : item->expected_version;
        if (answer != UNTOUCHED) item->status = answer;
    }
}

static skan_status load(void *store, const char *key, skan_buffer *out, uint64_t *version) {
    skan_load_item item = {.key = key, .out = out, .status = SKAN_ERROR_STORE};
    load_many(store, &item, 1);
    *version = item.version;
    return item.status;
}

static skan_status save(void *store, const char *key, const void *data, size_t length, uint64_t expected,
                        uint64_t *version) {
    skan_save_item item = {key, data, length, expected, .status = SKAN_ERROR_STORE_UNKNOWN};
    save_many(store, &item, 1);
    *version = item.new_version;
    return item.status;
}

static host *host_that_offers(int offers) {
    host *host = host_make();
    host->store_hooks = host_store_hooks(&host->store);
    host->store_hooks.load = load;
    host->store_hooks.save = save;
    host->store_hooks.load_many = offers & LOADS ? load_many : NULL;
    host->store_hooks.save_many = offers & SAVES ? save_many : NULL;
    host_open(host);
    round_trips = faults_seen = 0;
    largest = 0;
    return host;
}

static skan_status revenue_many(skan_engine *engine, const skan_revenue *items, size_t count, skan_status *statuses) {
    for (size_t i = 0; i < count; i++) statuses[i] = -1;
    skan_status status = SETTLE(skan_update_revenue_many(engine, items, count, statuses, &failure));
    /* The answer is the first error among the statuses, and names its item. */
    for (size_t i = 0; i < count; i++)
        if (statuses[i] >= 100) {
            EXPECT_STATUS(statuses[i], status);
            char number[32];
            snprintf(number, sizeof number, "items[%zu]: ", i);
            EXPECT(strncmp(failure_message(), number, strlen(number)) == 0, "expected %s, the message is %s", number,
                   failure_message());
            return status;
        }
    EXPECT_STATUS(SKAN_OK, status);
    return status;
}

static skan_revenue revenue(const char *install_id, double amount, const char *event_id) {
    return (skan_revenue){.size = sizeof(skan_revenue),
                          .install_id = install_id,
                          .amount = AMOUNT(amount),
                          .currency = "USD",
                          .event_id = event_id};
}

/* The lifetime total of purchases in USD. */
static long long total_of(skan_engine *engine, const char *install_id) {
    char *details = details_of(engine, install_id);
    const char *totals = strstr(details, "\"skan_total_revenue_by_currency\":{");
    const char *usd = totals ? strstr(totals, "\"USD\":") : NULL;
    long long total = usd ? strtoll(usd + 6, NULL, 10) : 0;
    return total;
}

/* ---------------------------------------------------------------------------------------------------- round trips */

CASE(each_install_is_loaded_and_saved_once) {
    static const struct {
        size_t items, installs;
        int round_trips[OFFERS];
        size_t largest;
    } cases[] = {
        {1000, 1, {2, 2, 2, 2}, 1},
        {1024, 1024, {2048, 1025, 1025, 2}, 1024},
        {1025, 1025, {2050, 1027, 1027, 4}, 1024},
        {SKAN_REVENUE_MANY_MAX, 3000, {6000, 3003, 3003, 6}, 1024},
    };
    static char ids[3000][8];
    static skan_revenue items[SKAN_REVENUE_MANY_MAX];
    static skan_status statuses[SKAN_REVENUE_MANY_MAX];
    for (unsigned i = 0; i < 3000; i++) snprintf(ids[i], sizeof *ids, "i%05u", i);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int offers = NEITHER; offers < OFFERS; offers++) {
            size_t count = cases[i].items, installs = cases[i].installs;
            in_round("%zu items of %zu installs, store offers %d", count, installs, offers);
            skan_engine *engine = host_that_offers(offers)->engine;
            for (size_t at = 0; at < count; at++) items[at] = revenue(ids[at % installs], 1, NULL);
            EXPECT_STATUS(SKAN_OK, revenue_many(engine, items, count, statuses));
            for (size_t at = 0; at < count; at++) EXPECT_NUMBER(SKAN_OK, statuses[at]);
            EXPECT_NUMBER(cases[i].round_trips[offers], round_trips);
            EXPECT_NUMBER(offers == NEITHER ? 1 : cases[i].largest, largest);
            for (size_t at = 0; at < installs; at += 97)
                EXPECT_NUMBER(count / installs + (at < count % installs), total_of(engine, ids[at]));
        }
}

/* Two items of "a", one of "b" between them, over every sort of store. What more a store can do wrong is for
 * Tests/Trouble/Core/faults.c, and of many records for Tests/Core. */
CASE(what_hooks_answer_is_of_their_install) {
    enum { FAILED = SKAN_ERROR_STORE, CONFLICT = SKAN_ERROR_STORE_CONFLICT, UNKNOWN = SKAN_ERROR_STORE_UNKNOWN };
    static const fault cases[] = {
        {LOAD, true, .answer = FAILED, .end = FAILED, .message = "items[0]: store.load"},
        {LOAD, true, .answer = UNTOUCHED, .end = FAILED, .message = "items[0]: store.load"},
        {LOAD, true, .answer = -77, .end = FAILED, .message = "(-77)"},
        {LOAD, true, .version = ZERO, .end = FAILED, .message = "store.load"},
        {SAVE, true, .answer = FAILED, .end = FAILED, .message = "items[0]: store.save"},
        {SAVE, true, .answer = CONFLICT, .end = CONFLICT, .message = "in 10 seconds"},
        {SAVE, true, .answer = UNTOUCHED, .end = UNKNOWN, .message = "may have been applied"},
        {SAVE, false, .answer = CONFLICT},
        {SAVE, false, .answer = UNTOUCHED},
        {SAVE, true, .is_applied = true, .answer = UNTOUCHED},
        {SAVE, true, .is_applied = true, .version = ZERO},
        {SAVE, true, .is_applied = true, .version = EXPECTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int offers = NEITHER; offers < OFFERS; offers++) {
            in_round("case %zu, store offers %d", i, offers);
            skan_engine *engine = host_that_offers(offers)->engine;
            const skan_revenue items[] = {revenue("a", 1, "1"), revenue("b", 10, NULL), revenue("a", 100, NULL)};
            skan_status statuses[3];
            ANSWER(SKAN_OK, skan_register(engine, "a", NULL, NULL, &failure));
            failing = &cases[i];
            revenue_many(engine, items, 3, statuses);
            if (failing->message) EXPECT_MESSAGE(failing->message);
            EXPECT(faults_seen > 0, "the fault did not come up");
            failing = NULL;
            for (int at = 0; at < 3; at++) EXPECT_STATUS(at == 1 ? SKAN_OK : cases[i].end, statuses[at]);
            EXPECT_NUMBER(cases[i].end == SKAN_OK ? 101 : 0, total_of(engine, "a"));
            EXPECT_NUMBER(10, total_of(engine, "b"));
        }
}

CASE(its_hooks_may_not_call_back) {
    for (int offers = NEITHER; offers < OFFERS; offers++) {
        in_round("store offers %d", offers);
        nested = host_that_offers(offers)->engine;
        const skan_revenue item = revenue("a", 1, NULL);
        skan_status status;
        EXPECT_STATUS(SKAN_OK, revenue_many(nested, &item, 1, &status));
        EXPECT_NUMBER(2, round_trips);
    }
}

/* ------------------------------------------------------------------------------------------------------ arguments */

static void all_are(skan_status expected, skan_engine *engine, const skan_revenue *items, size_t count,
                    const char *message) {
    skan_status statuses[8];
    for (size_t i = 0; i < 8; i++) statuses[i] = -1;
    ANSWER(expected, skan_update_revenue_many(engine, items, count, statuses, &failure));
    EXPECT_MESSAGE(message);
    for (size_t i = 0; i < 8; i++) EXPECT_NUMBER(i < count ? expected : -1, statuses[i]);
    EXPECT_STATUS(expected, skan_update_revenue_many(engine, items, count, statuses, NULL));
}

CASE(what_is_wrong_with_the_call_is_every_items_status) {
    host *host = host_that_offers(BOTH);
    skan_engine *engine = host->engine;
    skan_revenue items[] = {revenue("a", 1, NULL), revenue("b", 1, NULL), revenue("c", 1, NULL)};
    skan_status status;
    all_are(SKAN_ERROR_INVALID_ARGUMENT, NULL, items, 3, "engine: ");
    all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, NULL, 3, "items: ");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue_many(engine, items, 3, NULL, &failure));
    EXPECT_MESSAGE("statuses: ");
    ANSWER(SKAN_OK, skan_update_revenue_many(engine, NULL, 0, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_revenue_many(engine, items, 0, &status, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue_many(NULL, NULL, 0, NULL, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_update_revenue_many(engine, items, SIZE_MAX, NULL, &failure));
    EXPECT_MESSAGE("18446744073709551615");
    static skan_status statuses[SKAN_REVENUE_MANY_MAX + 1];
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED,
           skan_update_revenue_many(engine, items, SKAN_REVENUE_MANY_MAX + 1, statuses, &failure));
    for (size_t i = 0; i <= SKAN_REVENUE_MANY_MAX; i++) EXPECT_NUMBER(SKAN_ERROR_LIMIT_EXCEEDED, statuses[i]);

    host->clock.microseconds = -1;
    all_are(SKAN_ERROR_CLOCK, engine, items, 3, "clock");
    EXPECT_NUMBER(0, round_trips);

    /* Where no item is as it should be, not even the clock is asked. */
    for (int i = 0; i < 3; i++) items[i].currency = "DOLLAR";
    all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 3, "items[0]: currency: ");
}

CASE(all_items_have_the_size_of_the_first) {
    skan_engine *engine = host_that_offers(BOTH)->engine;
    skan_revenue items[] = {revenue("a", 1, NULL), revenue("b", 1, NULL), revenue("c", 1, NULL)};
    for (size_t size = 0; size <= sizeof *items + 1; size++) {
        in_round("size %zu", size);
        items[2].size = size;
        if (size != sizeof *items) all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 3, "items[2]: size: ");
        items[2].size = sizeof *items;
        if (size >= sizeof *items) continue;
        items[0].size = size;
        all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 3, "items[0]: size: ");
        items[0].size = sizeof *items;
    }
    /* A size is also the way to the next item, which begins at a multiple of 8. */
    for (size_t size = sizeof *items + 1; size < sizeof *items + 8; size++) {
        in_round("size %zu", size);
        unsigned char *larger = calloc(3, size);
        if (!larger) abort();
        for (size_t at = 0; at < 3; at++) {
            skan_revenue item = revenue("a", 1, NULL);
            item.size = size;
            memcpy(larger + at * size, &item, sizeof item);
        }
        all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, (const skan_revenue *)(const void *)larger, 3,
                "items[0]: size: expected a multiple of 8");
        free(larger);
    }
    const size_t too_large[] = {1025, SIZE_MAX};
    for (int i = 0; i < 2; i++) {
        items[0].size = too_large[i];
        all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 1, "items[0]: size: ");
    }
    EXPECT_NUMBER(0, round_trips);
}

/* They follow each other at their own size, and what is behind the last is none of them. */
CASE(items_are_those_of_this_or_a_newer_caller) {
    enum { COUNT = 3 };
    static const size_t sizes[] = {sizeof(skan_revenue), sizeof(skan_revenue) + 16};
    skan_engine *engine = host_that_offers(BOTH)->engine;
    for (int round = 0; round < 2; round++) {
        const size_t size = sizes[round];
        in_round("size %zu", size);
        unsigned char *bytes = calloc(COUNT, size); /* whose end a sanitizer knows */
        const skan_revenue *items = (const skan_revenue *)(void *)bytes;
        if (!bytes) abort();
        for (int i = 0; i < COUNT; i++) {
            skan_revenue item = revenue("a", 1, NULL);
            item.size = size;
            memcpy(bytes + i * size, &item, sizeof item);
        }
        skan_status statuses[COUNT];
        EXPECT_STATUS(SKAN_OK, revenue_many(engine, items, COUNT, statuses));
        for (size_t at = sizeof(skan_revenue); at < size; at++) {
            bytes[size + at] = 1;
            all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, COUNT, "items[1]: ");
            bytes[size + at] = 0;
        }
        EXPECT_NUMBER(COUNT * (round + 1), total_of(engine, "a"));
        free(bytes);
    }
}
