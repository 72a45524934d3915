#include <skan/sqlite.h>

#include "../StoreSupport/options.h"
#include "connection.h"
#include "file.h"

#include <stdlib.h>
#include <string.h>

typedef struct store {
    connection_settings settings;
    pool *pool;
    reporter reporter;
} store;

/* ------------------------------------------------------------------------------------------------------------ hooks */

static connection *take(store *store, bool writes, trouble *trouble) {
    return (connection *)pool_take(store->pool, writes, trouble);
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    store *store = context;
    trouble trouble;
    skan_status status = SKAN_ERROR_STORE;
    connection *connection = take(store, false, &trouble);
    if (connection) {
        status = connection_load(connection, key, out, version, &trouble);
        pool_give_back(store->pool, &connection->pooled, false);
    }
    return trouble_reported(&store->reporter, status, &trouble);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version) {
    store *store = context;
    trouble trouble;
    skan_status status = SKAN_ERROR_STORE;
    connection *connection = take(store, true, &trouble);
    if (connection) {
        status = connection_save(connection, key, data, length, expected_version, new_version, &trouble);
        pool_give_back(store->pool, &connection->pooled, true);
    }
    return trouble_reported(&store->reporter, status, &trouble);
}

static skan_status remove_record(void *context, const char *key, uint64_t expected_version) {
    store *store = context;
    trouble trouble;
    skan_status status = SKAN_ERROR_STORE;
    connection *connection = take(store, true, &trouble);
    if (connection) {
        status = connection_remove(connection, key, expected_version, &trouble);
        pool_give_back(store->pool, &connection->pooled, true);
    }
    return trouble_reported(&store->reporter, status, &trouble);
}

static void load_many(void *context, skan_load_item *items, size_t count) {
    store *store = context;
    trouble trouble;
    skan_status status = SKAN_ERROR_STORE;
    connection *connection = take(store, false, &trouble);
    for (size_t i = 0; i < count; i++) items[i].status = status;
    if (connection) {
        status = connection_load_many(connection, items, count, &trouble);
        pool_give_back(store->pool, &connection->pooled, false);
    }
    trouble_reported(&store->reporter, status, &trouble);
}

static void save_many(void *context, skan_save_item *items, size_t count) {
    store *store = context;
    trouble trouble;
    skan_status status = SKAN_ERROR_STORE;
    connection *connection = take(store, true, &trouble);
    for (size_t i = 0; i < count; i++) items[i].status = status;
    if (connection) {
        status = connection_save_many(connection, items, count, &trouble);
        pool_give_back(store->pool, &connection->pooled, true);
    }
    trouble_reported(&store->reporter, status, &trouble);
}

static skan_status list(void *context, skan_buffer *cursor, skan_buffer *keys) {
    store *store = context;
    trouble trouble;
    skan_status status = SKAN_ERROR_STORE;
    connection *connection = take(store, false, &trouble);
    if (connection) {
        status = connection_list(connection, cursor, keys, &trouble);
        pool_give_back(store->pool, &connection->pooled, false);
    }
    return trouble_reported(&store->reporter, status, &trouble);
}

static void end(store *store) {
    if (store->pool) pool_close(store->pool);
    free(store->settings.path);
    free(store);
}

static void finalize(void *context) {
    end(context);
}

/* ---------------------------------------------------------------------------------------------------------- opening */

static void fill(skan_store *out, store *store) {
    memset(out, 0, sizeof *out);
    if (!store) return;
    out->size = sizeof *out;
    out->context = store;
    out->load = load;
    out->save = save;
    out->remove = remove_record;
    out->finalize = finalize;
    out->load_many = load_many;
    out->save_many = save_many;
    out->list = list;
}

/* The options as this library knows them, with defaults in place of zeros. */
static skan_status read_options(const skan_sqlite_options *given, skan_sqlite_options *read, trouble *trouble) {
    if (options_read(given, read, sizeof *read, trouble) != SKAN_OK) return trouble->status;
    if (read->synchronous != SKAN_SQLITE_FULL && read->synchronous != SKAN_SQLITE_NORMAL)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "options.synchronous: expected 0 or 1, got %d",
                           (int)read->synchronous);
    if (!option_is_at_most("busy_timeout_ms", read->busy_timeout_ms, 3600000, trouble) ||
        !option_is_at_most("max_connections", read->max_connections, 1024, trouble) ||
        !option_is_at_most("reserved", read->reserved, 0, trouble))
        return trouble->status;
    if (read->busy_timeout_ms == 0) read->busy_timeout_ms = 5000;
    if (read->max_connections == 0) read->max_connections = 8;
    return SKAN_OK;
}

static skan_status open_store(const char *path, const skan_sqlite_options *given, skan_store *out, trouble *trouble) {
    if (!out) return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "out: expected a skan_store, got NULL");
    fill(out, NULL);
    if (!path || !path[0])
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "path: expected a file's name, got %s",
                           path ? "\"\"" : "NULL");
    skan_sqlite_options options;
    if (read_options(given, &options, trouble) != SKAN_OK) return trouble->status;
    if (!sqlite3_threadsafe())
        return trouble_set(trouble, SKAN_ERROR_STORE, "%s: this SQLite was built without threads", path);
    store *opened = calloc(1, sizeof *opened);
    if (!opened) return trouble_set(trouble, SKAN_ERROR_STORE, "%s: out of memory", path);
    opened->reporter = (reporter){options.report, options.report_context};
    opened->settings.is_full = options.synchronous == SKAN_SQLITE_FULL;
    opened->settings.busy_timeout_ms = options.busy_timeout_ms;
    if (file_find(path, &opened->settings.path, trouble) == SKAN_OK) {
        /* Threads of one process queue for the file's one writer, as SQLite would make them poll for it. */
        pool_settings pool = {.kind = &connection_kind,
                              .settings = &opened->settings,
                              .name = opened->settings.path,
                              .limit = options.max_connections,
                              .timeout_ms = options.busy_timeout_ms,
                              .has_one_writer = true};
        opened->pool = pool_open(&pool, trouble);
    }
    if (!opened->pool) {
        end(opened);
        return trouble->status;
    }
    fill(out, opened);
    return SKAN_OK;
}

skan_status skan_sqlite_store_open(const char *path, const skan_sqlite_options *options, skan_store *out,
                                   skan_error **error) {
    trouble trouble;
    return trouble_given(error, open_store(path, options, out, &trouble), &trouble);
}

void skan_sqlite_store_close(skan_store *store) {
    if (!store || store->finalize != finalize) return;
    finalize(store->context);
    fill(store, NULL);
}
