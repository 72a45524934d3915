/* A store over a pool of connections: each of its hooks borrows one, and reports what went wrong. */
#ifndef POOLED_STORE_H
#define POOLED_STORE_H

#include "pool.h"

/* What a store does on a connection that a call has borrowed. */
typedef struct pooled_store_kind {
    /* As the hooks of skan_store; `trouble` is set where they answer an error other than a conflict. */
    skan_status (*load)(pooled *lent, const char *key, skan_buffer *out, uint64_t *version, trouble *trouble);
    skan_status (*save)(pooled *lent, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version, trouble *trouble);
    skan_status (*remove)(pooled *lent, const char *key, uint64_t expected_version, trouble *trouble);
    skan_status (*list)(pooled *lent, skan_buffer *cursor, skan_buffer *keys, trouble *trouble);
    /* Each item gets its status; they answer SKAN_OK, or what to report of them. */
    skan_status (*load_many)(pooled *lent, skan_load_item *items, size_t count, trouble *trouble);
    skan_status (*save_many)(pooled *lent, skan_save_item *items, size_t count, trouble *trouble);

    void (*end)(void *settings); /* with what stands in them */
} pooled_store_kind;

typedef struct pooled_store {
    const pooled_store_kind *kind;
    pool *pool;
    void *settings;
    reporter reporter;
} pooled_store;

/* Opens the pool, over settings that become the store's, also where this fails: NULL, and trouble. */
pooled_store *pooled_store_open(const pooled_store_kind *kind, const pool_settings *pool, void *settings,
                                reporter reporter, trouble *trouble);
void pooled_store_end(pooled_store *store);

/* The hooks of a store, put to `out`; all zero for NULL. */
void pooled_store_fill(skan_store *out, pooled_store *store);
/* Ends the store whose hooks these are, if it is one of this kind, and clears them. */
void pooled_store_close(skan_store *store, const pooled_store_kind *kind);

#endif
