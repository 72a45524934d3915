#define _GNU_SOURCE
#include "host.h"

#include <stdlib.h>
#include <string.h>

static int64_t host_clock_now(void *context) {
    return ((host_clock *)context)->microseconds;
}

static void host_clock_finalize(void *context) {
    ((host_clock *)context)->finalized++;
}

skan_clock host_clock_hooks(host_clock *clock) {
    return (skan_clock){sizeof(skan_clock), clock, host_clock_now, host_clock_finalize};
}

static void *copied(const void *data, size_t length) {
    void *copy = malloc(length ? length : 1);
    if (!copy) abort();
    if (length) memcpy(copy, data, length);
    return copy;
}

void host_store_init(host_store *store) {
    memset(store, 0, sizeof *store);
    pthread_mutex_init(&store->mutex, NULL);
}

void host_store_end(host_store *store) {
    for (size_t i = 0; i < store->count; i++) {
        free(store->records[i].key);
        free(store->records[i].data);
    }
    free(store->records);
    pthread_mutex_destroy(&store->mutex);
}

/* Records lie in the order of their keys: where this one is, or would be. */
static size_t place_of(const host_store *store, const char *key) {
    size_t first = 0, end = store->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (strcmp(store->records[middle].key, key) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

host_record *host_store_find(host_store *store, const char *key) {
    size_t place = place_of(store, key);
    return place < store->count && strcmp(store->records[place].key, key) == 0 ? &store->records[place] : NULL;
}

void host_store_put(host_store *store, const char *key, const void *data, size_t length) {
    void *copy = copied(data, length);
    host_record *record = host_store_find(store, key);
    if (!record) {
        store->records = realloc(store->records, (store->count + 1) * sizeof *store->records);
        if (!store->records) abort();
        size_t place = place_of(store, key);
        record = &store->records[place];
        memmove(record + 1, record, (store->count++ - place) * sizeof *record);
        *record = (host_record){.key = copied(key, strlen(key) + 1)};
    }
    free(record->data);
    record->data = copy;
    record->length = length;
    record->version = ++store->newest_version;
    store->changes++;
}

void host_store_drop(host_store *store, const char *key) {
    host_record *record = host_store_find(store, key);
    if (!record) return;
    free(record->key);
    free(record->data);
    size_t behind = --store->count - (size_t)(record - store->records);
    memmove(record, record + 1, behind * sizeof *record);
    store->changes++;
}

skan_status host_store_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    host_store *store = context;
    pthread_mutex_lock(&store->mutex);
    host_record *record = host_store_find(store, key);
    skan_status status = SKAN_NOT_FOUND;
    if (record) {
        status = skan_buffer_set(out, record->data, record->length);
        *version = record->version;
    }
    pthread_mutex_unlock(&store->mutex);
    return status;
}

skan_status host_store_save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                            uint64_t *new_version) {
    host_store *store = context;
    pthread_mutex_lock(&store->mutex);
    host_record *record = host_store_find(store, key);
    bool matches = (record ? record->version : 0) == expected_version;
    if (matches) {
        host_store_put(store, key, data, length);
        *new_version = store->newest_version;
    }
    pthread_mutex_unlock(&store->mutex);
    return matches ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT;
}

skan_status host_store_remove(void *context, const char *key, uint64_t expected_version) {
    host_store *store = context;
    pthread_mutex_lock(&store->mutex);
    host_record *record = host_store_find(store, key);
    bool matches = record && record->version == expected_version;
    if (matches) host_store_drop(store, key);
    pthread_mutex_unlock(&store->mutex);
    return matches ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT;
}

void host_store_load_many(void *context, skan_load_item *items, size_t count) {
    for (skan_load_item *item = items; item < items + count; item++)
        item->status = host_store_load(context, item->key, item->out, &item->version);
}

void host_store_save_many(void *context, skan_save_item *items, size_t count) {
    for (skan_save_item *item = items; item < items + count; item++)
        item->status = host_store_save(context, item->key, item->data, item->length, item->expected_version,
                                       &item->new_version);
}

static void host_store_finalize(void *context) {
    ((host_store *)context)->finalized++;
}

skan_store host_store_hooks(host_store *store) {
    return (skan_store){.size = sizeof(skan_store),
                        .context = store,
                        .load = host_store_load,
                        .save = host_store_save,
                        .remove = host_store_remove,
                        .finalize = host_store_finalize};
}
