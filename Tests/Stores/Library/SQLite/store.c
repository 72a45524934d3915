/* The store contract of skan.h, on a file:
 *   store */
#define _GNU_SOURCE
#include "Stores/Library/cases.h"
#include "files.h"
#include "hooks.h"
#include "support.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static skan_store quick_store(const char *name) {
    skan_sqlite_options options = quick();
    char *path = file_named(name);
    skan_store store = opened(path, &options);
    free(path);
    return store;
}

static void keeps_what_is_saved(const void *subject) {
    skan_store store = quick_store("installs.db");
    (void)subject;
    uint64_t first = 0, second = 0, third = 0;
    EXPECT_STATUS(SKAN_NOT_FOUND, load(&store, "player")->status);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "one", 0, &first));
    EXPECT(first != 0, "a saved record has a version");
    EXPECT(holds_text(&store, "player", "one") && load(&store, "player")->version == first, "the first record");

    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, save_text(&store, "player", "two", 0, NULL));
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, save_text(&store, "player", "two", first + 1, NULL));
    EXPECT(holds_text(&store, "player", "one"), "a conflict changes nothing");
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "one", first, &second));
    EXPECT(second != first && second != 0, "equal bytes change the version");
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, save_text(&store, "player", "two", first, NULL));

    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, remove_key(&store, "player", first));
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, remove_key(&store, "player", 0));
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, remove_key(&store, "nobody", first));
    EXPECT(load(&store, "player")->version == second, "still there");
    EXPECT_STATUS(SKAN_OK, remove_key(&store, "player", second));
    EXPECT_STATUS(SKAN_NOT_FOUND, load(&store, "player")->status);
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, remove_key(&store, "player", second));
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, save_text(&store, "player", "two", second, NULL));
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "two", 0, &third));
    EXPECT(third != second && third != first, "a removed record's version comes again");

    for (int bit = 62; bit < 64; bit++) {
        EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, save_text(&store, "player", "x", third | UINT64_C(1) << 63, NULL));
        EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, save_text(&store, "player", "x", UINT64_MAX, NULL));
        EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, remove_key(&store, "player", third | UINT64_C(1) << 63));
    }
    EXPECT(holds_text(&store, "player", "two"), "the last record");
    skan_sqlite_store_close(&store);
}

static void tells_keys_apart(const void *subject) {
    (void)subject;
    char longest[129], nearly[129];
    memset(longest, 'k', 128), longest[128] = '\0';
    memcpy(nearly, longest, 129), nearly[127] = 'K';
    const char *const keys[] = {
        "a",      "A",   "a ",  " a",          "\xC3\xA4", "a\xCC\x88",          "'; DROP TABLE skan_records; --",
        "%",      "_",   "?1",  "\"",          "1",        "1.0",                "01",
        "1e0",    "0x1", "x'",  "NULL",        "\\0",      "\xF4\x8F\xBF\xBF",   "\xEF\xBB\xBF",
        "\xC2\x80", longest, nearly, "install:1", "install:10", "\xE2\x80\xAEright to left"};
    enum { KEYS = sizeof keys / sizeof *keys };
    skan_store store = quick_store("installs.db");
    for (int i = 0; i < KEYS; i++) {
        in_round("%s", keys[i]);
        EXPECT_STATUS(SKAN_OK, save_text(&store, keys[i], keys[i], 0, NULL));
    }
    for (int i = 0; i < KEYS; i += 2)
        EXPECT_STATUS(SKAN_OK, remove_key(&store, keys[i], load(&store, keys[i])->version));
    for (int i = 0; i < KEYS; i++) {
        in_round("%s", keys[i]);
        EXPECT(holds_text(&store, keys[i], i % 2 ? keys[i] : NULL), "each key has its own record");
    }
    skan_sqlite_store_close(&store);
}

static void keeps_every_size(const void *subject) {
    (void)subject;
    static unsigned char record[SKAN_RECORD_MAX];
    for (size_t i = 0; i < sizeof record; i++) record[i] = (unsigned char)(i * 31 + i / 256);
    static const size_t sizes[] = {1, 2, 130, 1000, 1002, 1003, 4095, 4096, 4097, 16384, 32767, 32768, 3};
    skan_store store = quick_store("installs.db");
    uint64_t version = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        in_round("%zu bytes", sizes[i]);
        EXPECT_STATUS(SKAN_OK, save(&store, "player", record, sizes[i], version, &version));
        const loaded *found = load(&store, "player");
        EXPECT(found->status == SKAN_OK && found->version == version && found->buffer.length == sizes[i] &&
                   memcmp(found->buffer.bytes, record, sizes[i]) == 0,
               "the record comes back as it was");
    }
    skan_sqlite_store_close(&store);
}

/* Random calls, some with wrong versions, beside what they should do; the file is opened anew now and then. */
static void follows_a_model(const void *subject) {
    (void)subject;
    enum { KEYS = 12, CALLS = 20000 };
    struct {
        char key[16], text[16];
        uint64_t version, old_version;
    } model[KEYS] = {{{0}, {0}, 0, 0}};
    skan_store store = quick_store("installs.db");
    srand(7);
    for (int i = 0; i < KEYS; i++) snprintf(model[i].key, sizeof model[i].key, "install-%d", i);
    for (int call = 0; call < CALLS; call++) {
        int i = rand() % KEYS;
        in_round("call %d", call);
        uint64_t expected = rand() % 4 ? model[i].version : rand() % 2 ? model[i].old_version : 0;
        bool matches = expected == model[i].version;
        int what = rand() % 10;
        if (what < 5) {
            char text[16];
            snprintf(text, sizeof text, "%d", call);
            uint64_t version = 0;
            EXPECT_STATUS(matches ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT,
                          save_text(&store, model[i].key, text, expected, &version));
            if (!matches) continue;
            EXPECT(version != 0 && version != model[i].version && version != model[i].old_version, "a new version");
            if (model[i].version) model[i].old_version = model[i].version;
            model[i].version = version;
            strcpy(model[i].text, text);
        } else if (what < 6) {
            matches = matches && expected != 0;
            EXPECT_STATUS(matches ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT, remove_key(&store, model[i].key, expected));
            if (!matches) continue;
            model[i].old_version = model[i].version;
            model[i].version = 0;
        } else {
            EXPECT(holds_text(&store, model[i].key, model[i].version ? model[i].text : NULL), "%s", model[i].key);
            EXPECT(load(&store, model[i].key)->version == model[i].version, "the version of %s", model[i].key);
        }
        if (call % 1000 == 999) {
            skan_sqlite_store_close(&store);
            store = quick_store("installs.db");
        }
    }
    skan_sqlite_store_close(&store);
}

static int compare_versions(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void versions_never_repeat(const void *subject) {
    (void)subject;
    enum { VERSIONS = 6000 };
    static uint64_t versions[VERSIONS];
    skan_store store = quick_store("installs.db");
    uint64_t version = 0;
    for (int i = 0; i < VERSIONS; i++) {
        EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "same", version, &version));
        versions[i] = version;
        if (i % 3 == 2) {
            EXPECT_STATUS(SKAN_OK, remove_key(&store, "player", version));
            version = 0;
        }
        if (i % 600 == 599) {
            skan_sqlite_store_close(&store);
            store = quick_store("installs.db");
        }
    }
    qsort(versions, VERSIONS, sizeof *versions, compare_versions);
    for (int i = 1; i < VERSIONS; i++) EXPECT(versions[i] != versions[i - 1], "a version came twice");
    skan_sqlite_store_close(&store);
}

static void full_is_the_default(const void *subject) {
    (void)subject;
    char *path = file_named("installs.db");
    skan_store store = opened(path, NULL);
    uint64_t version = 0;
    for (int i = 0; i < 20; i++) EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "text", version, &version));
    skan_sqlite_store_close(&store);
    store = opened(path, NULL);
    EXPECT(holds_text(&store, "player", "text") && load(&store, "player")->version == version, "kept over a reopening");
    skan_sqlite_store_close(&store);
    EXPECT(!file_exists("installs.db-wal"), "closing ends the log");
    free(path);
}

static void files_are_private(const void *subject) {
    (void)subject;
    static const char *const endings[] = {"", "-wal", "-shm"};
    umask(0);
    skan_sqlite_options options = quick();
    for (int round = 0; round < 2; round++) {
        char *path = file_named(round ? "shared.db" : "installs.db");
        int expected = round ? 0640 : 0600;
        if (round) {
            write_file(path, "", 0);
            chmod(path, (mode_t)expected);
        }
        skan_store store = opened(path, &options);
        EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "text", 0, NULL));
        for (int i = 0; i < 3; i++) {
            char *file = text_of("%s%s", path, endings[i]);
            EXPECT(mode_of(file) == expected, "%s has mode %o", file, (unsigned)mode_of(file));
            free(file);
        }
        skan_sqlite_store_close(&store);
        EXPECT(mode_of(path) == expected, "and keeps it");
        free(path);
    }
}

static skan_status open_file(const char *path, const void *options, skan_store *out, skan_error **error) {
    return skan_sqlite_store_open(path, options, out, error);
}

static const skan_sqlite_options plain = {.size = sizeof plain};
static opener by_path = {open_file, skan_sqlite_store_close, NULL, &plain, sizeof plain};

static skan_status open_with(const skan_sqlite_options *options) {
    return open_and_close(&by_path, options);
}

static void checks_arguments(const void *subject) {
    (void)subject;
    const size_t size = sizeof plain;
    char *path = file_named("installs.db");
    by_path.place = path;
    check_arguments(&by_path);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_sqlite_options){.size = size, .synchronous = 2}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_sqlite_options){.size = size, .synchronous = -1}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_sqlite_options){.size = size, .busy_timeout_ms = 3600001}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_sqlite_options){.size = size, .max_connections = 1025}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_sqlite_options){.size = size, .reserved = 1}));
    ANSWER(SKAN_OK, open_with(&(skan_sqlite_options){.size = size, .synchronous = 1, .busy_timeout_ms = 3600000}));
    ANSWER(SKAN_OK, open_with(&(skan_sqlite_options){.size = size, .max_connections = 1024}));
    free(path);
}

static void names_are_files(const void *subject) {
    (void)subject;
    static const char *const names[] = {"./:memory:",  "./file:installs.db?mode=memory", "a b'c\"?#%20", "ü.db",
                                        ":memory:.db", "file"};
    skan_sqlite_options options = quick();
    if (chdir(directory()) != 0) abort();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        in_round("%s", names[i]);
        skan_store store = opened(names[i], &options);
        EXPECT(file_exists(names[i]), "a file of this name");
        EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "text", 0, NULL));
        skan_sqlite_store_close(&store);
        store = opened(names[i], &options);
        EXPECT(holds_text(&store, "player", "text"), "and its record");
        skan_sqlite_store_close(&store);
    }
}

/* What SQLite takes for its memory or a URI would be a file of this name, and last where nobody expects it to. */
static void names_of_sqlites_own_are_refused(const void *subject) {
    (void)subject;
    static const char *const names[] = {":memory:", "file::memory:", "file::memory:?cache=shared", "file:installs.db"};
    if (chdir(directory()) != 0) abort();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        in_round("%s", names[i]);
        skan_store store;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_sqlite_store_open(names[i], NULL, &store, &failure));
        EXPECT(strstr(failure_message(), "path: expected a file's name, got ") == failure_message() &&
                   strstr(failure_message(), names[i]) && (i > 0 || strstr(failure_message(), "in-memory store")),
               "the message is \"%s\"", failure_message());
        EXPECT(!file_exists(names[i]), "no file of this name");
    }
}

/* A length is a size_t, and goes further than any record. Nothing is read. */
static void lengths_of_no_record_are_refused(const void *subject) {
    (void)subject;
    static const size_t lengths[] = {SIZE_MAX, (size_t)PTRDIFF_MAX + 1};
    skan_sqlite_options options = quick();
    char *path = file_named("installs.db");
    skan_store store = opened(path, &options);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        uint64_t version = 0;
        EXPECT_STATUS(SKAN_ERROR_STORE, store.save(store.context, "player", "text", lengths[i], 0, &version));
        skan_save_item items[] = {{.key = "first", .data = "text", .length = 4},
                                  {.key = "second", .data = "text", .length = lengths[i]}};
        store.save_many(store.context, items, 2);
        EXPECT_STATUS(SKAN_ERROR_STORE, items[0].status);
        EXPECT_STATUS(SKAN_ERROR_STORE, items[1].status);
        EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "text", 0, &version));
        EXPECT_STATUS(SKAN_OK, store.remove(store.context, "player", version));
        EXPECT_STATUS(SKAN_OK, save_text(&store, "first", "text", 0, &version));
        EXPECT_STATUS(SKAN_OK, store.remove(store.context, "first", version));
    }
    skan_sqlite_store_close(&store);
    free(path);
}

/* ----------------------------------------------------------------------------------------------------- many at once */

static reports told;

/* Another process holds the lock: no item is saved, and each says so. */
static void many_wait_for_locks(const void *subject) {
    (void)subject;
    skan_sqlite_options options = quick();
    options.busy_timeout_ms = 50;
    options.report = note_report;
    options.report_context = &told;
    char *path = file_named("installs.db");
    skan_store store = opened(path, &options);
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, "there", "kept", 0, &version));
    sqlite3 *other = NULL;
    if (sqlite3_open(path, &other) != SQLITE_OK || sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL)) abort();
    skan_save_item items[] = {{"there", "lost", 4, version, 0, SKAN_OK},
                              {"stale", "lost", 4, 5, 0, SKAN_OK},
                              {"new", "lost", 4, 0, 0, SKAN_OK}};
    store.save_many(store.context, items, 3);
    for (int i = 0; i < 3; i++) EXPECT_STATUS(SKAN_ERROR_STORE, items[i].status);
    EXPECT_NUMBER(1, told.count);
    EXPECT(strstr(told.message, "database is locked"), "%s", told.message);
    sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL);
    EXPECT(holds_text(&store, "there", "kept") && holds_text(&store, "new", NULL), "nothing was applied");
    store.save_many(store.context, items, 3);
    EXPECT_STATUS(SKAN_OK, items[0].status);
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, items[1].status);
    EXPECT_STATUS(SKAN_OK, items[2].status);
    EXPECT_NUMBER(1, told.count);
    sqlite3_close(other);
    skan_sqlite_store_close(&store);
    free(path);
}

/* An item in the middle cannot be written: those before it, which were fine, are not there either. */
static void many_fail_together(const void *subject) {
    (void)subject;
    skan_sqlite_options options = quick();
    options.report = note_report;
    options.report_context = &told;
    char *path = file_named("installs.db");
    skan_store store = opened(path, &options);
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, "there", "kept", 0, &version));
    static const char *const ways[] = {"ABORT", "FAIL", "ROLLBACK"}; /* the last ends the transaction by itself */
    for (int i = 0; i < 3; i++) {
        in_round("%s", ways[i]);
        char *sql = text_of("CREATE TRIGGER refuses BEFORE INSERT ON skan_records"
                            " WHEN new.key = CAST('refused' AS BLOB)"
                            " BEGIN SELECT RAISE(%s, 'refused by the test'); END",
                            ways[i]);
        run_sql(path, sql);
        free(sql);
        skan_save_item items[] = {{"there", "lost", 4, version, 0, SKAN_OK},
                                  {"stale", "lost", 4, 5, 0, SKAN_OK},
                                  {"refused", "lost", 4, 0, 0, SKAN_OK},
                                  {"new", "lost", 4, 0, 0, SKAN_OK}};
        store.save_many(store.context, items, 4);
        EXPECT_STATUS(SKAN_ERROR_STORE, items[0].status);
        EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, items[1].status);
        EXPECT_STATUS(SKAN_ERROR_STORE, items[2].status);
        EXPECT_STATUS(SKAN_ERROR_STORE, items[3].status);
        EXPECT_NUMBER(i + 1, told.count);
        EXPECT_STATUS(SKAN_ERROR_STORE, told.status);
        EXPECT(strstr(told.message, "refused by the test"), "%s", told.message);
        EXPECT(holds_text(&store, "there", "kept") && load(&store, "there")->version == version, "the first is kept");
        EXPECT(holds_text(&store, "new", NULL) && holds_text(&store, "refused", NULL), "nothing is made");
        run_sql(path, "DROP TRIGGER refuses");
    }
    EXPECT_STATUS(SKAN_OK, save_text(&store, "there", "more", version, NULL));
    skan_sqlite_store_close(&store);
    free(path);
}

/* A record with a version that none can have fails alone; those behind it are loaded. */
static void loads_fail_alone(const void *subject) {
    (void)subject;
    static skan_buffer buffers[3];
    skan_sqlite_options options = quick();
    options.report = note_report;
    options.report_context = &told;
    char *path = file_named("installs.db");
    skan_store store = opened(path, &options);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "fine", "kept", 0, NULL));
    run_sql(path, "INSERT INTO skan_records VALUES (CAST('wrong' AS BLOB), -1, x'00')");
    skan_load_item items[] = {{"wrong", &buffers[0], 0, SKAN_OK}, {"fine", &buffers[1], 0, SKAN_OK},
                              {"nobody", &buffers[2], 0, SKAN_OK}};
    store.load_many(store.context, items, 3);
    EXPECT_STATUS(SKAN_ERROR_STORE, items[0].status);
    EXPECT_STATUS(SKAN_OK, items[1].status);
    EXPECT_STATUS(SKAN_NOT_FOUND, items[2].status);
    EXPECT_NUMBER(1, told.count);
    EXPECT(strstr(told.message, "version -1"), "%s", told.message);
    skan_sqlite_store_close(&store);
    free(path);
}

static void lists_in_the_order_of_keys(const void *subject) {
    (void)subject;
    static skan_buffer cursor, keys;
    static const char expected[] = "B\0a\0a!\0ab\0\xC3\xA9\0";
    static const char *const saved[] = {"\xC3\xA9", "a", "ab", "B", "a!"};
    skan_sqlite_options options = quick();
    options.report = note_report;
    options.report_context = &told;
    char *path = file_named("installs.db");
    skan_store store = opened(path, &options);
    for (int i = 0; i < 5; i++) EXPECT_STATUS(SKAN_OK, save_text(&store, saved[i], "text", 0, NULL));
    EXPECT_STATUS(SKAN_OK, store.list(store.context, &cursor, &keys));
    EXPECT(keys.length == sizeof expected - 1 && memcmp(keys.bytes, expected, keys.length) == 0, "%zu bytes",
           keys.length);
    EXPECT_NUMBER(0, cursor.length);

    memcpy(cursor.bytes, "libskan-sqlite 1 after ", cursor.length = 23); /* and no key */
    EXPECT_STATUS(SKAN_ERROR_STORE, store.list(store.context, &cursor, &keys));
    memcpy(cursor.bytes, "libskan-sqlite 1 after a!", cursor.length = 25);
    EXPECT_STATUS(SKAN_OK, store.list(store.context, &cursor, &keys));
    EXPECT(keys.length == 6 && memcmp(keys.bytes, "ab\0\xC3\xA9", 6) == 0, "%zu bytes after a!", keys.length);

    run_sql(path, "INSERT INTO skan_records VALUES (x'610062', 1, x'00')");
    cursor.length = 0;
    EXPECT_STATUS(SKAN_ERROR_STORE, store.list(store.context, &cursor, &keys));
    EXPECT(strstr(told.message, "a key of 3 bytes that no install has"), "%s", told.message);
    EXPECT_NUMBER(2, told.count);
    skan_sqlite_store_close(&store);
    free(path);
}

/* ------------------------------------------------------------------------------------------------ threads and forks */

enum { COUNTERS = 4 };
static skan_store shared;

static void increment(const char *key) {
    for (;;) {
        const loaded *found = load(&shared, key);
        char text[32];
        long count = 0;
        if (found->status == SKAN_OK) count = strtol((const char *)found->buffer.bytes, NULL, 10);
        snprintf(text, sizeof text, "%ld ", count + 1);
        skan_status status = save_text(&shared, key, text, found->version, NULL);
        if (status == SKAN_OK) return;
        if (!EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, status)) return;
    }
}

static void *increment_many(void *times) {
    char key[16];
    for (intptr_t i = 0; i < (intptr_t)times; i++) {
        snprintf(key, sizeof key, "counter-%d", (int)(i % COUNTERS));
        increment(key);
    }
    return NULL;
}

static void expect_counts(long expected) {
    char key[16];
    for (int i = 0; i < COUNTERS; i++) {
        snprintf(key, sizeof key, "counter-%d", i);
        const loaded *found = load(&shared, key);
        EXPECT_NUMBER(expected, found->status == SKAN_OK ? strtol((const char *)found->buffer.bytes, NULL, 10) : -1);
    }
}

static void is_shared_by_threads(const void *subject) {
    enum { THREADS = 16, TIMES = 400 };
    skan_sqlite_options options = quick();
    options.max_connections = *(const uint32_t *)subject;
    char *path = file_named("installs.db");
    shared = opened(path, &options);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, increment_many, (void *)(intptr_t)TIMES);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect_counts(THREADS * TIMES / COUNTERS);
    skan_sqlite_store_close(&shared);
    free(path);
}

/* Threads of the parent are in calls at every fork; what they and the children add is all there. */
static void is_usable_after_forks(const void *subject) {
    (void)subject;
    enum { THREADS = 3, TIMES = 4000, CHILDREN = 40, OF_CHILD = 40 };
    skan_sqlite_options options = quick();
    options.max_connections = 3;
    char *path = file_named("installs.db");
    shared = opened(path, &options);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, increment_many, (void *)(intptr_t)TIMES);
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            increment_many((void *)(intptr_t)OF_CHILD);
            pid_t grandchild = fork();
            if (grandchild == 0) {
                increment_many((void *)(intptr_t)OF_CHILD);
                skan_sqlite_store_close(&shared);
                _exit(0);
            }
            int ending = 1;
            waitpid(grandchild, &ending, 0);
            if (i % 2) skan_sqlite_store_close(&shared);
            _exit(ending != 0);
        }
        if (i % 4 == 3) usleep(20000);
    }
    for (int i = 0; i < CHILDREN; i++) {
        int ending = 1;
        wait(&ending);
        EXPECT_NUMBER(0, ending);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect_counts((THREADS * TIMES + CHILDREN * OF_CHILD * 2) / COUNTERS);
    skan_sqlite_store_close(&shared);
    free(path);
}

/* A child of a parent that has the file open takes locks of its own: others see them, and do not end its log. */
static void locks_are_the_childs_own(const void *subject) {
    (void)subject;
    skan_sqlite_options options = quick();
    char *path = file_named("installs.db");
    shared = opened(path, &options);
    increment("player");
    int to_child[2], to_parent[2];
    char byte = 0;
    if (pipe(to_child) || pipe(to_parent)) abort();
    pid_t child = fork();
    if (child == 0) {
        increment("player");
        if (write(to_parent[1], &byte, 1) != 1 || read(to_child[0], &byte, 1) != 1) _exit(2);
        increment("player");
        if (write(to_parent[1], &byte, 1) != 1) _exit(2);
        pause();
    }
    EXPECT_NUMBER(1, read(to_parent[0], &byte, 1));
    skan_sqlite_store_close(&shared); /* the last one of the parent: were it the last of all, the log would end */
    run_sql(path, "SELECT * FROM skan_records");
    EXPECT_NUMBER(1, write(to_child[1], &byte, 1));
    EXPECT_NUMBER(1, read(to_parent[0], &byte, 1));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    shared = opened(path, &options);
    EXPECT(holds_text(&shared, "player", "3 "), "what the child saved");
    skan_sqlite_store_close(&shared);
    free(path);
}

int main(void) {
    static const uint32_t few = 2, many = 16, one = 1;
    run_case("keeps what is saved", keeps_what_is_saved, NULL);
    run_case("tells keys apart", tells_keys_apart, NULL);
    run_case("keeps every size", keeps_every_size, NULL);
    run_case("follows a model", follows_a_model, NULL);
    run_case("versions never repeat", versions_never_repeat, NULL);
    run_case("FULL is the default", full_is_the_default, NULL);
    run_case("files are private", files_are_private, NULL);
    run_case("checks arguments", checks_arguments, NULL);
    run_case("names are files", names_are_files, NULL);
    run_case("names of SQLite's own are refused", names_of_sqlites_own_are_refused, NULL);
    run_case("lengths of no record are refused", lengths_of_no_record_are_refused, NULL);
    run_case("many wait for locks", many_wait_for_locks, NULL);
    run_case("many fail together", many_fail_together, NULL);
    run_case("loads fail alone", loads_fail_alone, NULL);
    run_case("lists in the order of keys", lists_in_the_order_of_keys, NULL);
    run_case("threads, 1 connection", is_shared_by_threads, &one);
    run_case("threads, 2 connections", is_shared_by_threads, &few);
    run_case("threads, 16 connections", is_shared_by_threads, &many);
    run_case("is usable after forks", is_usable_after_forks, NULL);
    run_case("locks are the child's own", locks_are_the_childs_own, NULL);
    return finish_cases();
}
