/*
 * The store beside the same commands by hand with hiredis, on the same socket: a record loaded and saved, one thread;
 * and batches beside single calls.
 *   bench [rounds]
 * Rounds of both take turns; printed are the medians, and the median of each round's ratio.
 */
#define _GNU_SOURCE
#include "Trouble/Redis/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RECORD = 130, HEADER = 11, RECORDS = 1000, CALLS = 1000, MOST_ROUNDS = 201 };

static int rounds = 41;
static char record[RECORD];
static server running;
static char script[41]; /* the name of the store's script, as the server knows it */

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
    snprintf(key, 32, "player-%08x", (unsigned)(i % RECORDS) * 2654435761u);
}

static const skan_store *store;
static skan_buffer *buffer;

static void run_store(int first) {
    char key[32];
    for (int i = first; i < first + CALLS; i++) {
        key_of(i, key);
        uint64_t version = 0, saved = 0;
        skan_status status = store->load(store->context, key, buffer, &version);
        must(status == SKAN_OK || status == SKAN_NOT_FOUND, "load");
        record[i % RECORD]++;
        must(store->save(store->context, key, record, RECORD, version, &saved) == SKAN_OK, "save");
    }
}

static void run_batches(int first) {
    static char keys[CALLS][32];
    static skan_load_item loads[CALLS];
    static skan_save_item saves[CALLS];
    for (int i = 0; i < CALLS; i++) {
        key_of(first + i, keys[i]);
        if (!loads[i].out) loads[i].out = skan_buffer_create();
        loads[i] = (skan_load_item){keys[i], loads[i].out, 0, -1};
    }
    store->load_many(store->context, loads, CALLS);
    for (int i = 0; i < CALLS; i++) {
        must(loads[i].status == SKAN_OK, "load_many");
        saves[i] = (skan_save_item){keys[i], record, RECORD, loads[i].version, 0, -1};
    }
    store->save_many(store->context, saves, CALLS);
    for (int i = 0; i < CALLS; i++) must(saves[i].status == SKAN_OK, "save_many");
}

static redisContext *by_hand;

static void run_by_hand(int first) {
    char key[32], value[HEADER + RECORD];
    for (int i = first; i < first + CALLS; i++) {
        key_of(i, key);
        redisReply *reply = redisCommand(by_hand, "GETRANGE hand:{%s} 0 1048587", key);
        must(reply && reply->type == REDIS_REPLY_STRING, "GETRANGE");
        char header[HEADER];
        size_t size = reply->len ? HEADER : 0;
        if (size) memcpy(header, reply->str, HEADER);
        if (size) skan_buffer_set(buffer, reply->str + HEADER, reply->len - HEADER);
        freeReplyObject(reply);
        record[i % RECORD]++;
        memcpy(value, "SK\1", 3);
        memcpy(value + 3, &i, sizeof i);
        memset(value + 3 + sizeof i, 1, 8 - sizeof i);
        memcpy(value + HEADER, record, RECORD);
        reply = redisCommand(by_hand, "EVALSHA %s 1 hand:{%s} %b %b", script, key, header, size, value, sizeof value);
        must(reply && reply->type == REDIS_REPLY_INTEGER && reply->integer == 1, "EVALSHA");
        freeReplyObject(reply);
    }
}

static void compare(const char *names, void (*one)(int), void (*other)(int)) {
    double of_one[MOST_ROUNDS], of_other[MOST_ROUNDS], ratios[MOST_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        for (int turn = 0; turn < 2; turn++) {
            bool is_one = (turn + round) % 2 == 0;
            double start = seconds_now();
            (is_one ? one : other)(round * CALLS);
            *(is_one ? &of_one[round] : &of_other[round]) = (seconds_now() - start) / CALLS * 1e6;
        }
        ratios[round] = of_one[round] / of_other[round];
    }
    double ratio = median(ratios, rounds);
    printf("%-26s %8.1f us and %8.1f us  ratio %.2f  (load and save, %d bytes, %d records)\n", names,
           median(of_one, rounds), median(of_other, rounds), ratio, RECORD, RECORDS);
}

/* The name of the one script that the store has the server keep. */
static void find_script(void) {
    redisReply *monitor = redisCommand(by_hand, "MONITOR");
    freeReplyObject(monitor);
    uint64_t version = 0;
    must(store->save(store->context, "named", record, RECORD, 0, &version) == SKAN_OK, "save");
    void *line = NULL;
    while (redisGetReply(by_hand, &line) == REDIS_OK) {
        char *found = strstr(((redisReply *)line)->str, "\"EVALSHA\" \"");
        if (found) snprintf(script, sizeof script, "%s", found + 11);
        freeReplyObject(line);
        if (found) break;
    }
    redisFree(by_hand);
}

int main(int count, char **texts) {
    if (count > 1) rounds = atoi(texts[1]);
    if (rounds < 1 || rounds > MOST_ROUNDS) return 2;
    static const char *const settings[] = {"appendonly=no", "appendonly=yes appendfsync=everysec"};
    for (int i = 0; i < 2; i++) {
        server_start(&running, settings[i]);
        skan_store opened_store = opened(running.url, NULL);
        store = &opened_store;
        buffer = skan_buffer_create();
        char path[160];
        snprintf(path, sizeof path, "%s/socket", running.directory);
        by_hand = redisConnectUnix(path);
        find_script();
        by_hand = redisConnectUnix(path);
        printf("%s\n", settings[i]);
        run_store(0);
        run_by_hand(0);
        compare("store beside by hand", run_store, run_by_hand);
        compare("1000 at once, one by one", run_batches, run_store);
        redisFree(by_hand);
        skan_buffer_destroy(buffer);
        skan_redis_store_close(&opened_store);
        server_stop(&running, "fast");
    }
    return 0;
}
