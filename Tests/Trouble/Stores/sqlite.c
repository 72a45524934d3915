/* What goes wrong with files: each is told clearly, with the right outcome; nothing is lost; and once it is mended the
 * same store goes on:
 *   trouble [forks beside calls that time out]
 * Root may do everything, so as root it becomes nobody first. */
#define _GNU_SOURCE
#include "Stores/Library/SQLite/files.h"
#include "Stores/Library/cases.h"
#include "support.h"
#include "trouble.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static skan_sqlite_options reporting(uint32_t busy_timeout_ms) {
    skan_sqlite_options options = quick();
    options.busy_timeout_ms = busy_timeout_ms;
    options.report = note_report;
    options.report_context = &told;
    return options;
}

/* 0 where it cannot be read. */
static size_t read_file(const char *path, char *content, size_t size) {
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(content, 1, size, file) : 0;
    if (file) fclose(file);
    return length;
}

/* It cannot be opened, for this reason, and is not touched. */
static void expect_untouched(const char *path, skan_status status, const char *words) {
    static char before[65536], after[65536];
    skan_sqlite_options options = reporting(200);
    size_t length = read_file(path, before, sizeof before);
    expect_refused(path, &options, status, words);
    EXPECT_WORDS(path, failure_message());
    EXPECT(read_file(path, after, sizeof after) == length && memcmp(before, after, length) == 0, "it was changed");
}

/* A closed store with a record. */
static char *file_with_record(void) {
    skan_sqlite_options options = quick();
    char *path = file_named("installs.db");
    skan_store store = opened(path, &options);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "kept", 0, NULL));
    kind.close(&store);
    return path;
}

static void expect_kept(char *path) {
    skan_store store = opened(path, NULL);
    EXPECT(holds_text(&store, "player", "kept"), "nothing is lost");
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "more", load(&store, "player")->version, NULL));
    kind.close(&store);
}

static void unwritable_directory(void) {
    char *path = file_named("installs.db");
    chmod(directory(), 0555);
    expect_untouched(path, SKAN_ERROR_STORE, "Permission denied");
    EXPECT(!file_exists(path), "nothing was made");
    chmod(directory(), 0755);
    expect_refused(path, NULL, SKAN_OK, "");

    path = file_with_record();
    chmod(directory(), 0555);
    expect_untouched(path, SKAN_ERROR_STORE, "attempt to write a readonly database");
    chmod(directory(), 0755);
    expect_kept(path);
}

static void no_directory(void) {
    char *path = file_named("missing/installs.db");
    expect_refused(path, NULL, SKAN_ERROR_STORE, "No such file or directory");
    expect_refused(directory(), NULL, SKAN_ERROR_STORE, "unable to open database file");
    char *link = file_named("link.db"), *target = file_named("nothing.db");
    if (symlink(target, link) != 0) abort();
    expect_refused(link, NULL, SKAN_ERROR_STORE, "");
    EXPECT(!file_exists(target), "nothing is made at the end of a link");
}

static void read_only_file(void) {
    char *path = file_with_record();
    chmod(path, 0400);
    expect_untouched(path, SKAN_ERROR_STORE, "readonly");
    EXPECT_NUMBER(0400, mode_of(path));
    chmod(path, 0000);
    expect_untouched(path, SKAN_ERROR_STORE, "unable to open database file");
    chmod(path, 0600);
    expect_kept(path);
}

static void no_database(void) {
    static const size_t lengths[] = {2, 100, 511, 512, 5000};
    char text[5000];
    memset(text, 'x', sizeof text);
    char *path = file_named("text.db");
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        in_round("%zu bytes", lengths[i]);
        write_file(path, text, lengths[i]);
        expect_untouched(path, SKAN_ERROR_STORE, "file is not a database");
    }
    unlink(path);
    expect_refused(path, NULL, SKAN_OK, "");
}

static void table_of_another_shape(void) {
    static const char *const shapes[] = {
        "CREATE TABLE skan_records (key TEXT, version INTEGER, record BLOB)",
        "CREATE TABLE skan_records (key BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL, record BLOB NOT NULL)",
        "CREATE TABLE installs (id)", "CREATE VIEW skan_records AS SELECT 1 AS key, 2 AS version, 'x' AS record"};
    char *path = file_named("installs.db");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        in_round("%s", shapes[i]);
        run_sql(path, shapes[i]);
        expect_untouched(path, SKAN_ERROR_STORE, "another program's database");
        run_sql(path, "PRAGMA application_id = 0x534B414E");
        expect_untouched(path, SKAN_ERROR_STORE, "another shape");
        run_sql(path, "PRAGMA user_version = 1");
        expect_untouched(path, SKAN_ERROR_STORE, "another shape");
        unlink(path);
    }
}

static void newer_file(void) {
    char *path = file_with_record();
    run_sql(path, "PRAGMA user_version = 2");
    expect_untouched(path, SKAN_ERROR_RECORD_TOO_NEW, "user_version 2");
    run_sql(path, "PRAGMA user_version = 1");
    expect_kept(path);
}

/* ------------------------------------------------------------------------------------------------------------ locks */

/* Another process that runs SQL on the file and keeps its transaction for some milliseconds, or until it is killed. */
static pid_t locked_by_another(const char *path, const char *sql, int milliseconds) {
    int ready[2];
    char byte = 0;
    if (pipe(ready) != 0) abort();
    pid_t child = fork();
    if (child == 0) {
        sqlite3 *database = NULL;
        if (sqlite3_open(path, &database) != SQLITE_OK) _exit(2);
        if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) _exit(3);
        if (write(ready[1], &byte, 1) != 1) _exit(4);
        if (milliseconds < 0) pause();
        usleep((useconds_t)milliseconds * 1000);
        sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
        sqlite3_close(database);
        _exit(0);
    }
    close(ready[1]);
    EXPECT(read(ready[0], &byte, 1) == 1, "the other process has its lock");
    close(ready[0]);
    return child;
}

static void end_other(pid_t other) {
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}

/* Threads that wait for a lock do so at the same time: one after the other, they would take 12 time-outs. */
static void expect_waits_at_once(const char *path) {
    enum { WAITERS = 12, SECONDS = 2 };
    skan_sqlite_options options = reporting(SECONDS * 1000);
    skan_store store = opened(path, &options);
    aside calls[WAITERS];
    double start = seconds_now();
    for (int i = 0; i < WAITERS; i++) {
        calls[i] = (aside){.store = &store, .what = SAVING};
        begin_aside(&calls[i]);
    }
    for (int i = 0; i < WAITERS; i++) end_aside(&calls[i], SKAN_ERROR_STORE);
    double took = seconds_now() - start;
    EXPECT(took < WAITERS * SECONDS, "%d threads waited one after the other: %g s", WAITERS, took);
    kind.close(&store);
}

static void locked_by_another_process(void) {
    skan_sqlite_options options = reporting(300);
    char *path = file_named("installs.db");
    uint64_t version = 0;
    skan_store store = store_with_record(path, &options, &version);

    pid_t other = locked_by_another(path, "BEGIN IMMEDIATE", -1);
    double start = seconds_now();
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, PLAYER, "lost", version, NULL));
    EXPECT_TIME(0.3, seconds_now() - start);
    EXPECT_WORDS(path, told.message);
    expect_told(SKAN_ERROR_STORE, "database is locked");
    EXPECT_TOLD(SKAN_ERROR_STORE, "database is locked", remove_key(&store, PLAYER, version));
    skan_save_item items[] = {{PLAYER, "lost", 4, version, 0, -1}, {"stale", "lost", 4, 5, 0, -1}};
    EXPECT_TEXT("SKAN_ERROR_STORE SKAN_ERROR_STORE", save_many(&store, items, 2));
    expect_told(SKAN_ERROR_STORE, "database is locked");
    expect_changes_refused(&store, version, "database is locked");
    EXPECT(holds_text(&store, PLAYER, "kept"), "reading needs no lock");

    expect_waits_at_once(path);

    end_other(other);
    told.count = 0;
    EXPECT(holds_text(&store, PLAYER, "kept") && holds_text(&store, "another", NULL), "nothing was applied");
    skan_sqlite_options patient = reporting(NEVER_MS);
    skan_store waiting = opened(path, &patient);
    other = locked_by_another(path, "BEGIN IMMEDIATE", 100);
    EXPECT_STATUS(SKAN_OK, save_text(&waiting, PLAYER, "kept", version, &version));
    waitpid(other, NULL, 0);
    kind.close(&waiting);
    expect_mended(&store, version);

    other = locked_by_another(path, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", -1);
    expect_untouched(path, SKAN_ERROR_STORE, "database is locked");
    end_other(other);
    expect_refused(path, NULL, SKAN_OK, "");
}

static skan_store open_default(const void *path) {
    return opened(path, NULL);
}

static void made_by_many_at_once(void) {
    for (int round = 0; round < 10; round++) {
        const char *path = text_of("%s/made-%d.db", directory(), round);
        make_by_many(12, open_default, path);
        EXPECT_NUMBER(0600, mode_of(path));
    }
}

/* ----------------------------------------------------------------------------------------- trouble while it is open */

/* No file may grow beyond a size, 0 for any: what a full disk and a quota look like. */
static void limit_files(rlim_t bytes) {
    static struct rlimit before;
    signal(SIGXFSZ, SIG_IGN);
    if (bytes) getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes ? bytes : before.rlim_cur, before.rlim_max});
}

/* For more than SQLite's cache holds. The first, which are fine, are not there either. */
static void no_room(void) {
    enum { COUNT = 400 };
    static char record[SKAN_RECORD_MAX], keys[COUNT][16];
    static skan_save_item items[COUNT];
    skan_sqlite_options options = reporting(0);
    char *path = file_with_record();
    skan_store store = opened(path, &options);
    for (int i = 0; i < COUNT; i++) {
        snprintf(keys[i], sizeof keys[i], "many-%d", i);
        items[i] = (skan_save_item){keys[i], record, sizeof record, 0, 0, SKAN_OK};
    }
    items[0] = (skan_save_item){"player", "lost", 4, load(&store, "player")->version, 0, SKAN_OK};
    items[1].expected_version = 1;
    limit_files(100000);
    store.save_many(store.context, items, COUNT);
    skan_status status = items[0].status;
    EXPECT(status == SKAN_ERROR_STORE || status == SKAN_ERROR_STORE_UNKNOWN, "no room: %s", skan_status_name(status));
    for (int i = 1; i < COUNT; i++) EXPECT_STATUS(i == 1 ? SKAN_ERROR_STORE_CONFLICT : status, items[i].status);
    expect_told(status, "COMMIT: "); /* nothing is written before */
    EXPECT(holds_text(&store, "player", "kept") && holds_text(&store, keys[2], NULL), "nothing of many is there");
    limit_files(0);
    store.save_many(store.context, items, COUNT);
    for (int i = 0; i < COUNT; i++) EXPECT_STATUS(i == 1 ? SKAN_ERROR_STORE_CONFLICT : SKAN_OK, items[i].status);
    kind.close(&store);
}

static void moved_file(void) {
    skan_sqlite_options options = reporting(0);
    char *path = file_named("installs.db"), *away = file_named("away.db"), *older = file_named("older.db");
    skan_store store = opened(path, &options);
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "older", 0, &version));
    run_sql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    copy_file(path, older);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "newer", version, &version));
    run_sql(path, "PRAGMA wal_checkpoint(TRUNCATE)");

    rename(path, away);
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, "player", "lost", version, NULL));
    EXPECT_WORDS("unable to open database file", told.message);
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, "player")->status);
    EXPECT(!file_exists(path), "no empty store is made in its place");
    rename(away, path);
    EXPECT(holds_text(&store, "player", "newer"), "it is back");
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "newest", version, &version));

    run_sql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    rename(older, path);
    EXPECT(holds_text(&store, "player", "older"), "another file is taken for what it is");
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, save_text(&store, "player", "wrong", version, NULL));
    kind.close(&store);
}

static void damaged_file(void) {
    skan_sqlite_options options = reporting(0);
    char *path = file_with_record(), *whole = file_named("whole.db");
    copy_file(path, whole);
    FILE *file = fopen(path, "r+b");
    if (!file || fseek(file, 4096, SEEK_SET) != 0) abort();
    for (int i = 0; i < 4096; i++) fputc(0xFF, file);
    fclose(file);
    skan_store store = opened(path, &options);
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, "player")->status);
    EXPECT_WORDS("malformed", told.message);
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, "player", "lost", 0, NULL));
    copy_file(whole, path);
    EXPECT(holds_text(&store, "player", "kept"), "the whole file is read by the same store");
    kind.close(&store);
    free(whole);
    expect_kept(path);
}

static void table_gone(void) {
    skan_sqlite_options options = reporting(0);
    char *path = file_with_record();
    skan_store store = opened(path, &options);
    uint64_t version = load(&store, "player")->version;
    run_sql(path, "ALTER TABLE skan_records RENAME TO hidden");
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, "player")->status);
    EXPECT_WORDS("no such table", told.message);
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, "player", "lost", version, NULL));
    EXPECT_WORDS("another shape", told.message);
    run_sql(path, "CREATE TABLE skan_records (key BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL,"
                  " record BLOB NOT NULL) WITHOUT ROWID;"
                  " INSERT INTO skan_records SELECT * FROM hidden; DROP TABLE hidden");
    EXPECT(holds_text(&store, "player", "kept"), "it is back");
    kind.close(&store);
    expect_kept(path);
}

/* Another connection has the file's one write lock: reads are done at once, and saves time out. */
static void forks_beside_time_outs(void) {
    skan_sqlite_options options = quick();
    options.busy_timeout_ms = 300;
    char *path = file_named("installs.db");
    uint64_t version = 0;
    skan_store store = store_with_record(path, &options, &version);
    pid_t other = locked_by_another(path, "BEGIN IMMEDIATE", -1);
    expect_forks_beside_time_outs(&store, version, options.busy_timeout_ms);
    end_other(other);
    kind.close(&store);
}

static void fair_turns(void) {
    skan_sqlite_options options = reporting(60000);
    options.max_connections = 4;
    skan_store store = opened(file_named("turns.db"), &options);
    expect_fair_turns(&store);
    EXPECT_NUMBER(0, told.count);
    kind.close(&store);
}

/* ----------------------------------------------------------------------------------------- turns of several processes */

/* A disk on which a change takes this long: nothing need reach a real one. */
static useconds_t sync_microseconds;
static sqlite3_vfs *real_system, slow_system;
static sqlite3_io_methods slow_log;

static int sync_slowly(sqlite3_file *file, int flags) {
    (void)file, (void)flags;
    usleep(sync_microseconds);
    return SQLITE_OK;
}

/* The first log of a process is opened before it has threads. */
static int open_slowly(sqlite3_vfs *system, const char *name, sqlite3_file *file, int flags, int *given) {
    (void)system;
    int code = real_system->xOpen(real_system, name, file, flags, given);
    if (!(flags & SQLITE_OPEN_WAL) || !file->pMethods) return code;
    if (!slow_log.xSync) {
        slow_log = *file->pMethods;
        slow_log.xSync = sync_slowly;
    }
    file->pMethods = &slow_log;
    return code;
}

static void slow_down(int milliseconds) {
    sync_microseconds = (useconds_t)milliseconds * 1000;
    sqlite3_initialize();
    real_system = sqlite3_vfs_find(NULL);
    slow_system = *real_system;
    slow_system.zName = "slow";
    slow_system.xOpen = open_slowly;
    sqlite3_vfs_register(&slow_system, 1);
}

enum { PROCESSES = 6, MOST_WRITERS = 16 };

/* What each process does: threads that make so many changes each, on a disk that takes so long. */
static struct writing {
    int writers, saves, milliseconds;
} writing;
static struct shared_turns {
    atomic_int ready, done, failed, most;
} *shared;
static const skan_store *shared_store;

static void *write_in_turn(void *number) {
    char key[64];
    snprintf(key, sizeof key, "process-%d-%d", (int)getpid(), *(int *)number);
    uint64_t version = 0;
    atomic_fetch_add(&shared->ready, 1);
    while (atomic_load(&shared->ready) < PROCESSES * writing.writers) pass_milliseconds(1);
    for (int i = 0; i < writing.saves; i++) {
        int before = atomic_load(&shared->done);
        if (save_text(shared_store, key, "text", version, &version) != SKAN_OK) atomic_fetch_add(&shared->failed, 1);
        int others = atomic_fetch_add(&shared->done, 1) - before, known = atomic_load(&shared->most);
        while (others > known && !atomic_compare_exchange_weak(&shared->most, &known, others)) continue;
    }
    return NULL;
}

static void write_in_threads(const char *path) {
    skan_sqlite_options options = reporting(60000);
    options.synchronous = SKAN_SQLITE_FULL;
    slow_down(writing.milliseconds);
    skan_store store = opened(path, &options);
    shared_store = &store;
    static pthread_t threads[MOST_WRITERS];
    static int numbers[MOST_WRITERS];
    for (int i = 0; i < writing.writers; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, write_in_turn, &numbers[i]) != 0) abort();
    }
    for (int i = 0; i < writing.writers; i++) pthread_join(threads[i], NULL);
    kind.close(&store);
}

/* A fair turn is one save of each thread, and three are allowed. Threads of a process queue for its own writer. A disk
 * that takes long leaves the file free for the smallest part of the time: without a line of those that wait, each writer
 * alone in its process waits for some ten turns. */
static void processes_take_turns(void) {
    static const struct writing cases[] = {{16, 12, 3}, {1, 50, 20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writing = cases[i];
        in_round("%d threads", writing.writers);
        const char *path = text_of("%s/processes-%d.db", directory(), writing.writers);
        shared = shared_memory(sizeof *shared);
        for (int process = 0; process < PROCESSES; process++) {
            if (fork() != 0) continue;
            write_in_threads(path);
            _exit(0);
        }
        for (int process = 0; process < PROCESSES; process++) expect_success(-1);
        EXPECT_NUMBER(0, atomic_load(&shared->failed));
        int fair = PROCESSES * writing.writers, most = atomic_load(&shared->most);
        EXPECT(most <= 3 * fair, "during a save %d others were made; a fair turn is %d", most, fair);
    }
}

/* A writer has a place in the line: a lock on the log, which SQLite has none on. */
static bool is_in_line(const char *log) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int file = open(log, O_RDWR);
    if (file < 0 || fcntl(file, F_OFD_GETLK, &lock) != 0) abort();
    close(file);
    return lock.l_type != F_UNLCK;
}

/* Another process that saves, and waits for its turn. */
static pid_t waiting_writer(const char *path, const char *log, pid_t holder) {
    pid_t writer = fork();
    if (writer == 0) {
        skan_sqlite_options options = reporting(NEVER_MS);
        skan_store store = opened(path, &options);
        skan_status status = save_text(&store, "waiting", "text", 0, NULL);
        kind.close(&store);
        _exit(status == SKAN_OK ? 0 : 1);
    }
    EVENTUALLY(is_in_line(log));
    EXPECT(kill(writer, SIGSTOP) == 0 && waitpid(writer, NULL, WUNTRACED) == writer, "the writer stands still");
    end_other(holder);
    return writer;
}

static void stopped_in_line(void) {
    skan_sqlite_options options = reporting(NEVER_MS);
    char *path = file_named("line.db"), *log = file_named("line.db-wal");
    uint64_t version = 0;
    skan_store store = store_with_record(path, &options, &version);
    pid_t writer = waiting_writer(path, log, locked_by_another(path, "BEGIN IMMEDIATE", -1));
    for (int i = 0; i < 100; i++) EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", version, &version));
    EXPECT(is_in_line(log), "it has its place still");
    kill(writer, SIGCONT);
    expect_success(writer);
    EXPECT(!is_in_line(log) && holds_text(&store, "waiting", "text"), "it had its turn");

    EXPECT_STATUS(SKAN_OK, remove_key(&store, "waiting", load(&store, "waiting")->version));
    writer = waiting_writer(path, log, locked_by_another(path, "BEGIN IMMEDIATE", -1));
    end_other(writer);
    EXPECT(!is_in_line(log), "the place of a process that is gone is free");
    expect_mended(&store, version);
}

/* Its log would be taken for that of the file which was put in its place, and destroy it. */
static void replaced_without_its_log(void) {
    skan_sqlite_options options = reporting(0);
    char *path = file_named("installs.db"), *backup = file_named("backup.db"), *log = file_named("installs.db-wal");
    char *old = file_named("old.db");
    skan_store store = opened(path, &options);
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "older", 0, &version));
    run_sql(path, "PRAGMA wal_checkpoint(TRUNCATE)");
    copy_file(path, backup);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "newer", version, &version));

    if (link(path, old) != 0) abort();
    rename(backup, path);
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, "player")->status);
    EXPECT_WORDS("the file was replaced", told.message);
    EXPECT_WORDS(log, told.message);
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, "player", "lost", version, NULL));
    EXPECT(file_exists(log), "the log is left");

    rename(path, backup), rename(old, path);
    EXPECT(holds_text(&store, "player", "newer"), "the old file is back, with its log");
    if (link(path, old) != 0) abort();
    rename(backup, path);
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, "player")->status);
    unlink(log);
    EXPECT(holds_text(&store, "player", "older"), "the backup is as it was");
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, save_text(&store, "player", "wrong", version, NULL));
    kind.close(&store);
}

int main(int count, char **arguments) {
    if (count > 1) fork_count = atoi(arguments[1]);
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
        perror("setuid");
        return 2;
    }
    RUN(unwritable_directory);
    RUN(no_directory);
    RUN(read_only_file);
    RUN(no_database);
    RUN(table_of_another_shape);
    RUN(newer_file);
    RUN(locked_by_another_process);
    RUN(made_by_many_at_once);
    RUN(no_room);
    RUN(moved_file);
    RUN(replaced_without_its_log);
    RUN(damaged_file);
    RUN(table_gone);
    RUN(fair_turns);
    RUN(forks_beside_time_outs);
    RUN(processes_take_turns);
    RUN(stopped_in_line);
    return finish_cases();
}
