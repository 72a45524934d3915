/* A host's hooks, owned by the test: a clock that shows what it is told, and a store that keeps records in memory, by
 * the store contract of store.h. */
#ifndef HOST_H
#define HOST_H

#include <skan/store.h>

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct host_clock {
    int64_t microseconds;
    int finalized;
} host_clock;

skan_clock host_clock_hooks(host_clock *clock);

typedef struct host_record {
    char *key;
    void *data;
    size_t length;
    uint64_t version;
} host_record;

typedef struct host_store {
    pthread_mutex_t mutex;
    host_record *records; /* in the order of their keys */
    size_t count;
    uint64_t newest_version; /* of any record, also of removed ones: versions are never used twice */
    uint64_t changes;        /* records that were put or dropped */
    int finalized;
} host_store;

void host_store_init(host_store *store);
void host_store_end(host_store *store);

skan_store host_store_hooks(host_store *store);

/* The hooks themselves; `context` is a host_store. */
skan_status host_store_load(void *context, const char *key, skan_buffer *out, uint64_t *version);
skan_status host_store_save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                            uint64_t *new_version);
skan_status host_store_remove(void *context, const char *key, uint64_t expected_version);
void host_store_load_many(void *context, skan_load_item *items, size_t count);
void host_store_save_many(void *context, skan_save_item *items, size_t count);

/* The host's own view: the record under a key, NULL if there is none. */
host_record *host_store_find(host_store *store, const char *key);
/* Puts bytes there whatever was there before. */
void host_store_put(host_store *store, const char *key, const void *data, size_t length);
void host_store_drop(host_store *store, const char *key);

#ifdef __cplusplus
}
#endif

#endif
