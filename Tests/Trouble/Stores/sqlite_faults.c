/*
 * Every call of SQLite to the system fails in turn, once and from then on, while a record is saved, made, removed,
 * loaded, several are saved or loaded at once, and keys are listed:
 *   faults
 * The answer is compared with two truths: what the same store finds afterwards, and what a machine that crashed right
 * then would find: the file and its log, without the log's index, opened anew. Afterwards the store works as before.
 */
#define _GNU_SOURCE
#include "Stores/Library/SQLite/files.h"
#include "Stores/Library/hooks.h"
#include "support.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------- a system that fails */

typedef enum fault { ERROR, NO_SPACE, FAULTS } fault;

static fault failing;
static int calls, failing_call; /* failing_call 0: none fails */
static int syncs;
static bool fails_from_then_on, has_failed;

static bool fails(void) {
    calls++;
    bool fail = failing_call && (fails_from_then_on ? calls >= failing_call : calls == failing_call);
    has_failed = has_failed || fail;
    return fail;
}

/* The methods of a file that fail, and those of the system. */
typedef struct failing_methods {
    sqlite3_io_methods failing;
    const sqlite3_io_methods *real;
} failing_methods;

static const sqlite3_io_methods *real(const sqlite3_file *file) {
    return ((const failing_methods *)file->pMethods)->real;
}

static int fail_read(sqlite3_file *file, void *data, int length, sqlite3_int64 offset) {
    return fails() ? SQLITE_IOERR_READ : real(file)->xRead(file, data, length, offset);
}

/* The system may have written a part. */
static int fail_write(sqlite3_file *file, const void *data, int length, sqlite3_int64 offset) {
    if (!fails()) return real(file)->xWrite(file, data, length, offset);
    int part = calls % 3 == 0 ? 0 : calls % 3 == 1 ? length / 2 : length - 1;
    if (part) real(file)->xWrite(file, data, part, offset);
    return failing == NO_SPACE ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int fail_truncate(sqlite3_file *file, sqlite3_int64 size) {
    return fails() ? SQLITE_IOERR_TRUNCATE : real(file)->xTruncate(file, size);
}

/* A crash here is a copy of the files, for which nothing need reach the disk. */
static int fail_sync(sqlite3_file *file, int flags) {
    (void)file, (void)flags;
    syncs++;
    return fails() ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int fail_size(sqlite3_file *file, sqlite3_int64 *size) {
    return fails() ? SQLITE_IOERR_FSTAT : real(file)->xFileSize(file, size);
}

static int fail_lock(sqlite3_file *file, int level) {
    return fails() ? SQLITE_IOERR_LOCK : real(file)->xLock(file, level);
}

static int fail_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
    if (!fails()) return real(file)->xShmMap(file, page, size, extend, memory);
    *memory = NULL;
    return SQLITE_IOERR_SHMMAP;
}

static int fail_shared_lock(sqlite3_file *file, int offset, int count, int flags) {
    bool unlocks = flags & SQLITE_SHM_UNLOCK;
    return !unlocks && fails() ? SQLITE_IOERR_SHMLOCK
                               : real(file)->xShmLock(file, offset, count, flags);
}

/* The system has few: files that are locked, and others. */
static const sqlite3_io_methods *methods_that_fail(const sqlite3_io_methods *methods) {
    static failing_methods known[4];
    failing_methods *found = known;
    while (found->real && found->real != methods) found++;
    if (found == known + sizeof known / sizeof *known) abort();
    *found = (failing_methods){*methods, methods};
    found->failing.iVersion = 2; /* no file is mapped */
    found->failing.xRead = fail_read;
    found->failing.xWrite = fail_write;
    found->failing.xTruncate = fail_truncate;
    found->failing.xSync = fail_sync;
    found->failing.xFileSize = fail_size;
    found->failing.xLock = fail_lock;
    found->failing.xShmMap = fail_map;
    found->failing.xShmLock = fail_shared_lock;
    return &found->failing;
}

static sqlite3_vfs *real_system, failing_system;

static int fail_open(sqlite3_vfs *system, const char *name, sqlite3_file *file, int flags, int *given) {
    (void)system;
    file->pMethods = NULL;
    if (fails()) return SQLITE_CANTOPEN;
    int code = real_system->xOpen(real_system, name, file, flags, given);
    if (file->pMethods) file->pMethods = methods_that_fail(file->pMethods);
    return code;
}

static int fail_delete(sqlite3_vfs *system, const char *name, int syncs) {
    (void)system;
    return fails() ? SQLITE_IOERR_DELETE : real_system->xDelete(real_system, name, syncs);
}

static void make_system(void) {
    sqlite3_initialize();
    real_system = sqlite3_vfs_find(NULL);
    failing_system = *real_system;
    failing_system.zName = "failing";
    failing_system.xOpen = fail_open;
    failing_system.xDelete = fail_delete;
    sqlite3_vfs_register(&failing_system, 1);
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

enum { SAVE, MAKE, REMOVE, LOAD, SAVE_MANY, LOAD_MANY, LIST, OPERATIONS };
static const char *const operation_names[] = {"save", "make", "remove", "load", "save many", "load many", "list"};

typedef struct scene {
    int operation;
    fault kind;
    bool from_then_on;
    bool is_full;      /* synchronous */
    bool log_is_long;  /* the next change makes SQLite write the log back */
    bool is_large;     /* the record */
} scene;

typedef struct tally {
    int rounds, ok, failed, unknown, unknown_applied, unknown_of_many;
} tally;

static tally *total;
static char record[20000];

/* A file with 40 records and its log, as a process that was killed leaves them. */
static void make_files(const char *path, bool log_is_long) {
    skan_sqlite_options options = quick();
    char *made = text_of("%s.made", path), *made_log = text_of("%s-wal", made), *log = text_of("%s-wal", path);
    skan_store store = opened(made, &options);
    for (int i = 0; i < 40; i++) {
        char key[16];
        snprintf(key, sizeof key, "install-%d", i);
        EXPECT_STATUS(SKAN_OK, save_text(&store, key, "other", 0, NULL));
    }
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "old", 0, &version));
    for (int i = 0; log_is_long && i < 950; i++)
        EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "old", version, &version));
    copy_file(made, path);
    copy_file(made_log, log);
    kind.close(&store);
}

static bool only_reads(const scene *scene) {
    return scene->operation == LOAD || scene->operation == LOAD_MANY || scene->operation == LIST;
}

/* The truth about the record of the operation: -1 as before, 1 as the operation makes it, 0 neither. Many records are
 * saved whole or not at all. */
static int truth(const skan_store *store, const scene *scene) {
    if (scene->operation == SAVE_MANY) {
        struct scene updated = *scene, made = *scene;
        updated.operation = SAVE;
        made.operation = MAKE;
        int player = truth(store, &updated);
        return player == truth(store, &made) && holds_text(store, "install-3", "other") ? player : 0;
    }
    const loaded *found = load(store, scene->operation == MAKE ? "new" : "player");
    size_t length = scene->is_large ? sizeof record : 130;
    bool is_new = found->status == SKAN_OK && found->length == length &&
                  memcmp(found->bytes, record, length) == 0;
    bool is_none = found->status == SKAN_NOT_FOUND;
    bool is_old = found->status == SKAN_OK && found->length == 3;
    switch (scene->operation) {
    case SAVE: return is_new ? 1 : is_old ? -1 : 0;
    case MAKE: return is_new ? 1 : is_none ? -1 : 0;
    case REMOVE: return is_none ? 1 : is_old ? -1 : 0;
    default: return is_old ? -1 : 0;
    }
}

static int truth_after_crash(const char *path, const scene *scene) {
    skan_sqlite_options options = quick();
    char *crashed = text_of("%s.crashed", path);
    char *log = text_of("%s-wal", path), *log_there = text_of("%s-wal", crashed);
    copy_file(path, crashed);
    unlink(log_there);
    if (file_exists(log)) copy_file(log, log_there);
    skan_store store = opened(crashed, &options);
    int found = truth(&store, scene);
    for (int i = 0; i < 40; i++) {
        char key[16];
        snprintf(key, sizeof key, "install-%d", i);
        EXPECT(holds_text(&store, key, "other"), "%s after a crash", key);
    }
    kind.close(&store);
    unlink(crashed);
    return found;
}

/* The answer that the items share; a conflict in their middle is told as one, or not tried. */
static skan_status operate_on_many(const skan_store *store, size_t length, uint64_t version) {
    skan_save_item items[] = {{"player", record, length, version, 0, SKAN_OK},
                              {"install-3", record, length, 1, 0, SKAN_OK},
                              {"new", record, length, 0, 0, SKAN_OK}};
    store->save_many(store->context, items, 3);
    skan_status status = items[0].status;
    EXPECT_STATUS(status, items[2].status);
    if (status == SKAN_ERROR_STORE && items[1].status == SKAN_ERROR_STORE) return status;
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, items[1].status);
    return status;
}

/* SKAN_OK where every item is answered right; SKAN_ERROR_STORE where one failed, and none wrongly. */
static skan_status load_some(const skan_store *store) {
    static const char *const keys[] = {"player", "nobody", "install-3"}, *const texts[] = {"old", NULL, "other"};
    skan_load_item items[3];
    for (int i = 0; i < 3; i++) items[i] = (skan_load_item){keys[i], skan_buffer_create(), 0, SKAN_OK};
    store->load_many(store->context, items, 3);
    skan_status status = SKAN_OK;
    for (int i = 0; i < 3; i++) {
        if (items[i].status == SKAN_ERROR_STORE)
            status = SKAN_ERROR_STORE;
        else if (EXPECT_STATUS(texts[i] ? SKAN_OK : SKAN_NOT_FOUND, items[i].status) && texts[i])
            EXPECT(items[i].version != 0 && skan_buffer_size(items[i].out) == strlen(texts[i]) &&
                       memcmp(skan_buffer_data(items[i].out), texts[i], strlen(texts[i])) == 0,
                   "%s is damaged", keys[i]);
        skan_buffer_destroy(items[i].out);
    }
    return status;
}

static skan_status list_all(const skan_store *store) {
    const listed *page = list(store, "");
    size_t count = 0;
    for (const char *key = page->keys; (key = strchr(key, ' ')); key++) count++;
    if (page->status == SKAN_OK) EXPECT(count == 41 && !*page->cursor, "%zu keys are listed", count);
    return page->status;
}

static skan_status operate(const skan_store *store, const scene *scene, uint64_t version) {
    size_t length = scene->is_large ? sizeof record : 130;
    switch (scene->operation) {
    case SAVE: return save(store, "player", record, length, version, NULL);
    case MAKE: return save(store, "new", record, length, 0, NULL);
    case REMOVE: return remove_key(store, "player", version);
    case SAVE_MANY: return operate_on_many(store, length, version);
    case LOAD_MANY: return load_some(store);
    case LIST: return list_all(store);
    default: return load(store, "player")->status;
    }
}

/* Answers whether a call failed; `warm`: the connection has been used before, else the operation opens it. */
static bool run_round(const scene *scene, const char *source, int call, bool warm) {
    in_round("%s, %s %s%s%s%s%s, call %d", operation_names[scene->operation],
             scene->kind == NO_SPACE ? "no space" : "error", scene->from_then_on ? "from then on" : "once",
             scene->is_full ? ", FULL" : "", scene->log_is_long ? ", long log" : "", scene->is_large ? ", large" : "",
             warm ? "" : ", cold", call);
    char *path = file_named("round.db"), *log = text_of("%s-wal", path), *source_log = text_of("%s-wal", source);
    copy_file(source, path);
    copy_file(source_log, log);
    skan_sqlite_options options = quick();
    options.synchronous = scene->is_full ? SKAN_SQLITE_FULL : SKAN_SQLITE_NORMAL;
    options.busy_timeout_ms = 1;
    skan_store store = opened(path, &options);
    uint64_t version = load(&store, "player")->version;
    if (!warm) { /* fork ends the connections; the operation then makes one */
        pid_t child = fork();
        if (child == 0) _exit(0);
    }

    /* One that has committed before knows that this change has not. */
    if (warm && !scene->log_is_long && !only_reads(scene))
        EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "old", version, &version));
    calls = 0, syncs = 0, has_failed = false, failing = scene->kind;
    fails_from_then_on = scene->from_then_on, failing_call = call;
    skan_status status = operate(&store, scene, version);
    failing_call = 0;

    EXPECT(call > 1 || !warm || status != SKAN_ERROR_STORE_UNKNOWN, "the first call fails before anything is written");
    if (warm && scene->operation == SAVE && !scene->log_is_long && !has_failed)
        EXPECT((syncs > 0) == scene->is_full, "a change waited %d times for the disk", syncs);
    int crashed = truth_after_crash(path, scene), now = truth(&store, scene);
    EXPECT(now != 0 && crashed != 0, "%s: the record is damaged", skan_status_name(status));
    total->rounds++;
    if (status == SKAN_OK && !only_reads(scene)) {
        total->ok++;
        EXPECT(now == 1 && crashed == 1, "OK, but now %d, after a crash %d", now, crashed);
    } else if (status == SKAN_ERROR_STORE) {
        total->failed++;
        EXPECT(now == -1 && crashed == -1, "failed, but now %d, after a crash %d", now, crashed);
    } else if (status == SKAN_ERROR_STORE_UNKNOWN) {
        total->unknown++;
        total->unknown_applied += now == 1 || crashed == 1;
        EXPECT(!only_reads(scene), "%s answers UNKNOWN", operation_names[scene->operation]);
        total->unknown_of_many += scene->operation == SAVE_MANY;
    } else {
        EXPECT_STATUS(SKAN_OK, status);
    }
    version = load(&store, "player")->version;
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "afterwards", version, NULL));
    EXPECT(holds_text(&store, "player", "afterwards") && holds_text(&store, "install-7", "other"), "it goes on");
    kind.close(&store);
    unlink(path);
    return has_failed;
}

static void run_scene(const void *subject) {
    const scene *scene = subject;
    make_system();
    for (size_t i = 0; i < sizeof record; i++) record[i] = (char)('a' + i % 23);
    char *source = file_named("source.db");
    make_files(source, scene->log_is_long);
    for (int warm = 0; warm < 2; warm++)
        for (int call = 1; run_round(scene, source, call, warm); call++) continue;
}

static void every_outcome_was_seen(void) {
    EXPECT(total->ok > 0 && total->failed > 0 && total->unknown_applied > 0 && total->unknown_of_many > 0,
           "else this test sees nothing");
}

int main(void) {
    total = shared_memory(sizeof *total);
    for (int i = 0; i < OPERATIONS * FAULTS * 16; i++) {
        scene scene = {.operation = i % OPERATIONS,
                       .kind = (fault)(i / OPERATIONS % FAULTS),
                       .from_then_on = i / OPERATIONS / FAULTS & 1,
                       .is_full = i / OPERATIONS / FAULTS & 2,
                       .log_is_long = i / OPERATIONS / FAULTS & 4,
                       .is_large = i / OPERATIONS / FAULTS & 8};
        bool is_writing = scene.operation == SAVE || scene.operation == MAKE || scene.operation == SAVE_MANY;
        if (scene.is_large && (!is_writing || scene.log_is_long)) continue;
        if (only_reads(&scene) && scene.kind == NO_SPACE) continue;
        run_case(operation_names[scene.operation], run_scene, &scene);
    }
    printf("%d calls failed in turn: %d OK, %d failed, %d unknown, of which %d were applied\n", total->rounds,
           total->ok, total->failed, total->unknown, total->unknown_applied);
    RUN(every_outcome_was_seen);
    return finish_cases();
}
