/* The store contract of skan.h, on a server:
 *   store */
#define _GNU_SOURCE
#include "../Postgres/hooks.h"
#include "server.h"
#include "support.h"

#include <pthread.h>
#include <skan/store_kit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

static int laws_passed;

static void take_law(void *context, const skan_store_kit_result *result) {
    const kit_subject *subject = context;
    EXPECT(result->outcome == SKAN_STORE_KIT_PASSED, "%s: law %zu, %s: %s", subject->name, result->number, result->law,
           result->reason);
    laws_passed += result->outcome == SKAN_STORE_KIT_PASSED;
}

static void keeps_the_contract(const void *given) {
    kit_subject subject = *(const kit_subject *)given;
    skan_store_kit kit = {.size = sizeof kit,
                          .context = &subject,
                          .open = open_for_kit,
                          .reopen = restart,
                          .durable = true,
                          .shared = true,
                          .prefix = "",
                          .rounds = 30,
                          .steps = 1500,
                          .report = take_law};
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    EXPECT(laws_passed > 20, "only %d laws", laws_passed);
}

/* ------------------------------------------------------------------------------------------------------------- many */

enum { MANY = 300 };

static void saves_and_loads_many(const void *subject) {
    (void)subject;
    skan_redis_options options = with_prefix("many:");
    skan_store store = opened(running.url, &options);
    char keys[MANY][32], texts[MANY][32];
    skan_save_item saves[MANY];
    skan_load_item loads[MANY];
    uint64_t versions[MANY];
    for (int i = 0; i < MANY; i++) {
        snprintf(keys[i], sizeof keys[i], "install-%d", i * 7919 % MANY);
        snprintf(texts[i], sizeof texts[i], "record %d", i);
        saves[i] = (skan_save_item){keys[i], texts[i], strlen(texts[i]), 0, 0, -1};
    }
    store.save_many(store.context, saves, MANY);
    for (int i = 0; i < MANY; i++) {
        EXPECT_STATUS(SKAN_OK, saves[i].status);
        EXPECT(saves[i].new_version != 0, "a version");
        EXPECT(holds_text(&store, keys[i], texts[i]) && load(&store, keys[i])->version == saves[i].new_version, "%s",
               keys[i]);
        versions[i] = saves[i].new_version;
    }
    /* Every kind of item in one batch, each answered as a single call would be. */
    for (int i = 0; i < MANY; i++) {
        saves[i] = (skan_save_item){keys[i], "changed", 7, versions[i], 0, -1};
        if (i % 6 == 1) saves[i].expected_version = versions[i] + 1;
        if (i % 6 == 2) saves[i].expected_version = 0;
        if (i % 6 == 3) saves[i].expected_version = versions[i] | UINT64_C(1) << 63;
        if (i % 6 == 4) snprintf(keys[i], sizeof keys[i], "new-%d", i), saves[i].expected_version = 0;
        if (i % 6 == 5) snprintf(keys[i], sizeof keys[i], "absent-%d", i);
    }
    store.save_many(store.context, saves, MANY);
    for (int i = 0; i < MANY; i++) {
        in_round("item %d", i);
        EXPECT_STATUS(i % 6 == 0 || i % 6 == 4 ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT, saves[i].status);
        const char *expected = i % 6 == 0 || i % 6 == 4 ? "changed" : i % 6 == 5 ? NULL : texts[i];
        EXPECT(holds_text(&store, keys[i], expected), "%s", keys[i]);
        loads[i] = (skan_load_item){keys[i], skan_buffer_create(), 0, -1};
    }
    store.load_many(store.context, loads, MANY);
    for (int i = 0; i < MANY; i++) {
        in_round("item %d", i);
        const loaded *single = load(&store, keys[i]);
        EXPECT_STATUS(single->status, loads[i].status);
        if (single->status == SKAN_OK)
            EXPECT(loads[i].version == single->version && skan_buffer_size(loads[i].out) == single->length &&
                       memcmp(skan_buffer_data(loads[i].out), single->bytes, single->length) == 0,
                   "as a single load gives it");
        skan_buffer_destroy(loads[i].out);
    }
    skan_redis_store_close(&store);
}

/* The largest batch there can be: both sides send megabytes at once. */
static void largest_batches(const void *subject) {
    (void)subject;
    skan_redis_options options = with_prefix("largest:");
    options.timeout_ms = 60000;
    skan_store store = opened(running.url, &options);
    static unsigned char records[SKAN_BATCH_MAX][SKAN_RECORD_MAX];
    static char keys[SKAN_BATCH_MAX][SKAN_INSTALL_ID_MAX + 1];
    static skan_save_item saves[SKAN_BATCH_MAX];
    static skan_load_item loads[SKAN_BATCH_MAX];
    for (int i = 0; i < SKAN_BATCH_MAX; i++) {
        snprintf(keys[i], sizeof keys[i], "%0128d", i);
        for (int k = 0; k < SKAN_RECORD_MAX; k++) records[i][k] = (unsigned char)(rand() >> 7);
        saves[i] = (skan_save_item){keys[i], records[i], SKAN_RECORD_MAX, 0, 0, -1};
        loads[i] = (skan_load_item){keys[i], skan_buffer_create(), 0, -1};
    }
    store.save_many(store.context, saves, SKAN_BATCH_MAX);
    store.load_many(store.context, loads, SKAN_BATCH_MAX);
    for (int i = 0; i < SKAN_BATCH_MAX; i++) {
        EXPECT_STATUS(SKAN_OK, saves[i].status);
        EXPECT(loads[i].status == SKAN_OK && loads[i].version == saves[i].new_version &&
                   skan_buffer_size(loads[i].out) == SKAN_RECORD_MAX &&
                   memcmp(skan_buffer_data(loads[i].out), records[i], SKAN_RECORD_MAX) == 0,
               "record %d", i);
        skan_buffer_destroy(loads[i].out);
    }
    skan_redis_store_close(&store);
}

/* ---------------------------------------------------------------------------------------------------------- listing */

static void lists_every_key(const void *subject) {
    (void)subject;
    enum { KEYS = 3000 };
    static int seen[KEYS];
    skan_redis_options options = with_prefix("l?s[t]*\\^-:");
    skan_store store = opened(running.url, &options);
    skan_buffer *cursor = skan_buffer_create(), *keys = skan_buffer_create();
    for (int i = 0; i < KEYS; i++) tell(&running, "SET %s{key-%d} x", options.prefix, i);
    /* What no store put there, and what other prefixes have, is not given out. */
    char *longer = repeated("k", 129);
    tell(&running, "SET %s{} x", options.prefix);
    tell(&running, "SET %s{%s} x", options.prefix, longer);
    tell(&running, "SET %s{key-1\001} x", options.prefix);
    tell(&running, "SET %s{key-1}x x", options.prefix);
    tell(&running, "SET lasst\\^-:{key-1} x");
    free(longer);
    int pages = 0;
    do {
        EXPECT_STATUS(SKAN_OK, store.list(store.context, cursor, keys));
        const char *key = skan_buffer_data(keys), *end = key + skan_buffer_size(keys);
        EXPECT(key == end || end[-1] == '\0', "each key ends");
        for (; key < end; key += strlen(key) + 1) {
            int number = -1, length = 0;
            EXPECT(sscanf(key, "key-%d%n", &number, &length) == 1 && number >= 0 && number < KEYS && !key[length], "%s",
                   key);
            if (number >= 0 && number < KEYS) seen[number]++;
        }
        if (++pages == 1) tell(&running, "DEL %s{key-0} %s{key-999}", options.prefix, options.prefix);
    } while (skan_buffer_size(cursor) > 0 && pages < 100);
    for (int i = 1; i < KEYS; i++) EXPECT(seen[i] > 0 || i == 999, "key-%d was not given", i);
    EXPECT(pages >= 3, "%d pages", pages);

    static const char *const wrong[] = {"0", "x1", "1x", "01", "-1", "18446744073709551616", "111111111111111111111"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        skan_buffer_set(cursor, wrong[i], strlen(wrong[i]));
        EXPECT_STATUS(SKAN_ERROR_STORE, store.list(store.context, cursor, keys));
    }
    skan_buffer_destroy(cursor);
    skan_buffer_destroy(keys);
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

static skan_status open_with(const skan_redis_options *options) {
    skan_store store;
    skan_status status = skan_redis_store_open(running.url, options, &store, &failure);
    EXPECT((store.context != NULL) == (status == SKAN_OK) && (store.size != 0) == (status == SKAN_OK),
           "a store exactly for SKAN_OK");
    if (status == SKAN_OK) skan_redis_store_close(&store);
    EXPECT(store.size == 0 && store.context == NULL && store.load == NULL && store.finalize == NULL, "zeroed");
    return status;
}

static void checks_arguments(const void *subject) {
    (void)subject;
    skan_store store;
    const size_t size = sizeof(skan_redis_options);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_redis_store_open("redis://x", NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_redis_store_open(NULL, NULL, &store, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_redis_store_open("", NULL, &store, &failure));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_redis_store_open(NULL, NULL, NULL, NULL));

    struct {
        skan_redis_options options;
        char tail[1024];
    } larger;
    memset(&larger, 0, sizeof larger);
    static const size_t wrong[] = {0, 1, sizeof(skan_redis_options) - 1, 1025, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        larger.options.size = wrong[i];
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&larger.options));
    }
    larger.options.size = 1024;
    larger.tail[1024 - size - 1] = 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&larger.options));
    larger.tail[1024 - size - 1] = 0;
    larger.tail[1024 - size] = 1;
    ANSWER(SKAN_OK, open_with(&larger.options));
    ANSWER(SKAN_OK, open_with(NULL));

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

    skan_redis_store_close(NULL);
    store = (skan_store){0};
    skan_redis_store_close(&store);
    store = (skan_store){.size = sizeof store, .context = &store};
    skan_redis_store_close(&store);
    EXPECT(store.context == &store, "another store is left alone");
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

enum { COUNTERS = 4 };
static skan_store shared;

static void increment(const char *key) {
    for (;;) {
        const loaded *found = load(&shared, key);
        char text[32];
        long count = found->status == SKAN_OK ? strtol((const char *)found->bytes, NULL, 10) : 0;
        snprintf(text, sizeof text, "%ld ", count + 1);
        skan_status status = save_text(&shared, key, text, found->version, NULL);
        if (status == SKAN_OK) return;
        if (!EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, status)) return;
    }
}

/* All counters in one batch, beside those who change one. */
static void increment_all(void) {
    static const char *const keys[COUNTERS] = {"counter-2", "counter-0", "counter-3", "counter-1"};
    bool is_done[COUNTERS] = {false};
    for (int done = 0; done < COUNTERS;) {
        skan_load_item loads[COUNTERS];
        skan_save_item saves[COUNTERS];
        char texts[COUNTERS][32];
        size_t count = 0;
        for (int i = 0; i < COUNTERS; i++)
            if (!is_done[i]) loads[count++] = (skan_load_item){keys[i], skan_buffer_create(), 0, -1};
        shared.load_many(shared.context, loads, count);
        for (size_t i = 0; i < count; i++) {
            char text[32] = "0";
            if (loads[i].status == SKAN_OK)
                snprintf(text, sizeof text, "%.*s", (int)skan_buffer_size(loads[i].out),
                         (const char *)skan_buffer_data(loads[i].out));
            else
                EXPECT_STATUS(SKAN_NOT_FOUND, loads[i].status);
            snprintf(texts[i], sizeof texts[i], "%ld ", strtol(text, NULL, 10) + 1);
            saves[i] = (skan_save_item){loads[i].key, texts[i], strlen(texts[i]), loads[i].version, 0, -1};
            skan_buffer_destroy(loads[i].out);
        }
        shared.save_many(shared.context, saves, count);
        for (size_t i = 0; i < count; i++) {
            if (saves[i].status != SKAN_OK && !EXPECT_STATUS(SKAN_ERROR_STORE_CONFLICT, saves[i].status)) return;
            for (int k = 0; k < COUNTERS; k++)
                if (saves[i].status == SKAN_OK && keys[k] == saves[i].key) is_done[k] = true, done++;
        }
    }
}

static void *increment_many(void *times) {
    char key[16];
    for (intptr_t i = 0; i < (intptr_t)times; i++) {
        if (i % (2 * COUNTERS) == 0) {
            increment_all();
            i += COUNTERS - 1;
            continue;
        }
        snprintf(key, sizeof key, "counter-%d", (int)(i % COUNTERS));
        increment(key);
    }
    return NULL;
}

static void expect_counts(long expected) {
    char key[16];
    for (int i = 0; i < COUNTERS; i++) {
        snprintf(key, sizeof key, "counter-%d", i);
        const loaded *found = load(&shared, key);
        EXPECT_NUMBER(expected, found->status == SKAN_OK ? strtol((const char *)found->bytes, NULL, 10) : -1);
    }
}

static void is_shared_by_threads(const void *given) {
    enum { THREADS = 8, TIMES = 160 };
    const uint32_t *connections = given;
    char *prefix = text_of("threads-%u:", (unsigned)*connections);
    skan_redis_options options = with_prefix(prefix);
    options.max_connections = *connections;
    options.timeout_ms = 30000;
    shared = opened(running.url, &options);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, increment_many, (void *)(intptr_t)TIMES);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect_counts(THREADS * TIMES / COUNTERS);
    redisReply *clients = run_command(&running, "CLIENT LIST");
    uint32_t lines = 0;
    for (const char *line = clients->str; (line = strchr(line, '\n')); line++) lines++;
    /* Two are the test's own, this case's and that of the process that runs the cases. */
    EXPECT(lines >= 3 && lines <= 2 + *connections, "%u connections", (unsigned)lines);
    freeReplyObject(clients);
    skan_redis_store_close(&shared);
    free(prefix);
}

static void forks_under_threads(const void *subject) {
    enum { THREADS = 4, TIMES = 400, FORKS = 16, CHILD_TIMES = 16 };
    (void)subject;
    skan_redis_options options = with_prefix("forked:");
    options.max_connections = 3;
    options.timeout_ms = 30000;
    shared = opened(running.url, &options);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, increment_many, (void *)(intptr_t)TIMES);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            increment_many((void *)(intptr_t)CHILD_TIMES);
            if (i % 2) skan_redis_store_close(&shared);
            _exit(0);
        }
        int ending = 1;
        waitpid(child, &ending, 0);
        EXPECT_NUMBER(0, ending);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect_counts((THREADS * TIMES + FORKS * CHILD_TIMES) / COUNTERS);
    skan_redis_store_close(&shared);
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
