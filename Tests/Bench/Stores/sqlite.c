/*
 * The store beside the same statements written by hand: a record loaded and saved, one thread, the same settings.
 *   bench [records] [rounds]
 * Rounds of both take turns; printed are the medians, and the median of each round's ratio.
 */
#define _GNU_SOURCE
#include "Stores/Library/SQLite/files.h"
#include "Stores/Library/SQLite/hooks.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RECORD = 130, MOST_ROUNDS = 201 };

static int records = 1000, rounds = 41;
static char record[RECORD];

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void must(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s failed\n", what);
    exit(2);
}

static void key_of(int i, char *key) {
    snprintf(key, 32, "player-%08x", (unsigned)(i % records) * 2654435761u);
}

static void run_store(const skan_store *store, int first, int count) {
    char key[32];
    skan_buffer buffer;
    for (int i = first; i < first + count; i++) {
        key_of(i, key);
        uint64_t version = 0, saved = 0;
        skan_status status = store->load(store->context, key, &buffer, &version);
        must(status == SKAN_OK || status == SKAN_NOT_FOUND, "load");
        record[i % RECORD]++;
        must(store->save(store->context, key, record, RECORD, version, &saved) == SKAN_OK, "save");
    }
}

static sqlite3 *database;
static sqlite3_stmt *by_hand_load, *by_hand_save;

static void open_by_hand(const char *path, const char *synchronous) {
    must(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL) == 0,
         "open");
    char *sql = sqlite3_mprintf("PRAGMA journal_mode = WAL; PRAGMA synchronous = %s; CREATE TABLE skan_records"
                                " (key BLOB NOT NULL PRIMARY KEY, version INTEGER NOT NULL, record BLOB NOT NULL)"
                                " WITHOUT ROWID",
                                synchronous);
    must(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, "create");
    sqlite3_free(sql);
    must(sqlite3_prepare_v2(database, "SELECT version, record FROM skan_records WHERE key = ?1", -1, &by_hand_load,
                            NULL) == SQLITE_OK &&
             sqlite3_prepare_v2(database,
                                "INSERT INTO skan_records VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE"
                                " SET version = excluded.version, record = excluded.record",
                                -1, &by_hand_save, NULL) == SQLITE_OK,
         "prepare");
}

static void run_by_hand(int first, int count) {
    char key[32];
    skan_buffer buffer;
    for (int i = first; i < first + count; i++) {
        key_of(i, key);
        sqlite3_int64 version = 0;
        sqlite3_bind_blob(by_hand_load, 1, key, (int)strlen(key), SQLITE_STATIC);
        if (sqlite3_step(by_hand_load) == SQLITE_ROW) {
            version = sqlite3_column_int64(by_hand_load, 0);
            const void *bytes = sqlite3_column_blob(by_hand_load, 1);
            skan_buffer_set(&buffer, bytes, (size_t)sqlite3_column_bytes(by_hand_load, 1));
        }
        sqlite3_reset(by_hand_load);
        record[i % RECORD]++;
        sqlite3_bind_blob(by_hand_save, 1, key, (int)strlen(key), SQLITE_STATIC);
        sqlite3_bind_int64(by_hand_save, 2, version + 1);
        sqlite3_bind_blob(by_hand_save, 3, record, RECORD, SQLITE_STATIC);
        must(sqlite3_step(by_hand_save) == SQLITE_DONE, "upsert");
        sqlite3_reset(by_hand_save);
    }
}

static void compare(const char *synchronous, int32_t setting, int count) {
    char *path = file_named("store.db"), *path_by_hand = file_named("by_hand.db");
    skan_sqlite_options options = {.size = sizeof options, .synchronous = setting};
    skan_store store = opened(path, &options);
    open_by_hand(path_by_hand, synchronous);
    run_store(&store, 0, records);
    run_by_hand(0, records);
    double of_store[MOST_ROUNDS], by_hand[MOST_ROUNDS], ratios[MOST_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        for (int turn = 0; turn < 2; turn++) {
            double start = seconds_now();
            if ((turn + round) % 2)
                run_store(&store, round * count, count);
            else
                run_by_hand(round * count, count);
            double took = (seconds_now() - start) / count * 1e6;
            if ((turn + round) % 2)
                of_store[round] = took;
            else
                by_hand[round] = took;
        }
        ratios[round] = of_store[round] / by_hand[round];
    }
    double ratio = median(ratios, rounds);
    printf("%-6s  store %8.1f us  by hand %8.1f us  ratio %.2f  (load and save, %d bytes, %d records)\n", synchronous,
           median(of_store, rounds), median(by_hand, rounds), ratio, RECORD, records);
    sqlite3_finalize(by_hand_load);
    sqlite3_finalize(by_hand_save);
    sqlite3_close(database);
    skan_sqlite_store_close(&store);
    remove(path);
    remove(path_by_hand);
    free(path), free(path_by_hand);
}

/* Many saves at once beside as many one by one, on a store that waits for the disk. */
static void compare_many(void) {
    enum { MANY = 1000, ROUNDS = 5 };
    static char keys[MANY][32];
    static skan_save_item items[MANY];
    char *path = file_named("many.db");
    skan_store store = opened(path, NULL);
    double at_once[ROUNDS], single[ROUNDS], ratios[ROUNDS];
    for (int i = 0; i < MANY; i++) {
        snprintf(keys[i], sizeof keys[i], "player-%08x", (unsigned)i * 2654435761u);
        items[i] = (skan_save_item){keys[i], record, RECORD, 0, 0, SKAN_OK};
    }
    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds_now();
        for (int i = 0; i < MANY; i++) {
            skan_save_item *item = &items[i];
            must(store.save(store.context, item->key, item->data, item->length, item->expected_version,
                            &item->expected_version) == SKAN_OK, "save");
        }
        single[round] = seconds_now() - start;
        start = seconds_now();
        store.save_many(store.context, items, MANY);
        at_once[round] = seconds_now() - start;
        for (int i = 0; i < MANY; i++) {
            must(items[i].status == SKAN_OK, "save_many");
            items[i].expected_version = items[i].new_version;
        }
        ratios[round] = single[round] / at_once[round];
    }
    printf("FULL    %d saves %8.1f ms  save_many of them %8.1f ms  ratio %.1f (at least 10 is expected)\n", MANY,
           median(single, ROUNDS) * 1e3, median(at_once, ROUNDS) * 1e3, median(ratios, ROUNDS));
    skan_sqlite_store_close(&store);
    remove(path);
    free(path);
}

int main(int count, char **texts) {
    if (count > 1) records = atoi(texts[1]);
    if (count > 2) rounds = atoi(texts[2]);
    if (records < 1 || rounds < 1 || rounds > MOST_ROUNDS) return 2;
    compare("NORMAL", SKAN_SQLITE_NORMAL, 1000);
    compare("FULL", SKAN_SQLITE_FULL, 50);
    compare_many();
    return 0;
}
