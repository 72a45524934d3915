/* skan_update_revenue_many and stores that load and save many, as C sees them: what hooks may leave out or answer,
 * sizes of items, statuses. What is counted, and what is said of an item, is proven in Tests/Core and Tests/Vectors. */
#define _GNU_SOURCE
#include "contract.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a hook does wrong with the record of "a". */
typedef struct fault {
    bool is_save, is_lasting; /* or the first time alone */
    bool is_applied;          /* the store saves all the same */
    bool is_untouched;        /* an item's status is not written; a hook for one answers it */
    skan_status status;
    enum { ITS_OWN, ZERO, EXPECTED } version;
} fault;

/* What the store of a world offers for many. */
enum { NEITHER, LOADS, SAVES, BOTH, OFFERS };

/* A host's store that offers loads and saves of many, counts, and misbehaves. */
typedef struct world {
    host *host;
    int round_trips, faults;
    size_t largest;
    const fault *fault;
    skan *nested; /* hooks call back into it */
} world;

static bool is_faulty(world *world, const char *key, bool is_save) {
    if (!world->fault || world->fault->is_save != is_save || strcmp(key, "a") != 0) return false;
    return world->faults++ == 0 || world->fault->is_lasting;
}

/* A call back into the engine, which is refused. */
static void call_back(world *world) {
    if (!world->nested) return;
    skan_revenue item = {.size = sizeof item, .install_id = "other", .amount = 1, .currency = "USD"};
    skan_status status = -1;
    skan_error *error = NULL;
    EXPECT_STATUS(SKAN_ERROR_MISUSE, skan_update_revenue_many(world->nested, &item, 1, &status, &error));
    EXPECT_STATUS(SKAN_ERROR_MISUSE, status);
    EXPECT_STATUS(SKAN_ERROR_MISUSE, skan_error_code(error));
    skan_error_free(error);
}

/* Answers the status, and writes it for many unless it is left untouched. */
static skan_status load_one(world *world, const char *key, skan_buffer *out, uint64_t *version, skan_status *status) {
    const fault *fault = is_faulty(world, key, false) ? world->fault : NULL;
    skan_status answer = host_store_load(&world->host->store, key, out, version);
    if (fault) answer = fault->status;
    if (fault && fault->version == ZERO) *version = 0;
    if (!fault || !fault->is_untouched) *status = answer;
    return answer;
}

static skan_status save_one(world *world, skan_save_item *item) {
    const fault *fault = is_faulty(world, item->key, true) ? world->fault : NULL;
    skan_status answer = SKAN_OK;
    EXPECT(item->length >= 1 && item->length <= SKAN_RECORD_MAX, "a record of %zu bytes", item->length);
    if (!fault || fault->is_applied)
        answer = host_store_save(&world->host->store, item->key, item->data, item->length, item->expected_version,
                                 &item->new_version);
    if (fault && answer == SKAN_OK) {
        answer = fault->status;
        if (fault->version != ITS_OWN) item->new_version = fault->version == ZERO ? 0 : item->expected_version;
    }
    if (!fault || !fault->is_untouched) item->status = answer;
    return answer;
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    world *world = context;
    world->round_trips++;
    call_back(world);
    skan_status status;
    return load_one(world, key, out, version, &status);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version) {
    world *world = context;
    world->round_trips++;
    call_back(world);
    skan_save_item item = {.key = key, .data = data, .length = length, .expected_version = expected_version};
    skan_status status = save_one(world, &item);
    *new_version = item.new_version;
    return status;
}

static skan_status drop(void *context, const char *key, uint64_t expected_version) {
    return host_store_remove(&((world *)context)->host->store, key, expected_version);
}

static void took(world *world, size_t count) {
    world->round_trips++;
    EXPECT(count >= 1 && count <= SKAN_BATCH_MAX, "%zu items", count);
    if (count > world->largest) world->largest = count;
    call_back(world);
}

static void load_many(void *context, skan_load_item *items, size_t count) {
    took(context, count);
    for (size_t i = 0; i < count; i++)
        load_one(context, items[i].key, items[i].out, &items[i].version, &items[i].status);
}

static void save_many(void *context, skan_save_item *items, size_t count) {
    took(context, count);
    for (size_t i = 0; i < count; i++) save_one(context, &items[i]);
}

static world *world_make(uint32_t protocol, int offers) {
    world *world = calloc(1, sizeof *world);
    if (!world) abort();
    world->host = host_make();
    world->host->options.protocol = protocol;
    world->host->store_hooks = (skan_store){.size = sizeof(skan_store),
                                            .context = world,
                                            .load = load,
                                            .save = save,
                                            .remove = drop,
                                            .load_many = offers & LOADS ? load_many : NULL,
                                            .save_many = offers & SAVES ? save_many : NULL};
    host_open(world->host);
    at_end(free, world);
    return world;
}

static skan_status revenue_many(skan *engine, const skan_revenue *items, size_t count, skan_status *statuses) {
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
                          .amount = amount,
                          .currency = "USD",
                          .event_id = event_id};
}

/* The lifetime total of purchases in USD. */
static long long total_of(skan *engine, const char *install_id) {
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
            world *world = world_make(4, offers);
            for (size_t at = 0; at < count; at++) items[at] = revenue(ids[at % installs], 1, NULL);
            EXPECT_STATUS(SKAN_OK, revenue_many(world->host->engine, items, count, statuses));
            for (size_t at = 0; at < count; at++) EXPECT_NUMBER(SKAN_OK, statuses[at]);
            EXPECT_NUMBER(cases[i].round_trips[offers], world->round_trips);
            EXPECT_NUMBER(offers == NEITHER ? 0 : cases[i].largest, world->largest);
            for (size_t at = 0; at < installs; at += 97)
                EXPECT_NUMBER(count / installs + (at < count % installs), total_of(world->host->engine, ids[at]));
        }
}

/* Two items of "a", one of "b" between them, over every sort of store. */
CASE(what_hooks_answer_is_of_their_install) {
    enum { LOAD, SAVE };
    static const struct {
        fault fault;
        skan_status status;
        const char *message;
    } cases[] = {
        {{LOAD, true, .status = SKAN_ERROR_STORE}, SKAN_ERROR_STORE, "items[0]: store.load"},
        {{LOAD, true, .is_untouched = true, .status = SKAN_ERROR_STORE}, SKAN_ERROR_STORE, "items[0]: store.load"},
        {{LOAD, true, .status = -77}, SKAN_ERROR_STORE, "(-77)"},
        {{LOAD, true, .version = ZERO}, SKAN_ERROR_STORE, "store.load"},
        {{SAVE, true, .status = SKAN_ERROR_STORE}, SKAN_ERROR_STORE, "items[0]: store.save"},
        {{SAVE, true, .status = SKAN_ERROR_STORE_CONFLICT}, SKAN_ERROR_STORE_CONFLICT, "100 attempts"},
        {{SAVE, true, .status = SKAN_ERROR_STORE_UNKNOWN}, SKAN_ERROR_STORE_UNKNOWN, "may have been applied"},
        {{SAVE, true, .is_untouched = true, .status = SKAN_ERROR_STORE_UNKNOWN},
         SKAN_ERROR_STORE_UNKNOWN,
         "may have been applied"},
        {{SAVE, false, .status = SKAN_ERROR_STORE_CONFLICT}, SKAN_OK, NULL},
        {{SAVE, false, .status = SKAN_ERROR_STORE_UNKNOWN}, SKAN_OK, NULL},
        {{SAVE, false, .is_untouched = true, .status = SKAN_ERROR_STORE_UNKNOWN}, SKAN_OK, NULL},
        {{SAVE, true, .is_applied = true, .is_untouched = true, .status = SKAN_ERROR_STORE_UNKNOWN}, SKAN_OK, NULL},
        {{SAVE, true, .is_applied = true, .status = SKAN_NOTHING_PENDING}, SKAN_OK, NULL},
        {{SAVE, true, .is_applied = true, .version = ZERO}, SKAN_OK, NULL},
        {{SAVE, true, .is_applied = true, .version = EXPECTED}, SKAN_OK, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int offers = NEITHER; offers < OFFERS; offers++) {
            in_round("case %zu, store offers %d", i, offers);
            world *world = world_make(4, offers);
            const skan_revenue items[] = {revenue("a", 1, "1"), revenue("b", 10, NULL), revenue("a", 100, NULL)};
            skan_status statuses[3];
            ANSWER(SKAN_OK, skan_register(world->host->engine, "a", NULL, &failure));
            world->fault = &cases[i].fault;
            revenue_many(world->host->engine, items, 3, statuses);
            if (cases[i].message) EXPECT_MESSAGE(cases[i].message);
            EXPECT(world->faults > 0, "the fault did not come up");
            world->fault = NULL;
            for (int at = 0; at < 3; at++) EXPECT_STATUS(at == 1 ? SKAN_OK : cases[i].status, statuses[at]);
            EXPECT_NUMBER(cases[i].status == SKAN_OK ? 101 : 0, total_of(world->host->engine, "a"));
            EXPECT_NUMBER(10, total_of(world->host->engine, "b"));
        }
}

CASE(its_hooks_may_not_call_back) {
    for (int offers = NEITHER; offers < OFFERS; offers++) {
        in_round("store offers %d", offers);
        world *world = world_make(4, offers);
        world->nested = world->host->engine;
        skan_revenue item = revenue("a", 1, NULL);
        skan_status status;
        EXPECT_STATUS(SKAN_OK, revenue_many(world->host->engine, &item, 1, &status));
        EXPECT_NUMBER(2, world->round_trips);
        world->nested = NULL;
        EXPECT_NUMBER(0, total_of(world->host->engine, "other"));
    }
}

/* ------------------------------------------------------------------------------------------------------ arguments */

static void all_are(skan_status expected, skan *engine, const skan_revenue *items, size_t count, const char *message) {
    skan_status statuses[8];
    for (size_t i = 0; i < 8; i++) statuses[i] = -1;
    ANSWER(expected, skan_update_revenue_many(engine, items, count, statuses, &failure));
    EXPECT_MESSAGE(message);
    for (size_t i = 0; i < 8; i++) EXPECT_NUMBER(i < count ? expected : -1, statuses[i]);
    EXPECT_STATUS(expected, skan_update_revenue_many(engine, items, count, statuses, NULL));
}

CASE(what_is_wrong_with_the_call_is_every_items_status) {
    world *world = world_make(4, BOTH);
    skan *engine = world->host->engine;
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

    world->host->clock.microseconds = -1;
    all_are(SKAN_ERROR_CLOCK, engine, items, 3, "clock");
    EXPECT_NUMBER(0, world->round_trips);

    /* Where no item is as it should be, not even the clock is asked. */
    for (int i = 0; i < 3; i++) items[i].currency = "DOLLAR";
    all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 3, "items[0]: currency: ");
}

CASE(all_items_have_the_size_of_the_first) {
    world *world = world_make(4, BOTH);
    skan *engine = world->host->engine;
    skan_revenue items[] = {revenue("a", 1, NULL), revenue("b", 1, NULL), revenue("c", 1, NULL)};
    for (size_t size = 0; size <= sizeof *items + 1; size++) {
        in_round("size %zu", size);
        items[2].size = size;
        if (size != sizeof *items) all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 3, "items[2]: size: ");
        items[2].size = sizeof *items;
        if (size >= sizeof *items || size == offsetof(skan_revenue, amount_text)) continue; /* an older caller's */
        items[0].size = size;
        all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 3, "items[0]: size: ");
        items[0].size = sizeof *items;
    }
    const size_t too_large[] = {1025, SIZE_MAX};
    for (int i = 0; i < 2; i++) {
        items[0].size = too_large[i];
        all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 1, "items[0]: size: ");
    }
    EXPECT_NUMBER(0, world->round_trips);
}

CASE(larger_items_of_newer_callers_are_taken) {
    world *world = world_make(4, BOTH);
    struct {
        skan_revenue item;
        unsigned char tail[16];
    } items[3];
    memset(items, 0, sizeof items);
    for (int i = 0; i < 3; i++) {
        items[i].item = revenue("a", 1, NULL);
        items[i].item.size = sizeof *items;
    }
    skan_status statuses[3];
    EXPECT_STATUS(SKAN_OK, revenue_many(world->host->engine, &items[0].item, 3, statuses));
    EXPECT_NUMBER(3, total_of(world->host->engine, "a"));
    for (int at = 0; at < 16; at++) {
        items[1].tail[at] = 1;
        all_are(SKAN_ERROR_INVALID_ARGUMENT, world->host->engine, &items[0].item, 3, "items[1]: ");
        items[1].tail[at] = 0;
    }
    EXPECT_NUMBER(3, total_of(world->host->engine, "a"));
}

/* They follow each other at their own size, and what is behind the last is none of them. */
CASE(items_of_older_callers_end_before_the_text) {
    enum { OLDER = offsetof(skan_revenue, amount_text), COUNT = 3 };
    world *world = world_make(4, BOTH);
    unsigned char *items = malloc(COUNT * OLDER); /* whose end a sanitizer knows */
    if (!items) abort();
    for (int i = 0; i < COUNT; i++) {
        skan_revenue item = revenue("a", 1, NULL);
        item.size = OLDER;
        memcpy(items + i * OLDER, &item, OLDER);
    }
    skan_status statuses[COUNT];
    EXPECT_STATUS(SKAN_OK, revenue_many(world->host->engine, (const skan_revenue *)(void *)items, COUNT, statuses));
    EXPECT_NUMBER(COUNT, total_of(world->host->engine, "a"));
    free(items);
}
