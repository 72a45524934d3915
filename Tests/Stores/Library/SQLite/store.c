/* The store contract of store.h, on a file:
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

/* ------------------------------------------------------------------------------------------------------------ files */

CASE(files_are_private) {
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
            const char *file = text_of("%s%s", path, endings[i]);
            EXPECT(mode_of(file) == expected, "%s has mode %o", file, (unsigned)mode_of(file));
        }
        skan_sqlite_store_close(&store);
        EXPECT(mode_of(path) == expected, "and keeps it");
    }
}

CASE(checks_arguments) {
    const skan_sqlite_options plain = {.size = sizeof plain};
    const number_option numbers[] = {{offsetof(skan_sqlite_options, synchronous), 1},
                                     {offsetof(skan_sqlite_options, busy_timeout_ms), 3600000},
                                     {offsetof(skan_sqlite_options, max_connections), 1024},
                                     {offsetof(skan_sqlite_options, reserved), 0}};
    check_arguments(file_named("installs.db"), &plain, sizeof plain, numbers, sizeof numbers / sizeof *numbers);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
           open_and_close(file_named("installs.db"), &(skan_sqlite_options){.size = sizeof plain, .synchronous = -1}));
}

CASE(names_are_files) {
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
CASE(names_of_sqlites_own_are_refused) {
    static const char *const names[] = {":memory:", "file::memory:", "file::memory:?cache=shared", "file:installs.db"};
    if (chdir(directory()) != 0) abort();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        in_round("%s", names[i]);
        skan_store store;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_sqlite_store_open(names[i], NULL, &store, &failure));
        EXPECT(strstr(failure_message(), "path: expected a file's name, got ") == failure_message() &&
                   strstr(failure_message(), names[i]) && (i > 0 || strstr(failure_message(), "keeps installs in memory")),
               "the message is \"%s\"", failure_message());
        EXPECT(!file_exists(names[i]), "no file of this name");
    }
}

/* A length is a size_t, and goes further than any record. Nothing is read. */
CASE(lengths_of_no_record_are_refused) {
    static const size_t lengths[] = {SIZE_MAX, (size_t)PTRDIFF_MAX + 1};
    skan_sqlite_options options = quick();
    char *path = file_named("installs.db");
    skan_store store = opened(path, &options);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        EXPECT_STATUS(SKAN_ERROR_STORE, save(&store, "player", "text", lengths[i], 0, NULL));
        skan_save_item items[] = {{.key = "first", .data = "text", .length = 4},
                                  {.key = "second", .data = "text", .length = lengths[i]}};
        EXPECT_TEXT("SKAN_ERROR_STORE SKAN_ERROR_STORE", save_many(&store, items, 2));
        EXPECT(holds_text(&store, "player", NULL) && holds_text(&store, "first", NULL), "nothing is saved");
    }
    skan_sqlite_store_close(&store);
}

/* ----------------------------------------------------------------------------------------------------- many at once */

static reports told;

static skan_store telling_store(const char *path) {
    skan_sqlite_options options = quick();
    options.report = note_report;
    options.report_context = &told;
    return opened(path, &options);
}

/* An item in the middle cannot be written: those before it, which were fine, are not there either. */
static void many_fail_together(const void *way) {
    char *path = file_named("installs.db");
    skan_store store = telling_store(path);
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, "there", "kept", 0, &version));
    run_sql(path, text_of("CREATE TRIGGER refuses BEFORE INSERT ON skan_records WHEN new.key = CAST('refused' AS BLOB)"
                          " BEGIN SELECT RAISE(%s, 'refused by the test'); END",
                          (const char *)way));
    skan_save_item items[] = {{"there", "lost", 4, version, 0, SKAN_OK},
                              {"stale", "lost", 4, 5, 0, SKAN_OK},
                              {"refused", "lost", 4, 0, 0, SKAN_OK},
                              {"new", "lost", 4, 0, 0, SKAN_OK}};
    EXPECT_TEXT("SKAN_ERROR_STORE SKAN_ERROR_STORE_CONFLICT SKAN_ERROR_STORE SKAN_ERROR_STORE",
                save_many(&store, items, 4));
    EXPECT_NUMBER(1, told.count);
    EXPECT_STATUS(SKAN_ERROR_STORE, told.status);
    EXPECT(strstr(told.message, "refused by the test"), "%s", told.message);
    EXPECT(holds_text(&store, "there", "kept") && load(&store, "there")->version == version, "the first is kept");
    EXPECT(holds_text(&store, "new", NULL) && holds_text(&store, "refused", NULL), "nothing is made");
    run_sql(path, "DROP TRIGGER refuses");
    EXPECT_STATUS(SKAN_OK, save_text(&store, "there", "more", version, NULL));
    skan_sqlite_store_close(&store);
}

/* A record with a version that none can have fails alone; those behind it are loaded. */
CASE(loads_fail_alone) {
    char *path = file_named("installs.db");
    skan_store store = telling_store(path);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "fine", "kept", 0, NULL));
    run_sql(path, "INSERT INTO skan_records VALUES (CAST('wrong' AS BLOB), -1, x'00')");
    EXPECT_TEXT("SKAN_ERROR_STORE SKAN_OK SKAN_NOT_FOUND", load_many(&store, "wrong fine nobody"));
    EXPECT_NUMBER(1, told.count);
    EXPECT(strstr(told.message, "version -1"), "%s", told.message);
    skan_sqlite_store_close(&store);
}

CASE(lists_in_the_order_of_keys) {
    static const char *const saved[] = {"\xC3\xA9", "a", "ab", "B", "a!"};
    char *path = file_named("installs.db");
    skan_store store = telling_store(path);
    for (int i = 0; i < 5; i++) EXPECT_STATUS(SKAN_OK, save_text(&store, saved[i], "text", 0, NULL));
    EXPECT_TEXT("B a a! ab \xC3\xA9 ", list(&store, "")->keys);
    EXPECT_TEXT("", list(&store, "")->cursor);
    EXPECT_STATUS(SKAN_ERROR_STORE, list(&store, "libskan-sqlite 1 after ")->status); /* and no key */
    EXPECT_TEXT("ab \xC3\xA9 ", list(&store, "libskan-sqlite 1 after a!")->keys);

    run_sql(path, "INSERT INTO skan_records VALUES (x'610062', 1, x'00')");
    EXPECT_STATUS(SKAN_ERROR_STORE, list(&store, "")->status);
    EXPECT(strstr(told.message, "a key of 3 bytes that cannot be an install's"), "%s", told.message);
    EXPECT_NUMBER(2, told.count);
    skan_sqlite_store_close(&store);
}

/* ------------------------------------------------------------------------------------------------------------ forks */

CASE(forks_under_threads) {
    skan_sqlite_options options = quick();
    options.max_connections = 3;
    count_under_forks(file_named("installs.db"), &options, &(forks){3000, 40, 40});
}

static skan_store shared;

static void increment(const char *key) {
    const loaded *found = load(&shared, key);
    char text[32];
    snprintf(text, sizeof text, "%ld ", strtol((const char *)found->bytes, NULL, 10) + 1);
    EXPECT_STATUS(SKAN_OK, save_text(&shared, key, text, found->version, NULL));
}

/* A child of a parent that has the file open takes locks of its own: others see them, and do not end its log. */
CASE(locks_are_the_childs_own) {
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
}

int main(void) {
    skan_sqlite_options full = {.size = sizeof full, .synchronous = SKAN_SQLITE_FULL, .max_connections = 16};
    skan_sqlite_options single = quick();
    single.max_connections = 1;
    const kit_subject kits[] = {
        {"NORMAL, 1 connection", file_named("normal.db"), &single, {.prefix = "", .rounds = 200, .steps = 4000}},
        {"FULL, 16 connections", file_named("full.db"), &full, {.rounds = 60, .steps = 1000}},
    };
    for (size_t i = 0; i < sizeof kits / sizeof *kits; i++) run_case(kits[i].name, keep_contract, &kits[i]);
    run_case("an old repeat", know_old_repeats, &kits[0]);
    run_case("many fail together", many_fail_together, "ABORT");
    run_case("many fail together, FAIL", many_fail_together, "FAIL");
    run_case("many fail together, ROLLBACK", many_fail_together, "ROLLBACK"); /* ends the transaction by itself */
    return run_cases();
}
