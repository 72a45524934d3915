/* Up to SKAN_BATCH_MAX records at once: their distinct keys, and what was loaded. What it takes does not depend on how
 * many installs there are. */
#ifndef BATCH_H
#define BATCH_H

#include "stores.h"

typedef struct batch {
    size_t count;
    skan_load_item items[SKAN_BATCH_MAX]; /* the keys belong to the batch */
    uint16_t slots[SKAN_BATCH_MAX * 2];   /* the keys by hash: index + 1; 0 = free */
} batch;

batch *batch_create(void);
void batch_destroy(batch *batch);
void batch_empty(batch *batch);

/* Whether the key is new in this batch, which has room; it is copied. */
bool batch_add(batch *batch, const char *key);

/* Loads every item, one by one where the store has no load_many. Statuses are SKAN_OK, SKAN_NOT_FOUND and
 * SKAN_ERROR_STORE. */
void batch_load(batch *batch, store *store);

/* The same of one record. */
skan_status record_load(store *store, const char *key, skan_buffer *out, uint64_t *version);

/* Saves many, one by one where the store has no save_many. Statuses are SKAN_OK, SKAN_ERROR_STORE_CONFLICT,
 * SKAN_ERROR_STORE and SKAN_ERROR_STORE_UNKNOWN. */
void records_save(store *store, skan_save_item *items, size_t count);

/* Removes one, and looks again while the outcome is unknown: SKAN_OK (gone), SKAN_ERROR_STORE_CONFLICT (another version
 * is there), SKAN_NOT_FOUND (others removed it), SKAN_ERROR_STORE. */
skan_status record_remove(store *store, const char *key, uint64_t version, skan_buffer *scratch);

#endif
