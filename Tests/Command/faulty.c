/* A libskan-sqlite whose stores have accidents, for tests of the command: the real one, loaded from the file named by
 * SKAN_TEST_REAL, behind hooks that count. SKAN_TEST_FAULTS is a list of NAME=N, and each Nth call of that kind ...
 *   save-lost, save-made      a save whose outcome is unknown: it was not made, it was made
 *   save-fails                a save that is refused
 *   remove-lost, remove-made  the same of a remove
 *   remove-late               the record is changed before its remove, to the bytes in the file SKAN_TEST_RECORD
 *   load-fails                a load that fails
 *   list-twice                a page whose keys all come again on the next one, and each key twice
 *   list-none                 the store lists no keys, its struct ends before
 *   interrupt                 a load during which the process gets SIGINT */
#define _POSIX_C_SOURCE 200809L
#include <skan/sqlite.h>

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct faulty {
    skan_store real;
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} faulty;

static void fail(const char *what) {
    fprintf(stderr, "faulty: %s\n", what);
    exit(99);
}

/* Calls so far, by the place of their name in SKAN_TEST_FAULTS. */
static long calls[256];

/* Whether this call of the kind is the one. */
static bool is_due(const char *name) {
    const char *faults = getenv("SKAN_TEST_FAULTS");
    const char *found = faults ? strstr(faults, name) : NULL;
    if (!found) return false;
    return ++calls[(found - faults) % 256] % strtol(found + strlen(name) + 1, NULL, 10) == 0;
}

static skan_status reported(faulty *faulty, skan_status status) {
    if (faulty->report) faulty->report(faulty->report_context, status, "an accident");
    return status;
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    faulty *faulty = context;
    if (is_due("load-fails")) return reported(faulty, SKAN_ERROR_STORE);
    if (is_due("interrupt")) raise(SIGINT);
    return faulty->real.load(faulty->real.context, key, out, version);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                        uint64_t *version) {
    faulty *faulty = context;
    if (is_due("save-fails")) return reported(faulty, SKAN_ERROR_STORE);
    if (is_due("save-lost")) return reported(faulty, SKAN_ERROR_STORE_UNKNOWN);
    skan_status status = faulty->real.save(faulty->real.context, key, data, length, expected, version);
    if (!is_due("save-made")) return status;
    *version = 0;
    return reported(faulty, SKAN_ERROR_STORE_UNKNOWN);
}

static void change(faulty *faulty, const char *key, uint64_t version) {
    char record[SKAN_RECORD_MAX];
    FILE *file = fopen(getenv("SKAN_TEST_RECORD"), "rb");
    if (!file) fail("SKAN_TEST_RECORD");
    size_t length = fread(record, 1, sizeof record, file);
    fclose(file);
    if (faulty->real.save(faulty->real.context, key, record, length, version, &version) != SKAN_OK) fail("change");
}

static skan_status remove_record(void *context, const char *key, uint64_t expected) {
    faulty *faulty = context;
    if (is_due("remove-late")) change(faulty, key, expected);
    if (is_due("remove-lost")) return reported(faulty, SKAN_ERROR_STORE_UNKNOWN);
    skan_status status = faulty->real.remove(faulty->real.context, key, expected);
    return is_due("remove-made") ? reported(faulty, SKAN_ERROR_STORE_UNKNOWN) : status;
}

/* Each key twice, after those of the page before. */
static skan_status list(void *context, skan_buffer *cursor, skan_buffer *keys) {
    static char doubled[SKAN_BUFFER_MAX];
    static size_t before;
    static char page[SKAN_BUFFER_MAX];
    faulty *faulty = context;
    skan_status status = faulty->real.list(faulty->real.context, cursor, keys);
    if (status != SKAN_OK || !is_due("list-twice")) return status;
    size_t length = skan_buffer_size(keys);
    memcpy(doubled, page, before);
    memcpy(page, skan_buffer_data(keys), length);
    memcpy(doubled + before, page, length);
    memcpy(doubled + before + length, page, length);
    size_t total = before + 2 * length;
    before = length;
    return skan_buffer_set(keys, doubled, total);
}

static void finalize(void *context) {
    faulty *faulty = context;
    faulty->real.finalize(faulty->real.context);
    free(faulty);
}

skan_status skan_sqlite_store_open(const char *path, const skan_sqlite_options *options, skan_store *out,
                                   skan_error **error) {
    void *library = dlopen(getenv("SKAN_TEST_REAL"), RTLD_NOW | RTLD_LOCAL);
    if (!library) fail(dlerror());
    skan_status (*open)(const char *, const skan_sqlite_options *, skan_store *, skan_error **);
    void *symbol = dlsym(library, "skan_sqlite_store_open");
    memcpy(&open, &symbol, sizeof open);
    faulty *made = calloc(1, sizeof *made);
    made->report = options->report;
    made->report_context = options->report_context;
    skan_status status = open(path, options, &made->real, error);
    memset(out, 0, sizeof *out);
    if (status != SKAN_OK) {
        free(made);
        return status;
    }
    *out = (skan_store){.size = is_due("list-none") ? offsetof(skan_store, load_many) : sizeof *out,
                        .context = made,
                        .load = load,
                        .save = save,
                        .remove = remove_record,
                        .finalize = finalize,
                        .list = list};
    return SKAN_OK;
}

void skan_sqlite_store_close(skan_store *store) {
    if (store->finalize != finalize) return;
    finalize(store->context);
    memset(store, 0, sizeof *store);
}
