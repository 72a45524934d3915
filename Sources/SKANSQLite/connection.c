#define _GNU_SOURCE
#include "connection.h"

#include "../StoreSupport/versions.h"
#include "file.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One B-tree, and one page of it written for a typical change ("Clustered Indexes and the WITHOUT ROWID Optimization":
 * for rows below a twentieth of a page). Keys are blobs: compared as bytes, whatever the encoding of the file. */
#define TABLE \
    "CREATE TABLE skan_records (key BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL, record BLOB NOT NULL)" \
    " WITHOUT ROWID"
#define APPLICATION_ID 0x534B414E
#define TABLE_VERSION 1

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
    /* The file is there, so SQLite need not make it with the mode it would choose. */
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
        run(connection, "PRAGMA journal_size_limit = 16777216; PRAGMA cache_spill = 0", trouble) != SKAN_OK ||
        use_write_ahead_log(connection, trouble) != SKAN_OK)
        return trouble->status;
    if (status == SKAN_NOT_FOUND && make_table(connection, trouble) != SKAN_OK) return trouble->status;

    if (prepare(connection, "SELECT version, record FROM skan_records WHERE key = ?1", &connection->load, trouble) ||
        prepare(connection,
                "INSERT INTO skan_records (key, version, record) VALUES (?1, ?2, ?3) ON CONFLICT (key) DO NOTHING",
                &connection->insert, trouble) ||
        prepare(connection, "UPDATE skan_records SET version = ?2, record = ?3 WHERE key = ?1 AND version = ?4",
                &connection->update, trouble) ||
        prepare(connection, "DELETE FROM skan_records WHERE key = ?1 AND version = ?4", &connection->remove, trouble) ||
        prepare(connection, "SELECT key FROM skan_records WHERE key > ?1 ORDER BY key", &connection->list, trouble))
        return trouble->status;
    return SKAN_OK;
}

static void end(pooled *pooled) {
    connection *connection = (struct connection *)pooled;
    sqlite3_finalize(connection->load);
    sqlite3_finalize(connection->insert);
    sqlite3_finalize(connection->update);
    sqlite3_finalize(connection->remove);
    sqlite3_finalize(connection->list);
    sqlite3_close(connection->database);
    free(connection);
}

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER; /* while a file may be made; no fork comes in between */

static pooled *begin(const void *context, bool is_first, trouble *trouble) {
    const connection_settings *settings = context;
    connection *connection = calloc(1, sizeof *connection);
    if (!connection) {
        trouble_set(trouble, SKAN_ERROR_STORE, "%s: open: out of memory", settings->path);
        return NULL;
    }
    connection->settings = settings;
    if (is_first) pthread_mutex_lock(&making);
    skan_status status = is_first ? file_make(settings->path, trouble) : SKAN_OK;
    if (status == SKAN_OK) status = set_up(connection, is_first, trouble);
    if (is_first) pthread_mutex_unlock(&making);
    if (status == SKAN_OK) return &connection->pooled;
    end(&connection->pooled);
    return NULL;
}

static bool has_moved(pooled *pooled) {
    connection *connection = (struct connection *)pooled;
    int has_moved = 0;
    return sqlite3_file_control(connection->database, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved) == SQLITE_OK &&
           has_moved;
}

const pool_kind connection_kind = {begin, end, has_moved};

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
        connection->pooled.is_broken = true;
    }
}

/* Makes the connection fit for the next call, or gives it up, once something has gone wrong with it. */
static void note_trouble(connection *connection, skan_status status, int code) {
    note_health(connection, code);
    if (status == SKAN_ERROR_STORE_UNKNOWN) connection->pooled.is_broken = true;
}

/* Answers whether SQLite did its part. */
static bool load_record(connection *connection, const char *key, skan_buffer *out, uint64_t *version,
                        skan_status *answer, trouble *trouble) {
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
    bool is_done = code == SQLITE_ROW || code == SQLITE_DONE;
    if (!is_done) {
        note_health(connection, code);
        status = sqlite_trouble(connection, SKAN_ERROR_STORE, "load", code, trouble);
    }
    sqlite3_reset(load);
    sqlite3_clear_bindings(load);
    *answer = status;
    return is_done;
}

skan_status connection_load(pooled *lent, const char *key, skan_buffer *out, uint64_t *version, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    skan_status status;
    load_record(connection, key, out, version, &status, trouble);
    return status;
}

/*
 * What became of changes whose statement ended with an error: of a single change, or the COMMIT of many.
 *
 * A single change is one statement in autocommit mode, so a transaction of its own; many are one transaction between
 * BEGIN and COMMIT. Until SQLite begins to commit, which it says by calling the commit hook ("Commit And Rollback
 * Notification Callbacks"), nothing in the log has the mark that makes frames a transaction ("Write-Ahead Logging",
 * "WAL-mode File Format"): an error before is a change certainly not made. SQLITE_BUSY is one in any case: locks are
 * taken before the first frame is written. With PRAGMA cache_spill = 0 there are no frames before the commit at all,
 * and it writes them in order, each once, whether they are of one change or of many.
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
        note_trouble(connection, status, code);
        sqlite_trouble(connection, status, doing, code, trouble);
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

skan_status connection_save(pooled *lent, const char *key, const void *data, size_t length, uint64_t expected,
                            uint64_t *version, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    uint64_t drawn;
    if (expected > VERSION_MAX) return SKAN_ERROR_STORE_CONFLICT; /* no version of this store */
    if (version_draw(expected, &drawn, trouble) != SKAN_OK) return trouble->status;
    sqlite3_stmt *statement = expected == 0 ? connection->insert : connection->update;
    int code = sqlite3_bind_blob(statement, 1, key, (int)strlen(key), SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(statement, 2, (int64_t)drawn);
    if (code == SQLITE_OK) code = sqlite3_bind_blob64(statement, 3, length ? data : "", length, SQLITE_STATIC);
    if (code == SQLITE_OK && expected != 0) code = sqlite3_bind_int64(statement, 4, (int64_t)expected);
    skan_status status = change(connection, statement, code, "save", trouble);
    if (status == SKAN_OK) *version = drawn;
    return status;
}

skan_status connection_remove(pooled *lent, const char *key, uint64_t expected, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    if (expected > VERSION_MAX) return SKAN_ERROR_STORE_CONFLICT;
    int code = sqlite3_bind_blob(connection->remove, 1, key, (int)strlen(key), SQLITE_STATIC);
    if (code == SQLITE_OK) code = sqlite3_bind_int64(connection->remove, 4, (int64_t)expected);
    return change(connection, connection->remove, code, "remove", trouble);
}

/* ---------------------------------------------------------------------------------------------------- many at once */

/* Ends a transaction that is still open, whatever became of it. */
static void leave(connection *connection) {
    if (sqlite3_get_autocommit(connection->database)) return;
    if (sqlite3_exec(connection->database, "ROLLBACK", NULL, NULL, NULL) != SQLITE_OK ||
        !sqlite3_get_autocommit(connection->database))
        connection->pooled.is_broken = true;
}

/* Begins or commits; SKAN_OK, or what became of the changes. */
static skan_status transact(connection *connection, const char *sql, trouble *trouble) {
    connection->is_committing = false;
    int code = sqlite3_exec(connection->database, sql, NULL, NULL, NULL);
    if (code == SQLITE_OK) return SKAN_OK;
    skan_status status = failed_change(connection, code);
    note_trouble(connection, status, code);
    sqlite_trouble(connection, status, sql, code, trouble);
    leave(connection);
    return status;
}

/* One moment of the file for all of them. Once SQLite fails the rest is not tried: each might wait for a lock. */
skan_status connection_load_many(pooled *lent, skan_load_item *items, size_t count, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    skan_status worst = transact(connection, "BEGIN", trouble);
    bool goes_on = worst == SKAN_OK;
    for (size_t i = 0; i < count; i++) {
        items[i].status = SKAN_ERROR_STORE;
        if (goes_on)
            goes_on = load_record(connection, items[i].key, items[i].out, &items[i].version, &items[i].status, trouble);
        if (items[i].status == SKAN_ERROR_STORE) worst = SKAN_ERROR_STORE;
    }
    leave(connection);
    return worst;
}

/*
 * One transaction. A conflict is the truth whatever becomes of the others: the transaction read what was committed, and
 * keys are distinct. All other items share one fate. An error of a statement may have rolled back the transaction, or
 * not ("Transaction", "Response To Errors Within A Transaction"): it ends here in any case before it was sealed, so
 * that nothing was applied of the items that had been fine, either.
 */
skan_status connection_save_many(pooled *lent, skan_save_item *items, size_t count, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    bool has_saved = false;
    skan_status fate = transact(connection, "BEGIN IMMEDIATE", trouble);
    for (size_t i = 0; i < count; i++) {
        items[i].status = fate;
        if (fate != SKAN_OK) continue;
        skan_save_item *item = &items[i];
        item->status = connection_save(lent, item->key, item->data, item->length, item->expected_version,
                                       &item->new_version, trouble);
        if (item->status == SKAN_OK) has_saved = true;
        if (item->status != SKAN_OK && item->status != SKAN_ERROR_STORE_CONFLICT) fate = item->status;
    }
    if (fate == SKAN_OK && has_saved) fate = transact(connection, "COMMIT", trouble);
    leave(connection);
    for (size_t i = 0; i < count; i++)
        if (items[i].status != SKAN_ERROR_STORE_CONFLICT) items[i].status = fate;
    return fate;
}

/* ----------------------------------------------------------------------------------------------------- listed keys */

/* A cursor is the last key that was listed, behind this. */
static const char cursor_mark[] = "libskan-sqlite 1 after ";
#define MARK_LENGTH (sizeof cursor_mark - 1)

/* The key in a cursor, empty at the beginning; false for a cursor that is none of this store. */
static bool read_cursor(const skan_buffer *cursor, const char **key, size_t *length) {
    size_t size = skan_buffer_size(cursor);
    *key = "";
    *length = 0;
    if (size == 0) return true;
    const char *data = skan_buffer_data(cursor);
    if (size <= MARK_LENGTH || size > MARK_LENGTH + SKAN_INSTALL_ID_MAX) return false;
    *key = data + MARK_LENGTH;
    *length = size - MARK_LENGTH;
    return memcmp(data, cursor_mark, MARK_LENGTH) == 0;
}

typedef struct page {
    char *keys; /* room for SKAN_BUFFER_MAX bytes */
    size_t length;
    size_t last; /* where its last key begins */
} page;

/* SQLITE_ROW where the page is full, SQLITE_DONE where there are no more keys; otherwise what went wrong, with trouble
 * where it is not SQLite's. */
static int read_keys(connection *connection, page *page, trouble *trouble) {
    for (;;) {
        int code = sqlite3_step(connection->list);
        if (code != SQLITE_ROW) return code;
        const void *key = sqlite3_column_blob(connection->list, 0);
        size_t length = (size_t)sqlite3_column_bytes(connection->list, 0);
        if (!key) return SQLITE_NOMEM;
        if (length > SKAN_INSTALL_ID_MAX || memchr(key, '\0', length)) {
            trouble_set(trouble, SKAN_ERROR_STORE, "%s: list: a key of %zu bytes that no install has",
                        connection->settings->path, length);
            return SQLITE_OK;
        }
        if (page->length + length + 1 > SKAN_BUFFER_MAX) return SQLITE_ROW;
        page->last = page->length;
        memcpy(page->keys + page->length, key, length);
        page->keys[page->length + length] = '\0';
        page->length += length + 1;
    }
}

static skan_status give_page(const page *page, bool is_last, skan_buffer *cursor, skan_buffer *keys) {
    char next[MARK_LENGTH + SKAN_INSTALL_ID_MAX];
    size_t length = is_last ? 0 : page->length - 1 - page->last;
    memcpy(next, cursor_mark, MARK_LENGTH);
    memcpy(next + MARK_LENGTH, page->keys + page->last, length);
    if (skan_buffer_set(keys, page->keys, page->length) != SKAN_OK ||
        skan_buffer_set(cursor, next, is_last ? 0 : MARK_LENGTH + length) != SKAN_OK)
        return SKAN_ERROR_STORE;
    return SKAN_OK;
}

skan_status connection_list(pooled *lent, skan_buffer *cursor, skan_buffer *keys, trouble *trouble) {
    connection *connection = (struct connection *)lent;
    const char *path = connection->settings->path, *after;
    size_t length;
    if (!read_cursor(cursor, &after, &length))
        return trouble_set(trouble, SKAN_ERROR_STORE, "%s: list: a cursor of %zu bytes that this store did not make",
                           path, skan_buffer_size(cursor));
    page page = {malloc(SKAN_BUFFER_MAX), 0, 0};
    if (!page.keys) return trouble_set(trouble, SKAN_ERROR_STORE, "%s: list: out of memory", path);
    skan_status status = SKAN_ERROR_STORE;
    int code = sqlite3_bind_blob(connection->list, 1, after, (int)length, SQLITE_STATIC);
    if (code == SQLITE_OK) {
        code = read_keys(connection, &page, trouble);
        if (code == SQLITE_ROW || code == SQLITE_DONE) {
            status = give_page(&page, code == SQLITE_DONE, cursor, keys);
            if (status != SKAN_OK) trouble_set(trouble, status, "%s: list: a buffer took no page", path);
        }
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE && code != SQLITE_OK) {
        note_health(connection, code);
        sqlite_trouble(connection, SKAN_ERROR_STORE, "list", code, trouble);
    }
    sqlite3_reset(connection->list);
    sqlite3_clear_bindings(connection->list);
    free(page.keys);
    return status;
}
