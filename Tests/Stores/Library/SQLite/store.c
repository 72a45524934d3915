/* The store contract of skan.h, on a file:
 *   store */
#define _GNU_SOURCE
#include "Stores/Library/cases.h"
#include "files.h"
#include "Stores/Library/hooks.h"
#include "support.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------------------- the kit */

typedef struct file {
    char *path;
    skan_sqlite_options options;
} file;

static skan_status open_for_kit(void *context, skan_store *out) {
    const file *file = context;
    return skan_sqlite_store_open(file->path, &file->options, out, NULL);
}

static void keeps_the_contract(const void *subject) {
    bool is_full = subject != NULL;
    file file = {file_named("laws.db"), quick()};
    file.options.synchronous = is_full ? SKAN_SQLITE_FULL : SKAN_SQLITE_NORMAL;
    keep_contract((skan_store_kit){.context = &file,
                                   .open = open_for_kit,
                                   .prefix = is_full ? NULL : "",
                                   .rounds = is_full ? 60 : 200,
                                   .steps = is_full ? 1000 : 4000});
    free(file.path);
}

/* ------------------------------------------------------------------------------------------------------------ files */

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

static const skan_sqlite_options plain = {.size = sizeof plain};
static const char *place;

static skan_status open_with(const skan_sqlite_options *options) {
    return open_and_close(place, options);
}

static void checks_arguments(const void *subject) {
    (void)subject;
    const size_t size = sizeof plain;
    char *path = file_named("installs.db");
    place = path;
    check_arguments(place, &plain, size);
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

static skan_store telling_store(const char *path, uint32_t busy_timeout_ms) {
    skan_sqlite_options options = quick();
    options.busy_timeout_ms = busy_timeout_ms;
    options.report = note_report;
    options.report_context = &told;
    return opened(path, &options);
}

/* Another process holds the lock: no item is saved, and each says so. */
static void many_wait_for_locks(const void *subject) {
    (void)subject;
    char *path = file_named("installs.db");
    skan_store store = telling_store(path, 50);
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
    char *path = file_named("installs.db");
    skan_store store = telling_store(path, 0);
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
    char *path = file_named("installs.db");
    skan_store store = telling_store(path, 0);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "fine", "kept", 0, NULL));
    run_sql(path, "INSERT INTO skan_records VALUES (CAST('wrong' AS BLOB), -1, x'00')");
    skan_load_item items[] = {{"wrong", skan_buffer_create(), 0, SKAN_OK},
                              {"fine", skan_buffer_create(), 0, SKAN_OK},
                              {"nobody", skan_buffer_create(), 0, SKAN_OK}};
    store.load_many(store.context, items, 3);
    EXPECT_STATUS(SKAN_ERROR_STORE, items[0].status);
    EXPECT_STATUS(SKAN_OK, items[1].status);
    EXPECT_STATUS(SKAN_NOT_FOUND, items[2].status);
    EXPECT_NUMBER(1, told.count);
    EXPECT(strstr(told.message, "version -1"), "%s", told.message);
    for (int i = 0; i < 3; i++) skan_buffer_destroy(items[i].out);
    skan_sqlite_store_close(&store);
    free(path);
}

static void lists_in_the_order_of_keys(const void *subject) {
    (void)subject;
    static const char expected[] = "B\0a\0a!\0ab\0\xC3\xA9\0", after[] = "libskan-sqlite 1 after a!";
    static const char *const saved[] = {"\xC3\xA9", "a", "ab", "B", "a!"};
    skan_buffer *cursor = skan_buffer_create(), *keys = skan_buffer_create();
    char *path = file_named("installs.db");
    skan_store store = telling_store(path, 0);
    for (int i = 0; i < 5; i++) EXPECT_STATUS(SKAN_OK, save_text(&store, saved[i], "text", 0, NULL));
    EXPECT_STATUS(SKAN_OK, store.list(store.context, cursor, keys));
    EXPECT(skan_buffer_size(keys) == sizeof expected - 1 &&
               memcmp(skan_buffer_data(keys), expected, sizeof expected - 1) == 0,
           "%zu bytes", skan_buffer_size(keys));
    EXPECT_NUMBER(0, skan_buffer_size(cursor));

    refuse_cursors(&store, (const char *const[]){"libskan-sqlite 1 after "}, 1); /* and no key */
    skan_buffer_set(cursor, after, sizeof after - 1);
    EXPECT_STATUS(SKAN_OK, store.list(store.context, cursor, keys));
    EXPECT(skan_buffer_size(keys) == 6 && memcmp(skan_buffer_data(keys), "ab\0\xC3\xA9", 6) == 0, "%zu bytes after a!",
           skan_buffer_size(keys));

    run_sql(path, "INSERT INTO skan_records VALUES (x'610062', 1, x'00')");
    skan_buffer_set(cursor, NULL, 0);
    EXPECT_STATUS(SKAN_ERROR_STORE, store.list(store.context, cursor, keys));
    EXPECT(strstr(told.message, "a key of 3 bytes that no install has"), "%s", told.message);
    EXPECT_NUMBER(2, told.count);
    skan_buffer_destroy(cursor);
    skan_buffer_destroy(keys);
    skan_sqlite_store_close(&store);
    free(path);
}

/* ------------------------------------------------------------------------------------------------ threads and forks */

static void is_shared_by_threads(const void *subject) {
    skan_sqlite_options options = quick();
    options.max_connections = *(const uint32_t *)subject;
    char *path = file_named("installs.db");
    skan_store store = opened(path, &options);
    count_by_threads(&store, 16, 400);
    skan_sqlite_store_close(&store);
    free(path);
}

static void forks_under_threads(const void *subject) {
    (void)subject;
    skan_sqlite_options options = quick();
    options.max_connections = 3;
    char *path = file_named("installs.db");
    skan_store store = opened(path, &options);
    count_under_forks(&store, &(forks){3000, 40, 40, skan_sqlite_store_close});
    skan_sqlite_store_close(&store);
    free(path);
}

static skan_store shared;

static void increment(const char *key) {
    const loaded *found = load(&shared, key);
    char text[32];
    snprintf(text, sizeof text, "%ld ", strtol((const char *)found->bytes, NULL, 10) + 1);
    EXPECT_STATUS(SKAN_OK, save_text(&shared, key, text, found->version, NULL));
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
    run_case("keeps the contract, NORMAL", keeps_the_contract, NULL);
    run_case("keeps the contract, FULL", keeps_the_contract, "FULL");
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
    run_case("forks under threads", forks_under_threads, NULL);
    run_case("locks are the child's own", locks_are_the_childs_own, NULL);
    return finish_cases();
}
