/* A connection to the file: opened with its settings and the table checked, the operations by prepared statements.
 * Used by one thread at a time. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include "../StoreSupport/pool.h"

#include <sqlite3.h>
#include <time.h>

typedef struct connection_settings {
    char *path; /* absolute, so that it is neither a URI nor relative to a directory that changes */
    bool is_full;
    uint32_t busy_timeout_ms;
} connection_settings;

typedef struct connection {
    pooled pooled;
    const connection_settings *settings;
    sqlite3 *database;
    sqlite3_stmt *load, *insert, *update, *remove, *list;
    struct timespec waits_since; /* for a lock of another process */
    bool is_committing;          /* the running statement has begun to seal what it changed */
} connection;

/* Connections to the file of their connection_settings, replaced where another file, or none, is at its path. Only the
 * first of a store makes the file and its table. */
extern const pool_kind connection_kind;

/* The members of a pooled_store_kind. Those of many answer the worst of their items, with its trouble, conflicts and
 * missing records aside. */
skan_status connection_load(pooled *lent, const char *key, skan_buffer *out, uint64_t *version, trouble *trouble);
skan_status connection_save(pooled *lent, const char *key, const void *data, size_t length, uint64_t expected,
                            uint64_t *version, trouble *trouble);
skan_status connection_remove(pooled *lent, const char *key, uint64_t expected, trouble *trouble);
skan_status connection_list(pooled *lent, skan_buffer *cursor, skan_buffer *keys, trouble *trouble);
skan_status connection_load_many(pooled *lent, skan_load_item *items, size_t count, trouble *trouble);
skan_status connection_save_many(pooled *lent, skan_save_item *items, size_t count, trouble *trouble);

#endif
