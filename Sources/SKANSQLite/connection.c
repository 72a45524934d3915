#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* One B-tree, and one page of it written for a typical change ("Clustered Indexes and the WITHOUT ROWID Optimization":
 * for rows below a twentieth of a page). Keys are blobs: compared as bytes, whatever the encoding of the file. */
#define TABLE \
    "CREATE TABLE skan_records (key BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL, record BLOB NOT NULL)" \
    " WITHOUT ROWID"
#define APPLICATION_ID 0x534B414E
#define TABLE_VERSION 1

skan_status trouble_set(trouble *trouble, skan_status status, const char *format, ...) {
    trouble->status = status;
    va_list values;
    va_start(values, format);
    vsnprintf(trouble->message, sizeof trouble->message, format, values);
    va_end(values);
    return status;
}

static skan_status sqlite_trouble(connection *connection, skan_status status, const char *doing, int code,
                                  trouble *trouble) {
    const char *words = connection->database && sqlite3_extended_errcode(connection->database) == code
                            ? sqlite3_errmsg(connection->database)
                            : sqlite3_errstr(code);
    return trouble_set(trouble, status, "%s: %s: %s (SQLite error %d)", connection->settings->path, doing, words, code);
}

/* ---------------------------------------------------------------------------------------------------------- waiting */

static int64_t milliseconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)(now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

/* Called while another process has a lock: 0 gives up. SQLite's own handler sleeps up to 100 ms at once. */
static int wait_for_lock(void *context, int attempt) {
    connection *connection = context;
    if (attempt == 0) clock_gettime(CLOCK_MONOTONIC, &connection->waits_since);
    if (milliseconds_since(&connection->waits_since) >= connection->settings->busy_timeout_ms) return 0;
    uint16_t chance = 0;
    sqlite3_randomness(sizeof chance, &chance);
    int64_t longest = attempt < 6 ? INT64_C(100000) << attempt : INT64_C(5000000);
    nanosleep(&(struct timespec){0, longest / 2 + longest / 2 * chance / 65536}, NULL);
    return 1;
}

/* ---------------------------------------------------------------------------------------------------------- opening */

static skan_status run(connection *connection, const char *sql, trouble *trouble) {
    int code = sqlite3_exec(connection->database, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? SKAN_OK : sqlite_trouble(connection, SKAN_ERROR_STORE, sql, code, trouble);
}

/* The first column of the first row, as text; empty where there is none. */
static skan_status ask(connection *connection, const char *sql, char *answer, size_t size, trouble *trouble) {
    answer[0] = '\0';
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(connection->database, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW) snprintf(answer, size, "%s", (const char *)sqlite3_column_text(statement, 0));
        if (code == SQLITE_ROW || code == SQLITE_DONE) code = SQLITE_OK;
    }
    skan_status status = SKAN_OK;
    if (code != SQLITE_OK) status = sqlite_trouble(connection, SKAN_ERROR_STORE, sql, code, trouble);
    sqlite3_finalize(statement);
    return status;
}

static skan_status ask_number(connection *connection, const char *sql, int64_t *number, trouble *trouble) {
    char answer[32];
    skan_status status = ask(connection, sql, answer, sizeof answer, trouble);
    *number = strtoll(answer, NULL, 10);
    return status;
}

/* SKAN_OK: the file has its table; SKAN_NOT_FOUND: it is empty. Else it is not for this store. */
static skan_status examine(connection *connection, trouble *trouble) {
    const char *path = connection->settings->path;
    int64_t application, version, things;
    if (ask_number(connection, "PRAGMA application_id", &application, trouble) != SKAN_OK ||
        ask_number(connection, "PRAGMA user_version", &version, trouble) != SKAN_OK ||
        ask_number(connection, "SELECT count(*) FROM sqlite_master", &things, trouble) != SKAN_OK)
        return trouble->status;
    if (application == 0 && version == 0 && things == 0) return SKAN_NOT_FOUND;
    if (application != APPLICATION_ID)
        return trouble_set(trouble, SKAN_ERROR_STORE,
                           "%s: not a store of libskan but another program's database (application_id %" PRId64
                           ", %" PRId64 " tables and indexes); expected a file of its own",
                           path, application, things);
    if (version > TABLE_VERSION)
        return trouble_set(trouble, SKAN_ERROR_RECORD_TOO_NEW,
                           "%s: made by a newer libskan-sqlite (user_version %" PRId64 "; this one knows %d)", path,
                           version, TABLE_VERSION);
    char table[512];
    if (ask(connection, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'skan_records'", table,
            sizeof table, trouble) != SKAN_OK)
        return trouble->status;
    if (version != TABLE_VERSION || strcmp(table, TABLE) != 0)
        return trouble_set(trouble, SKAN_ERROR_STORE,
                           "%s: table skan_records has another shape: expected user_version %d and \"%s\","
                           " found %" PRId64 " and \"%s\"",
                           path, TABLE_VERSION, TABLE, version, table);
    return SKAN_OK;
}

/* The log is a property of the file, switched once. Two processes that switch at the same time are told SQLITE_BUSY
 * without waiting, as each would wait for the other. */
static skan_status use_write_ahead_log(connection *connection, trouble *trouble) {
    char mode[32];
    skan_status status;
    int attempt = 0;
    do {
        status = ask(connection, "PRAGMA journal_mode = WAL", mode, sizeof mode, trouble);
    } while (status != SKAN_OK && (sqlite3_errcode(connection->database) & 0xFF) == SQLITE_BUSY &&
             wait_for_lock(connection, attempt++));
    if (status == SKAN_OK && strcmp(mode, "wal") != 0)
        return trouble_set(trouble, SKAN_ERROR_STORE,
                           "%s: PRAGMA journal_mode = WAL: expected wal, got %s: is it on a network file system?",
                           connection->settings->path, mode);
    return status;
}

static skan_status make_table(connection *connection, trouble *trouble) {
    if (run(connection, "BEGIN IMMEDIATE", trouble) != SKAN_OK) return trouble->status;
    skan_status status = examine(connection, trouble); /* another process may have made it meanwhile */
    if (status == SKAN_NOT_FOUND) {
        char *sql = sqlite3_mprintf(TABLE "; PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
                                    APPLICATION_ID, TABLE_VERSION);
        status = sql ? run(connection, sql, trouble)
                     : sqlite_trouble(connection, SKAN_ERROR_STORE, "CREATE TABLE", SQLITE_NOMEM, trouble);
        sqlite3_free(sql);
    }
    if (!sqlite3_get_autocommit(connection->database)) sqlite3_exec(connection->database, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

static skan_status prepare(connection *connection, const char *sql, sqlite3_stmt **statement, trouble *trouble) {
    int code = sqlite3_prepare_v3(connection->database, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    return code == SQLITE_OK ? SKAN_OK : sqlite_trouble(connection, SKAN_ERROR_STORE, sql, code, trouble);
}

static int begins_commit(void *context) {
    ((connection *)context)->is_committing = true;
    return 0;
}

static skan_status set_up(connection *connection, bool may_create, trouble *trouble) {
    /* The file is there (see pool.c), so SQLite need not make it with the mode it would choose. */
    int code = sqlite3_open_v2(connection->settings->path, &connection->database,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (connection->database) sqlite3_extended_result_codes(connection->database, 1);
    if (code != SQLITE_OK) return sqlite_trouble(connection, SKAN_ERROR_STORE, "open", code, trouble);
    sqlite3_busy_handler(connection->database, wait_for_lock, connection);
    sqlite3_commit_hook(connection->database, begins_commit, connection);

    /* Before the first look, which would leave a log and its index that are read-only too. */
    if (sqlite3_db_readonly(connection->database, "main") == 1)
        return trouble_set(trouble, SKAN_ERROR_STORE,
                           "%s: open: attempt to write a readonly database: this user may only read the file",
                           connection->settings->path);
    /* One moment of the file: another process may be making the table. */
    if (run(connection, "BEGIN", trouble) != SKAN_OK) return trouble->status;
    skan_status status = examine(connection, trouble);
    if (status != SKAN_OK && status != SKAN_NOT_FOUND) return status;
    if (run(connection, "COMMIT", trouble) != SKAN_OK) return trouble->status;
    if (status == SKAN_NOT_FOUND && !may_create)
        return trouble_set(trouble, SKAN_ERROR_STORE, "%s: an empty file in place of the one that was opened",
                           connection->settings->path);
    if (run(connection, connection->settings->is_full ? "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1"
                                                      : "PRAGMA synchronous = NORMAL",
            trouble) != SKAN_OK ||
        run(connection, "PRAGMA journal_size_limit = 16777216", trouble) != SKAN_OK ||
        use_write_ahead_log(connection, trouble) != SKAN_OK)
        return trouble->status;
    if (status == SKAN_NOT_FOUND && make_table(connection, trouble) != SKAN_OK) return trouble->status;

    if (prepare(connection, "SELECT version, record FROM skan_records WHERE key = ?1", &connection->load, trouble) ||
        prepare(connection,
                "INSERT INTO skan_records (key, version, record) VALUES (?1, ?2, ?3) ON CONFLICT (key) DO NOTHING",
                &connection->insert, trouble) ||
        prepare(connection, "UPDATE skan_records SET version = ?2, record = ?3 WHERE key = ?1 AND version = ?4",
                &connection->update, trouble) ||
        prepare(connection, "DELETE FROM skan_records WHERE key = ?1 AND version = ?4", &connection->remove, trouble))
        return trouble->status;
    return SKAN_OK;
}

connection *connection_open(const connection_settings *settings, bool may_create, trouble *trouble) {
    connection *connection = calloc(1, sizeof *connection);
    if (!connection) {
        trouble_set(trouble, SKAN_ERROR_STORE, "%s: open: out of memory", settings->path);
        return NULL;
    }
    connection->settings = settings;
    if (set_up(connection, may_create, trouble) == SKAN_OK) return connection;
    connection_close(connection);
    return NULL;
}

void connection_close(connection *connection) {
    sqlite3_finalize(connection->load);
    sqlite3_finalize(connection->insert);
    sqlite3_finalize(connection->update);
    sqlite3_finalize(connection->remove);
    sqlite3_close(connection->database);
    free(connection);
}

bool connection_has_moved(connection *connection) {
    int has_moved = 0;
    return sqlite3_file_control(connection->database, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved) == SQLITE_OK &&
           has_moved;
}

/* ------------------------------------------------------------------------------------------------------- operations */

/* Trouble that may be of this connection alone, or that another view of the file mends. */
static void note_health(connection *connection, int code) {
    switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_FULL:
    case SQLITE_TOOBIG:
    case SQLITE_NOMEM:
        break;
    default:
        connection->is_broken = true;
    }
}

skan_status connection_load(connection *connection, const char *key, skan_buffer *out, uint64_t *version,
                            trouble *trouble) {
    sqlite3_stmt *load = connection->load;
    skan_status status = SKAN_NOT_FOUND;
    int code = sqlite3_bind_blob(load, 1, key, (int)strlen(key), SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_step(load);
    if (code == SQLITE_ROW) {
        int64_t stored = sqlite3_column_int64(load, 0);
        const void *record = sqlite3_column_blob(load, 1);
        int length = sqlite3_column_bytes(load, 1);
        if (!record && length > 0) {
            code = SQLITE_NOMEM;
        } else if (stored < 1) {
            status = trouble_set(trouble, SKAN_ERROR_STORE, "%s: a record has version %" PRId64,
                                 connection->settings->path, stored);
        } else if (skan_buffer_set(out, record, (size_t)length) != SKAN_OK) {
            status = trouble_set(trouble, SKAN_ERROR_STORE, "%s: a record has %d bytes", connection->settings->path,
                                 length);
        } else {
            *version = (uint64_t)stored;
            status = SKAN_OK;
        }
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        note_health(connection, code);
        status = sqlite_trouble(connection, SKAN_ERROR_STORE, "load", code, trouble);
    }
    sqlite3_reset(load);
    sqlite3_clear_bindings(load);
    return status;
}

/*
 * What became of a change whose statement ended with an error.
 *
 * Each change is one statement in autocommit mode, so a transaction of its own. Until SQLite begins to commit, which
 * it says by calling the commit hook ("Commit And Rollback Notification Callbacks"), nothing in the log has the mark
 * that makes frames a transaction ("Write-Ahead Logging", "WAL-mode File Format"): an error before is a change
 * certainly not made. SQLITE_BUSY is one in any case: locks are taken before the first frame is written.
 *
 * During the commit, SQLite rolls back for every error ("Transaction", "Response To Errors Within A Transaction"),
 * and all connections go on seeing the file without the change. But the frame with the mark may be whole in the log
 * already, where writing the log's index or syncing failed, and the next connection after a crash rebuilds the index
 * from the log ("WAL-mode File Format", "Recovery"): it would find the change. So the outcome is unknown, SQLITE_FULL
 * excepted: it means that a write ended before its end ("Result and Error Codes", and xWrite of os_unix.c), the
 * marked frame is the last thing that is written, and an incomplete frame fails its checksum. It is not the last
 * where a file is not powersafe-overwrite and the log is padded to whole sectors with frames that are marked too
 * ("Powersafe Overwrite").
 */
static skan_status failed_change(connection *connection, int code) {
    if (!connection->is_committing || (code & 0xFF) == SQLITE_BUSY) return SKAN_ERROR_STORE;
    if ((code & 0xFF) != SQLITE_FULL) return SKAN_ERROR_STORE_UNKNOWN;
    int is_powersafe = -1; /* asks */
    return sqlite3_file_control(connection->database, "main", SQLITE_FCNTL_POWERSAFE_OVERWRITE, &is_powersafe) ==
                       SQLITE_OK &&
                   is_powersafe == 1
               ? SKAN_ERROR_STORE
               : SKAN_ERROR_STORE_UNKNOWN;
}

/* A statement with its parameters bound; `code` is how that ended. */
static skan_status change(connection *connection, sqlite3_stmt *statement, int code, const char *doing,
                          trouble *trouble) {
    connection->is_committing = false;
    skan_status status;
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    if (code == SQLITE_DONE) {
        status = sqlite3_changes(connection->database) == 1 ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT;
    } else {
        status = failed_change(connection, code);
        note_health(connection, code);
        if (status == SKAN_ERROR_STORE_UNKNOWN) connection->is_broken = true;
        sqlite_trouble(connection, status, doing, code, trouble);
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

/*
 * Versions are drawn at random, 63 bits from the system. A counter of the whole store would be a second page, 4 KiB
 * more in the log, for every change; and it would give numbers a second time after a power failure in NORMAL, or when
 * an older copy of the file is put back under running processes. Only two versions of the same key can be taken for
 * each other: with a million changes of one install the odds that any two are equal are 1 in 18 million, and harm
 * needs a caller that still waits with the first of them, 1 in 9 * 10^18 for each such caller and change.
 */
static bool draw_version(uint64_t other_than, uint64_t *version) {
    do {
        ssize_t got;
        do {
            got = getrandom(version, sizeof *version, 0);
        } while (got < 0 && errno == EINTR);
        if (got != (ssize_t)sizeof *version) return false;
        *version >>= 1;
    } while (*version == 0 || *version == other_than);
    return true;
}

skan_status connection_save(connection *connection, const char *key, const void *data, size_t length, uint64_t expected,
                            uint64_t *version, trouble *trouble) {
    uint64_t drawn;
    if (expected > INT64_MAX) return SKAN_ERROR_STORE_CONFLICT; /* no version of this store */
    if (!draw_version(expected, &drawn))
        return trouble_set(trouble, SKAN_ERROR_STORE, "%s: save: no random number: %s", connection->settings->path,
                           strerror(errno));
    sqlite3_stmt *statement = expected == 0 ? connection->insert : connection->update;
    int code = sqlite3_bind_blob(statement, 1, key, (int)strlen(key), SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(statement, 2, (int64_t)drawn);
    if (code == SQLITE_OK) code = sqlite3_bind_blob64(statement, 3, length ? data : "", length, SQLITE_STATIC);
    if (code == SQLITE_OK && expected != 0) code = sqlite3_bind_int64(statement, 4, (int64_t)expected);
    skan_status status = change(connection, statement, code, "save", trouble);
    if (status == SKAN_OK) *version = drawn;
    return status;
}

skan_status connection_remove(connection *connection, const char *key, uint64_t expected, trouble *trouble) {
    if (expected > INT64_MAX) return SKAN_ERROR_STORE_CONFLICT;
    int code = sqlite3_bind_blob(connection->remove, 1, key, (int)strlen(key), SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(connection->remove, 4, (int64_t)expected);
    return change(connection, connection->remove, code, "remove", trouble);
}
