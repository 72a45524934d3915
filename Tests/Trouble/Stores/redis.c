/* What goes wrong with servers: each is told clearly, with the right outcome; nothing is lost; and once it is mended
 * the same store goes on:
 *   trouble [forks beside calls that time out] */
#define _GNU_SOURCE
#include "Trouble/Servers/fake.h"
#include "Trouble/Servers/redis.h"
#include "support.h"
#include "trouble.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static skan_store store_at(const char *url, uint32_t timeout_ms, uint64_t *version) {
    skan_redis_options options = reporting(timeout_ms);
    return store_with_record(url, &options, version);
}

/* On an empty server. */
static skan_store new_store(uint32_t timeout_ms, uint64_t *version) {
    tell(&running, "FLUSHALL");
    return store_at(running.url, timeout_ms, version);
}

static void end_connections(void) {
    tell(&running, "CLIENT KILL TYPE normal SKIPME yes");
}

/* The server takes what it is sent, and answers nothing. */
static void forks_beside_time_outs(void) {
    skan_redis_options options = reporting(300);
    options.report = NULL;
    tell(&running, "FLUSHALL");
    uint64_t version = 0;
    skan_store store = store_with_record(running.url, &options, &version);
    kill(running.pid, SIGSTOP);
    expect_forks_beside_time_outs(&store, version, options.timeout_ms);
    kill(running.pid, SIGCONT);
    kind.close(&store);
}

/* --------------------------------------------------------------------------------------------------------- reaching */

static void nobody_listens(void) {
    int port;
    listening_socket(-1, &port);
    skan_redis_options options = reporting(2000);
    expect_refused(text_of("redis://game:" SECRET "@127.0.0.1:%d", port), &options, SKAN_ERROR_STORE,
                   "Connection refused");
    EXPECT_WORDS(text_of("127.0.0.1:%d", port), failure_message());
    expect_refused("redis+unix://:" SECRET "@/nowhere/socket", &options, SKAN_ERROR_STORE, "No such file or directory");
    struct addrinfo *none = NULL;
    const char *words = gai_strerror(getaddrinfo("host.invalid", "6379", NULL, &none));
    expect_refused("redis://:" SECRET "@host.invalid", &options, SKAN_ERROR_STORE,
                   text_of("the host's name: %s", words));
}

static void black_holes(void) {
    int port;
    listening_socket(16, &port);
    skan_redis_options options = reporting(400);
    /* It connects, and AUTH has no answer. */
    expect_late(text_of("redis://game:" SECRET "@127.0.0.1:%d", port), &options, 0.4, "no answer in time");
    expect_late(text_of("redis://127.0.0.1:%d", port), &options, 0.4, "no answer in time");

    /* Whose queue is full: connecting has no answer. */
    listening_socket(0, &port);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    for (int i = 0; i < 4; i++) {
        int waiting = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (connect(waiting, (struct sockaddr *)&address, sizeof address) != 0 && errno != EINPROGRESS) abort();
    }
    for (int connects = 0; connects < 2; connects++) {
        options.timeout_ms = connects ? NEVER_MS : 300;
        options.connect_timeout_ms = connects ? 300 : NEVER_MS;
        expect_late(text_of("redis://127.0.0.1:%d", port), &options, 0.3, "Connection timed out");
    }
}

static void waits_for_a_connection(void) {
    skan_redis_options options = reporting(1500);
    options.max_connections = 1;
    skan_store store = opened(running.url, &options);
    kill(running.pid, SIGSTOP);
    double start = seconds_now();
    EXPECT_TEXT("SKAN_ERROR_STORE SKAN_ERROR_STORE", load_many(&store, "a b"));
    EXPECT_TIME(1.5, seconds_now() - start);
    expect_told(SKAN_ERROR_STORE, "no answer in time");
    kill(running.pid, SIGCONT);
    EXPECT_STATUS(SKAN_NOT_FOUND, load(&store, "nobody")->status);
    kind.close(&store);
}

static void fair_turns(void) {
    skan_redis_options options = reporting(60000);
    options.max_connections = 4;
    skan_store store = opened(running.url, &options);
    expect_fair_turns(&store);
    EXPECT_NUMBER(0, told.count);
    kind.close(&store);
    tell(&running, "FLUSHALL");
}

/* ----------------------------------------------------------------------------------------------------------- rights */

static char *url_of(const char *login) {
    return text_of("redis+unix://%s@%s/socket", login, running.directory);
}

static void passwords_and_rights(void) {
    skan_redis_options options = reporting(5000);
    tell(&running, "ACL SETUSER game on >right-" SECRET " resetkeys ~skan:* -@all +getrange +evalsha +eval +set +del");
    static const char *const wrong[] = {"game:wrong-" SECRET, ":wrong-" SECRET, "nobody:" SECRET, "game"};
    for (int i = 0; i < 4; i++)
        expect_refused(url_of(wrong[i]), &options, SKAN_ERROR_STORE, i == 1 ? "AUTH: ERR AUTH" : "AUTH: WRONGPASS");
    const char *url = url_of("game:right-" SECRET);
    uint64_t version = 0;
    tell(&running, "FLUSHALL");
    skan_store store = store_at(url, 5000, &version); /* with no more rights than the header asks for */

    tell(&running, "ACL SETUSER game -set");
    expect_changes_refused(&store, version, "can't run this command");
    tell(&running, "ACL SETUSER game -getrange +set");
    EXPECT_TOLD(SKAN_ERROR_STORE, "NOPERM", load(&store, PLAYER)->status);
    expect_refused(url, &options, SKAN_ERROR_STORE, "NOPERM");
    tell(&running, "ACL SETUSER game +getrange -eval -evalsha");
    expect_changes_refused(&store, version, "NOPERM");
    expect_refused(url, &options, SKAN_ERROR_STORE, "NOPERM");
    tell(&running, "ACL SETUSER game +eval +evalsha resetkeys ~other:*");
    expect_changes_refused(&store, version, "NOPERM");
    tell(&running, "ACL SETUSER game ~skan:*");
    EXPECT_TOLD(SKAN_ERROR_STORE, "NOPERM", list(&store, "")->status);
    tell(&running, "ACL SETUSER game +scan");
    EXPECT_STATUS(SKAN_OK, list(&store, "")->status);
    /* Another password, and what was connected is ended. */
    tell(&running, "ACL SETUSER game resetpass >other-" SECRET);
    tell(&running, "CLIENT KILL USER game");
    EXPECT_TOLD(SKAN_ERROR_STORE, "AUTH: WRONGPASS", save_text(&store, PLAYER, "lost", version, NULL));
    tell(&running, "ACL SETUSER game >right-" SECRET);
    expect_mended(&store, version);

    tell(&running, "CONFIG SET requirepass right-" SECRET);
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "NOAUTH");
    expect_refused(url_of(":right-" SECRET), &options, SKAN_OK, "");
    tell(&running, "CONFIG SET requirepass %s", "");
}

/* ------------------------------------------------------------------------------------------------- what is not ours */

/* Of many, the others are as ever. */
static void expect_fails_alone(const skan_store *store, const char *key, uint64_t *version, const char *words) {
    static const char alone[] = "SKAN_ERROR_STORE SKAN_OK";
    EXPECT_TEXT(alone, load_many(store, text_of("%s " PLAYER, key)));
    expect_told(SKAN_ERROR_STORE, words);
    skan_save_item items[] = {{key, "lost", 4, 0, 0, -1}, {PLAYER, "kept", 4, *version, 0, -1}};
    EXPECT_TEXT(alone, save_many(store, items, 2));
    expect_told(SKAN_ERROR_STORE, words);
    EXPECT_TOLD(SKAN_ERROR_STORE, words, remove_key(store, key, 1));
    *version = items[1].new_version;
}

static redisReply *whole_value(void) {
    return run_command(&running, "DUMP skan:{another}");
}

static void others_values(void) {
    static const struct {
        const char *command, *value, *words;
        size_t length;
    } values[] = {
        {"SET skan:{another} %b", "{\"json\":1}",
         "another program's (expected the bytes 53 4B 01 and a version, found 10 bytes, the first 7B)", 10},
        {"SET skan:{another} %b", "SK", "not a record of libskan", 2},
        {"SET skan:{another} %b", "SK\1\0\0\0\0\0\0\0", "not a record of libskan", 10},
        {"SET skan:{another} %b", "SK\2\0\0\0\0\0\0\0\1x", "layout 2, of a newer libskan-redis", 12},
        {"SET skan:{another} %b", "SK\x1F", "layout 31, of a newer", 3},
        {"SET skan:{another} %b", "SK\x20", "not a record of libskan", 3},
        {"HSET skan:{another} field %b", "value", "WRONGTYPE", 5},
    };
    uint64_t version = 0;
    skan_store store = new_store(5000, &version);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        in_round("value %zu", i);
        tell(&running, "DEL skan:{another}");
        tell(&running, values[i].command, values[i].value, values[i].length);
        redisReply *before = whole_value();
        EXPECT_TOLD(SKAN_ERROR_STORE, values[i].words, load(&store, "another")->status);
        for (uint64_t expected = 0; expected < 2; expected++) {
            EXPECT_TOLD(SKAN_ERROR_STORE, values[i].words, save_text(&store, "another", "lost", expected, NULL));
        }
        expect_fails_alone(&store, "another", &version, values[i].words);
        redisReply *after = whole_value();
        EXPECT(before->len == after->len && memcmp(before->str, after->str, after->len) == 0, "left as it is");
        freeReplyObject(before), freeReplyObject(after);
    }
    in_round("%s", "");
    /* An empty string is not told from none when it is loaded, and these versions not from others by the script. */
    tell(&running, "SET skan:{another} %b", "", (size_t)0);
    EXPECT_STATUS(SKAN_NOT_FOUND, load(&store, "another")->status);
    EXPECT_TOLD(SKAN_ERROR_STORE, "an empty string, which libskan never writes", save_text(&store, "another", "lost", 0, NULL));
    static const char *const versions[] = {"SK\1\x80\0\0\0\0\0\0\1x", "SK\1\0\0\0\0\0\0\0\0x"};
    for (int i = 0; i < 2; i++) {
        tell(&running, "SET skan:{another} %b", versions[i], (size_t)12);
        EXPECT_TOLD(SKAN_ERROR_STORE, "not a record of libskan", load(&store, "another")->status);
    }
    tell(&running, "DEL skan:{another}");
    expect_mended(&store, version);
}

static void too_long_for_a_record_or_a_key(void) {
    static char huge[SKAN_BUFFER_MAX + 13] = "SK\1\0\0\0\0\0\0\0\1";
    uint64_t version = 0;
    skan_store store = new_store(5000, &version);
    tell(&running, "SET skan:{another} %b", huge, (size_t)SKAN_BUFFER_MAX + 12);
    EXPECT_TOLD(SKAN_ERROR_STORE, "more than 1048576 bytes", load(&store, "another")->status);
    EXPECT_TOLD(SKAN_ERROR_STORE, "1048577 bytes", save(&store, "another", huge, SKAN_BUFFER_MAX + 1, 1, NULL));
    tell(&running, "DEL skan:{another}");
    expect_fails_alone(&store, repeated("k", SKAN_INSTALL_ID_MAX + 1), &version, "a key of 129 bytes");
    expect_mended(&store, version);
}

/* --------------------------------------------------------------------------------------------------------- refusals */

/* Where there is no room for a change, for its copies or for who makes it. */
static const struct refusal {
    const char *name, *begin, *words, *end;
} refusals[] = {
    {"out of memory", "CONFIG SET maxmemory 1", "OOM", "CONFIG SET maxmemory 0"},
    {"too few replicas", "CONFIG SET min-replicas-to-write 1", "NOREPLICAS", "CONFIG SET min-replicas-to-write 0"},
    {"too many clients", "CONFIG SET maxclients 1", "max number of clients reached", "CONFIG SET maxclients 1000"},
};

static void refused_for_a_time(const void *subject) {
    const struct refusal *refusal = subject;
    uint64_t version = 0;
    skan_store store = new_store(5000, &version);
    end_connections(); /* the store's, and that of the process of all cases */
    tell(&running, refusal->begin);
    expect_changes_refused(&store, version, refusal->words);
    tell(&running, refusal->end);
    expect_mended(&store, version);
}

static void evicting_servers(void) {
    skan_redis_options options = reporting(5000);
    tell(&running, "CONFIG SET maxmemory-policy allkeys-lru");
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "maxmemory-policy is allkeys-lru");
    options.allow_eviction = 1;
    expect_refused(running.url, &options, SKAN_OK, "");
    options.allow_eviction = 0;
    tell(&running, "CONFIG SET maxmemory-policy volatile-ttl");
    expect_refused(running.url, &options, SKAN_OK, "");
    options.expire_days_after_close = 1;
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "maxmemory-policy is volatile-ttl");
    /* One who may not ask is not told. */
    tell(&running, "ACL SETUSER blind on nopass ~* +@all -info");
    expect_refused(url_of("blind"), &options, SKAN_OK, "");
    tell(&running, "CONFIG SET maxmemory-policy noeviction");
}

/* It has what its master has, and takes no changes. */
static void replicas(void) {
    uint64_t version = 0;
    skan_store store = new_store(5000, &version);
    server replica;
    server_start(&replica, text_of("'replicaof=127.0.0.1 %d'", running.port));
    skan_redis_options options = reporting(5000);
    skan_store copy = opened(replica.url, &options);
    EVENTUALLY(load(&copy, PLAYER)->version == version);
    told.count = 0;
    expect_changes_refused(&copy, version, "READONLY");
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", version, &version));
    EVENTUALLY(load(&copy, PLAYER)->version == version);
    EXPECT(holds_text(&copy, PLAYER, "kept"), "the change has reached it");
    tell(&replica, "REPLICAOF NO ONE");
    expect_mended(&copy, version);
    expect_mended(&store, version);
    server_stop(&replica, "immediate");
}

static bool is_rewritten(void) {
    redisReply *info = run_command(&running, "INFO persistence");
    bool is_over = strstr(info->str, "aof_rewrite_in_progress:0") && strstr(info->str, "aof_rewrite_scheduled:0");
    freeReplyObject(info);
    return is_over;
}

static void loading(void) {
    uint64_t version = 0;
    skan_store store = new_store(5000, &version);
    /* The server looks up from loading after each key. */
    tell(&running, "CONFIG SET rdbcompression no");
    for (int i = 0; i < 300; i++) tell(&running, "SET filler-%d %01200d", i, i);
    tell(&running, "BGREWRITEAOF");
    EVENTUALLY(is_rewritten());
    server_stop(&running, "fast");
    server_again(&running, "--loading key-load-delay=50000 loading-process-events-interval-bytes=1024");
    expect_changes_refused(&store, version, "LOADING");
    EXPECT_TOLD(SKAN_ERROR_STORE, "LOADING", load(&store, PLAYER)->status);
    skan_redis_options options = reporting(5000);
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "LOADING");
    tell(&running, "CONFIG SET key-load-delay 0");
    EVENTUALLY(load(&store, PLAYER)->status == SKAN_OK);
    expect_mended(&store, version);
}

static void failed_snapshots(void) {
    uint64_t version = 0;
    skan_store store = new_store(5000, &version);
    const char *place = text_of("%s/dump.rdb", running.directory);
    mkdir(place, 0777);
    tell(&running, "CONFIG SET save %s", "3600 1000");
    tell(&running, "BGSAVE");
    EVENTUALLY(save_text(&store, PLAYER, "kept", load(&store, PLAYER)->version, NULL) == SKAN_ERROR_STORE);
    version = load(&store, PLAYER)->version;
    expect_told(SKAN_ERROR_STORE, "MISCONF Redis is configured to save RDB snapshots");
    expect_changes_refused(&store, version, "MISCONF");
    rmdir(place);
    tell(&running, "CONFIG SET save %s", "");
    expect_mended(&store, version);
}

static bool is_busy(void) {
    redisContext *session = redisConnectUnix(text_of("%s/socket", running.directory));
    redisReply *reply = redisCommand(session, "PING");
    bool is_busy = reply && reply->type == REDIS_REPLY_ERROR && strncmp(reply->str, "BUSY", 4) == 0;
    if (reply) freeReplyObject(reply);
    redisFree(session);
    return is_busy;
}

static void busy_with_a_script(void) {
    uint64_t version = 0;
    skan_store store = new_store(5000, &version);
    tell(&running, "CONFIG SET busy-reply-threshold 20");
    redisContext *other = redisConnectUnix(text_of("%s/socket", running.directory));
    int done = 0;
    redisAppendCommand(other, "EVAL %s 0", "while true do end");
    if (redisBufferWrite(other, &done) != REDIS_OK || !done) abort();
    EVENTUALLY(is_busy());
    expect_changes_refused(&store, version, "BUSY");
    tell(&running, "SCRIPT KILL");
    /* The script is over when its caller has an answer. */
    void *answer = NULL;
    EXPECT_NUMBER(REDIS_OK, redisGetReply(other, &answer));
    if (answer) freeReplyObject(answer);
    redisFree(other);
    expect_mended(&store, version);
}

/* ------------------------------------------------------------------------------------------------- lost connections */

/* What is sent to a server that has gone fails at once on a Unix socket, and not on a port. */
static void restarted_between_calls(const void *subject) {
    uint64_t version = 0;
    tell(&running, "FLUSHALL");
    skan_store store = store_at(subject ? running.tcp_url : running.url, 5000, &version);
    restart_between_calls(&running, &store, version, end_connections);
}

/* Whether the server's system has bytes that the server has not read. */
static bool has_unread_bytes(int port) {
    char line[512];
    unsigned local = 0, state = 0, unread = 0;
    bool found = false;
    FILE *table = fopen("/proc/net/tcp", "r");
    while (table && fgets(line, sizeof line, table))
        if (sscanf(line, " %*u: %*x:%x %*x:%*x %x %*x:%x", &local, &state, &unread) == 3)
            found = found || (local == (unsigned)port && state == 1 && unread > 0);
    if (table) fclose(table);
    return found;
}

/* The server is stopped, so that a change is with it and its answer is not there; then it goes on, or never does. */
static void changes_without_an_answer(const void *subject) {
    bool is_killed = subject != NULL;
    for (int round = 0; round < 2; round++) {
        in_round("round %d", round);
        uint64_t version = 0;
        tell(&running, "FLUSHALL");
        skan_store store = store_at(running.tcp_url, is_killed ? NEVER_MS : 1500, &version);
        aside call = {.store = &store, .version = version, .what = round == 1 ? SAVING_TWO : SAVING};
        kill(running.pid, SIGSTOP);
        begin_aside(&call);
        if (is_killed) {
            EVENTUALLY(has_unread_bytes(running.port));
            server_kill(&running);
        }
        end_aside(&call, SKAN_ERROR_STORE_UNKNOWN);
        expect_told(SKAN_ERROR_STORE_UNKNOWN, "after the change was sent: it may have been made");
        if (is_killed) {
            EXPECT(call.took < 120, "a lost connection is told at once, not after %g s", call.took);
            server_again(&running, "");
            EXPECT(holds_text(&store, PLAYER, "kept"), "never read, never made");
        } else {
            EXPECT_TIME(1.5, call.took);
            double start = seconds_now();
            EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, PLAYER)->status);
            EXPECT_TIME(0, seconds_now() - start);
            told.count = 0;
            kill(running.pid, SIGCONT);
            EVENTUALLY(holds_text(&store, PLAYER, "lost")); /* after the time-out */
            EXPECT(holds_text(&store, "another", round ? "new" : NULL), "so did the other");
        }
        /* No answer of the call before is taken for one of this. */
        EXPECT_STATUS(is_killed ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT,
                      save_text(&store, PLAYER, "more", version, NULL));
        kind.close(&store);
    }
}

/* How many sends are lost. The store calls this program's send in place of libc's. */
static atomic_int lost_sends;

ssize_t send(int socket, const void *bytes, size_t length, int flags) {
    if (atomic_load(&lost_sends) == 0) return sendto(socket, bytes, length, flags, NULL, 0);
    atomic_fetch_sub(&lost_sends, 1);
    errno = EPIPE;
    return -1;
}

/* A change of which nothing was sent is made on another connection, once. */
static void lost_before_it_was_sent(void) {
    uint64_t version = 0;
    skan_store store = new_store(5000, &version);
    atomic_store(&lost_sends, 1);
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", version, &version));
    atomic_store(&lost_sends, 1);
    EXPECT_STATUS(SKAN_OK, remove_key(&store, PLAYER, version));
    EXPECT_NUMBER(0, atomic_load(&lost_sends));
    EXPECT_NUMBER(0, told.count);
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", 0, &version));
    atomic_store(&lost_sends, 2);
    EXPECT_TOLD(SKAN_ERROR_STORE, "Broken pipe", save_text(&store, PLAYER, "lost", version, NULL));
    EXPECT_NUMBER(0, atomic_load(&lost_sends));
    expect_mended(&store, version);
}

/* ------------------------------------------------------------------------------------------------ another's answers */

static void strange_answers(void) {
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
        {"-ERR x script: 83465da4c39fc22c02f901c15ef006b54b648299, on @user_script:1.\r\n", SKAN_ERROR_STORE,
         SKAN_ERROR_STORE, "ERR x script"},
        {"-ERR upstream lost: EVALSHA 83465da4c39fc22c02f901c15ef006b54b648299 was sent\r\n", SKAN_ERROR_STORE_UNKNOWN,
         SKAN_ERROR_STORE, "ERR upstream lost"},
        {"-ERR x script: 83465da4c39fc22c02f901c15ef006b54b648299, on @user_script:1. Upstream lost.\r\n",
         SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "ERR x script"},
        {"-OOMx\r\n", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "OOMx"},
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
        {FAKE_COUNTS, SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "an answer of more than 8388608 bytes"},
        {"*1048577\r\n:1\r\n", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "an answer of more than 1048576 elements"},
        {"*1048576\r\n:1\r\n", SKAN_ERROR_STORE_UNKNOWN, SKAN_ERROR_STORE, "no answer in time"},
    };
    skan_redis_options options = reporting(1000);
    fake_start();
    const char *url = text_of("redis://127.0.0.1:%d", fake_port());
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        in_round("%s", answers[i].answer);
        options.timeout_ms = strstr(answers[i].words, "an answer of more") ? 60000 : 1000;
        fake_answers(NULL);
        skan_store store = opened(url, &options);
        EXPECT(holds_text(&store, PLAYER, NULL), "it is well");
        fake_answers(answers[i].answer);
        EXPECT_TOLD(answers[i].save, answers[i].words, save_text(&store, PLAYER, "text", 0, NULL));
        EXPECT_TOLD(answers[i].load, answers[i].words, load(&store, PLAYER)->status);
        fake_answers(NULL);
        EXPECT(holds_text(&store, PLAYER, NULL), "it is well again");
        kind.close(&store);
    }
    in_round("%s", "");
    /* Servers that repeat what they were sent. */
    static const char *const echoes[][2] = {
        {"-ERR unknown command 'AUTH', with args beginning with: 'game' '" SECRET "'\r\n", "AUTH: ERR unknown"},
        {"-ERR what is '" SECRET "'?\r\n", "AUTH: ERR what is "},
        {"-ERR what is " SECRET "?\r\n", "AUTH: refused"},
        {"-ERR what is `" SECRET "\r\n", "AUTH: ERR what is "},
        {":1\r\n", "AUTH: an answer of another type"}};
    url = text_of("redis://game:" SECRET "@127.0.0.1:%d", fake_port());
    for (size_t i = 0; i < sizeof echoes / sizeof *echoes; i++) {
        fake_answers(echoes[i][0]);
        expect_refused(url, &options, SKAN_ERROR_STORE, echoes[i][1]);
    }
    fake_stop();
}

/* A record and its reply, in one packet with a second reply that nobody asked for. */
#define RECORD_REPLY "$15\r\nSK\1\1\1\1\1\1\1\1\1text\r\n"

/* What is left of one exchange is not taken for the answer to the next one. */
static void surplus_answers(void) {
    skan_redis_options options = reporting(20000);
    fake_start();
    const char *url = text_of("redis://127.0.0.1:%d", fake_port());
    fake_answers("+PONG\r\n+PONG\r\n");
    expect_refused(url, &options, SKAN_ERROR_STORE, "more answers than it was asked for");
    static const char *const surpluses[] = {RECORD_REPLY RECORD_REPLY, RECORD_REPLY "$15\r\nSK",
                                            RECORD_REPLY ":1\r\n:1\r\n:1\r\n"};
    for (size_t i = 0; i < sizeof surpluses / sizeof *surpluses; i++) {
        in_round("surplus %zu", i);
        fake_answers(NULL);
        skan_store store = opened(url, &options);
        fake_answers(surpluses[i]);
        EXPECT(holds_text(&store, PLAYER, "text"), "the answer is taken");
        fake_answers(NULL);
        EXPECT(holds_text(&store, "another", NULL), "another key is not answered with the record of the first");
        fake_answers(":1\r\n:1\r\n");
        EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "more", 0, NULL));
        fake_answers(NULL);
        EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, save_text(&store, "another", "text", 0, NULL));
        EXPECT_NUMBER(0, told.count);
        kind.close(&store);
    }
    in_round("%s", "");
    fake_stop();
}

/* ---------------------------------------------------------------------------------------------------- the full disk */

static void full_disk(const void *subject) {
    bool always = subject != NULL;
    const char *disk = small_disk();
    if (!disk) return;
    setenv("TMPDIR", disk, 1);
    server small;
    server_start(&small, text_of("appendfsync=%s auto-aof-rewrite-percentage=0", always ? "always" : "everysec"));
    uint64_t version = 0;
    skan_store store = store_at(small.url, 5000, &version);
    skan_status status = SKAN_OK;
    int count = fill(&store, &status);
    if (always) {
        /* The server gives up rather than answer. */
        EXPECT_TOLD(SKAN_ERROR_STORE_UNKNOWN, "it may have been made", status);
    } else {
        EXPECT_TOLD(SKAN_ERROR_STORE, "No space left on device", status);
        expect_changes_refused(&store, version, "MISCONF");
    }
    enlarge_disk(disk);
    if (always) server_again(&small, "");
    expect_filled(&store, count);
    server_stop(&small, "fast");
    server_again(&small, "");
    expect_filled(&store, count);
    expect_mended(&store, version);
    server_stop(&small, "immediate");
    remove_disk(disk);
}

int main(int count, char **arguments) {
    if (count > 1) fork_count = atoi(arguments[1]);
    server_start(&running, "appendfsync=no");
    never_in_messages = SECRET;
    RUN(nobody_listens);
    RUN(black_holes);
    RUN(waits_for_a_connection);
    RUN(fair_turns);
    RUN(passwords_and_rights);
    RUN(others_values);
    RUN(too_long_for_a_record_or_a_key);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        run_case(refusals[i].name, refused_for_a_time, &refusals[i]);
    RUN(evicting_servers);
    RUN(replicas);
    RUN(failed_snapshots);
    RUN(busy_with_a_script);
    RUN(lost_before_it_was_sent);
    RUN(forks_beside_time_outs);
    RUN(strange_answers);
    RUN(surplus_answers);
    run_case("changes without an answer", changes_without_an_answer, NULL);
    run_case("full disk", full_disk, NULL);
    run_case("full disk, each change waits for it", full_disk, "always");
    /* A case's own process starts the server anew: the last that this one knows the number of. */
    RUN(loading);
    server_stop(&running, "fast"), server_again(&running, "");
    run_case("restarted between calls", restarted_between_calls, NULL);
    server_stop(&running, "fast"), server_again(&running, "");
    run_case("restarted between calls, on a port", restarted_between_calls, "port");
    server_stop(&running, "fast"), server_again(&running, "");
    run_case("changes whose server is killed", changes_without_an_answer, "killed");
    return finish_cases();
}
