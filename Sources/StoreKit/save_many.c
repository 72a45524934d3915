/* Laws of many saves in one call: each item is answered as a save would be, whatever becomes of the others. */
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define OLD KIT_TEXT("the record before")
#define OTHER KIT_TEXT("a record that must not get in")

static kit_bytes record_of(char text[64], size_t place, uint32_t round) {
    snprintf(text, 64, "the record at place %zu, round %u", place, (unsigned)round);
    return KIT_TEXT(text);
}

static void name_keys(kit_run *run, kit_item *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "place %zu", i);
        items[i].key = kit_key(run, name);
    }
}

/* Creates, then twice updates every second and creates the others anew; all are saved. */
static void save_and_look(kit_run *run, size_t count) {
    kit_item *items = kit_items(count);
    char(*texts)[64] = kit_allocate(count * sizeof *texts);
    name_keys(run, items, count);
    for (uint32_t round = 0; round < 3 && !run->failed; round++) {
        for (size_t i = 0; i < count; i++) {
            items[i].record = record_of(texts[i], i, round);
            items[i].expected = items[i].version;
            if (round > 0 && i % 2) {
                kit_removes(run, &run->store, items[i].key, items[i].version);
                items[i].expected = 0;
            }
        }
        kit_save_many(&run->store, items, count);
        for (size_t i = 0; i < count && !run->failed; i++) {
            uint64_t version = kit_item_is_saved(run, items, count, i);
            if (version != 0) kit_holds(run, &run->store, items[i].key, KIT_TEXT(texts[i]), version);
        }
    }
    free(texts);
    kit_end_items(items, count);
}

static void saves_as_save(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    static const size_t counts[] = {1, 2, 3, 7, 100, SKAN_BATCH_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof *counts && !run->failed; i++) save_and_look(run, counts[i]);
}

static void single_calls_go_on(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    kit_item *items = kit_items(3);
    name_keys(run, items, 3);
    for (uint32_t round = 0; round < run->rounds && !run->failed; round++) {
        size_t single = round % 3;
        uint64_t version = items[single].version;
        if (version != 0 && round % 5 == 4) {
            kit_removes(run, &run->store, items[single].key, version);
            version = 0;
        }
        items[single].version = kit_saves(run, &run->store, items[single].key, OLD, version);
        for (size_t i = 0; i < 3; i++) items[i].record = KIT_TEXT("a record"), items[i].expected = items[i].version;
        kit_save_many(&run->store, items, 3);
        for (size_t i = 0; i < 3; i++) items[i].version = kit_item_is_saved(run, items, 3, i);
        kit_holds(run, &run->store, items[single].key, KIT_TEXT("a record"), items[single].version);
    }
    kit_end_items(items, 3);
}

/* What an item of a batch expects of its key, and so what it is answered. */
enum { CREATE, UPDATE, STALE, INSERT_OVER, UPDATE_OF_NOTHING, UPDATE_OF_REMOVED, NEVER_GIVEN, WAYS };

/* A version near the stored one, in the ways stores compare numbers wrongly. */
static uint64_t never_given(uint64_t version, size_t which) {
    const uint64_t numbers[] = {version + 1, version ^ (uint64_t)1 << 32, version ^ (uint64_t)1 << 63, UINT64_MAX};
    uint64_t number = numbers[which % 4];
    return number == 0 || number == version ? version + 2 : number;
}

static void prepare(kit_run *run, kit_item *item, unsigned char way, size_t index, uint64_t *stored) {
    skan_store *store = &run->store;
    kit_clear(run, item->key);
    uint64_t first = way == CREATE || way == UPDATE_OF_NOTHING ? 0 : kit_saves(run, store, item->key, OLD, 0);
    *stored = first;
    item->expected = way == UPDATE_OF_NOTHING ? 1 + index : way == INSERT_OVER ? 0 : first;
    if (way == STALE) *stored = kit_saves(run, store, item->key, OLD, first);
    if (way == NEVER_GIVEN) item->expected = never_given(first, index);
    if (way == UPDATE_OF_REMOVED) {
        kit_removes(run, store, item->key, first);
        *stored = 0;
    }
}

/* Items of these ways at once: those that conflict change nothing, the others are saved. */
static void save_ways(kit_run *run, const unsigned char *ways, size_t count) {
    if (run->failed) return;
    kit_item *items = kit_items(count);
    uint64_t *stored = kit_allocate(count * sizeof *stored);
    char(*texts)[64] = kit_allocate(count * sizeof *texts);
    name_keys(run, items, count);
    for (size_t i = 0; i < count; i++) {
        prepare(run, &items[i], ways[i], i, &stored[i]);
        items[i].record = ways[i] == CREATE || ways[i] == UPDATE ? record_of(texts[i], i, 0) : OTHER;
    }
    if (!run->failed) kit_save_many(&run->store, items, count);
    for (size_t i = 0; i < count && !run->failed; i++) {
        if (ways[i] == CREATE || ways[i] == UPDATE) {
            uint64_t version = kit_item_is_saved(run, items, count, i);
            if (version != 0) kit_holds(run, &run->store, items[i].key, items[i].record, version);
        } else if (kit_item_conflicts(run, items, count, i)) {
            if (stored[i] == 0)
                kit_holds_nothing(run, &run->store, items[i].key);
            else
                kit_holds(run, &run->store, items[i].key, OLD, stored[i]);
        }
    }
    free(texts);
    free(stored);
    kit_end_items(items, count);
}

static void conflicts_are_of_items(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    unsigned char ways[64];
    for (unsigned char way = STALE; way < WAYS; way++) {
        save_ways(run, &way, 1);
        for (size_t place = 0; place < 5; place++) { /* one among others, in each place */
            for (size_t i = 0; i < 5; i++) ways[i] = i == place ? way : i % 2 ? CREATE : UPDATE;
            save_ways(run, ways, 5);
        }
        memset(ways, way, 5);
        save_ways(run, ways, 5);
    }
    kit_random random = {run->seed};
    for (int round = 0; round < 10; round++) {
        for (size_t i = 0; i < sizeof ways; i++) ways[i] = (unsigned char)kit_draw_below(&random, WAYS);
        save_ways(run, ways, sizeof ways);
    }
}

/* Versions that batches and single calls give to one key, with removes between; bytes are often equal. */
static void no_version_twice(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    enum { COUNT = 5 };
    kit_item *items = kit_items(COUNT);
    kit_versions versions[COUNT];
    memset(versions, 0, sizeof versions);
    name_keys(run, items, COUNT);
    kit_random random = {run->seed};
    for (uint32_t round = 0; round < run->rounds && !run->failed; round++) {
        for (size_t i = 0; i < COUNT; i++) {
            items[i].record = KIT_TEXT("a record");
            items[i].expected = items[i].version;
            if (items[i].version != 0 && kit_draw_below(&random, 4) == 0) {
                kit_removes(run, &run->store, items[i].key, items[i].version);
                items[i].expected = 0;
            }
        }
        kit_save_many(&run->store, items, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            items[i].version = kit_item_is_saved(run, items, COUNT, i);
            kit_versions_add(&versions[i], items[i].version);
            if (kit_draw_below(&random, 4) != 0) continue;
            items[i].version = kit_saves(run, &run->store, items[i].key, KIT_TEXT("a record"), items[i].version);
            kit_versions_add(&versions[i], items[i].version);
        }
    }
    for (size_t i = 0; i < COUNT; i++) kit_expect_no_repetition(run, &versions[i]);
    kit_end_items(items, COUNT);
}

/* The same saves in another order are answered alike, item by item. */
static void in_any_order(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    enum { COUNT = 24 };
    unsigned char ways[COUNT];
    const char *keys[COUNT];
    size_t order[COUNT];
    kit_item *items = kit_items(COUNT);
    name_keys(run, items, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        ways[i] = (unsigned char)(i * 5 % WAYS);
        keys[i] = items[i].key;
        order[i] = COUNT - 1 - i;
    }
    kit_random random = {run->seed};
    for (int round = 0; round < 12 && !run->failed; round++) {
        uint64_t stored;
        for (size_t i = 0; i < COUNT; i++) {
            items[i].key = keys[order[i]];
            items[i].record = OTHER;
            prepare(run, &items[i], ways[order[i]], i, &stored);
        }
        kit_save_many(&run->store, items, COUNT);
        for (size_t i = 0; i < COUNT && !run->failed; i++)
            if (ways[order[i]] == CREATE || ways[order[i]] == UPDATE)
                kit_holds(run, &run->store, items[i].key, OTHER, kit_item_is_saved(run, items, COUNT, i));
            else
                kit_item_conflicts(run, items, COUNT, i);
        kit_draw_order(&random, order, COUNT);
    }
    kit_end_items(items, COUNT);
}

static void large_records(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    kit_item *items = kit_items(SKAN_BATCH_MAX);
    unsigned char *records = kit_allocate((size_t)SKAN_BATCH_MAX * SKAN_RECORD_MAX);
    kit_random random = {run->seed};
    for (size_t i = 0; i < (size_t)SKAN_BATCH_MAX * SKAN_RECORD_MAX; i += sizeof(uint64_t)) {
        uint64_t drawn = kit_draw(&random);
        memcpy(records + i, &drawn, sizeof drawn);
    }
    name_keys(run, items, SKAN_BATCH_MAX);
    for (size_t i = 0; i < SKAN_BATCH_MAX; i++)
        items[i].record = (kit_bytes){records + i * SKAN_RECORD_MAX, SKAN_RECORD_MAX};
    if (!run->failed) kit_save_many(&run->store, items, SKAN_BATCH_MAX);
    for (size_t i = 0; i < SKAN_BATCH_MAX && !run->failed; i++)
        kit_holds(run, &run->store, items[i].key, items[i].record, kit_item_is_saved(run, items, SKAN_BATCH_MAX, i));
    free(records);
    kit_end_items(items, SKAN_BATCH_MAX);
}

static void many_bytes(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    enum { COUNT = 256 };
    unsigned char records[COUNT][COUNT];
    kit_item *items = kit_items(COUNT);
    name_keys(run, items, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < COUNT; k++) records[i][k] = (unsigned char)(i + k);
        items[i].record = (kit_bytes){records[i], 1 + i % 7 * 40}; /* of 1 byte among others */
    }
    kit_save_many(&run->store, items, COUNT);
    for (size_t i = 0; i < COUNT && !run->failed; i++)
        kit_holds(run, &run->store, items[i].key, items[i].record, kit_item_is_saved(run, items, COUNT, i));
    kit_end_items(items, COUNT);
}

static void odd_keys(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    const char *keys[KIT_ODD_KEYS_MAX];
    uint64_t versions[KIT_ODD_KEYS_MAX] = {0};
    char texts[KIT_ODD_KEYS_MAX][64];
    size_t count = kit_odd_keys(run, keys);
    kit_item *items = kit_items(count);
    for (uint32_t round = 0; round < 3 && !run->failed; round++) { /* the first half, the second, all */
        size_t first = round == 1 ? count / 2 : 0, end = round == 0 ? count / 2 : count;
        for (size_t i = first; i < end; i++) {
            items[i - first].key = keys[i];
            items[i - first].record = record_of(texts[i], i, round);
            items[i - first].expected = versions[i];
        }
        kit_save_many(&run->store, items, end - first);
        for (size_t i = first; i < end; i++) versions[i] = kit_item_is_saved(run, items, end - first, i - first);
        for (size_t i = 0; i < count && !run->failed; i++)
            if (versions[i] == 0)
                kit_holds_nothing(run, &run->store, keys[i]);
            else
                kit_holds(run, &run->store, keys[i], KIT_TEXT(texts[i]), versions[i]);
    }
    kit_end_items(items, count);
}

/* The memory of the call has other bytes afterwards, and is there until after the loads, so that a store that kept it
 * is found out, not crashed. */
static void copies(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    enum { COUNT = 2 };
    const char *keys[COUNT] = {kit_key(run, "one"), kit_key(run, "two")};
    char lent_keys[COUNT][KIT_KEY_SIZE], lent_records[COUNT][16];
    skan_save_item items[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        strcpy(lent_keys[i], keys[i]);
        strcpy(lent_records[i], "a lent record");
        items[i] = (skan_save_item){lent_keys[i], lent_records[i], 13, 0, 0, SKAN_ERROR_STORE_UNKNOWN};
    }
    run->store.save_many(run->store.context, items, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        memset(lent_keys[i], '?', strlen(keys[i]));
        memset(lent_records[i], '?', 13);
    }
    for (size_t i = 0; i < COUNT; i++)
        kit_holds(run, &run->store, keys[i], KIT_TEXT("a lent record"), items[i].new_version);
    for (size_t i = 0; i < COUNT; i++) strcpy(lent_keys[i], keys[i]);
    for (size_t i = 0; i < COUNT; i++) kit_clear(run, keys[i]);
}

static void leaves_items_in_place(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    static const char *const names[] = {"m", "z", "a", "y", "b"};
    enum { COUNT = sizeof names / sizeof *names };
    skan_save_item items[COUNT], before[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        before[i] = (skan_save_item){kit_key(run, names[i]), names[i], 1, i % 2, 0, SKAN_ERROR_STORE_UNKNOWN};
        items[i] = before[i];
    }
    run->store.save_many(run->store.context, items, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        skan_status wanted = i % 2 ? SKAN_ERROR_STORE_CONFLICT : SKAN_OK;
        if (items[i].key != before[i].key || items[i].data != before[i].data || items[i].length != before[i].length ||
            items[i].expected_version != before[i].expected_version)
            kit_fail(run, "save_many changed key, data, length or expected_version of item %zu", i);
        else if (items[i].status != wanted)
            kit_fail(run, "save_many, item %zu: expected %s, came %s (%d)", i, skan_status_name(wanted),
                     skan_status_name(items[i].status), (int)items[i].status);
    }
}

/* What one of the two has done, the other finds; with a second handle, or on the same. */
static void batches_see_each_other(kit_run *run, skan_store *one, skan_store *other) {
    enum { COUNT = 10 };
    kit_item *items = kit_items(COUNT);
    char texts[COUNT][64];
    name_keys(run, items, COUNT);
    for (uint32_t round = 0; round < 8 && !run->failed; round++) {
        skan_store *writer = round % 2 ? one : other, *reader = round % 2 ? other : one;
        uint64_t versions[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            items[i].record = record_of(texts[i], i, round);
            items[i].expected = items[i].version;
        }
        kit_save_many(writer, items, COUNT);
        for (size_t i = 0; i < COUNT; i++) versions[i] = kit_item_is_saved(run, items, COUNT, i);
        kit_load_many(reader, items, COUNT);
        for (size_t i = 0; i < COUNT; i++) kit_item_holds(run, items, COUNT, i, KIT_TEXT(texts[i]), versions[i]);
    }
    kit_end_items(items, COUNT);
}

static void load_many_sees(kit_run *run) {
    if (kit_offers(run, run->store.load_many && run->store.save_many, "load_many and save_many"))
        batches_see_each_other(run, &run->store, &run->store);
}

static void seen_through_another_handle(kit_run *run) {
    if (!kit_offers(run, run->store.load_many && run->store.save_many, "load_many and save_many")) return;
    skan_store second;
    if (!run->kit->shared) {
        kit_not_applicable(run, "handles of this store do not share records");
        return;
    }
    if (!kit_open(run, &second)) return;
    batches_see_each_other(run, &run->store, &second);
    kit_close(&second);
}

static void reopening_keeps(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many") || !kit_is_durable(run)) return;
    enum { COUNT = 40 };
    kit_item *items = kit_items(COUNT);
    uint64_t stored[COUNT];
    name_keys(run, items, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        prepare(run, &items[i], (unsigned char)(i % WAYS), i, &stored[i]);
        items[i].record = KIT_TEXT("kept");
    }
    kit_save_many(&run->store, items, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        if (i % WAYS == CREATE || i % WAYS == UPDATE)
            stored[i] = kit_item_is_saved(run, items, COUNT, i);
        else
            kit_item_conflicts(run, items, COUNT, i);
    bool open = kit_reopen(run);
    for (size_t i = 0; open && i < COUNT; i++) {
        bool is_saved = i % WAYS == CREATE || i % WAYS == UPDATE;
        if (stored[i] == 0)
            kit_holds_nothing(run, &run->store, items[i].key);
        else
            kit_holds(run, &run->store, items[i].key, is_saved ? KIT_TEXT("kept") : OLD, stored[i]);
    }
    kit_end_items(items, COUNT);
}

const kit_law kit_save_many_laws[] = {
    {"save_many saves as save does, 1 to 1024 records", saves_as_save},
    {"save_many goes on where single calls left off", single_calls_go_on},
    {"an item of save_many conflicts alone and changes nothing", conflicts_are_of_items},
    {"no version comes twice for a key through save_many", no_version_twice},
    {"save_many takes items in any order", in_any_order},
    {"save_many keeps 1024 records of 32768 bytes", large_records},
    {"save_many keeps any bytes", many_bytes},
    {"save_many tells keys apart", odd_keys},
    {"save_many copies keys and records", copies},
    {"save_many leaves its items in place", leaves_items_in_place},
    {"load_many sees what save_many saved", load_many_sees},
    {"load_many and save_many of two handles see each other", seen_through_another_handle},
    {"reopening keeps what save_many saved", reopening_keeps},
    {NULL, NULL},
};
