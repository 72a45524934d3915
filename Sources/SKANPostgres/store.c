#include <skan/postgres.h>

#include "../StoreSupport/options.h"
#include "records.h"

#include <stdlib.h>
#include <string.h>

typedef struct store {
    settings settings;
    pool *pool;
    reporter reporter;
} store;

/* ------------------------------------------------------------------------------------------------------------ hooks */

/* A hook's call: the deadline begins before it waits for a connection. */
typedef struct call {
    store *store;
    connection *connection; /* NULL = none was to be had */
    int64_t deadline;
    trouble trouble;
} call;

static call begin(store *store) {
    call call = {.store = store, .deadline = milliseconds_now() + store->settings.timeout_ms};
    call.connection = (connection *)pool_take(store->pool, true, &call.trouble);
    return call;
}

static skan_status finish(call *call, skan_status status) {
    if (call->connection) pool_give_back(call->store->pool, &call->connection->pooled, true);
    return trouble_reported(&call->store->reporter, status, &call->trouble);
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    call call = begin(context);
    skan_status status = SKAN_ERROR_STORE;
    if (call.connection) status = records_load(call.connection, key, out, version, call.deadline, &call.trouble);
    return finish(&call, status);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version) {
    call call = begin(context);
    skan_status status = SKAN_ERROR_STORE;
    if (call.connection)
        status = records_save(call.connection, key, data, length, expected_version, new_version, call.deadline,
                              &call.trouble);
    return finish(&call, status);
}

static skan_status remove_record(void *context, const char *key, uint64_t expected_version) {
    call call = begin(context);
    skan_status status = SKAN_ERROR_STORE;
    if (call.connection) status = records_remove(call.connection, key, expected_version, call.deadline, &call.trouble);
    return finish(&call, status);
}

static void load_many(void *context, skan_load_item *items, size_t count) {
    call call = begin(context);
    skan_status status = SKAN_ERROR_STORE;
    if (call.connection)
        status = records_load_many(call.connection, items, count, call.deadline, &call.trouble);
    else
        for (size_t i = 0; i < count; i++) items[i].status = status;
    finish(&call, status);
}

static void save_many(void *context, skan_save_item *items, size_t count) {
    call call = begin(context);
    skan_status status = SKAN_ERROR_STORE;
    if (call.connection)
        status = records_save_many(call.connection, items, count, call.deadline, &call.trouble);
    else
        for (size_t i = 0; i < count; i++) items[i].status = status;
    finish(&call, status);
}

static skan_status list(void *context, skan_buffer *cursor, skan_buffer *keys) {
    call call = begin(context);
    skan_status status = SKAN_ERROR_STORE;
    if (call.connection) status = records_list(call.connection, cursor, keys, call.deadline, &call.trouble);
    return finish(&call, status);
}

static void end(store *store) {
    if (store->pool) pool_close(store->pool);
    settings_end(&store->settings);
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
static skan_status read_options(const skan_postgres_options *given, skan_postgres_options *read, trouble *trouble) {
    if (options_read(given, read, sizeof *read, trouble) != SKAN_OK) return trouble->status;
    if (!option_is_at_most("timeout_ms", read->timeout_ms, 3600000, trouble) ||
        !option_is_at_most("max_connections", read->max_connections, 1024, trouble) ||
        !option_is_at_most("create_table", read->create_table, 1, trouble) ||
        !option_is_at_most("pooled", read->pooled, 1, trouble))
        return trouble->status;
    if (read->timeout_ms == 0) read->timeout_ms = 5000;
    if (read->max_connections == 0) read->max_connections = 8;
    return SKAN_OK;
}

/* Reaches the server and looks at the table. */
static skan_status connect_first(store *store, bool makes_table, trouble *trouble) {
    int64_t deadline = milliseconds_now() + store->settings.timeout_ms;
    connection *first = (connection *)pool_take(store->pool, true, trouble);
    if (!first) return trouble->status;
    skan_status status = connection_open(first, true, makes_table, deadline, trouble);
    pool_give_back(store->pool, &first->pooled, true);
    return status;
}

static skan_status open_store(const char *url, const skan_postgres_options *given, skan_store *out, trouble *trouble) {
    if (!out) return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "out: expected a skan_store, got NULL");
    fill(out, NULL);
    if (!url || !url[0])
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: expected a connection URI or string, got %s",
                           url ? "\"\"" : "NULL");
    skan_postgres_options options;
    if (read_options(given, &options, trouble) != SKAN_OK) return trouble->status;
    if (!PQisthreadsafe())
        return trouble_set(trouble, SKAN_ERROR_STORE, "open: this libpq was built without threads");
    store *opened = calloc(1, sizeof *opened);
    if (!opened) return trouble_set(trouble, SKAN_ERROR_STORE, "open: out of memory");
    opened->reporter = (reporter){options.report, options.report_context};
    opened->settings.timeout_ms = options.timeout_ms;
    opened->settings.is_pooled = options.pooled;
    skan_status status = settings_read(&opened->settings, url, options.table, trouble);
    if (status == SKAN_OK) {
        pool_settings pool = {.kind = &connection_kind,
                              .settings = &opened->settings,
                              .name = opened->settings.name,
                              .limit = options.max_connections,
                              .timeout_ms = options.timeout_ms};
        opened->pool = pool_open(&pool, trouble);
        status = opened->pool ? connect_first(opened, options.create_table, trouble) : trouble->status;
    }
    if (status != SKAN_OK) {
        end(opened);
        return trouble->status = status;
    }
    fill(out, opened);
    return SKAN_OK;
}

skan_status skan_postgres_store_open(const char *url, const skan_postgres_options *options, skan_store *out,
                                     skan_error **error) {
    trouble trouble;
    return trouble_given(error, open_store(url, options, out, &trouble), &trouble);
}

void skan_postgres_store_close(skan_store *store) {
    if (!store || store->finalize != finalize) return;
    finalize(store->context);
    fill(store, NULL);
}
