#include "Trouble/Servers/postgres.h"
#include "bench.h"

#include <stdio.h>
#include <string.h>

const setting settings[] = {{"synchronous_commit off", 1000, 11, true},
                            {"synchronous_commit on", 30, 3, true},
                            {"synchronous_commit off pooled", 1000, 11, true},
                            {"synchronous_commit on pooled", 30, 3, true},
                            {NULL, 0, 0, false}};

enum { LOAD, INSERT, UPDATE };
static const char *const texts[] = {
    "SELECT version, record FROM by_hand WHERE key = $1",
    "INSERT INTO by_hand (key, version, record) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING",
    "UPDATE by_hand SET version = $2, record = $3 WHERE key = $1 AND version = $4",
};
static const char *const names[] = {"load", "insert", "update"};
static const int counts[] = {1, 3, 4};
static const Oid types[] = {17, 20, 17, 20};

static server running;
static PGconn *session;
/* Behind a pooler a program by hand cannot prepare statements either: the server parses and plans each. */
static bool prepares;

static PGresult *by_hand(int statement, const char *const *values, const int *lengths) {
    const int formats[] = {1, 1, 1, 1}, count = counts[statement];
    if (prepares) return PQexecPrepared(session, names[statement], count, values, lengths, formats, 1);
    return PQexecParams(session, texts[statement], count, types, values, lengths, formats, 1);
}

void open_both(const setting *setting, skan_store *store) {
    if (!running.pid) server_start(&running, "");
    bool is_pooled = strstr(setting->name, "pooled");
    const char *commit = strstr(setting->name, " on") ? "on" : "off";
    skan_postgres_options options = making(is_pooled ? "bench_pooled" : "bench");
    options.pooled = is_pooled;
    options.timeout_ms = 60000;
    char url[640], first[64];
    snprintf(url, sizeof url, "%s&options=-csynchronous_commit%%3D%s", running.url, commit);
    *store = opened(url, &options);
    snprintf(first, sizeof first, "SET synchronous_commit = %s", commit);
    session = session_with(running.url, "SET client_min_messages = error");
    PQclear(PQexec(session, first));
    PQclear(PQexec(session, "CREATE TABLE IF NOT EXISTS by_hand (key bytea NOT NULL PRIMARY KEY,"
                            " version bigint NOT NULL, record bytea NOT NULL)"));
    prepares = !is_pooled;
    for (int i = LOAD; prepares && i <= UPDATE; i++) PQclear(PQprepare(session, names[i], texts[i], counts[i], types));
}

void close_by_hand(void) {
    PQfinish(session);
}

void run_by_hand(int first, int count) {
    char key[32];
    for (int i = first; i < first + count; i++) {
        key_of(i, key);
        const int lengths[] = {(int)strlen(key), 8, RECORD, 8};
        uint64_t version = 0, next;
        PGresult *result = by_hand(LOAD, (const char *[]){key}, lengths);
        must(PQresultStatus(result) == PGRES_TUPLES_OK, "load by hand");
        bool is_there = PQntuples(result) == 1;
        if (is_there) {
            memcpy(&version, PQgetvalue(result, 0, 0), 8);
            skan_buffer_set(buffer, PQgetvalue(result, 0, 1), (size_t)PQgetlength(result, 0, 1));
        }
        PQclear(result);
        record[i % RECORD]++;
        next = __builtin_bswap64(__builtin_bswap64(version) + 1);
        result = by_hand(is_there ? UPDATE : INSERT,
                         (const char *[]){key, (char *)&next, record, (char *)&version}, lengths);
        must(strcmp(PQcmdTuples(result), "1") == 0, "save by hand");
        PQclear(result);
    }
}
