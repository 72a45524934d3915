#include <skan/sqlite.h>

#include "../StoreSupport/options.h"
#include "../StoreSupport/pooled_store.h"
#include "connection.h"
#include "file.h"

#include <stdlib.h>
#include <string.h>

static void end(void *context) {
    connection_settings *settings = context;
    free(settings->path);
    free(settings);
}

static const pooled_store_kind kind = {
    .load = connection_load,
    .save = connection_save,
    .remove = connection_remove,
    .list = connection_list,
    .load_many = connection_load_many,
    .save_many = connection_save_many,
    .end = end,
};

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

static pooled_store *open_pool(const char *path, const skan_sqlite_options *options, trouble *trouble) {
    connection_settings *settings = calloc(1, sizeof *settings);
    if (!settings) {
        trouble_set(trouble, SKAN_ERROR_STORE, "%s: out of memory", path);
        return NULL;
    }
    settings->is_full = options->synchronous == SKAN_SQLITE_FULL;
    settings->busy_timeout_ms = options->busy_timeout_ms;
    if (file_find(path, &settings->path, trouble) != SKAN_OK) {
        end(settings);
        return NULL;
    }
    /* Threads of one process queue for the file's one writer, as SQLite would make them poll for it. */
    pool_settings pool = {.kind = &connection_kind,
                          .settings = settings,
                          .name = settings->path,
                          .limit = options->max_connections,
                          .timeout_ms = options->busy_timeout_ms,
                          .has_one_writer = true};
    reporter reporter = {options->report, options->report_context};
    return pooled_store_open(&kind, &pool, settings, reporter, trouble);
}

/* Names that are none to SQLite, and would be files of that name here, where every path is made absolute. */
static skan_status check_path(const char *path, trouble *trouble) {
    const skan_status invalid = SKAN_ERROR_INVALID_ARGUMENT;
    if (!path || !path[0])
        return trouble_set(trouble, invalid, "path: expected a file's name, got %s", path ? "\"\"" : "NULL");
    if (strcmp(path, ":memory:") == 0)
        return trouble_set(trouble, invalid,
                           "path: expected a file's name, got \":memory:\"; the in-memory store is an engine's own, "
                           "one without a store has it");
    if (strncmp(path, "file:", 5) == 0)
        return trouble_set(trouble, invalid,
                           "path: expected a file's name, got a URI, \"%.200s\"%s; a file of this name is"
                           " \"./file:...\"",
                           path, strlen(path) > 200 ? "..." : "");
    return SKAN_OK;
}

static skan_status open_store(const char *path, const skan_sqlite_options *given, skan_store *out, trouble *trouble) {
    if (!out) return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "out: expected a skan_store, got NULL");
    pooled_store_fill(out, NULL);
    skan_sqlite_options options;
    if (check_path(path, trouble) != SKAN_OK) return trouble->status;
    if (read_options(given, &options, trouble) != SKAN_OK) return trouble->status;
    if (!sqlite3_threadsafe())
        return trouble_set(trouble, SKAN_ERROR_STORE, "%s: this SQLite was built without threads", path);
    pooled_store *opened = open_pool(path, &options, trouble);
    if (!opened) return trouble->status;
    pooled_store_fill(out, opened);
    return SKAN_OK;
}

skan_status skan_sqlite_store_open(const char *path, const skan_sqlite_options *options, skan_store *out,
                                   skan_error **error) {
    trouble trouble;
    return trouble_given(error, open_store(path, options, out, &trouble), &trouble);
}

void skan_sqlite_store_close(skan_store *store) {
    pooled_store_close(store, &kind);
}
