#include <skan/postgres.h>

#include "../StoreSupport/options.h"
#include "../StoreSupport/pooled_store.h"
#include "records.h"

#include <stdlib.h>

static void end(void *context) {
    settings_end(context);
    free(context);
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
static skan_status connect_first(pooled_store *store, bool makes_table, trouble *trouble) {
    connection *first = (connection *)pool_take(store->pool, true, trouble);
    if (!first) return trouble->status;
    skan_status status = connection_open(first, true, makes_table, first->pooled.deadline, trouble);
    pool_give_back(store->pool, &first->pooled, true);
    return trouble->status = status;
}

static pooled_store *open_pool(const char *url, const skan_postgres_options *options, trouble *trouble) {
    settings *settings = calloc(1, sizeof *settings);
    if (!settings) {
        trouble_set(trouble, SKAN_ERROR_STORE, "open: out of memory");
        return NULL;
    }
    settings->timeout_ms = options->timeout_ms;
    settings->is_pooled = options->pooled;
    if (settings_read(settings, url, options->table, trouble) != SKAN_OK) {
        end(settings);
        return NULL;
    }
    pool_settings pool = {.kind = &connection_kind,
                          .settings = settings,
                          .name = settings->name,
                          .limit = options->max_connections,
                          .timeout_ms = options->timeout_ms};
    reporter reporter = {options->report, options->report_context};
    return pooled_store_open(&kind, &pool, settings, reporter, trouble);
}

static skan_status open_store(const char *url, const skan_postgres_options *given, skan_store *out, trouble *trouble) {
    if (!out) return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "out: expected a skan_store, got NULL");
    pooled_store_fill(out, NULL);
    if (!url || !url[0])
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "url: expected a connection URI or string, got %s",
                           url ? "\"\"" : "NULL");
    skan_postgres_options options;
    if (read_options(given, &options, trouble) != SKAN_OK) return trouble->status;
    if (!PQisthreadsafe())
        return trouble_set(trouble, SKAN_ERROR_STORE, "open: this libpq was built without threads");
    pooled_store *opened = open_pool(url, &options, trouble);
    if (!opened) return trouble->status;
    if (connect_first(opened, options.create_table, trouble) == SKAN_OK)
        pooled_store_fill(out, opened);
    else
        pooled_store_end(opened);
    return trouble->status;
}

skan_status skan_postgres_store_open(const char *url, const skan_postgres_options *options, skan_store *out,
                                     skan_error **error) {
    trouble trouble;
    return trouble_given(error, open_store(url, options, out, &trouble), &trouble);
}

void skan_postgres_store_close(skan_store *store) {
    pooled_store_close(store, &kind);
}
