/*
 * The store beside the same statements written by hand with libpq: prepared, over the same socket, one thread, a record
 * loaded and saved; and a batch of saves, and of an engine's revenue updates, beside as many single ones.
 *   bench [records] [rounds]
 * Rounds of both take turns; printed are the medians, and the median of each round's ratio.
 */
#define _GNU_SOURCE
#include "Stores/Library/hooks.h"
#include "Trouble/Postgres/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RECORD = 130, BATCH = 1000, MOST_ROUNDS = 201 };

static server running;
static int records = 1000, rounds = 21;
static char record[RECORD];
static skan_buffer *buffer;

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
    for (int i = first; i < first + count; i++) {
        key_of(i, key);
        uint64_t version = 0, saved = 0;
        skan_status status = store->load(store->context, key, buffer, &version);
        must(status == SKAN_OK || status == SKAN_NOT_FOUND, "load");
        record[i % RECORD]++;
        must(store->save(store->context, key, record, RECORD, version, &saved) == SKAN_OK, "save");
    }
}

/* ---------------------------------------------------------------------------------------------------------- by hand */

static PGconn *session;

static void open_by_hand(const char *setting) {
    session = session_with(running.url, "SET client_min_messages = error");
    char first[64];
    snprintf(first, sizeof first, "SET synchronous_commit = %s", setting);
    const char *const texts[] = {first, "CREATE TABLE IF NOT EXISTS by_hand (key bytea NOT NULL PRIMARY KEY,"
                                        " version bigint NOT NULL, record bytea NOT NULL)"};
    for (int i = 0; i < 2; i++) {
        PGresult *result = PQexec(session, texts[i]);
        must(PQresultStatus(result) == PGRES_COMMAND_OK, texts[i]);
        PQclear(result);
    }
    PQclear(PQprepare(session, "load", "SELECT version, record FROM by_hand WHERE key = $1", 1, (Oid[]){17}));
    PQclear(PQprepare(session, "insert",
                      "INSERT INTO by_hand (key, version, record) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING", 3,
                      (Oid[]){17, 20, 17}));
    PQclear(PQprepare(session, "update",
                      "UPDATE by_hand SET version = $2, record = $3 WHERE key = $1 AND version = $4", 4,
                      (Oid[]){17, 20, 17, 20}));
}

static void run_by_hand(int first, int count) {
    char key[32];
    for (int i = first; i < first + count; i++) {
        key_of(i, key);
        const int lengths[] = {(int)strlen(key), 8, RECORD, 8}, formats[] = {1, 1, 1, 1};
        uint64_t version = 0, next;
        PGresult *result = PQexecPrepared(session, "load", 1, (const char *[]){key}, lengths, formats, 1);
        must(PQresultStatus(result) == PGRES_TUPLES_OK, "load by hand");
        bool is_there = PQntuples(result) == 1;
        if (is_there) {
            memcpy(&version, PQgetvalue(result, 0, 0), 8);
            skan_buffer_set(buffer, PQgetvalue(result, 0, 1), (size_t)PQgetlength(result, 0, 1));
        }
        PQclear(result);
        record[i % RECORD]++;
        next = __builtin_bswap64(__builtin_bswap64(version) + 1);
        result = PQexecPrepared(session, is_there ? "update" : "insert", is_there ? 4 : 3,
                                (const char *[]){key, (char *)&next, record, (char *)&version}, lengths, formats, 1);
        must(strcmp(PQcmdTuples(result), "1") == 0, "save by hand");
        PQclear(result);
    }
}

/* -------------------------------------------------------------------------------------------------------- comparing */

static skan_store open_store(const char *table, const char *setting, uint32_t pooled) {
    skan_postgres_options options = making(table);
    options.pooled = pooled;
    options.timeout_ms = 60000;
    char url[640];
    snprintf(url, sizeof url, "%s&options=-csynchronous_commit%%3D%s", running.url, setting);
    return opened(url, &options);
}

static void compare(const char *setting, uint32_t pooled, int count) {
    const char *table = pooled ? "bench_pooled" : "bench";
    skan_store store = open_store(table, setting, pooled);
    open_by_hand(setting);
    run_store(&store, 0, records);
    run_by_hand(0, records);
    double of_store[MOST_ROUNDS], by_hand[MOST_ROUNDS], ratios[MOST_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        /* Which processor a session's server runs on matters more than what is measured here. */
        PQfinish(session);
        skan_postgres_store_close(&store);
        store = open_store(table, setting, pooled);
        open_by_hand(setting);
        run_store(&store, 0, 10);
        run_by_hand(0, 10);
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
    printf("synchronous_commit %-3s %-8s  store %7.1f us  by hand %7.1f us  ratio %.2f  (load and save, %d bytes, %d"
           " records)\n",
           setting, pooled ? "pooled" : "sessions", median(of_store, rounds), median(by_hand, rounds), ratio, RECORD,
           records);
    PQfinish(session);
    skan_postgres_store_close(&store);
}

/* A thousand records, saved by single calls and then by one. */
static void compare_batch(const char *setting, int batch_rounds) {
    static char keys[BATCH][32];
    static skan_save_item items[BATCH];
    static uint64_t versions[BATCH];
    skan_store store = open_store("bench_batch", setting, 0);
    double single[MOST_ROUNDS], batch[MOST_ROUNDS], ratios[MOST_ROUNDS];
    for (int i = 0; i < BATCH; i++) {
        snprintf(keys[i], sizeof keys[i], "player-%08x", (unsigned)i * 2654435761u);
        versions[i] = load(&store, keys[i])->version;
    }
    for (int round = 0; round < batch_rounds; round++) {
        double start = seconds_now();
        for (int i = 0; i < BATCH; i++)
            must(save(&store, keys[i], record, RECORD, versions[i], &versions[i]) == SKAN_OK, "save");
        single[round] = seconds_now() - start;
        start = seconds_now();
        for (int i = 0; i < BATCH; i++) items[i] = (skan_save_item){keys[i], record, RECORD, versions[i], 0, -1};
        store.save_many(store.context, items, BATCH);
        for (int i = 0; i < BATCH; i++) {
            must(items[i].status == SKAN_OK, "save_many");
            versions[i] = items[i].new_version;
        }
        batch[round] = seconds_now() - start;
        ratios[round] = single[round] / batch[round];
    }
    double ratio = median(ratios, batch_rounds);
    printf("synchronous_commit %-3s  %d saves: single %8.1f ms, in one batch %6.1f ms, %.1f times as fast\n", setting,
           BATCH, median(single, batch_rounds) * 1e3, median(batch, batch_rounds) * 1e3, ratio);
    skan_postgres_store_close(&store);
}

/* A thousand installs' purchases through an engine, by single calls and then by one: loads and saves. */
static void compare_revenue(const char *setting, int batch_rounds) {
    static char ids[BATCH][32];
    static skan_revenue items[BATCH];
    static skan_status statuses[BATCH];
    skan_store store = open_store("bench_revenue", setting, 0);
    const skan_options options = {.size = sizeof options, .store = &store};
    skan *engine = NULL;
    must(skan_create(&options, &engine, NULL) == SKAN_OK, "skan_create");
    double single[MOST_ROUNDS], batch[MOST_ROUNDS], ratios[MOST_ROUNDS];
    for (int i = 0; i < BATCH; i++) {
        snprintf(ids[i], sizeof ids[i], "player-%08x", (unsigned)i * 2654435761u);
        items[i] = (skan_revenue){.size = sizeof *items, .install_id = ids[i], .amount = 0.99, .currency = "USD"};
        must(skan_update_revenue(engine, ids[i], 0.99, "USD", false, NULL, NULL) == SKAN_OK, "first");
    }
    for (int round = 0; round < batch_rounds; round++) {
        double start = seconds_now();
        for (int i = 0; i < BATCH; i++)
            must(skan_update_revenue(engine, ids[i], 0.99, "USD", false, NULL, NULL) == SKAN_OK, "skan_update_revenue");
        single[round] = seconds_now() - start;
        start = seconds_now();
        must(skan_update_revenue_many(engine, items, BATCH, statuses, NULL) == SKAN_OK, "skan_update_revenue_many");
        batch[round] = seconds_now() - start;
        ratios[round] = single[round] / batch[round];
    }
    double ratio = median(ratios, batch_rounds);
    printf("synchronous_commit %-3s  %d revenue updates: single %8.1f ms, in one call %6.1f ms, %.1f times as fast\n",
           setting, BATCH, median(single, batch_rounds) * 1e3, median(batch, batch_rounds) * 1e3, ratio);
    skan_destroy(engine);
}

int main(int count, char **texts) {
    if (count > 1) records = atoi(texts[1]);
    if (count > 2) rounds = atoi(texts[2]);
    if (records < 1 || rounds < 1 || rounds > MOST_ROUNDS) return 2;
    buffer = skan_buffer_create();
    server_start(&running, "");
    compare("off", 0, 1000);
    compare("on", 0, 30);
    compare("off", 1, 1000);
    compare("on", 1, 30);
    compare_batch("off", 11);
    compare_batch("on", 3);
    compare_revenue("off", 11);
    compare_revenue("on", 3);
    skan_buffer_destroy(buffer);
    return 0;
}
