#define _GNU_SOURCE
#include <skan/redis.h>

#include "../StoreSupport/options.h"
#include "../StoreSupport/pooled_store.h"
#include "layout.h"
#include "records.h"

#include <stdlib.h>
#include <string.h>

static void end(void *context) {
    settings *settings = context;
    address_end(&settings->address);
    free(settings->prefix);
    free(settings);
}

static const pooled_store_kind kind = {
    .load = records_load,
    .save = records_save,
    .remove = records_remove,
    .list = records_list,
    .load_many = records_load_many,
    .save_many = records_save_many,
    .end = end,
};

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
static skan_status connect_first(pooled_store *store, bool allows_eviction, trouble *trouble) {
    connection *first = (connection *)pool_take(store->pool, false, trouble);
    if (!first) return trouble->status;
    skan_status status = records_probe(first, trouble);
    if (status == SKAN_OK && !allows_eviction) status = records_refuse_eviction(first, trouble);
    pool_give_back(store->pool, &first->pooled, false);
    /* Nothing was to be changed: an outcome that is unknown is of the probe alone. */
    return trouble->status = status == SKAN_OK ? SKAN_OK : SKAN_ERROR_STORE;
}

static settings *make_settings(const char *url, const skan_redis_options *options, trouble *trouble) {
    settings *made = calloc(1, sizeof *made);
    if (made && address_read(url, &made->address, trouble) != SKAN_OK) {
        end(made);
        return NULL;
    }
    if (!made || !(made->prefix = strdup(options->prefix))) {
        trouble_set(trouble, SKAN_ERROR_STORE, "open: out of memory");
        if (made) end(made);
        return NULL;
    }
    made->connect_timeout_ms = options->connect_timeout_ms;
    made->expire_days = options->expire_days_after_close;
    return made;
}

static pooled_store *open_pool(const char *url, const skan_redis_options *options, trouble *trouble) {
    settings *settings = make_settings(url, options, trouble);
    if (!settings) return NULL;
    pool_settings pool = {.kind = &connection_kind,
                          .settings = settings,
                          .name = settings->address.name,
                          .limit = options->max_connections,
                          .timeout_ms = options->timeout_ms};
    reporter reporter = {options->report, options->report_context};
    return pooled_store_open(&kind, &pool, settings, reporter, trouble);
}

static skan_status open_store(const char *url, const skan_redis_options *given, skan_store *out, trouble *trouble) {
    if (!out) return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "out: expected a skan_store, got NULL");
    pooled_store_fill(out, NULL);
    if (!url || !url[0])
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: expected a URL, got %s", url ? "\"\"" : "NULL");
    skan_redis_options options;
    if (read_options(given, &options, trouble) != SKAN_OK) return trouble->status;
    pooled_store *opened = open_pool(url, &options, trouble);
    if (!opened) return trouble->status;
    if (connect_first(opened, options.allow_eviction, trouble) == SKAN_OK)
        pooled_store_fill(out, opened);
    else
        pooled_store_end(opened);
    return trouble->status;
}

skan_status skan_redis_store_open(const char *url, const skan_redis_options *options, skan_store *out,
                                  skan_error **error) {
    trouble trouble;
    return trouble_given(error, open_store(url, options, out, &trouble), &trouble);
}

void skan_redis_store_close(skan_store *store) {
    pooled_store_close(store, &kind);
}
