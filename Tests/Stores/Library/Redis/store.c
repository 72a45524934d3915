/* The store contract of store.h, on a server:
 *   store */
#define _GNU_SOURCE
#include "Stores/Library/cases.h"
#include "Stores/Library/hooks.h"
#include "Trouble/Servers/redis_cluster.h"
#include "support.h"

#include <skan/companion.h>

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

static skan_status restart(void *context) {
    (void)context;
    server_stop(&running, "fast");
    server_again(&running, "");
    return SKAN_OK;
}

static const skan_store_kit laws = {.prefix = "", .rounds = 30, .steps = 1500};
static const skan_store_kit laws_with_restarts = {.prefix = "", .rounds = 30, .steps = 1500, .reopen = restart};

/* ---------------------------------------------------------------------------------------------------------- listing */

#define LISTED "l?s[t]*\\^-:"

/* What no store put there, and what other prefixes have, is not given out. */
CASE(lists_keys_of_its_own) {
    skan_redis_options options = with_prefix(LISTED);
    skan_store store = opened(running.url, &options);
    tell(&running, "FLUSHALL");
    static const char *const names[] = {LISTED "{key-1}", LISTED "{}", LISTED "{key-1}x", "lasst\\^-:{key-1}"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) tell(&running, "SET %s x", names[i]);
    EXPECT_TEXT("key-1 ", list(&store, "")->keys);
    static const char *const wrong[] = {"0",  "x1", "1x",     "01:",                   "-1:",
                                        "17", "0:", "17:r-n", "18446744073709551616:", "111111111111111111111:"};
    refuse_cursors(&store, wrong, sizeof wrong / sizeof *wrong);
    skan_redis_store_close(&store);
}

/* ----------------------------------------------------------------------------------------------------------- memory */

/* What the header says. */
CASE(values_are_compact) {
    char record[130] = "";
    skan_store store = opened(running.url, NULL);
    EXPECT_STATUS(SKAN_OK, save(&store, "player-00000001", record, sizeof record, 0, NULL));
    EXPECT_NUMBER(141, ask_number(&running, "STRLEN skan:{player-00000001}"));
    long long bytes = ask_number(&running, "MEMORY USAGE skan:{player-00000001}");
    EXPECT(bytes <= 256, "130 bytes under a key of 22 take %lld bytes", bytes);
    skan_redis_store_close(&store);
}

/* ----------------------------------------------------------------------------------------------------------- script */

static long long calls_of(const char *command) {
    redisReply *info = run_command(&running, "INFO commandstats");
    const char *name = text_of("cmdstat_%s:calls=", command), *found = strstr(info->str, name);
    long long calls = found ? atoll(found + strlen(name)) : 0;
    freeReplyObject(info);
    return calls;
}

/* The script goes over the line once; what the server forgets is sent again. */
CASE(sends_the_script_where_it_is_missing) {
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

static skan_engine *engine_with(const skan_redis_options *store_options) {
    skan_store store = opened(running.url, store_options);
    const skan_clock clock = {sizeof clock, NULL, engine_now, NULL};
    const skan_options options = {
        .size = sizeof options, .store = &store, .clock = &clock, .endpoint_url = "https://skan.example.com"};
    skan_engine *made = NULL;
    if (skan_create(&options, &made, NULL) != SKAN_OK) abort();
    return made;
}

CASE(records_expire_where_asked) {
    enum { DAY = 86400 };
    skan_redis_options options = with_prefix("expiry:");
    options.expire_days_after_close = 30;
    engine_time = (int64_t)time(NULL);
    skan_engine *engine = engine_with(&options);
    ANSWER(SKAN_OK, skan_update_revenue(engine, "unregistered", AMOUNT(1), "USD", SKAN_IAP, NULL, &failure));
    ANSWER(SKAN_OK, skan_register(engine, "player", NULL, NULL, &failure));
    EXPECT_NUMBER(-1, ask_number(&running, "TTL expiry:{unregistered}"));
    redisReply *value = run_command(&running, "GET expiry:{player}");
    skan_record record = {.size = sizeof record};
    ANSWER(SKAN_OK, skan_record_read(value->str + 11, value->len - 11, &record, NULL, &failure));
    freeReplyObject(value);
    EXPECT(record.closes_at > engine_time, "it closes");
    EXPECT_NUMBER(record.closes_at + 30 * DAY, ask_number(&running, "EXPIRETIME expiry:{player}"));
    ANSWER(SKAN_OK, skan_update_revenue(engine, "player", AMOUNT(1), "USD", SKAN_IAP, NULL, &failure));
    EXPECT_NUMBER(record.closes_at + 30 * DAY, ask_number(&running, "EXPIRETIME expiry:{player}"));
    skan_destroy(engine);

    /* Closed long ago: what was just saved is not gone at once. */
    engine_time -= 1000 * (int64_t)DAY;
    engine = engine_with(&options);
    ANSWER(SKAN_OK, skan_register(engine, "old", NULL, NULL, &failure));
    long long left = ask_number(&running, "TTL expiry:{old}");
    EXPECT(left > DAY - 60 && left <= DAY, "%lld seconds are left", left);
    skan_destroy(engine);

    /* Those of others are kept, also where they expired before. */
    options.expire_days_after_close = 0;
    engine = engine_with(&options);
    ANSWER(SKAN_OK, skan_update_revenue(engine, "old", AMOUNT(1), "USD", SKAN_IAP, NULL, &failure));
    EXPECT_NUMBER(-1, ask_number(&running, "TTL expiry:{old}"));
    skan_destroy(engine);
    options.expire_days_after_close = 30;
    skan_store store = opened(running.url, &options);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "unreadable", "text", 0, NULL));
    EXPECT_NUMBER(-1, ask_number(&running, "TTL expiry:{unreadable}"));
    skan_redis_store_close(&store);
}

/* -------------------------------------------------------------------------------------------------------- arguments */

CASE(checks_arguments) {
    const skan_redis_options plain = {.size = sizeof plain};
    const number_option numbers[] = {{offsetof(skan_redis_options, timeout_ms), 3600000},
                                     {offsetof(skan_redis_options, connect_timeout_ms), 3600000},
                                     {offsetof(skan_redis_options, max_connections), 1024},
                                     {offsetof(skan_redis_options, expire_days_after_close), 36500},
                                     {offsetof(skan_redis_options, allow_eviction), 1},
                                     {offsetof(skan_redis_options, reserved), 0}};
    check_arguments(running.url, &plain, sizeof plain, numbers, sizeof numbers / sizeof *numbers);
    const skan_redis_options braces = with_prefix("a}");
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_and_close(running.url, &braces));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_and_close("redis+cluster://h/1", NULL));
}

/* User, password, database and place are what the server is told. */
CASE(takes_every_form_of_url) {
    tell(&running, "ACL SETUSER a:b@c on >%s ~* +@all", "p@:/?#[]%%20 \xC3\xBC");
    const char *const login = "a%3Ab%40c:p%40%3a%2F%3F%23%5B%5D%25%2520%20%C3%BC@";
    const struct {
        const char *url;
        int database;
    } places[] = {{text_of("REDIS://127.0.0.1:%d/", running.port), 0},
                  {text_of("redis://%slocalhost:%d/5", login, running.port), 5},
                  {text_of("redis+unix://%s/socket", running.directory), 0},
                  {text_of("unix://%s%s/socket?db=5", login, running.directory), 5}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        in_round("%s", places[i].url);
        const char *key = text_of("url-%zu", i);
        skan_store store = opened(places[i].url, NULL);
        EXPECT_STATUS(SKAN_OK, save_text(&store, key, "text", 0, NULL));
        skan_redis_store_close(&store);
        tell(&running, "SELECT %d", places[i].database);
        EXPECT_NUMBER(1, ask_number(&running, "EXISTS skan:{%s}", key));
        tell(&running, "SELECT 0");
    }
}

/* ------------------------------------------------------------------------------------------------ ---------- forks */

CASE(forks_under_threads) {
    skan_redis_options options = with_prefix("forked:");
    options.max_connections = 3;
    options.timeout_ms = 30000;
    count_under_forks(running.url, &options, &(forks){400, 16, 16});
}

int main(void) {
    server_start(&running, "appendfsync=no");
    skan_redis_options plain = with_prefix(NULL), single = with_prefix(""), expiring = with_prefix("expiring:");
    plain.timeout_ms = single.timeout_ms = expiring.timeout_ms = 60000; /* for batches of megabytes */
    single.max_connections = 1;
    expiring.max_connections = 16;
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
    struct cluster whole, secret;
    cluster_start(&whole, "appendonly=no");
    cluster_start(&secret, "appendonly=no tls=yes");
    server closed;
    server_start(&closed, "appendfsync=no tls=server");
    const kit_subject kits[] = {
        {"socket, restarted", running.url, &plain, laws_with_restarts},
        {"port, no prefix, 1 connection", running.tcp_url, &single, laws},
        {"expiring, 16 connections", running.url, &expiring, laws},
        {"one node of a cluster", cluster.url, &plain, laws},
        {"cluster of 3 masters and 3 replicas", whole.whole.url, &plain, laws},
        {"such a cluster with TLS, 1 connection", secret.whole.url, &single, laws},
        {"TLS", closed.tcp_url, &plain, laws},
    };
    for (size_t i = 0; i < sizeof kits / sizeof *kits; i++) {
        run_case(kits[i].name, keep_contract, &kits[i]);
        server_stop(&running, "fast"); /* as a case's process may have started it anew */
        server_again(&running, "");
        tell(&running, "FLUSHALL");
    }
    run_case("an old repeat", know_old_repeats, &kits[0]);
    server_stop(&cluster, "immediate");
    server_stop(&closed, "immediate");
    cluster_stop(&whole);
    cluster_stop(&secret);
    return run_cases();
}
