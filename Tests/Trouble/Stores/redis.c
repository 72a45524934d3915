/* What goes wrong with servers: each is told clearly, with the right outcome; nothing is lost; and once it is mended
 * the same store goes on:
 *   trouble */
#define _GNU_SOURCE
#include "Trouble/Servers/fake.h"
#include "Trouble/Servers/redis.h"
#include "restarts.h"
#include "support.h"
#include "trouble.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECRET "s3cr3t"

static server running;

static skan_redis_options reporting(uint32_t timeout_ms) {
    return (skan_redis_options){.size = sizeof(skan_redis_options),
                                .timeout_ms = timeout_ms,
                                .report = note_report,
                                .report_context = &told};
}

/* A store with the record "kept" of version `version`, on an empty server. */
static skan_store store_at(const char *url, uint32_t timeout_ms, uint64_t *version) {
    skan_redis_options options = reporting(timeout_ms);
    skan_store store = opened(url, &options);
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", 0, version));
    return store;
}

static skan_store store_with_record(uint32_t timeout_ms, uint64_t *version) {
    tell(&running, "FLUSHALL");
    return store_at(running.url, timeout_ms, version);
}

/* --------------------------------------------------------------------------------------------------------- reaching */

static void nobody_listens(const void *subject) {
    (void)subject;
    int taken, port = listening_port(-1, &taken);
    skan_redis_options options = reporting(2000);
    char *url = text_of("redis://game:" SECRET "@127.0.0.1:%d", port), *where = text_of("127.0.0.1:%d", port);
    expect_refused(url, &options, SKAN_ERROR_STORE, "Connection refused");
    EXPECT_WORDS(where, failure_message());
    expect_refused("redis+unix://:" SECRET "@/nowhere/socket", &options, SKAN_ERROR_STORE, "No such file or directory");
    expect_refused("redis://:" SECRET "@host.invalid", &options, SKAN_ERROR_STORE, "the host's name");
    free(url), free(where);
    close(taken);
}

static void black_holes(const void *subject) {
    (void)subject;
    int hole, port = listening_port(16, &hole);
    skan_redis_options options = reporting(400);
    char *url = text_of("redis://game:" SECRET "@127.0.0.1:%d", port);
    expect_late(url, &options, 0.4, "no answer in time"); /* it connects, and AUTH has no answer */
    free(url);
    url = text_of("redis://127.0.0.1:%d", port);
    expect_late(url, &options, 0.4, "no answer in time");
    free(url);
    close(hole);

    /* Whose queue is full: connecting has no answer. */
    port = listening_port(0, &hole);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    int waiting[4];
    for (int i = 0; i < 4; i++) {
        waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (connect(waiting[i], (struct sockaddr *)&address, sizeof address) != 0 && errno != EINPROGRESS) abort();
    }
    url = text_of("redis://127.0.0.1:%d", port);
    options.timeout_ms = 20000;
    options.connect_timeout_ms = 300;
    expect_late(url, &options, 0.3, "Connection timed out");
    options.timeout_ms = 300;
    options.connect_timeout_ms = 20000;
    expect_late(url, &options, 0.3, "Connection timed out");
    for (int i = 0; i < 4; i++) close(waiting[i]);
    free(url);
    close(hole);
}

static void waits_for_a_connection(const void *subject) {
    (void)subject;
    skan_redis_options options = reporting(500);
    options.max_connections = 1;
    skan_store store = opened(running.url, &options);
    kill(running.pid, SIGSTOP);
    double start = seconds_now();
    skan_load_item items[2] = {{"a", skan_buffer_create(), 0, -1}, {"b", skan_buffer_create(), 0, -1}};
    store.load_many(store.context, items, 2);
    double took = seconds_now() - start;
    EXPECT(took > 0.49 && took < 3, "0.5 s took %g s", took);
    for (int i = 0; i < 2; i++) EXPECT_STATUS(SKAN_ERROR_STORE, items[i].status), skan_buffer_destroy(items[i].out);
    expect_told(SKAN_ERROR_STORE, "no answer in time");
    kill(running.pid, SIGCONT);
    EXPECT_STATUS(SKAN_NOT_FOUND, load(&store, "nobody")->status);
    kind.close(&store);
}

/* ----------------------------------------------------------------------------------------------------------- rights */

static char *url_of(const char *login) {
    return text_of("redis+unix://%s@%s/socket", login, running.directory);
}

static void passwords(const void *subject) {
    (void)subject;
    skan_redis_options options = reporting(5000);
    tell(&running, "ACL SETUSER game on >right-" SECRET " resetkeys ~skan:* -@all +getrange +evalsha +eval +set +del");
    static const char *const wrong[] = {"game:wrong-" SECRET, ":wrong-" SECRET, "nobody:" SECRET, "game"};
    static const char *const words[] = {"AUTH: WRONGPASS", "AUTH: ERR AUTH", "AUTH: WRONGPASS", "AUTH: WRONGPASS"};
    for (int i = 0; i < 4; i++) {
        char *url = url_of(wrong[i]);
        in_round("%s", url);
        expect_refused(url, &options, SKAN_ERROR_STORE, words[i]);
        free(url);
    }
    in_round("%s", "");
    char *url = url_of("game:right-" SECRET);
    uint64_t version = 0;
    tell(&running, "FLUSHALL");
    skan_store store = store_at(url, 5000, &version); /* with no more rights than the header asks for */

    tell(&running, "ACL SETUSER game -set");
    expect_changes_refused(&store, version, "can't run this command");
    tell(&running, "ACL SETUSER game -getrange +set");
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, PLAYER)->status);
    expect_told(SKAN_ERROR_STORE, "NOPERM");
    expect_refused(url, &options, SKAN_ERROR_STORE, "NOPERM");
    tell(&running, "ACL SETUSER game +getrange -eval -evalsha");
    expect_changes_refused(&store, version, "NOPERM");
    expect_refused(url, &options, SKAN_ERROR_STORE, "NOPERM");
    tell(&running, "ACL SETUSER game +eval +evalsha resetkeys ~other:*");
    expect_changes_refused(&store, version, "NOPERM");
    tell(&running, "ACL SETUSER game ~skan:*");
    skan_buffer *cursor = skan_buffer_create(), *keys = skan_buffer_create();
    EXPECT_STATUS(SKAN_ERROR_STORE, store.list(store.context, cursor, keys));
    expect_told(SKAN_ERROR_STORE, "NOPERM");
    tell(&running, "ACL SETUSER game +scan");
    EXPECT_STATUS(SKAN_OK, store.list(store.context, cursor, keys));
    skan_buffer_destroy(cursor), skan_buffer_destroy(keys);
    /* Another password, and what was connected is ended. */
    tell(&running, "ACL SETUSER game resetpass >other-" SECRET);
    tell(&running, "CLIENT KILL USER game");
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, PLAYER, "lost", version, NULL));
    expect_told(SKAN_ERROR_STORE, "AUTH: WRONGPASS");
    tell(&running, "ACL SETUSER game >right-" SECRET);
    expect_mended(&store, version);
    free(url);

    tell(&running, "CONFIG SET requirepass right-" SECRET);
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "NOAUTH");
    url = url_of(":right-" SECRET);
    store = opened(url, &options);
    EXPECT(holds_text(&store, PLAYER, NULL), "the default user's password");
    kind.close(&store);
    tell(&running, "CONFIG SET requirepass %s", "");
    free(url);
}

/* ------------------------------------------------------------------------------------------------- what is not ours */

static void others_values(const void *subject) {
    (void)subject;
    static const struct {
        const char *value, *words;
        size_t length;
        bool is_found; /* an empty string is not told from none when it is loaded */
    } values[] = {
        {"{\"json\":true}", "no record of libskan but another program's", 13, true},
        {"SK", "no record of libskan", 2, true},
        {"SK\1\0\0\0\0\0\0\0", "no record of libskan", 10, true},
        {"SK\1\x80\0\0\0\0\0\0\1x", "no record of libskan", 12, true},
        {"SK\2\0\0\0\0\0\0\0\1x", "layout 2, of a newer libskan-redis", 12, true},
        {"SK\x1F", "layout 31, of a newer", 3, true},
        {"", "an empty string of another program", 0, false},
    };
    uint64_t version = 0;
    skan_store store = store_with_record(5000, &version);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        in_round("value %zu", i);
        tell(&running, "SET skan:{another} %b", values[i].value, values[i].length);
        EXPECT_STATUS(values[i].is_found ? SKAN_ERROR_STORE : SKAN_NOT_FOUND, load(&store, "another")->status);
        if (values[i].is_found) expect_told(SKAN_ERROR_STORE, values[i].words);
        if (i == 3) continue; /* to the script, a version like others */
        EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, "another", "lost", 0, NULL));
        expect_told(SKAN_ERROR_STORE, values[i].words);
        if (!values[i].is_found) continue;
        EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, "another", "lost", 1, NULL));
        expect_told(SKAN_ERROR_STORE, values[i].words);
        EXPECT_STATUS(SKAN_ERROR_STORE, remove_key(&store, "another", 1));
        expect_told(SKAN_ERROR_STORE, values[i].words);
        redisReply *value = run_command(&running, "GET skan:{another}");
        EXPECT(value->len == values[i].length && memcmp(value->str, values[i].value, value->len) == 0, "left as it is");
        freeReplyObject(value);
    }
    in_round("%s", "");
    tell(&running, "DEL skan:{another}");
    tell(&running, "HSET skan:{another} field value");
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, "another")->status);
    expect_told(SKAN_ERROR_STORE, "WRONGTYPE");
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, "another", "lost", 0, NULL));
    expect_told(SKAN_ERROR_STORE, "WRONGTYPE");
    EXPECT_STATUS(SKAN_ERROR_STORE, remove_key(&store, "another", 1));
    expect_told(SKAN_ERROR_STORE, "WRONGTYPE");
    /* Of many, the others are as ever. */
    skan_load_item loads[] = {{"another", skan_buffer_create(), 0, -1},
                              {PLAYER, skan_buffer_create(), 0, -1},
                              {"nobody", skan_buffer_create(), 0, -1}};
    store.load_many(store.context, loads, 3);
    expect_told(SKAN_ERROR_STORE, "WRONGTYPE");
    EXPECT_STATUS(SKAN_ERROR_STORE, loads[0].status);
    EXPECT(loads[1].status == SKAN_OK && loads[1].version == version, "loaded");
    EXPECT_STATUS(SKAN_NOT_FOUND, loads[2].status);
    for (int i = 0; i < 3; i++) skan_buffer_destroy(loads[i].out);
    skan_save_item saves[] = {{"another", "lost", 4, 0, 0, -1}, {PLAYER, "kept", 4, version, 0, -1}};
    store.save_many(store.context, saves, 2);
    expect_told(SKAN_ERROR_STORE, "WRONGTYPE");
    EXPECT_STATUS(SKAN_ERROR_STORE, saves[0].status);
    EXPECT_STATUS(SKAN_OK, saves[1].status);
    tell(&running, "DEL skan:{another}");

    static char huge[SKAN_BUFFER_MAX + 13] = "SK\1\0\0\0\0\0\0\0\1";
    tell(&running, "SET skan:{another} %b", huge, (size_t)SKAN_BUFFER_MAX + 12);
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, "another")->status);
    expect_told(SKAN_ERROR_STORE, "more than 1048576 bytes");
    EXPECT_STATUS(SKAN_ERROR_STORE, save(&store, "another", huge, SKAN_BUFFER_MAX + 1, 1, NULL));
    expect_told(SKAN_ERROR_STORE, "1048577 bytes");
    tell(&running, "DEL skan:{another}");

    char *longer = repeated("k", SKAN_INSTALL_ID_MAX + 1);
    skan_load_item long_loads[] = {{longer, skan_buffer_create(), 0, -1}, {PLAYER, skan_buffer_create(), 0, -1}};
    store.load_many(store.context, long_loads, 2);
    expect_told(SKAN_ERROR_STORE, "a key of 129 bytes");
    EXPECT_STATUS(SKAN_ERROR_STORE, long_loads[0].status);
    EXPECT_STATUS(SKAN_OK, long_loads[1].status);
    for (int i = 0; i < 2; i++) skan_buffer_destroy(long_loads[i].out);
    skan_save_item long_saves[] = {{longer, "x", 1, 0, 0, -1}, {PLAYER, "kept", 4, saves[1].new_version, 0, -1}};
    store.save_many(store.context, long_saves, 2);
    expect_told(SKAN_ERROR_STORE, "a key of 129 bytes");
    EXPECT_STATUS(SKAN_ERROR_STORE, long_saves[0].status);
    EXPECT_STATUS(SKAN_OK, long_saves[1].status);
    EXPECT_STATUS(SKAN_ERROR_STORE, remove_key(&store, longer, 1));
    expect_told(SKAN_ERROR_STORE, "a key of 129 bytes");
    free(longer);
    expect_mended(&store, long_saves[1].new_version);
}

/* --------------------------------------------------------------------------------------------------------- refusals */

static void out_of_memory(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record(5000, &version);
    tell(&running, "CONFIG SET maxmemory 1");
    expect_changes_refused(&store, version, "OOM");
    tell(&running, "CONFIG SET maxmemory 0");
    expect_mended(&store, version);
}

static void evicting_servers(const void *subject) {
    (void)subject;
    skan_redis_options options = reporting(5000);
    tell(&running, "CONFIG SET maxmemory-policy allkeys-lru");
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "maxmemory-policy is allkeys-lru");
    options.allow_eviction = 1;
    skan_store store = opened(running.url, &options);
    kind.close(&store);
    options.allow_eviction = 0;
    tell(&running, "CONFIG SET maxmemory-policy volatile-ttl");
    store = opened(running.url, &options);
    kind.close(&store);
    options.expire_days_after_close = 1;
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "maxmemory-policy is volatile-ttl");
    /* One who may not ask is not told. */
    tell(&running, "ACL SETUSER blind on nopass ~* +@all -info");
    char *url = url_of("blind");
    store = opened(url, &options);
    kind.close(&store);
    tell(&running, "CONFIG SET maxmemory-policy noeviction");
    free(url);
}

/* It has what its master has, and takes no changes. */
static void replicas(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record(5000, &version);
    server replica;
    char *settings = text_of("'replicaof=127.0.0.1 %d'", running.port);
    server_start(&replica, settings);
    free(settings);
    skan_redis_options options = reporting(5000);
    skan_store copy = opened(replica.url, &options);
    double end = seconds_now() + 20;
    while (seconds_now() < end && load(&copy, PLAYER)->version != version) pass_milliseconds(10);
    told.count = 0;
    expect_changes_refused(&copy, version, "READONLY");
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", version, &version));
    while (seconds_now() < end && load(&copy, PLAYER)->version != version) pass_milliseconds(10);
    EXPECT(holds_text(&copy, PLAYER, "kept"), "the change has reached it");
    tell(&running, "CONFIG SET min-replicas-to-write 2");
    expect_changes_refused(&store, version, "NOREPLICAS");
    tell(&running, "CONFIG SET min-replicas-to-write 0");
    tell(&replica, "REPLICAOF NO ONE");
    expect_mended(&copy, version);
    expect_mended(&store, version);
    server_stop(&replica, "immediate");
}

static void loading(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record(5000, &version);
    /* The server looks up from loading after each key. */
    tell(&running, "CONFIG SET rdbcompression no");
    for (int i = 0; i < 300; i++) tell(&running, "SET filler-%d %01200d", i, i);
    tell(&running, "BGREWRITEAOF");
    double end = seconds_now() + 20;
    for (bool is_over = false; !is_over && seconds_now() < end; pass_milliseconds(10)) {
        redisReply *info = run_command(&running, "INFO persistence");
        is_over = strstr(info->str, "aof_rewrite_in_progress:0") && strstr(info->str, "aof_rewrite_scheduled:0");
        freeReplyObject(info);
    }
    server_stop(&running, "fast");
    server_again(&running, "--loading key-load-delay=10000 loading-process-events-interval-bytes=1024");
    expect_changes_refused(&store, version, "LOADING");
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, PLAYER)->status);
    expect_told(SKAN_ERROR_STORE, "LOADING");
    skan_redis_options options = reporting(5000);
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "LOADING");
    while (seconds_now() < end && load(&store, PLAYER)->status != SKAN_OK) pass_milliseconds(20);
    expect_mended(&store, version);
}

static void failed_snapshots(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record(5000, &version);
    char *place = text_of("%s/dump.rdb", running.directory);
    mkdir(place, 0777);
    tell(&running, "CONFIG SET save %s", "3600 1000");
    tell(&running, "BGSAVE");
    double end = seconds_now() + 20;
    skan_status status = SKAN_OK;
    while (status == SKAN_OK && seconds_now() < end) {
        pass_milliseconds(10);
        status = save_text(&store, PLAYER, "kept", version, &version);
        if (status != SKAN_OK) version = load(&store, PLAYER)->version;
    }
    EXPECT_STATUS(SKAN_ERROR_STORE, status);
    expect_told(SKAN_ERROR_STORE, "MISCONF Redis is configured to save RDB snapshots");
    expect_changes_refused(&store, version, "MISCONF");
    rmdir(place);
    free(place);
    tell(&running, "CONFIG SET save %s", "");
    expect_mended(&store, version);
}

static void busy_with_a_script(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record(5000, &version);
    tell(&running, "CONFIG SET busy-reply-threshold 20");
    char *path = text_of("%s/socket", running.directory);
    redisContext *other = redisConnectUnix(path);
    int done = 0;
    redisAppendCommand(other, "EVAL %s 0", "while true do end");
    if (redisBufferWrite(other, &done) != REDIS_OK || !done) abort();
    pass_milliseconds(200);
    expect_changes_refused(&store, version, "BUSY");
    tell(&running, "SCRIPT KILL");
    /* The script is over when its caller has an answer. */
    void *answer = NULL;
    EXPECT_NUMBER(REDIS_OK, redisGetReply(other, &answer));
    if (answer) freeReplyObject(answer);
    redisFree(other);
    expect_mended(&store, version);
    free(path);
}

static void too_many_clients(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record(5000, &version);
    redisReply *reply = run_command(&running, "CLIENT LIST");
    int clients = 0;
    for (const char *line = reply->str; (line = strchr(line, '\n')); line++) clients++;
    freeReplyObject(reply);
    tell(&running, "CLIENT KILL TYPE normal SKIPME yes"); /* the store's, and that of the process of all cases */
    tell(&running, "CONFIG SET maxclients 1");
    expect_changes_refused(&store, version, "max number of clients reached");
    tell(&running, "CONFIG SET maxclients 1000");
    EXPECT(clients >= 2, "%d clients", clients);
    expect_mended(&store, version);
}

/* ------------------------------------------------------------------------------------------------- lost connections */

static void end_connections(void) {
    tell(&running, "CLIENT KILL TYPE normal SKIPME yes");
}

/* What is sent to a server that has gone fails at once on a Unix socket, and not on a port. */
static void restarted_between_calls(const void *subject) {
    uint64_t version = 0;
    tell(&running, "FLUSHALL");
    skan_store store = store_at(subject ? running.tcp_url : running.url, 5000, &version);
    restart_between_calls(&running, &store, version, end_connections);
}

/* The server is stopped, so that a change is with it and its answer is not there; then it goes on, or never does. */
static void changes_without_an_answer(const void *subject) {
    bool is_killed = subject != NULL;
    for (int round = 0; round < 2; round++) {
        in_round("round %d", round);
        uint64_t version = 0;
        skan_store store = store_with_record(is_killed ? 20000 : 400, &version);
        aside call = {.store = &store, .version = version, .what = round == 1 ? SAVING_TWO : SAVING};
        kill(running.pid, SIGSTOP);
        begin_aside(&call);
        if (is_killed) {
            pass_milliseconds(200);
            server_kill(&running);
        }
        end_aside(&call, SKAN_ERROR_STORE_UNKNOWN);
        expect_told(SKAN_ERROR_STORE_UNKNOWN, "after the change was sent: it may have been made");
        if (is_killed) {
            EXPECT(call.took < 15, "a lost connection is told at once, not after %g s", call.took);
            server_again(&running, "");
            EXPECT(holds_text(&store, PLAYER, "kept"), "never read, never made");
        } else {
            EXPECT(call.took > 0.39 && call.took < 3, "the time-out of 0.4 s took %g s", call.took);
            double start = seconds_now();
            EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, PLAYER)->status);
            EXPECT(seconds_now() - start < 3, "loading took %g s", seconds_now() - start);
            told.count = 0;
            kill(running.pid, SIGCONT);
            double end = seconds_now() + 20;
            while (seconds_now() < end && !holds_text(&store, PLAYER, "lost")) pass_milliseconds(10);
            EXPECT(holds_text(&store, PLAYER, "lost"), "it came after the time-out");
            EXPECT(holds_text(&store, "another", round ? "new" : NULL), "so did the other");
        }
        /* No answer of the call before is taken for one of this. */
        EXPECT_STATUS(is_killed ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT,
                      save_text(&store, PLAYER, "more", version, NULL));
        kind.close(&store);
    }
}

/* ------------------------------------------------------------------------------------------------ another's answers */

static void strange_answers(const void *subject) {
    (void)subject;
    static const struct {
        const char *answer;
        skan_status save, load;
        const char *words;
    } answers[] = {
        {"-ERR upstream failure\r\n", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "ERR upstream failure"},
        {"-ERR unknown command 'x', with args beginning with: '" PLAYER "'\r\n", SKAN_ERROR_STORE, SKAN_ERROR_STORE,
         "ERR unknown command 'x'"},
        {"-MOVED 3999 127.0.0.1:6381\r\n", SKAN_ERROR_STORE, SKAN_ERROR_STORE, "MOVED 3999 127.0.0.1:6381"},
        {"-CLUSTERDOWN Hash slot not served\r\n", SKAN_ERROR_STORE, SKAN_ERROR_STORE, "CLUSTERDOWN"},
        {"-ERR Error running script (call to f_0): @user_script:1: -OOM command not allowed\r\n", SKAN_ERROR_STORE,
         SKAN_ERROR_STORE, "OOM"},
        {"-NOSCRIPT No matching script\r\n", SKAN_ERROR_STORE, SKAN_ERROR_STORE, "NOSCRIPT"},
        {"-\x01\xFFname\r\n", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "??name"},
        {"+OK\r\n", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "OK"},
        {":2\r\n", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "another type"},
        {"$-1\r\n", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "another type"},
        {"*1\r\n:1\r\n", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "another type"},
        {"HTTP/1.1 400 Bad Request\r\n\r\n", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "not an answer of a Redis"},
        {"$100000000\r\nSK", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "no answer in time"},
        {"$5\r\nab", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "no answer in time"},
        {FAKE_CLOSES, SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "the server ended it"},
        {FAKE_FLOODS, SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "an answer of more than 8388608 bytes"},
    };
    skan_redis_options options = reporting(1000);
    fake_start();
    char *url = text_of("redis://127.0.0.1:%d", fake_port());
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        in_round("%s", answers[i].answer);
        fake_answers(NULL);
        skan_store store = opened(url, &options);
        EXPECT(holds_text(&store, PLAYER, NULL), "it is well");
        fake_answers(answers[i].answer);
        EXPECT_STATUS(answers[i].save, save_text(&store, PLAYER, "text", 0, NULL));
        expect_told(answers[i].save, answers[i].words);
        EXPECT_STATUS(answers[i].load, load(&store, PLAYER)->status);
        expect_told(answers[i].load, answers[i].words);
        fake_answers(NULL);
        EXPECT(holds_text(&store, PLAYER, NULL), "it is well again");
        kind.close(&store);
    }
    in_round("%s", "");
    free(url);
    /* Servers that repeat what they were sent. */
    static const char *const echoes[] = {
        "-ERR unknown command 'AUTH', with args beginning with: 'game' '" SECRET "'\r\n",
        "-ERR what is '" SECRET "'?\r\n", "-ERR what is " SECRET "?\r\n", "-ERR what is `" SECRET "\r\n"};
    url = text_of("redis://game:" SECRET "@127.0.0.1:%d", fake_port());
    for (size_t i = 0; i < sizeof echoes / sizeof *echoes; i++) {
        fake_answers(echoes[i]);
        expect_refused(url, &options, SKAN_ERROR_STORE, "AUTH: ");
    }
    free(url);
    fake_stop();
}

/* ---------------------------------------------------------------------------------------------------- the full disk */

static void full_disk(const void *subject) {
    bool always = subject != NULL;
    char *path = text_of("/tmp/skan-small-XXXXXX");
    if (!mkdtemp(path)) abort();
    if (!EXPECT(mount_small(path, "3m"), "no small file system can be made: %s", strerror(errno))) return;
    setenv("TMPDIR", path, 1);
    server small;
    server_start(&small, always ? "appendfsync=always auto-aof-rewrite-percentage=0"
                                : "appendfsync=everysec auto-aof-rewrite-percentage=0");
    uint64_t version = 0;
    skan_store store = store_at(small.url, 5000, &version);
    skan_status status = SKAN_OK;
    int count = fill(&store, &status);
    if (always) {
        /* The server gives up rather than answer. */
        EXPECT_STATUS(SKAN_ERROR_STORE_UNKNOWN, status);
        expect_told(SKAN_ERROR_STORE_UNKNOWN, "it may have been made");
    } else {
        EXPECT_STATUS(SKAN_ERROR_STORE, status);
        expect_told(SKAN_ERROR_STORE, "No space left on device");
        expect_changes_refused(&store, version, "MISCONF");
    }
    if (mount("tmpfs", path, "tmpfs", MS_REMOUNT, "size=30m") != 0) abort();
    if (always) server_again(&small, "");
    expect_filled(&store, count);
    server_stop(&small, "fast");
    server_again(&small, "");
    expect_filled(&store, count);
    expect_mended(&store, version);
    server_stop(&small, "immediate");
    umount2(path, MNT_DETACH);
    rmdir(path);
    free(path);
}

int main(void) {
    server_start(&running, "appendfsync=no");
    never_in_messages = SECRET;
    run_case("nobody listens", nobody_listens, NULL);
    run_case("black holes", black_holes, NULL);
    run_case("waits for a connection", waits_for_a_connection, NULL);
    run_case("passwords and rights", passwords, NULL);
    run_case("others' values", others_values, NULL);
    run_case("out of memory", out_of_memory, NULL);
    run_case("evicting servers", evicting_servers, NULL);
    run_case("replicas", replicas, NULL);
    run_case("failed snapshots", failed_snapshots, NULL);
    run_case("busy with a script", busy_with_a_script, NULL);
    run_case("too many clients", too_many_clients, NULL);
    run_case("strange answers", strange_answers, NULL);
    run_case("changes without an answer", changes_without_an_answer, NULL);
    run_case("full disk", full_disk, NULL);
    run_case("full disk, each change waits for it", full_disk, "always");
    /* A case's own process starts the server anew: the last that this one knows the number of. */
    run_case("loading", loading, NULL);
    server_stop(&running, "fast"), server_again(&running, "");
    run_case("restarted between calls", restarted_between_calls, NULL);
    server_stop(&running, "fast"), server_again(&running, "");
    run_case("restarted between calls, on a port", restarted_between_calls, "port");
    server_stop(&running, "fast"), server_again(&running, "");
    run_case("changes whose server is killed", changes_without_an_answer, "killed");
    return finish_cases();
}
