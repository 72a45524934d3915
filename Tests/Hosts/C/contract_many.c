/* skan_update_revenue_many: what single calls would have done, in fewer round trips. */
#define _GNU_SOURCE
#include "contract.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a hook misbehaves at one item. */
typedef enum fault {
    NO_FAULT,
    LOAD_FAILS,
    LOAD_UNTOUCHED,
    LOAD_OUT_OF_RANGE,
    LOAD_WITHOUT_VERSION,
    SAVE_FAILS,
    SAVE_CONFLICTS,
    SAVE_UNKNOWN_APPLIED,
    SAVE_UNKNOWN_NOT_APPLIED,
    SAVE_UNTOUCHED_APPLIED,
    SAVE_UNTOUCHED_NOT_APPLIED,
    SAVE_OUT_OF_RANGE_APPLIED,
    SAVE_WITHOUT_VERSION_APPLIED,
    SAVE_WITH_OLD_VERSION_APPLIED,
    FAULTS,
    SAVE_UNKNOWN_APPLIED_AND_GONE
} fault;

/* What the store of a world offers for many. */
enum { NEITHER, LOADS, SAVES, BOTH, OFFERS };

/* A host's store that offers loads and saves of many, counts, and misbehaves at the item it is told. */
typedef struct world {
    host *host;
    int round_trips, loads, saves;
    size_t largest;
    fault fault;
    int at;       /* the item, of all that are loaded (or saved), from 0 */
    bool forever; /* from then on */
    const char *only; /* only under this key; NULL = any */
    int loaded, saved, faults;
    skan *nested; /* hooks call back into it */
} world;

static bool is_faulty(world *world, const char *key, bool loads) {
    if (world->fault == NO_FAULT || (world->fault < SAVE_FAILS) != loads) return false;
    if (world->only && strcmp(world->only, key) != 0) return false;
    int item = loads ? world->loaded++ : world->saved++;
    if (item != world->at && !(world->forever && item > world->at)) return false;
    world->faults++;
    return true;
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

static skan_status load_one(world *world, const char *key, skan_buffer *out, uint64_t *version, skan_status *status) {
    skan_status answer = host_store_load(&world->host->store, key, out, version);
    if (!is_faulty(world, key, true)) return *status = answer;
    switch (world->fault) {
    case LOAD_FAILS: return *status = SKAN_ERROR_STORE;
    case LOAD_OUT_OF_RANGE: return *status = -77;
    case LOAD_WITHOUT_VERSION: *version = 0; return *status = SKAN_OK;
    default: return SKAN_ERROR_STORE; /* the status stays untouched */
    }
}

static skan_status save_one(world *world, skan_save_item *item) {
    host_store *store = &world->host->store;
    EXPECT(item->length >= 1 && item->length <= SKAN_RECORD_MAX, "a record of %zu bytes", item->length);
    if (!is_faulty(world, item->key, false))
        return item->status = host_store_save(store, item->key, item->data, item->length, item->expected_version,
                                              &item->new_version);
    fault fault = world->fault;
    if (fault == SAVE_FAILS) return item->status = SKAN_ERROR_STORE;
    if (fault == SAVE_UNKNOWN_NOT_APPLIED) return item->status = SKAN_ERROR_STORE_UNKNOWN;
    if (fault == SAVE_UNTOUCHED_NOT_APPLIED) return SKAN_ERROR_STORE_UNKNOWN;
    if (fault == SAVE_CONFLICTS) {
        /* Somebody saves the same bytes under another version. */
        const host_record *there = host_store_find(store, item->key);
        if (there) {
            char *copy = malloc(there->length);
            size_t length = there->length;
            memcpy(copy, there->data, length);
            host_store_put(store, item->key, copy, length);
            free(copy);
        }
        return item->status = SKAN_ERROR_STORE_CONFLICT;
    }
    skan_status status = host_store_save(store, item->key, item->data, item->length, item->expected_version,
                                         &item->new_version);
    if (status != SKAN_OK) return item->status = status;
    if (fault == SAVE_UNTOUCHED_APPLIED) return SKAN_ERROR_STORE_UNKNOWN;
    if (fault == SAVE_OUT_OF_RANGE_APPLIED) return item->status = SKAN_NOTHING_PENDING;
    if (fault == SAVE_UNKNOWN_APPLIED_AND_GONE) host_store_drop(store, item->key);
    if (fault == SAVE_UNKNOWN_APPLIED || fault == SAVE_UNKNOWN_APPLIED_AND_GONE)
        return item->status = SKAN_ERROR_STORE_UNKNOWN;
    item->new_version = fault == SAVE_WITHOUT_VERSION_APPLIED ? 0 : item->expected_version;
    return item->status = SKAN_OK;
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    world *world = context;
    world->round_trips++;
    world->loads++;
    call_back(world);
    skan_status status;
    return load_one(world, key, out, version, &status);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version) {
    world *world = context;
    world->round_trips++;
    world->saves++;
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
    return world;
}

static void world_end(world *world) {
    host_end(world->host);
    free(world);
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
    free(details);
    return total;
}

/* ---------------------------------------------------------------------------------------------------- round trips */

/* A name per install and event: "i00017". */
typedef char name[8];

static name *names_of(char letter, size_t count) {
    name *names = calloc(count, sizeof *names);
    if (!names) abort();
    for (size_t i = 0; i < count; i++) snprintf(names[i], sizeof *names, "%c%05u", letter, (unsigned)(i % 100000));
    return names;
}

static void each_install_is_loaded_and_saved_once(const void *subject) {
    (void)subject;
    static const struct {
        size_t items, installs;
        int round_trips[OFFERS];
        size_t largest;
    } cases[] = {
        {1000, 1000, {2000, 1001, 1001, 2}, 1000},
        {1000, 1, {2, 2, 2, 2}, 1},
        {1024, 1024, {2048, 1025, 1025, 2}, 1024},
        {1025, 1025, {2050, 1027, 1027, 4}, 1024},
        {SKAN_REVENUE_MANY_MAX, 3000, {6000, 3003, 3003, 6}, 1024},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int offers = NEITHER; offers < OFFERS; offers++) {
            size_t count = cases[i].items, installs = cases[i].installs;
            in_round("%zu items of %zu installs, store offers %d", count, installs, offers);
            world *world = world_make(4, offers);
            name *ids = names_of('i', installs);
            skan_revenue *items = calloc(count, sizeof *items);
            skan_status *statuses = calloc(count, sizeof *statuses);
            for (size_t at = 0; at < count; at++) items[at] = revenue(ids[at % installs], 1, NULL);
            EXPECT_STATUS(SKAN_OK, revenue_many(world->host->engine, items, count, statuses));
            for (size_t at = 0; at < count; at++) EXPECT_NUMBER(SKAN_OK, statuses[at]);
            EXPECT_NUMBER(cases[i].round_trips[offers], world->round_trips);
            EXPECT_NUMBER(offers == NEITHER ? 0 : cases[i].largest, world->largest);
            for (size_t install = 0; install < installs; install += 97)
                EXPECT_NUMBER(count / installs + (install < count % installs),
                              total_of(world->host->engine, ids[install]));
            free(statuses);
            free(items);
            free(ids);
            world_end(world);
        }
}

/* Whatever changes nothing is not saved. */
static void nothing_is_saved_where_nothing_changes(const void *subject) {
    (void)subject;
    world *world = world_make(4, BOTH);
    skan_revenue items[] = {revenue("a", 5, "x"), revenue("b", 0, NULL), revenue("a", 5, "x"), revenue("b", 0, NULL)};
    skan_status statuses[4];
    revenue_many(world->host->engine, items, 4, statuses);
    EXPECT_NUMBER(2, world->round_trips);
    EXPECT_NUMBER(SKAN_DUPLICATE_EVENT, statuses[2]);
    EXPECT(!host_store_find(&world->host->store, "b"), "b has a record");
    revenue_many(world->host->engine, items, 4, statuses);
    EXPECT_NUMBER(3, world->round_trips);
    EXPECT_NUMBER(SKAN_DUPLICATE_EVENT, statuses[0]);
    EXPECT_NUMBER(5, total_of(world->host->engine, "a"));
    world_end(world);
}

/* --------------------------------------------------------------------------------------------------------- faults */

/* Seven items of three installs, mixed. Each amount has a digit of its own, so that a total tells what was counted. */
static const struct {
    const char *install_id;
    long long amount;
    const char *event_id;
    bool is_repeated; /* its event id came before */
} mixed[] = {{"a", 1, "1", false},   {"b", 10, "2", false}, {"a", 100, "3", false}, {"c", 1000, "4", false},
             {"a", 10000, "1", true}, {"b", 7, "x", true},  {"c", 100000, "5", false}};
enum { MIXED = sizeof mixed / sizeof *mixed };

static void mixed_items(skan_revenue *items) {
    for (int i = 0; i < MIXED; i++) items[i] = revenue(mixed[i].install_id, (double)mixed[i].amount, mixed[i].event_id);
}

static bool is_counted(skan *engine, int item) {
    return !mixed[item].is_repeated && total_of(engine, mixed[item].install_id) / mixed[item].amount % 10 == 1;
}

/* One fault in a call: what the statuses say is what is stored, and a second call completes it. */
static int call_with(fault fault, int at, bool forever, int offers) {
    in_round("fault %d at item %d%s, store offers %d", fault, at, forever ? " and all after it" : "", offers);
    world *world = world_make(4, offers);
    skan *engine = world->host->engine;
    ANSWER(SKAN_OK, skan_update_revenue(engine, "b", 1000000, "USD", false, "x", &failure));
    skan_revenue items[MIXED];
    skan_status statuses[MIXED];
    mixed_items(items);
    world->fault = fault, world->at = at, world->forever = forever;
    revenue_many(engine, items, MIXED, statuses);
    int faults = world->faults;
    world->fault = NO_FAULT;
    bool recovers = !forever && fault > SAVE_FAILS;
    for (int i = 0; i < MIXED; i++) {
        skan_status status = statuses[i];
        if (recovers) EXPECT(status < 100, "item %d: %s", i, skan_status_name(status));
        if (mixed[i].is_repeated) {
            EXPECT(status == SKAN_DUPLICATE_EVENT || status >= 120, "item %d: %s", i, skan_status_name(status));
            /* "1" is there only with its first item; what was counted long before is a duplicate once it is known. */
            if (i == 4) EXPECT_NUMBER(statuses[0] == SKAN_OK ? SKAN_DUPLICATE_EVENT : statuses[0], status);
            if (i == 5 && fault >= SAVE_FAILS) EXPECT_NUMBER(SKAN_DUPLICATE_EVENT, status);
            continue;
        }
        bool counted = is_counted(engine, i);
        if (status != SKAN_ERROR_STORE_UNKNOWN)
            EXPECT(counted == (status == SKAN_OK), "item %d: %s, and it is %scounted", i, skan_status_name(status),
                   counted ? "" : "not ");
    }
    revenue_many(engine, items, MIXED, statuses);
    for (int i = 0; i < MIXED; i++)
        EXPECT(statuses[i] == SKAN_OK || statuses[i] == SKAN_DUPLICATE_EVENT, "the second time, item %d: %s", i,
               skan_status_name(statuses[i]));
    EXPECT_NUMBER(101, total_of(engine, "a"));
    EXPECT_NUMBER(1000010, total_of(engine, "b"));
    EXPECT_NUMBER(101000, total_of(engine, "c"));
    world_end(world);
    return faults;
}

static void a_fault_at_any_item_is_told_truly(const void *subject) {
    (void)subject;
    for (int offers = NEITHER; offers < OFFERS; offers++)
        for (fault fault = LOAD_FAILS; fault < FAULTS; fault++)
            for (int forever = 0; forever < 2; forever++) {
                /* What is tried a hundred times, with pauses, is seen with one store of each sort. */
                bool is_tried_again = fault == SAVE_CONFLICTS || fault == SAVE_UNKNOWN_NOT_APPLIED ||
                                      fault == SAVE_UNTOUCHED_NOT_APPLIED;
                if (forever && is_tried_again && offers != (fault == SAVE_CONFLICTS ? NEITHER : BOTH)) continue;
                int at = 0;
                while (call_with(fault, at, forever, offers)) at++;
                EXPECT_NUMBER(3, at);
            }
}

/* Of an install that fails, all items have its status; those of others go on. */
static void one_install_that_fails_holds_up_no_other(const void *subject) {
    (void)subject;
    static const struct {
        fault fault;
        skan_status status;
        const char *message;
    } cases[] = {
        {LOAD_FAILS, SKAN_ERROR_STORE, "items[0]: store.load_many: "},
        {LOAD_UNTOUCHED, SKAN_ERROR_STORE, "items[0]: store.load_many: "},
        {LOAD_OUT_OF_RANGE, SKAN_ERROR_STORE, "(-77)"},
        {LOAD_WITHOUT_VERSION, SKAN_ERROR_STORE, "store.load_many"},
        {SAVE_FAILS, SKAN_ERROR_STORE, "items[0]: store.save_many: "},
        {SAVE_CONFLICTS, SKAN_ERROR_STORE_CONFLICT, "100 attempts"},
        {SAVE_UNKNOWN_NOT_APPLIED, SKAN_ERROR_STORE_UNKNOWN, "may have been applied"},
        {SAVE_UNTOUCHED_NOT_APPLIED, SKAN_ERROR_STORE_UNKNOWN, "may have been applied"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        in_round("fault %d", cases[i].fault);
        world *world = world_make(4, BOTH);
        skan_revenue items[MIXED];
        skan_status statuses[MIXED];
        mixed_items(items);
        ANSWER(SKAN_OK, skan_register(world->host->engine, "a", NULL, &failure));
        world->fault = cases[i].fault, world->forever = true, world->only = "a";
        revenue_many(world->host->engine, items, MIXED, statuses);
        EXPECT_MESSAGE(cases[i].message);
        /* A conflict, or a write of unknown end, is tried 100 times. */
        if (cases[i].fault >= SAVE_CONFLICTS) EXPECT_NUMBER(100, world->faults);
        else EXPECT_NUMBER(1, world->faults);
        for (int at = 0; at < MIXED; at++)
            EXPECT_NUMBER(strcmp(items[at].install_id, "a") == 0 ? cases[i].status : SKAN_OK, statuses[at]);
        world->fault = NO_FAULT;
        EXPECT_NUMBER(0, total_of(world->host->engine, "a"));
        EXPECT_NUMBER(17, total_of(world->host->engine, "b"));
        world_end(world);
    }
}

/* A write of unknown end whose record went away meanwhile cannot be told any more; others are untouched by that. */
static void doubt_lasts(const void *subject) {
    (void)subject;
    world *world = world_make(4, BOTH);
    skan_revenue items[] = {revenue("a", 1, "1"), revenue("b", 1, "1")};
    skan_status statuses[2];
    ANSWER(SKAN_OK, skan_register(world->host->engine, "a", NULL, &failure));
    world->fault = SAVE_UNKNOWN_APPLIED_AND_GONE, world->only = "a";
    revenue_many(world->host->engine, items, 2, statuses);
    EXPECT_NUMBER(SKAN_ERROR_STORE_UNKNOWN, statuses[0]);
    EXPECT_NUMBER(SKAN_OK, statuses[1]);
    EXPECT_NUMBER(1, world->faults);
    EXPECT(!host_store_find(&world->host->store, "a"), "a was written again");
    world_end(world);
}

static void damaged_records_are_of_their_installs_alone(const void *subject) {
    (void)subject;
    world *world = world_make(4, BOTH);
    host_store_put(&world->host->store, "a", "\x01rubbish", 8);
    host_store_put(&world->host->store, "b", "\xffnewer", 6);
    skan_revenue items[] = {revenue("c", 1, NULL), revenue("b", 1, NULL), revenue("a", 1, NULL), revenue("a", 1, "x")};
    skan_status statuses[4];
    EXPECT_STATUS(SKAN_ERROR_RECORD_TOO_NEW, revenue_many(world->host->engine, items, 4, statuses));
    EXPECT_NUMBER(SKAN_OK, statuses[0]);
    EXPECT_NUMBER(SKAN_ERROR_CORRUPT_RECORD, statuses[2]);
    EXPECT_NUMBER(SKAN_ERROR_CORRUPT_RECORD, statuses[3]);
    EXPECT_NUMBER(8, host_store_find(&world->host->store, "a")->length);
    world_end(world);
}

static void its_hooks_may_not_call_back(const void *subject) {
    (void)subject;
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
        world_end(world);
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

static void what_is_wrong_with_the_call_is_every_items_status(const void *subject) {
    (void)subject;
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
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED,
           skan_update_revenue_many(engine, items, SKAN_REVENUE_MANY_MAX + 1, NULL, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_update_revenue_many(engine, items, SIZE_MAX, NULL, &failure));
    EXPECT_MESSAGE("18446744073709551615");

    skan_status *statuses = calloc(SKAN_REVENUE_MANY_MAX + 1, sizeof *statuses);
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED,
           skan_update_revenue_many(engine, items, SKAN_REVENUE_MANY_MAX + 1, statuses, &failure));
    for (size_t i = 0; i <= SKAN_REVENUE_MANY_MAX; i++) EXPECT_NUMBER(SKAN_ERROR_LIMIT_EXCEEDED, statuses[i]);
    free(statuses);

    items[2].size = 0;
    all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 3, "items[2]: size: ");
    items[2].size = sizeof *items + 8;
    all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 2 + 1, "items[2]: size: ");
    items[2].size = sizeof *items;
    for (size_t size = 0; size < sizeof *items; size++) {
        if (size == offsetof(skan_revenue, amount_text)) continue; /* an older caller's */
        items[0].size = size;
        all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 3, "items[0]: size: ");
    }
    items[0].size = 1025;
    all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 1, "items[0]: size: ");
    items[0].size = SIZE_MAX;
    all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 3, "items[0]: size: ");
    items[0].size = sizeof *items;

    world->host->clock.microseconds = -1;
    all_are(SKAN_ERROR_CLOCK, engine, items, 3, "clock");
    EXPECT_NUMBER(0, world->round_trips);

    /* Where no item is as it should be, not even the clock is asked. */
    for (int i = 0; i < 3; i++) items[i].currency = "DOLLAR";
    all_are(SKAN_ERROR_INVALID_ARGUMENT, engine, items, 3, "items[0]: currency: ");
    world_end(world);
}

static void larger_items_of_newer_callers_are_taken(const void *subject) {
    (void)subject;
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
    world_end(world);
}

/* They follow each other at their own size, and what is behind the last is none of them. */
static void items_of_older_callers_end_before_the_text(const void *subject) {
    (void)subject;
    enum { OLDER = offsetof(skan_revenue, amount_text), COUNT = 3 };
    world *world = world_make(4, BOTH);
    size_t size = COUNT * OLDER;
    unsigned char *items = malloc(size);
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
    world_end(world);
}

/* ------------------------------------------------------------------------------------------------ amounts as text */

/* What ten times the text come to. The double beside it is no amount at all: it is not looked at. */
static void a_text_is_counted_exactly(const void *subject) {
    (void)subject;
    static char zeros[SKAN_AMOUNT_TEXT_MAX + 1], shifted[SKAN_AMOUNT_TEXT_MAX + 1];
    snprintf(zeros, sizeof zeros, "4.99%0*d", SKAN_AMOUNT_TEXT_MAX - 4, 0);
    snprintf(shifted, sizeof shifted, "0.%0*d1e%d", 500, 0, 501);
    static const struct {
        const char *text, *sum;
    } cases[] = {
        {"0.1", "1"},
        {"4.99", "49.9"},
        {"-0.5", "-5"},
        {"499e-2", "49.9"},
        {"1E+2", "1000"},
        {"123456789012.123456789012", "1234567890121.23456789012"},
        {"0.10000000000000000001", "1"},
        {"0.0000000000015", "0.00000000002"},
        {"999999999999.999999999999", "9999999999999.99999999999"},
        {"-999999999999.9999999999994", "-9999999999999.99999999999"},
        {zeros, "49.9"},
        {shifted, "10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        in_round("%s", cases[i].text);
        world *world = world_make(4, BOTH);
        skan_revenue items[10];
        skan_status statuses[10];
        for (int at = 0; at < 10; at++) {
            items[at] = revenue("a", NAN, NULL);
            items[at].amount_text = cases[i].text;
        }
        EXPECT_STATUS(SKAN_OK, revenue_many(world->host->engine, items, 10, statuses));
        char *expected = text_of("\"skan_total_revenue_by_currency\":{\"USD\":%s}", cases[i].sum);
        char *details = details_of(world->host->engine, "a");
        EXPECT(strstr(details, expected), "not %s: %s", expected, details);
        free(details);
        free(expected);
        world_end(world);
    }
    in_round("%s", "");
}

/* What rounds to nothing adds nothing, and its event id is known afterwards. */
static void a_text_of_nothing_records_its_event_id(const void *subject) {
    (void)subject;
    world *world = world_make(4, BOTH);
    skan_revenue items[] = {revenue("a", 1, "x"), revenue("a", 1, "x")};
    items[0].amount_text = "0.0000000000005";
    skan_status statuses[2];
    revenue_many(world->host->engine, items, 2, statuses);
    EXPECT_NUMBER(SKAN_OK, statuses[0]);
    EXPECT_NUMBER(SKAN_DUPLICATE_EVENT, statuses[1]);
    EXPECT_NUMBER(0, total_of(world->host->engine, "a"));
    world_end(world);
}

static void a_text_that_is_no_amount_is_refused(const void *subject) {
    (void)subject;
    static char long_text[SKAN_AMOUNT_TEXT_MAX + 2];
    snprintf(long_text, sizeof long_text, "4.99%0*d", SKAN_AMOUNT_TEXT_MAX - 3, 0);
    static const char *const texts[] = {"", " ", "4,99", "4.99 ", " 4.99", "+4.99", ".5", "5.", "05", "0x10", "1e", "e1",
                                        "-", "--1", "NaN", "Infinity", "1e12", "-1e12", "1e400", "4.99\xc2\xa0USD",
                                        "999999999999.9999999999995", long_text};
    world *world = world_make(4, BOTH);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        in_round("%.40s", texts[i]);
        skan_revenue items[] = {revenue("b", 1, NULL), revenue("a", 1, NULL), revenue("a", 1, "id")};
        items[2].amount_text = texts[i];
        skan_status statuses[3];
        EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, revenue_many(world->host->engine, items, 3, statuses));
        EXPECT_MESSAGE("items[2]: amount: expected ");
        EXPECT_MESSAGE(texts[i] == long_text ? "at most 1024 bytes" : "a decimal number between -1e12 and 1e12, got ");
        EXPECT_NUMBER(SKAN_OK, statuses[0]);
        EXPECT_NUMBER(SKAN_OK, statuses[1]);
        EXPECT_NUMBER((long long)i + 1, total_of(world->host->engine, "a"));
    }
    in_round("%s", "");
    world_end(world);
}

/* ---------------------------------------------------------------------------------------------- as single calls do */

static uint64_t random_state;

static unsigned draw(unsigned limit) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random_state >> 33) % limit;
}

static skan_revenue drawn_revenue(void) {
    static const char *const installs[] = {"a", "b", "c", "d", "e", "full", "rich", "window", "", NULL};
    static const char *const currencies[] = {"USD", "USD", "USD", "EUR", "usd", "JPY", "ZZZ", "US", NULL, "GBP"};
    static const char *const events[] = {NULL, "", "1", "2", "3", "4", "order-1234567", "order-1234568"};
    static const double amounts[] = {1, 0.1, -2.5, 0, 4.99, 1e11, 1e-12, 1e12, 5, -0.01};
    static const char *const texts[] = {"1.0", "0.1", "-25e-1", "0", "4.99", "1e11", "1E-12", NULL, "5", "-0.010"};
    unsigned amount = draw(10);
    return (skan_revenue){.size = sizeof(skan_revenue),
                          .install_id = installs[draw(40) ? draw(8) : 8 + draw(2)],
                          .amount = amounts[amount],
                          .amount_text = draw(4) ? NULL : texts[amount],
                          .currency = currencies[draw(10)],
                          .event_id = events[draw(3) ? draw(8) : 0],
                          .ad_monetization = draw(6) == 0};
}

/* Installs at their limits: 64 currencies, a lifetime total and a window's total that nothing can be added to. */
static void begin_at_limits(skan *engine) {
    char full[2048];
    size_t length = (size_t)sprintf(full, "{\"skan_total_revenue_by_currency\":{");
    for (int i = 0; i < 64; i++)
        length += (size_t)sprintf(full + length, "%s\"A%c%c\":1", i ? "," : "", 'A' + i / 26, 'A' + i % 26);
    length += (size_t)sprintf(full + length, "}}");
    static const char rich[] = "{\"skan_total_revenue_by_currency\":{\"USD\":999999999999999999,\"EUR\":3}}";
    char window[256];
    sprintf(window,
            "{\"skan_first_call_to_skadnetwork_timestamp\":%" PRId64
            ",\"skan_last_call_to_skadnetwork_timestamp\":%" PRId64
            ",\"p0_total_iap_revenue\":{\"USD\":999999999999999999,\"JPY\":-4}}",
            NOW, NOW);
    SETTLE(skan_import_details(engine, "full", full, length, &failure));
    SETTLE(skan_import_details(engine, "rich", rich, sizeof rich - 1, &failure));
    SETTLE(skan_import_details(engine, "window", window, strlen(window), &failure));
    SETTLE(skan_register(engine, "a", NULL, &failure));
    SETTLE(skan_register(engine, "b", NULL, &failure));
}

static void the_same_statuses_and_details_as_single_calls(const void *subject) {
    uint32_t protocol = *(const uint32_t *)subject;
    enum { LONGEST = 90 };
    int seen[256] = {0};
    for (int seed = 0; seed < 250; seed++) {
        random_state = (uint64_t)seed * 7919 + protocol;
        int offers = seed % (OFFERS + 1);
        world *many = world_make(protocol, offers), *single = world_make(protocol, NEITHER);
        skan *engine = many->host->engine;
        /* The fifth sort of store is the one in memory. */
        skan *memory = NULL;
        const skan_options options = {.size = sizeof options, .protocol = protocol, .clock = &many->host->clock_hooks};
        if (offers == OFFERS) {
            ANSWER(SKAN_OK, skan_create(&options, &memory, &failure));
            engine = memory;
        }
        begin_at_limits(engine);
        begin_at_limits(single->host->engine);
        for (int call = 0; call < 4; call++) {
            in_round("seed %d, store offers %d, call %d", seed, offers, call);
            many->host->clock.microseconds = single->host->clock.microseconds += (int64_t)draw(4) * DAY * 1000000;
            skan_revenue items[LONGEST];
            skan_status statuses[LONGEST];
            size_t count = 1 + draw(LONGEST);
            for (size_t i = 0; i < count; i++) items[i] = drawn_revenue();
            revenue_many(engine, items, count, statuses);
            char *message = text_of("%s", failure_message());
            skan_status first = SKAN_OK;
            for (size_t i = 0; i < count; i++) {
                const skan_revenue *item = &items[i];
                skan_status expected =
                    SETTLE(skan_update_revenue(single->host->engine, item->install_id, item->amount, item->currency,
                                               item->ad_monetization, item->event_id, &failure));
                EXPECT(statuses[i] == expected, "item %zu: %s, alone %s", i, skan_status_name(statuses[i]),
                       skan_status_name(expected));
                seen[expected]++;
                if (expected < 100 || first) continue;
                first = expected;
                char *alone = text_of("items[%zu]: %s", i, failure_message());
                EXPECT_TEXT(alone, message);
                free(alone);
            }
            free(message);
            static const char *const installs[] = {"a", "b", "c", "d", "e", "full", "rich", "window"};
            for (size_t i = 0; i < sizeof installs / sizeof *installs; i++) {
                char *details = details_of(single->host->engine, installs[i]);
                EXPECT_DETAILS(details, engine, installs[i]);
                free(details);
            }
        }
        skan_destroy(memory);
        world_end(single);
        world_end(many);
    }
    in_round("%s", "");
    EXPECT(seen[SKAN_OK] && seen[SKAN_DUPLICATE_EVENT] && seen[SKAN_ERROR_INVALID_ARGUMENT] &&
               seen[SKAN_ERROR_LIMIT_EXCEEDED],
           "the sequences do not reach every status");
}

/* The message is the single call's, behind the item's number. */
static void the_message_is_the_single_calls(const void *subject) {
    (void)subject;
    world *world = world_make(3, BOTH);
    skan *engine = world->host->engine;
    skan_revenue ad = revenue("a", 1, NULL), cheap = revenue("a", 1e12, NULL), odd = revenue("a", 1, NULL),
                 nobody = revenue(NULL, 1, NULL), nothing = revenue("a", 1, "");
    ad.ad_monetization = true;
    odd.currency = "DOLLAR";
    const skan_revenue wrong[] = {ad, cheap, odd, nobody, nothing};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        in_round("item %zu", i);
        const skan_revenue *item = &wrong[i];
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_update_revenue(engine, item->install_id, item->amount, item->currency,
                                                                item->ad_monetization, item->event_id, &failure));
        char *expected = text_of("items[17]: %s", failure_message());
        skan_revenue items[20];
        skan_status statuses[20];
        for (int at = 0; at < 20; at++) items[at] = at < 17 ? revenue("a", 1, NULL) : *item;
        EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, revenue_many(engine, items, 20, statuses));
        EXPECT_TEXT(expected, failure_message());
        EXPECT_NUMBER(17 * ((long long)i + 1), total_of(engine, "a"));
        free(expected);
    }
    world_end(world);
}

/* An id stays known beyond the call, also where more than 64 of them came in one. */
static void the_last_64_event_ids_of_a_call_are_kept(const void *subject) {
    (void)subject;
    for (int offers = NEITHER; offers <= OFFERS; offers++) {
        in_round("store offers %d", offers);
        world *world = world_make(4, offers);
        skan *memory = NULL, *engine = world->host->engine;
        if (offers == OFFERS) {
            ANSWER(SKAN_OK, skan_create(NULL, &memory, &failure));
            engine = memory;
        }
        enum { COUNT = 100 };
        name *events = names_of('e', COUNT);
        skan_revenue items[COUNT];
        skan_status statuses[COUNT];
        for (int i = 0; i < COUNT; i++) items[i] = revenue("a", 1, events[i]);
        /* The second time there is a record to begin with. */
        revenue_many(engine, items, 50, statuses);
        revenue_many(engine, items, COUNT, statuses);
        for (int i = 0; i < COUNT; i++) EXPECT_NUMBER(i < 50 ? SKAN_DUPLICATE_EVENT : SKAN_OK, statuses[i]);
        for (int i = COUNT - 64; i < COUNT; i++)
            ANSWER(SKAN_DUPLICATE_EVENT, skan_update_revenue(engine, "a", 1, "USD", false, events[i], &failure));
        ANSWER(SKAN_OK, skan_update_revenue(engine, "a", 1, "USD", false, events[COUNT - 65], &failure));
        EXPECT_NUMBER(COUNT + 1, total_of(engine, "a"));
        free(events);
        skan_destroy(memory);
        world_end(world);
    }
}

static void the_same_in_skan_3(const void *subject) {
    (void)subject;
    uint32_t protocol = 3;
    the_same_statuses_and_details_as_single_calls(&protocol);
}

static void the_same_in_skan_4(const void *subject) {
    (void)subject;
    uint32_t protocol = 4;
    the_same_statuses_and_details_as_single_calls(&protocol);
}

const contract_case many_cases[] = {
    {"many: each install is loaded and saved once", each_install_is_loaded_and_saved_once},
    {"many: nothing is saved where nothing changes", nothing_is_saved_where_nothing_changes},
    {"many: a fault at any item is told truly", a_fault_at_any_item_is_told_truly},
    {"many: one install that fails holds up no other", one_install_that_fails_holds_up_no_other},
    {"many: doubt lasts", doubt_lasts},
    {"many: damaged records are of their installs alone", damaged_records_are_of_their_installs_alone},
    {"many: its hooks may not call back", its_hooks_may_not_call_back},
    {"many: what is wrong with the call is every item's status", what_is_wrong_with_the_call_is_every_items_status},
    {"many: larger items of newer callers are taken", larger_items_of_newer_callers_are_taken},
    {"many: items of older callers end before the text", items_of_older_callers_end_before_the_text},
    {"many: a text is counted exactly", a_text_is_counted_exactly},
    {"many: a text of nothing records its event id", a_text_of_nothing_records_its_event_id},
    {"many: a text that is no amount is refused", a_text_that_is_no_amount_is_refused},
    {"many: the same as single calls, SKAN 3", the_same_in_skan_3},
    {"many: the same as single calls, SKAN 4", the_same_in_skan_4},
    {"many: the message is the single call's", the_message_is_the_single_calls},
    {"many: the last 64 event ids of a call are kept", the_last_64_event_ids_of_a_call_are_kept},
    {NULL, NULL}};
