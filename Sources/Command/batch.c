#include "batch.h"

#include "memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS (SKAN_BATCH_MAX * 2)
#define UNKNOWN_ATTEMPTS 5

/* Whether the store's struct goes on to this member, and has it. */
#define HAS(hooks, member) \
    ((hooks).size >= offsetof(skan_store, member) + sizeof(hooks).member && (hooks).member)

batch *batch_create(void) {
    batch *created = memory_take(sizeof *created);
    for (size_t index = 0; index < SKAN_BATCH_MAX; index++) created->items[index].out = skan_buffer_create();
    return created;
}

void batch_empty(batch *batch) {
    for (size_t index = 0; index < batch->count; index++) {
        free((char *)batch->items[index].key);
        batch->items[index].key = NULL;
    }
    batch->count = 0;
    memset(batch->slots, 0, sizeof batch->slots);
}

void batch_destroy(batch *batch) {
    batch_empty(batch);
    for (size_t index = 0; index < SKAN_BATCH_MAX; index++) skan_buffer_destroy(batch->items[index].out);
    free(batch);
}

/* FNV-1a. */
static size_t hash(const char *key) {
    uint64_t value = 0xCBF29CE484222325;
    for (const unsigned char *byte = (const unsigned char *)key; *byte; byte++) value = (value ^ *byte) * 0x100000001B3;
    return (size_t)(value ^ value >> 32);
}

bool batch_add(batch *batch, const char *key) {
    size_t slot = hash(key) % SLOTS;
    for (; batch->slots[slot]; slot = (slot + 1) % SLOTS)
        if (strcmp(batch->items[batch->slots[slot] - 1].key, key) == 0) return false;
    batch->items[batch->count].key = memory_copy(key);
    batch->slots[slot] = (uint16_t)++batch->count;
    return true;
}

static skan_status load_status(skan_status status, uint64_t version) {
    if (status == SKAN_NOT_FOUND || (status == SKAN_OK && version != 0)) return status;
    return SKAN_ERROR_STORE;
}

skan_status record_load(store *store, const char *key, skan_buffer *out, uint64_t *version) {
    skan_buffer_set(out, NULL, 0);
    *version = 0;
    skan_status status = store->hooks.load(store->hooks.context, key, out, version);
    return load_status(status, *version);
}

void batch_load(batch *batch, store *store) {
    if (!HAS(store->hooks, load_many)) {
        for (size_t index = 0; index < batch->count; index++) {
            skan_load_item *item = &batch->items[index];
            item->status = record_load(store, item->key, item->out, &item->version);
        }
        return;
    }
    for (size_t index = 0; index < batch->count; index++) {
        skan_buffer_set(batch->items[index].out, NULL, 0);
        batch->items[index].version = 0;
        batch->items[index].status = SKAN_ERROR_STORE;
    }
    if (batch->count > 0) store->hooks.load_many(store->hooks.context, batch->items, batch->count);
    for (size_t index = 0; index < batch->count; index++)
        batch->items[index].status = load_status(batch->items[index].status, batch->items[index].version);
}

static skan_status change_status(skan_status status) {
    bool is_known = status == SKAN_OK || status == SKAN_ERROR_STORE_CONFLICT || status == SKAN_ERROR_STORE;
    return is_known ? status : SKAN_ERROR_STORE_UNKNOWN;
}

void records_save(store *store, skan_save_item *items, size_t count) {
    bool is_many = HAS(store->hooks, save_many);
    for (size_t index = 0; index < count; index++) {
        skan_save_item *item = &items[index];
        item->new_version = 0;
        item->status = SKAN_ERROR_STORE_UNKNOWN;
        if (!is_many)
            item->status = store->hooks.save(store->hooks.context, item->key, item->data, item->length,
                                             item->expected_version, &item->new_version);
    }
    if (is_many && count > 0) store->hooks.save_many(store->hooks.context, items, count);
    for (size_t index = 0; index < count; index++) {
        skan_save_item *item = &items[index];
        item->status = change_status(item->status);
        if (item->status == SKAN_OK && (item->new_version == 0 || item->new_version == item->expected_version))
            item->status = SKAN_ERROR_STORE_UNKNOWN;
    }
}

skan_status record_remove(store *store, const char *key, uint64_t version, skan_buffer *scratch) {
    for (int attempt = 0; attempt < UNKNOWN_ATTEMPTS; attempt++) {
        skan_status status = change_status(store->hooks.remove(store->hooks.context, key, version));
        if (status == SKAN_OK || status == SKAN_ERROR_STORE) return status;
        uint64_t there = 0;
        skan_status loaded = record_load(store, key, scratch, &there);
        if (loaded == SKAN_NOT_FOUND) return status == SKAN_ERROR_STORE_UNKNOWN ? SKAN_OK : SKAN_NOT_FOUND;
        if (loaded == SKAN_OK && there != version) return SKAN_ERROR_STORE_CONFLICT;
    }
    return SKAN_ERROR_STORE;
}
