/* The store contract of skan.h, on a server:
 *   store */
#define _GNU_SOURCE
#include "Stores/Library/cases.h"
#include "Stores/Library/hooks.h"
#include "Trouble/Servers/redis.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static server running;

static skan_redis_options with_prefix(const char *prefix) {
    return (skan_redis_options){.size = sizeof(skan_redis_options), .prefix = prefix};
}

/* ---------------------------------------------------------------------------------------------------------- the kit */

typedef struct kit_subject {
    const char *name, *url;
    skan_redis_options options;
    bool restarts;
} kit_subject;

static skan_status open_for_kit(void *context, skan_store *out) {
    const kit_subject *subject = context;
    return skan_redis_store_open(subject->url, &subject->options, out, NULL);
}

static skan_status restart(void *context) {
    if (!((const kit_subject *)context)->restarts) return SKAN_OK;
    server_stop(&running, "fast");
    server_again(&running, "");
    return SKAN_OK;
}

static void keeps_the_contract(const void *given) {
    kit_subject subject = *(const kit_subject *)given;
    keep_contract((skan_store_kit){
        .context = &subject, .open = open_for_kit, .reopen = restart, .prefix = "", .rounds = 30, .steps = 1500});
}

/* ------------------------------------------------------------------------------------------------------------- many */

static void saves_and_loads_many(const void *subject) {
    (void)subject;
    skan_redis_options options = with_prefix("many:");
    skan_store store = opened(running.url, &options);
    save_and_load_many(&store);
    skan_redis_store_close(&store);
}

/* Both sides send megabytes at once. */
static void largest_batches(const void *subject) {
    (void)subject;
    skan_redis_options options = with_prefix("largest:");
    options.timeout_ms = 60000;
    skan_store store = opened(running.url, &options);
    save_and_load_largest(&store);
    skan_redis_store_close(&store);
}

/* ---------------------------------------------------------------------------------------------------------- listing */

#define LISTED "l?s[t]*\\^-:"

static void remove_two_listed(void) {
    tell(&running, "DEL %s{key-0} %s{key-999}", LISTED, LISTED);
}

static void lists_every_key(const void *subject) {
    (void)subject;
    skan_redis_options options = with_prefix(LISTED);
    skan_store store = opened(running.url, &options);
    for (int i = 0; i < LISTED_KEYS; i++) tell(&running, "SET %s{key-%d} x", LISTED, i);
    /* What no store put there, and what other prefixes have, is not given out. */
    char *longer = repeated("k", 129);
    tell(&running, "SET %s{} x", LISTED);
    tell(&running, "SET %s{%s} x", LISTED, longer);
    tell(&running, "SET %s{key-1\001} x", LISTED);
    tell(&running, "SET %s{key-1}x x", LISTED);
    tell(&running, "SET lasst\\^-:{key-1} x");
    free(longer);
    list_every_key(&store, false, remove_two_listed);
    static const char *const wrong[] = {"0", "x1", "1x", "01", "-1", "18446744073709551616", "111111111111111111111"};
    refuse_cursors(&store, wrong, sizeof wrong / sizeof *wrong);
    skan_redis_store_close(&store);
}

/* ------------------------------------------------------------------------------------------------------------- keys */

static bool server_has(const char *key) {
    return ask_number(&running, "EXISTS %s", key) == 1;
}

static void keys_are_never_mixed_up(const void *subject) {
    (void)subject;
    static const char *const ids[] = {"a", "{a}", "a}", "}a", "}", "{", "{}", "a}{b",
                                    "{a}{b}", "a}b", "*", "a b", "a\\"};
    static const char *const prefixes[] = {"", "skan:", "skan", "a"};
    enum { IDS = sizeof ids / sizeof *ids, PREFIXES = sizeof prefixes / sizeof *prefixes };
    skan_store stores[PREFIXES];
    char text[64];
    tell(&running, "FLUSHALL");
    for (int p = 0; p < PREFIXES; p++) {
        skan_redis_options options = with_prefix(prefixes[p]);
        stores[p] = opened(running.url, p == 1 ? NULL : &options);
        for (int i = 0; i < IDS; i++) {
            snprintf(text, sizeof text, "%d-%d", p, i);
            EXPECT_STATUS(SKAN_OK, save_text(&stores[p], ids[i], text, 0, NULL));
            char *key = text_of("%s{%s}", prefixes[p], ids[i]);
            EXPECT(server_has(key), "the key is %s", key);
            free(key);
        }
    }
    EXPECT_NUMBER(PREFIXES * IDS, ask_number(&running, "DBSIZE"));
    for (int p = 0; p < PREFIXES; p++) {
        for (int i = 0; i < IDS; i++) {
            snprintf(text, sizeof text, "%d-%d", p, i);
            EXPECT(holds_text(&stores[p], ids[i], text), "%s{%s}", prefixes[p], ids[i]);
        }
        skan_redis_store_close(&stores[p]);
    }
}

/* What the header says of layout and memory. */
static void values_are_compact(const void *subject) {
    (void)subject;
    char record[130];
    memset(record, 'r', sizeof record);
    skan_store store = opened(running.url, NULL);
    tell(&running, "FLUSHALL");
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save(&store, "player-00000001", record, sizeof record, 0, &version));
    redisReply *value = run_command(&running, "GET skan:{player-00000001}");
    EXPECT_NUMBER(141, value->len);
    EXPECT(memcmp(value->str, "SK\1", 3) == 0, "the mark");
    EXPECT(memcmp(value->str + 11, record, sizeof record) == 0, "the record");
    uint64_t stored = 0;
    for (int i = 3; i < 11; i++) stored = stored << 8 | (unsigned char)value->str[i];
    EXPECT(stored == version, "the version");
    freeReplyObject(value);
    long long bytes = ask_number(&running, "MEMORY USAGE skan:{player-00000001}");
    printf("130 bytes under a key of 22 take %lld bytes\n", bytes);
    EXPECT(bytes <= 256, "%lld bytes", bytes);
    skan_redis_store_close(&store);
}

/* ----------------------------------------------------------------------------------------------------------- script */

static long long calls_of(const char *command) {
    redisReply *info = run_command(&running, "INFO commandstats");
    char *name = text_of("cmdstat_%s:calls=", command), *found = strstr(info->str, name);
    long long calls = found ? atoll(found + strlen(name)) : 0;
    freeReplyObject(info);
    free(name);
    return calls;
}

/* The script goes over the line once; what the server forgets is sent again. */
static void sends_the_script_where_it_is_missing(const void *subject) {
    (void)subject;
    skan_redis_options options = with_prefix("script:");
    skan_store store = opened(running.url, &options);
    uint64_t version = 0;
    tell(&running, "SCRIPT FLUSH");
    tell(&running, "CONFIG RESETSTAT");
    for (int i = 0; i < 10; i++) EXPECT_STATUS(SKAN_OK, save_text(&store, "player", "text", version, &version));
    EXPECT_NUMBER(1, calls_of("eval"));
    EXPECT_NUMBER(10, calls_of("evalsha"));
    tell(&running, "SCRIPT FLUSH");
    EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, remove_key(&store, "player", version - 1));
    tell(&running, "SCRIPT FLUSH");
    EXPECT_STATUS(SKAN_OK, remove_key(&store, "player", version));

    skan_save_item items[20];
    char keys[20][16];
    for (int i = 0; i < 20; i++) {
        snprintf(keys[i], sizeof keys[i], "many-%d", i);
        items[i] = (skan_save_item){keys[i], keys[i], strlen(keys[i]), i % 5 == 4 ? 7 : 0, 0, -1};
    }
    tell(&running, "SCRIPT FLUSH");
    store.save_many(store.context, items, 20);
    for (int i = 0; i < 20; i++) {
        EXPECT_STATUS(i % 5 == 4 ? SKAN_ERROR_STORE_CONFLICT : SKAN_OK, items[i].status);
        EXPECT(holds_text(&store, keys[i], i % 5 == 4 ? NULL : keys[i]), "%s", keys[i]);
    }
    skan_redis_store_close(&store);
}

/* ----------------------------------------------------------------------------------------------------------- expiry */

static int64_t engine_time;

static int64_t engine_now(void *context) {
    (void)context;
    return engine_time * 1000000;
}

static skan *engine_with(const skan_redis_options *store_options) {
    skan_store store = opened(running.url, store_options);
    const skan_clock clock = {sizeof clock, NULL, engine_now, NULL};
    const skan_options options = {.size = sizeof options, .store = &store, .clock = &clock};
    skan *made = NULL;
    if (skan_create(&options, &made, NULL) != SKAN_OK) abort();
    return made;
}

static void records_expire_where_asked(const void *subject) {
    (void)subject;
    enum { DAY = 86400 };
    skan_redis_options options = with_prefix("expiry:");
    options.expire_days_after_close = 30;
    engine_time = (int64_t)time(NULL);
    skan *engine = engine_with(&options);
    ANSWER(SKAN_OK, skan_update_revenue(engine, "unregistered", 1, "USD", false, NULL, &failure));
    ANSWER(SKAN_OK, skan_register(engine, "player", NULL, &failure));
    EXPECT_NUMBER(-1, ask_number(&running, "TTL expiry:{unregistered}"));
    redisReply *value = run_command(&running, "GET expiry:{player}");
    skan_record record = {.size = sizeof record};
    ANSWER(SKAN_OK, skan_record_read(value->str + 11, value->len - 11, &record, NULL, &failure));
    freeReplyObject(value);
    EXPECT(record.closes_at > engine_time, "it closes");
    EXPECT_NUMBER(record.closes_at + 30 * DAY, ask_number(&running, "EXPIRETIME expiry:{player}"));
    ANSWER(SKAN_OK, skan_update_revenue(engine, "player", 1, "USD", false, NULL, &failure));
    EXPECT_NUMBER(record.closes_at + 30 * DAY, ask_number(&running, "EXPIRETIME expiry:{player}"));
    skan_destroy(engine);

    /* Closed long ago: what was just saved is not gone at once. */
    engine_time -= 1000 * (int64_t)DAY;
    engine = engine_with(&options);
    ANSWER(SKAN_OK, skan_register(engine, "old", NULL, &failure));
    long long left = ask_number(&running, "TTL expiry:{old}");
    EXPECT(left > DAY - 60 && left <= DAY, "%lld seconds are left", left);
    skan_destroy(engine);

    /* Those of others are kept, also where they expired before. */
    options.expire_days_after_close = 0;
    engine = engine_with(&options);
    ANSWER(SKAN_OK, skan_update_revenue(engine, "old", 1, "USD", false, NULL, &failure));
    EXPECT_NUMBER(-1, ask_number(&running, "TTL expiry:{old}"));
    skan_destroy(engine);
    options.expire_days_after_close = 30;
    skan_store store = opened(running.url, &options);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "unreadable", "text", 0, NULL));
    EXPECT_NUMBER(-1, ask_number(&running, "TTL expiry:{unreadable}"));
    skan_redis_store_close(&store);
}

/* -------------------------------------------------------------------------------------------------------- arguments */

static const skan_redis_options plain = {.size = sizeof plain};

static skan_status open_with(const skan_redis_options *options) {
    return open_and_close(running.url, options);
}

static void checks_arguments(const void *subject) {
    (void)subject;
    const size_t size = sizeof plain;
    check_arguments(running.url, &plain, size);
    static const char *const prefixes[] = {"{", "a}", "a\nb", "\x7F",
                                           "01234567890123456789012345678901234567890123456789012345678901234"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_redis_options){.size = size, .prefix = prefixes[i]}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_redis_options){.size = size, .timeout_ms = 3600001}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_redis_options){.size = size, .connect_timeout_ms = 3600001}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_redis_options){.size = size, .max_connections = 1025}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
           open_with(&(skan_redis_options){.size = size, .expire_days_after_close = 36501}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_redis_options){.size = size, .allow_eviction = 2}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_redis_options){.size = size, .reserved = 1}));
    ANSWER(SKAN_OK, open_with(&(skan_redis_options){.size = size, .timeout_ms = 3600000, .max_connections = 1024}));
}

static void refuses_wrong_urls(const void *subject) {
    (void)subject;
    static const char *const urls[] = {
        "localhost:6379", "http://localhost", "redis:/localhost", "redis://", "redis://:6379", "redis://h:",
        "redis://h:0", "redis://h:65536", "redis://h:x", "redis://h/x", "redis://h/65536", "redis://h/-1",
        "redis://h?db=1",
        "redis://h#1", "redis://[::1", "redis://[::1]6379", "redis://u:hidden%zz@h", "redis://u:hidden%4@h",
        "redis://u:hidden%@h", "redis://u:hidden%00@h", "redis://%00u:hidden@h", "redis://u:hidden@h%00",
        "rediss://u:hidden@h", "unix://u:hidden@path", "unix:///", "unix://", "redis+unix:///p?db=x",
        "redis+unix:///p?password=hidden", "redis+unix:///p#1", "redis://u:hidden@h:6379:1", "redis://u:hid/den@h"};
    skan_store store;
    never_in_messages = "hid";
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        in_round("%s", urls[i]);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_redis_store_open(urls[i], NULL, &store, &failure));
        EXPECT(strstr(failure_message(), "url: "), "%s", failure_message());
    }
    char *path = repeated("p", 108), *url = text_of("unix:///%s", path);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_redis_store_open(url, NULL, &store, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_redis_store_open("rediss://h", NULL, &store, &failure));
    EXPECT(strstr(failure_message(), "TLS"), "%s", failure_message());
    free(path), free(url);
}

static void takes_every_form_of_url(const void *subject) {
    (void)subject;
    static const char password[] = "p@:/?#[]%%20 \xC3\xBC";
    tell(&running, "ACL SETUSER a:b@c on >%s ~* +@all", password);
    char *path = text_of("%s/socket", running.directory);
    const char *const login = "a%3Ab%40c:p%40%3a%2F%3F%23%5B%5D%25%2520%20%C3%BC@";
    char *urls[] = {text_of("redis://127.0.0.1:%d", running.port),
                    text_of("REDIS://127.0.0.1:%d/", running.port),
                    text_of("redis://localhost:%d/5", running.port),
                    text_of("redis://%s127.0.0.1:%d/5", login, running.port),
                    text_of("redis+unix://%s", path),
                    text_of("unix://%s?db=5", path),
                    text_of("redis+unix://%s%s?db=5", login, path)};
    static const int databases[] = {0, 0, 5, 5, 0, 5, 5};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        in_round("%s", urls[i]);
        char key[16];
        snprintf(key, sizeof key, "url-%zu", i);
        skan_store store = opened(urls[i], NULL);
        EXPECT_STATUS(SKAN_OK, save_text(&store, key, "text", 0, NULL));
        skan_redis_store_close(&store);
        tell(&running, "SELECT %d", databases[i]);
        EXPECT_NUMBER(1, ask_number(&running, "EXISTS skan:{%s}", key));
        tell(&running, "SELECT 0");
        free(urls[i]);
    }
    free(path);
}

/* ------------------------------------------------------------------------------------------------ threads and forks */

static void is_shared_by_threads(const void *given) {
    const uint32_t *connections = given;
    char *prefix = text_of("threads-%u:", (unsigned)*connections);
    skan_redis_options options = with_prefix(prefix);
    options.max_connections = *connections;
    options.timeout_ms = 30000;
    skan_store store = opened(running.url, &options);
    count_by_threads(&store, 8, 160);
    redisReply *clients = run_command(&running, "CLIENT LIST");
    uint32_t lines = 0;
    for (const char *line = clients->str; (line = strchr(line, '\n')); line++) lines++;
    /* Two are the test's own, this case's and that of the process that runs the cases. */
    EXPECT(lines >= 3 && lines <= 2 + *connections, "%u connections", (unsigned)lines);
    freeReplyObject(clients);
    skan_redis_store_close(&store);
    free(prefix);
}

static void forks_under_threads(const void *subject) {
    (void)subject;
    skan_redis_options options = with_prefix("forked:");
    options.max_connections = 3;
    options.timeout_ms = 30000;
    skan_store store = opened(running.url, &options);
    count_under_forks(&store, &(forks){400, 16, 16, skan_redis_store_close});
    skan_redis_store_close(&store);
}

int main(void) {
    static const uint32_t one = 1, few = 2, many = 16;
    server_start(&running, "appendfsync=no");
    skan_redis_options expiring = with_prefix("expiring:");
    expiring.expire_days_after_close = 30;
    /* One node of a cluster that has every slot: it refuses scripts that touch keys they do not name. */
    server cluster;
    server_start(&cluster, "appendfsync=no cluster-enabled=yes");
    tell(&cluster, "CLUSTER ADDSLOTSRANGE 0 16383");
    for (bool is_up = false; !is_up; usleep(20000)) {
        redisReply *info = run_command(&cluster, "CLUSTER INFO");
        is_up = strstr(info->str, "cluster_state:ok");
        freeReplyObject(info);
    }
    const kit_subject kits[] = {
        {"socket, restarted", running.url, {.size = sizeof(skan_redis_options)}, true},
        {"port, no prefix", running.tcp_url, with_prefix(""), false},
        {"expiring", running.url, expiring, false},
        {"cluster", cluster.url, {.size = sizeof(skan_redis_options)}, false},
    };
    for (size_t i = 0; i < sizeof kits / sizeof *kits; i++) {
        char *name = text_of("keeps the contract: %s", kits[i].name);
        run_case(name, keeps_the_contract, &kits[i]);
        free(name);
        server_stop(&running, "fast"); /* as a case's process may have started it anew */
        server_again(&running, "");
        tell(&running, "FLUSHALL");
    }
    server_stop(&cluster, "immediate");
    run_case("saves and loads many", saves_and_loads_many, NULL);
    run_case("largest batches", largest_batches, NULL);
    run_case("lists every key", lists_every_key, NULL);
    run_case("keys are never mixed up", keys_are_never_mixed_up, NULL);
    run_case("values are compact", values_are_compact, NULL);
    run_case("sends the script where it is missing", sends_the_script_where_it_is_missing, NULL);
    run_case("records expire where asked", records_expire_where_asked, NULL);
    run_case("checks arguments", checks_arguments, NULL);
    run_case("refuses wrong URLs", refuses_wrong_urls, NULL);
    run_case("takes every form of URL", takes_every_form_of_url, NULL);
    run_case("threads, 1 connection", is_shared_by_threads, &one);
    run_case("threads, 2 connections", is_shared_by_threads, &few);
    run_case("threads, 16 connections", is_shared_by_threads, &many);
    run_case("forks under threads", forks_under_threads, NULL);
    return finish_cases();
}
