#include <skan/sqlite.h>

#include "pool.h"

#include <stdlib.h>
#include <string.h>

typedef struct store {
    pool *pool;
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} store;

/* ------------------------------------------------------------------------------------------------------------ hooks */

static skan_status reported(const store *store, skan_status status, const trouble *trouble) {
    if (status >= 100 && status != SKAN_ERROR_STORE_CONFLICT && store->report)
        store->report(store->report_context, status, trouble->message);
    return status;
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    store *store = context;
    trouble trouble;
    skan_status status = SKAN_ERROR_STORE;
    connection *connection = pool_take(store->pool, false, &trouble);
    if (connection) {
        status = connection_load(connection, key, out, version, &trouble);
        pool_give_back(store->pool, connection, false);
    }
    return reported(store, status, &trouble);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version) {
    store *store = context;
    trouble trouble;
    skan_status status = SKAN_ERROR_STORE;
    connection *connection = pool_take(store->pool, true, &trouble);
    if (connection) {
        status = connection_save(connection, key, data, length, expected_version, new_version, &trouble);
        pool_give_back(store->pool, connection, true);
    }
    return reported(store, status, &trouble);
}

static skan_status remove_record(void *context, const char *key, uint64_t expected_version) {
    store *store = context;
    trouble trouble;
    skan_status status = SKAN_ERROR_STORE;
    connection *connection = pool_take(store->pool, true, &trouble);
    if (connection) {
        status = connection_remove(connection, key, expected_version, &trouble);
        pool_give_back(store->pool, connection, true);
    }
    return reported(store, status, &trouble);
}

static void finalize(void *context) {
    store *store = context;
    pool_close(store->pool);
    free(store);
}

/* ---------------------------------------------------------------------------------------------------------- opening */

/* The first version of skan_store, which callers of any age have room for. */
#define STORE_SIZE (offsetof(skan_store, finalize) + sizeof((skan_store *)0)->finalize)

static void fill(skan_store *out, store *store) {
    memset(out, 0, STORE_SIZE);
    if (!store) return;
    out->size = STORE_SIZE;
    out->context = store;
    out->load = load;
    out->save = save;
    out->remove = remove_record;
    out->finalize = finalize;
}

/* The options as this library knows them, with defaults in place of zeros. */
static skan_status read_options(const skan_sqlite_options *given, skan_sqlite_options *read, trouble *trouble) {
    const size_t known = sizeof *read;
    memset(read, 0, known);
    if (given) {
        if (given->size < known || given->size > 1024)
            return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "options.size: expected %zu to 1024, got %zu",
                               known, given->size);
        for (size_t i = known; i < given->size; i++)
            if (((const char *)given)[i] != 0)
                return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                                   "options: byte %zu, which this library does not know, is not zero", i);
        memcpy(read, given, known);
    }
    if (read->synchronous != SKAN_SQLITE_FULL && read->synchronous != SKAN_SQLITE_NORMAL)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "options.synchronous: expected 0 or 1, got %d",
                           (int)read->synchronous);
    if (read->busy_timeout_ms > 3600000)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                           "options.busy_timeout_ms: expected at most 3600000, got %u",
                           (unsigned)read->busy_timeout_ms);
    if (read->max_connections > 1024)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                           "options.max_connections: expected at most 1024, got %u", (unsigned)read->max_connections);
    if (read->reserved != 0)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "options.reserved: expected 0, got %u",
                           (unsigned)read->reserved);
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
    store *opened = calloc(1, sizeof *opened);
    if (!opened) return trouble_set(trouble, SKAN_ERROR_STORE, "%s: out of memory", path);
    opened->report = options.report;
    opened->report_context = options.report_context;
    opened->pool = pool_open(path, options.synchronous == SKAN_SQLITE_FULL, options.busy_timeout_ms,
                             options.max_connections, trouble);
    if (!opened->pool) {
        free(opened);
        return trouble->status;
    }
    fill(out, opened);
    return SKAN_OK;
}

skan_status skan_sqlite_store_open(const char *path, const skan_sqlite_options *options, skan_store *out,
                                   skan_error **error) {
    trouble trouble;
    skan_status status = open_store(path, options, out, &trouble);
    if (error) *error = status == SKAN_OK ? NULL : skan_error_create(status, trouble.message);
    return status;
}

void skan_sqlite_store_close(skan_store *store) {
    if (!store || store->finalize != finalize) return;
    finalize(store->context);
    fill(store, NULL);
}
