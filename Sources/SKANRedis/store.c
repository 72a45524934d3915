#define _GNU_SOURCE
#include <skan/redis.h>

#include "../StoreSupport/options.h"
#include "layout.h"
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

static void begin(call *call, store *store) {
    call->store = store;
    call->deadline = milliseconds_now() + store->settings.timeout_ms;
    call->connection = (connection *)pool_take(store->pool, false, &call->trouble);
}

static skan_status finish(call *call, skan_status status) {
    if (call->connection) pool_give_back(call->store->pool, &call->connection->pooled, false);
    return trouble_reported(&call->store->reporter, status, &call->trouble);
}

static void load_many(void *context, skan_load_item *items, size_t count) {
    call call;
    begin(&call, context);
    skan_status status = SKAN_ERROR_STORE;
    if (call.connection)
        status = records_load_many(call.connection, items, count, call.deadline, &call.trouble);
    else
        for (size_t i = 0; i < count; i++) items[i].status = status;
    finish(&call, status);
}

static void save_many(void *context, skan_save_item *items, size_t count) {
    call call;
    begin(&call, context);
    skan_status status = SKAN_ERROR_STORE;
    if (call.connection)
        status = records_save_many(call.connection, items, count, call.deadline, &call.trouble);
    else
        for (size_t i = 0; i < count; i++) items[i].status = status;
    finish(&call, status);
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    skan_load_item item = {.key = key, .out = out};
    load_many(context, &item, 1);
    if (item.status == SKAN_OK) *version = item.version;
    return item.status;
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version) {
    skan_save_item item = {.key = key, .data = data, .length = length, .expected_version = expected_version};
    save_many(context, &item, 1);
    if (item.status == SKAN_OK) *new_version = item.new_version;
    return item.status;
}

static skan_status remove_record(void *context, const char *key, uint64_t expected_version) {
    call call;
    begin(&call, context);
    skan_status status = SKAN_ERROR_STORE;
    if (call.connection) status = records_remove(call.connection, key, expected_version, call.deadline, &call.trouble);
    return finish(&call, status);
}

static skan_status list(void *context, skan_buffer *cursor, skan_buffer *keys) {
    call call;
    begin(&call, context);
    skan_status status = SKAN_ERROR_STORE;
    if (call.connection) status = records_list(call.connection, cursor, keys, call.deadline, &call.trouble);
    return finish(&call, status);
}

static void end(store *store) {
    if (store->pool) pool_close(store->pool);
    address_end(&store->settings.address);
    free(store->settings.prefix);
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

static skan_status check_prefix(const char *prefix, trouble *trouble) {
    if (strlen(prefix) > PREFIX_MAX)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "options.prefix: expected at most %d bytes, got %zu",
                           PREFIX_MAX, strlen(prefix));
    for (const char *byte = prefix; *byte; byte++)
        if ((unsigned char)*byte < ' ' || *byte == 0x7F || *byte == '{' || *byte == '}')
            return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                               "options.prefix: expected no braces and no bytes 00-1F and 7F, got %02X at %zu",
                               (unsigned)(unsigned char)*byte, (size_t)(byte - prefix));
    return SKAN_OK;
}

/* The options as this library knows them, with defaults in place of zeros. */
static skan_status read_options(const skan_redis_options *given, skan_redis_options *read, trouble *trouble) {
    if (options_read(given, read, sizeof *read, trouble) != SKAN_OK) return trouble->status;
    if (!option_is_at_most("timeout_ms", read->timeout_ms, 3600000, trouble) ||
        !option_is_at_most("connect_timeout_ms", read->connect_timeout_ms, 3600000, trouble) ||
        !option_is_at_most("max_connections", read->max_connections, 1024, trouble) ||
        !option_is_at_most("expire_days_after_close", read->expire_days_after_close, 36500, trouble) ||
        !option_is_at_most("allow_eviction", read->allow_eviction, 1, trouble) ||
        !option_is_at_most("reserved", read->reserved, 0, trouble))
        return trouble->status;
    if (!read->prefix) read->prefix = "skan:";
    if (check_prefix(read->prefix, trouble) != SKAN_OK) return trouble->status;
    if (read->timeout_ms == 0) read->timeout_ms = 5000;
    if (read->connect_timeout_ms == 0) read->connect_timeout_ms = read->timeout_ms;
    if (read->max_connections == 0) read->max_connections = 8;
    return SKAN_OK;
}

/* Reaches the server and proves that it will do. */
static skan_status connect_first(store *store, bool allows_eviction, trouble *trouble) {
    int64_t deadline = milliseconds_now() + store->settings.timeout_ms;
    connection *first = (connection *)pool_take(store->pool, false, trouble);
    if (!first) return trouble->status;
    skan_status status = records_probe(first, deadline, trouble);
    if (status == SKAN_OK && !allows_eviction) status = records_refuse_eviction(first, deadline, trouble);
    pool_give_back(store->pool, &first->pooled, false);
    /* Nothing was to be changed: an outcome that is unknown is of the probe alone. */
    return status == SKAN_OK ? SKAN_OK : SKAN_ERROR_STORE;
}

static skan_status open_store(const char *url, const skan_redis_options *given, skan_store *out, trouble *trouble) {
    if (!out) return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "out: expected a skan_store, got NULL");
    fill(out, NULL);
    if (!url || !url[0])
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: expected a URL, got %s", url ? "\"\"" : "NULL");
    skan_redis_options options;
    if (read_options(given, &options, trouble) != SKAN_OK) return trouble->status;
    store *opened = calloc(1, sizeof *opened);
    if (!opened) return trouble_set(trouble, SKAN_ERROR_STORE, "open: out of memory");
    opened->reporter = (reporter){options.report, options.report_context};
    opened->settings.timeout_ms = options.timeout_ms;
    opened->settings.connect_timeout_ms = options.connect_timeout_ms;
    opened->settings.expire_days = options.expire_days_after_close;
    records_name_script(opened->settings.script);
    skan_status status = address_read(url, &opened->settings.address, trouble);
    if (status == SKAN_OK && !(opened->settings.prefix = strdup(options.prefix)))
        status = trouble_set(trouble, SKAN_ERROR_STORE, "open: out of memory");
    if (status == SKAN_OK) {
        pool_settings pool = {.kind = &connection_kind,
                              .settings = &opened->settings,
                              .name = opened->settings.address.name,
                              .limit = options.max_connections,
                              .timeout_ms = options.timeout_ms};
        opened->pool = pool_open(&pool, trouble);
        status = opened->pool ? connect_first(opened, options.allow_eviction, trouble) : trouble->status;
    }
    if (status != SKAN_OK) {
        end(opened);
        return status;
    }
    fill(out, opened);
    return SKAN_OK;
}

skan_status skan_redis_store_open(const char *url, const skan_redis_options *options, skan_store *out,
                                  skan_error **error) {
    trouble trouble;
    return trouble_given(error, open_store(url, options, out, &trouble), &trouble);
}

void skan_redis_store_close(skan_store *store) {
    if (!store || store->finalize != finalize) return;
    finalize(store->context);
    fill(store, NULL);
}
