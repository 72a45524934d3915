/* Laws of many loads in one call: each item is answered as a load would be. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

/* A store, for load_many, of which every second key has a record. */
typedef struct shelf {
    kit_run *run;
    const char *keys[SKAN_BATCH_MAX];
    uint64_t versions[SKAN_BATCH_MAX]; /* 0 = no record */
} shelf;

static kit_bytes record_of(char text[64], size_t place) {
    snprintf(text, 64, "the record at place %zu", place);
    return KIT_TEXT(text);
}

static shelf *new_shelf(kit_run *run) {
    shelf *shelf = kit_allocate(sizeof *shelf);
    shelf->run = run;
    for (size_t i = 0; i < SKAN_BATCH_MAX; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "place %zu", i);
        shelf->keys[i] = kit_key(run, name);
        if (i % 2 == 0 || run->failed) continue;
        shelf->versions[i] = kit_saves(run, &run->store, shelf->keys[i], record_of(text, i), 0);
    }
    return shelf;
}

/* Loads these places at once. */
static void load_places(shelf *shelf, const size_t *places, size_t count) {
    kit_run *run = shelf->run;
    if (run->failed) return;
    kit_item *items = kit_items(count);
    for (size_t i = 0; i < count; i++) items[i].key = shelf->keys[places[i]];
    kit_load_many(&run->store, items, count);
    for (size_t i = 0; i < count; i++) {
        char text[64];
        uint64_t version = shelf->versions[places[i]];
        if (version == 0)
            kit_item_holds_nothing(run, items, count, i);
        else
            kit_item_holds(run, items, count, i, record_of(text, places[i]), version);
    }
    kit_end_items(items, count);
}

/* The first `count` of the places first, first + step, ... */
static void load_some(shelf *shelf, size_t first, size_t step, size_t count) {
    size_t places[SKAN_BATCH_MAX];
    for (size_t i = 0; i < count; i++) places[i] = first + i * step;
    load_places(shelf, places, count);
}

static void answers_as_load(kit_run *run) {
    if (!kit_offers(run, run->store.load_many, "load_many")) return;
    shelf *shelf = new_shelf(run);
    static const size_t counts[] = {1, 2, 3, 7, 100, SKAN_BATCH_MAX / 2};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        load_some(shelf, 0, 2, counts[i]); /* without records */
        load_some(shelf, 1, 2, counts[i]); /* with */
        load_some(shelf, 0, 1, counts[i]);
        load_some(shelf, 1, 1, counts[i]);
    }
    load_some(shelf, 0, 1, SKAN_BATCH_MAX);
    free(shelf);
}

static void sees_each_change(kit_run *run) {
    if (!kit_offers(run, run->store.load_many, "load_many")) return;
    const char *keys[] = {kit_key(run, "one"), kit_key(run, "two"), kit_key(run, "three")};
    uint64_t versions[3] = {0, 0, 0};
    kit_item *items = kit_items(3);
    for (uint32_t round = 0; round < run->rounds && !run->failed; round++) {
        size_t changed = round % 3;
        char texts[3][64];
        for (size_t i = 0; i < 3; i++) items[i].key = keys[i], record_of(texts[i], round - (round + 3 - i) % 3);
        if (versions[changed] != 0 && round % 4 == 3) {
            kit_removes(run, &run->store, keys[changed], versions[changed]);
            versions[changed] = 0;
        } else
            versions[changed] = kit_saves(run, &run->store, keys[changed], KIT_TEXT(texts[changed]), versions[changed]);
        kit_load_many(&run->store, items, 3);
        for (size_t i = 0; i < 3; i++)
            if (versions[i] == 0)
                kit_item_holds_nothing(run, items, 3, i);
            else
                kit_item_holds(run, items, 3, i, KIT_TEXT(texts[i]), versions[i]);
    }
    kit_end_items(items, 3);
}

static void in_any_order(kit_run *run) {
    if (!kit_offers(run, run->store.load_many, "load_many")) return;
    shelf *shelf = new_shelf(run);
    kit_random random = {run->seed};
    size_t places[SKAN_BATCH_MAX];
    for (size_t i = 0; i < 60; i++) places[i] = 59 - i;
    load_places(shelf, places, 60);
    for (int round = 0; round < 20; round++) {
        kit_draw_order(&random, places, round ? 60 : SKAN_BATCH_MAX);
        load_places(shelf, places, round ? 60 : SKAN_BATCH_MAX);
    }
    free(shelf);
}

static void large_records(kit_run *run) {
    if (!kit_offers(run, run->store.load_many, "load_many")) return;
    kit_item *items = kit_items(SKAN_BATCH_MAX);
    unsigned char *record = kit_allocate(SKAN_RECORD_MAX);
    kit_random random = {run->seed};
    for (size_t i = 0; i < SKAN_RECORD_MAX; i++) record[i] = (unsigned char)kit_draw(&random);
    uint64_t *versions = kit_allocate(SKAN_BATCH_MAX * sizeof *versions);
    for (size_t i = 0; i < SKAN_BATCH_MAX && !run->failed; i++) {
        char name[32];
        snprintf(name, sizeof name, "large %zu", i);
        items[i].key = kit_key(run, name);
        memcpy(record, &i, sizeof i);
        versions[i] = kit_saves(run, &run->store, items[i].key, (kit_bytes){record, SKAN_RECORD_MAX}, 0);
    }
    if (!run->failed) kit_load_many(&run->store, items, SKAN_BATCH_MAX);
    for (size_t i = 0; i < SKAN_BATCH_MAX && !run->failed; i++) {
        memcpy(record, &i, sizeof i);
        kit_item_holds(run, items, SKAN_BATCH_MAX, i, (kit_bytes){record, SKAN_RECORD_MAX}, versions[i]);
    }
    free(versions);
    free(record);
    kit_end_items(items, SKAN_BATCH_MAX);
}

static void many_bytes(kit_run *run) {
    if (!kit_offers(run, run->store.load_many, "load_many")) return;
    static const kit_bytes records[] = {
        {"\0", 1}, {"x", 1}, {"\0behind", 7}, {"before\0behind", 13}, {"a,b", 3}, {"\\x41", 4}, {"NULL", 4}, {"{}", 2},
        {"\"", 1}, {"\r\n", 2}, {"\xFF\xFE\x80", 3}, {"$1\r\nx\r\n", 7}, {"'; --", 5}, {" ", 1}};
    enum { COUNT = sizeof records / sizeof *records };
    kit_item *items = kit_items(COUNT);
    uint64_t versions[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        char name[32];
        snprintf(name, sizeof name, "bytes %zu", i);
        items[i].key = kit_key(run, name);
        versions[i] = kit_saves(run, &run->store, items[i].key, records[i], 0);
    }
    kit_load_many(&run->store, items, COUNT);
    for (size_t i = 0; i < COUNT; i++) kit_item_holds(run, items, COUNT, i, records[i], versions[i]);
    kit_end_items(items, COUNT);
}

static void odd_keys(kit_run *run) {
    if (!kit_offers(run, run->store.load_many, "load_many")) return;
    const char *keys[KIT_ODD_KEYS_MAX];
    uint64_t versions[KIT_ODD_KEYS_MAX];
    char text[64];
    size_t count = kit_odd_keys(run, keys);
    kit_item *items = kit_items(count);
    for (size_t missing = 0; missing < 2; missing++) {
        for (size_t i = 0; i < count; i++) {
            items[i].key = keys[i];
            kit_clear(run, keys[i]);
            versions[i] = i % 2 == missing ? 0 : kit_saves(run, &run->store, keys[i], record_of(text, i), 0);
        }
        kit_load_many(&run->store, items, count);
        for (size_t i = 0; i < count; i++)
            if (versions[i] == 0)
                kit_item_holds_nothing(run, items, count, i);
            else
                kit_item_holds(run, items, count, i, record_of(text, i), versions[i]);
    }
    kit_end_items(items, count);
}

static void replaces_the_buffers(kit_run *run) {
    if (!kit_offers(run, run->store.load_many, "load_many")) return;
    const char *keys[] = {kit_key(run, "one"), kit_key(run, "two")};
    static const char *const held[] = {"", "x", "a RECORD", "much longer than any of the records that are loaded here"};
    uint64_t versions[2];
    versions[0] = kit_saves(run, &run->store, keys[0], KIT_TEXT("a record"), 0);
    versions[1] = kit_saves(run, &run->store, keys[1], KIT_TEXT("b record"), 0);
    kit_item *items = kit_items(2);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        for (size_t k = 0; k < 2; k++) {
            items[k].key = keys[k];
            skan_buffer_set(items[k].buffer, held[i], strlen(held[i]));
        }
        kit_load_many(&run->store, items, 2);
        kit_item_holds(run, items, 2, 0, KIT_TEXT("a record"), versions[0]);
        kit_item_holds(run, items, 2, 1, KIT_TEXT("b record"), versions[1]);
    }
    kit_end_items(items, 2);
}

/* A store may sort for itself, not for its caller. */
static void leaves_items_in_place(kit_run *run) {
    if (!kit_offers(run, run->store.load_many, "load_many")) return;
    static const char *const names[] = {"m", "z", "a", "y", "b"};
    enum { COUNT = sizeof names / sizeof *names };
    skan_load_item items[COUNT];
    kit_item *made = kit_items(COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        made[i].key = kit_key(run, names[i]);
        if (i % 2) kit_saves(run, &run->store, made[i].key, KIT_TEXT("a record"), 0);
        items[i] = (skan_load_item){made[i].key, made[i].buffer, 0, SKAN_ERROR_STORE};
    }
    run->store.load_many(run->store.context, items, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        if (items[i].key != made[i].key || items[i].out != made[i].buffer)
            kit_fail(run, "load_many changed the key or the buffer of item %zu", i);
        else if (items[i].status != (i % 2 ? SKAN_OK : SKAN_NOT_FOUND))
            kit_fail(run, "load_many, item %zu: answered %s (%d)", i, skan_status_name(items[i].status),
                     (int)items[i].status);
    }
    kit_end_items(made, COUNT);
}

const kit_law kit_load_many_laws[] = {
    {"load_many answers as load does, for 1 to 1024 keys", answers_as_load},
    {"load_many sees every change", sees_each_change},
    {"load_many takes keys in any order", in_any_order},
    {"load_many gives 1024 records of 32768 bytes", large_records},
    {"load_many gives any bytes", many_bytes},
    {"load_many tells keys apart", odd_keys},
    {"load_many replaces what the buffers held", replaces_the_buffers},
    {"load_many leaves its items in place", leaves_items_in_place},
    {NULL, NULL},
};
