#include "Stores/Library/SQLite/files.h"
#include "Stores/Library/hooks.h"
#include "bench.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

const setting settings[] = {{"NORMAL", 1000, 5, false}, {"FULL", 50, 5, false}, {NULL, 0, 0, false}};

static sqlite3 *database;
static sqlite3_stmt *load_by_hand, *save_by_hand;

void open_both(const setting *setting, skan_store *store) {
    bool is_full = strcmp(setting->name, "FULL") == 0;
    skan_sqlite_options options = {.size = sizeof options,
                                   .synchronous = is_full ? SKAN_SQLITE_FULL : SKAN_SQLITE_NORMAL};
    char *path = file_named(is_full ? "full.db" : "normal.db"), *by_hand = file_named("by_hand.db");
    *store = opened(path, &options);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    must(sqlite3_open_v2(by_hand, &database, flags, NULL) == SQLITE_OK, "open");
    char *sql = sqlite3_mprintf("PRAGMA journal_mode = WAL; PRAGMA synchronous = %s; CREATE TABLE IF NOT EXISTS"
                                " skan_records (key BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL,"
                                " record BLOB NOT NULL) WITHOUT ROWID",
                                setting->name);
    must(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, "create");
    must(sqlite3_prepare_v2(database, "SELECT version, record FROM skan_records WHERE key = ?1", -1, &load_by_hand,
                            NULL) == SQLITE_OK &&
             sqlite3_prepare_v2(database,
                                "INSERT INTO skan_records VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE"
                                " SET version = excluded.version, record = excluded.record",
                                -1, &save_by_hand, NULL) == SQLITE_OK,
         "prepare");
    sqlite3_free(sql);
    free(path), free(by_hand);
}

void close_by_hand(void) {
    sqlite3_finalize(load_by_hand);
    sqlite3_finalize(save_by_hand);
    sqlite3_close(database);
}

void run_by_hand(int first, int count) {
    char key[32];
    for (int i = first; i < first + count; i++) {
        key_of(i, key);
        sqlite3_int64 version = 0;
        sqlite3_bind_blob(load_by_hand, 1, key, (int)strlen(key), SQLITE_STATIC);
        if (sqlite3_step(load_by_hand) == SQLITE_ROW) {
            version = sqlite3_column_int64(load_by_hand, 0);
            const void *bytes = sqlite3_column_blob(load_by_hand, 1);
            skan_buffer_set(buffer, bytes, (size_t)sqlite3_column_bytes(load_by_hand, 1));
        }
        sqlite3_reset(load_by_hand);
        record[i % RECORD]++;
        sqlite3_bind_blob(save_by_hand, 1, key, (int)strlen(key), SQLITE_STATIC);
        sqlite3_bind_int64(save_by_hand, 2, version + 1);
        sqlite3_bind_blob(save_by_hand, 3, record, RECORD, SQLITE_STATIC);
        must(sqlite3_step(save_by_hand) == SQLITE_DONE, "upsert");
        sqlite3_reset(save_by_hand);
    }
}
