/* Many loads and saves at once, checked item by item. */
#define _GNU_SOURCE
#include "run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

kit_item *kit_items(size_t count) {
    kit_item *items = kit_allocate(count * sizeof *items);
    for (size_t i = 0; i < count; i++) items[i].buffer = skan_buffer_create();
    return items;
}

void kit_end_items(kit_item *items, size_t count) {
    for (size_t i = 0; i < count; i++) skan_buffer_destroy(items[i].buffer);
    free(items);
}

/* -------------------------------------------------------------------------------------------------------- calls */

/* Copies that have other bytes after the call, as in kit_save. */
static void *lend(const void *data, size_t length) {
    void *lent = kit_allocate(length);
    if (length > 0) memcpy(lent, data, length);
    return lent;
}

static void take_back(const void *lent, size_t length) {
    unsigned char *bytes = (unsigned char *)(uintptr_t)lent;
    for (size_t i = 0; i < length; i++) bytes[i] = (unsigned char)~bytes[i];
    free(bytes);
}

static void load_one_by_one(skan_store *store, kit_item *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        items[i].status = kit_load(store, items[i].key, items[i].buffer, &items[i].version);
}

void kit_load_many(skan_store *store, kit_item *items, size_t count) {
    if (!store->load_many) {
        load_one_by_one(store, items, count);
        return;
    }
    skan_load_item *calls = kit_allocate(count * sizeof *calls);
    const char **keys = kit_allocate(count * sizeof *keys);
    for (size_t i = 0; i < count; i++) {
        keys[i] = lend(items[i].key, strlen(items[i].key) + 1);
        calls[i] = (skan_load_item){keys[i], items[i].buffer, 0, SKAN_ERROR_STORE};
    }
    store->load_many(store->context, calls, count);
    for (size_t i = 0; i < count; i++) {
        items[i].status = calls[i].status;
        items[i].version = calls[i].status == SKAN_OK ? calls[i].version : 0;
        take_back(keys[i], strlen(keys[i]) + 1);
    }
    free(keys);
    free(calls);
}

static void save_one_by_one(skan_store *store, kit_item *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        items[i].status = kit_save(store, items[i].key, items[i].record, items[i].expected, &items[i].version);
}

void kit_save_many(skan_store *store, kit_item *items, size_t count) {
    if (!store->save_many) {
        save_one_by_one(store, items, count);
        return;
    }
    skan_save_item *calls = kit_allocate(count * sizeof *calls), *lent = kit_allocate(count * sizeof *lent);
    for (size_t i = 0; i < count; i++) {
        const kit_item *item = &items[i];
        lent[i] = (skan_save_item){lend(item->key, strlen(item->key) + 1),
                                   lend(item->record.data, item->record.length),
                                   item->record.length,
                                   item->expected,
                                   0,
                                   SKAN_ERROR_STORE_UNKNOWN};
        calls[i] = lent[i];
    }
    store->save_many(store->context, calls, count);
    for (size_t i = 0; i < count; i++) {
        items[i].status = calls[i].status;
        items[i].version = calls[i].status == SKAN_OK ? calls[i].new_version : 0;
        take_back(lent[i].key, strlen(lent[i].key) + 1);
        take_back(lent[i].data, lent[i].length);
    }
    free(calls);
    free(lent);
}

/* ------------------------------------------------------------------------------------------------------- checks */

/* Fails with "load_many, item 3 of 0..<7, "key": " and what is behind it. */
static bool fail_item(kit_run *run, const char *call, const kit_item *items, size_t count, size_t index,
                      const char *format, ...) KIT_PRINTS(6, 7);

static bool fail_item(kit_run *run, const char *call, const kit_item *items, size_t count, size_t index,
                      const char *format, ...) {
    if (run->failed) return false;
    char *what = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&what, format, values) < 0) abort();
    va_end(values);
    kit_text text = {NULL, 0, 0};
    kit_print(&text, "%s, item %zu of 0..<%zu, ", call, index, count);
    kit_print_bytes(&text, items[index].key, strlen(items[index].key));
    if (strcmp(call, "save_many") == 0) kit_print(&text, ", expected_version %" PRIu64, items[index].expected);
    kit_fail(run, "%s: %s", text.bytes, what);
    free(text.bytes);
    free(what);
    return false;
}

static bool answered(kit_run *run, const char *call, const kit_item *items, size_t count, size_t index,
                     skan_status wanted) {
    if (items[index].status == wanted) return true;
    return fail_item(run, call, items, count, index, "expected %s, came %s (%d)", skan_status_name(wanted),
                     skan_status_name(items[index].status), (int)items[index].status);
}

uint64_t kit_item_is_saved(kit_run *run, const kit_item *items, size_t count, size_t index) {
    if (!answered(run, "save_many", items, count, index, SKAN_OK)) return 0;
    uint64_t version = items[index].version;
    if (version != 0 && version != items[index].expected) return version;
    fail_item(run, "save_many", items, count, index, "expected a new version, came %" PRIu64, version);
    return 0;
}

bool kit_item_conflicts(kit_run *run, const kit_item *items, size_t count, size_t index) {
    return answered(run, "save_many", items, count, index, SKAN_ERROR_STORE_CONFLICT);
}

bool kit_item_holds_nothing(kit_run *run, const kit_item *items, size_t count, size_t index) {
    return answered(run, "load_many", items, count, index, SKAN_NOT_FOUND);
}

bool kit_item_holds(kit_run *run, const kit_item *items, size_t count, size_t index, kit_bytes record,
                    uint64_t version) {
    if (!answered(run, "load_many", items, count, index, SKAN_OK)) return false;
    if (items[index].version != version)
        return fail_item(run, "load_many", items, count, index, "expected version %" PRIu64 ", came %" PRIu64, version,
                         items[index].version);
    size_t size = skan_buffer_size(items[index].buffer), same = 0;
    const unsigned char *wanted = record.data, *came = skan_buffer_data(items[index].buffer);
    while (same < size && same < record.length && wanted[same] == came[same]) same++;
    if (same == size && same == record.length) return true;
    return fail_item(run, "load_many", items, count, index,
                     "expected %zu bytes, came %zu, of which the first %zu are equal", record.length, size, same);
}

bool kit_offers(kit_run *run, bool offered, const char *hook) {
    if (offered) return true;
    kit_text why = {NULL, 0, 0};
    kit_print(&why, "the store has no %s", hook);
    kit_not_applicable(run, why.bytes);
    free(why.bytes);
    return false;
}
