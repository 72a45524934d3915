#include "Trouble/Servers/redis.h"
#include "bench.h"

#include <stdio.h>
#include <string.h>

enum { HEADER = 11 };

const setting settings[] = {{"appendonly=no", 1000, 41, false}, {"appendfsync=everysec", 1000, 41, false}, {NULL, 0, 0, false}};

static server running;
static const setting *started;
static redisContext *by_hand;
static char script[41]; /* the name of the store's script, as the server knows it */

static redisContext *connected(void) {
    char path[160];
    snprintf(path, sizeof path, "%s/socket", running.directory);
    redisContext *session = redisConnectUnix(path);
    must(session && !session->err, path);
    return session;
}

/* The name of the one script that the store has the server keep. */
static void find_script(const skan_store *store) {
    redisContext *session = connected();
    freeReplyObject(redisCommand(session, "MONITOR"));
    uint64_t version = 0;
    must(store->save(store->context, "named", record, RECORD, 0, &version) == SKAN_OK, "save");
    void *line = NULL;
    for (bool is_found = false; !is_found && redisGetReply(session, &line) == REDIS_OK; freeReplyObject(line)) {
        const char *found = strstr(((redisReply *)line)->str, "\"EVALSHA\" \"");
        is_found = found != NULL;
        if (found) snprintf(script, sizeof script, "%s", found + 11);
    }
    redisFree(session);
}

void open_both(const setting *setting, skan_store *store) {
    bool is_new = started != setting;
    if (started && is_new) server_stop(&running, "fast");
    if (is_new) server_start(&running, setting->name);
    started = setting;
    *store = opened(running.url, NULL);
    if (is_new) find_script(store);
    by_hand = connected();
}

void close_by_hand(void) {
    redisFree(by_hand);
}

void run_by_hand(int first, int count) {
    char key[32], value[HEADER + RECORD];
    for (int i = first; i < first + count; i++) {
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
