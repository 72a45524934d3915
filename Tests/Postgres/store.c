/* The store contract of skan.h, on a server of the test's own:
 *   store
 * or, as far as that goes, on one that is there, of any kind that speaks the protocol, or on a pooler before it:
 *   store URL [pooled] */
#define _GNU_SOURCE
#include "hooks.h"
#include "server.h"
#include "support.h"

#include <pthread.h>
#include <skan/store_kit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static server running;

/* ---------------------------------------------------------------------------------------------------------- the kit */

typedef struct kit_subject {
    const char *name, *url;
    skan_postgres_options options;
    bool restarts;
} kit_subject;

static skan_status open_for_kit(void *context, skan_store *out) {
    const kit_subject *subject = context;
    return skan_postgres_store_open(subject->url, &subject->options, out, NULL);
}

static skan_status restart(void *context) {
    if (!((const kit_subject *)context)->restarts) return SKAN_OK;
    server_stop(&running, "immediate");
    server_again(&running);
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
    skan_postgres_options options = making("many");
    options.pooled = (uint32_t)(subject != NULL);
    skan_store store = opened(running.url, &options);
    char keys[MANY][32], texts[MANY][32];
    skan_save_item saves[MANY];
    skan_load_item loads[MANY];
    uint64_t versions[MANY];
    run_sql(running.url, "DELETE FROM many");
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
    skan_postgres_store_close(&store);
}

/* The largest batch there can be: both sides send megabytes at once. */
static void largest_batches(const void *subject) {
    (void)subject;
    skan_postgres_options options = making("largest");
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
    skan_postgres_store_close(&store);
}

/* ---------------------------------------------------------------------------------------------------------- listing */

static void lists_every_key(const void *subject) {
    (void)subject;
    enum { KEYS = 3000 };
    static int seen[KEYS];
    skan_postgres_options options = making("listed");
    skan_store store = opened(running.url, &options);
    skan_buffer *cursor = skan_buffer_create(), *keys = skan_buffer_create();
    EXPECT_STATUS(SKAN_OK, store.list(store.context, cursor, keys));
    EXPECT(skan_buffer_size(cursor) == 0 && skan_buffer_size(keys) == 0, "nothing is listed");
    run_sql(running.url,
            "INSERT INTO listed SELECT convert_to('key-' || i, 'UTF8'), 1, 'x' FROM generate_series(0, %d) i",
            KEYS - 1);
    /* What no store put there is not given out. */
    run_sql(running.url, "INSERT INTO listed VALUES ('', 1, 'x'), ('key-1\\000', 1, 'x'),"
                         " (repeat('k', 129)::bytea, 1, 'x')");
    int pages = 0;
    do {
        EXPECT_STATUS(SKAN_OK, store.list(store.context, cursor, keys));
        const char *key = skan_buffer_data(keys), *end = key + skan_buffer_size(keys);
        EXPECT(key == end || end[-1] == '\0', "each key ends");
        for (; key < end; key += strlen(key) + 1) {
            int number = -1;
            EXPECT(sscanf(key, "key-%d", &number) == 1 && number >= 0 && number < KEYS, "%s", key);
            if (number >= 0 && number < KEYS) seen[number]++;
        }
        if (++pages == 1) run_sql(running.url, "DELETE FROM listed WHERE key = 'key-0' OR key = 'key-999'");
    } while (skan_buffer_size(cursor) > 0 && pages < 100);
    for (int i = 1; i < KEYS; i++) EXPECT(seen[i] == 1 || i == 999, "key-%d was given %d times", i, seen[i]);
    EXPECT(pages >= 3, "%d pages", pages);

    static const char *const wrong[] = {"k", "x1", "K1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        skan_buffer_set(cursor, wrong[i], strlen(wrong[i]));
        EXPECT_STATUS(SKAN_ERROR_STORE, store.list(store.context, cursor, keys));
    }
    char *longer = repeated("k", 130);
    skan_buffer_set(cursor, longer, 130);
    EXPECT_STATUS(SKAN_ERROR_STORE, store.list(store.context, cursor, keys));
    free(longer);
    skan_buffer_destroy(cursor);
    skan_buffer_destroy(keys);
    skan_postgres_store_close(&store);
}

/* -------------------------------------------------------------------------------------------------------- arguments */

static skan_status open_with(const skan_postgres_options *options) {
    skan_store store;
    skan_status status = skan_postgres_store_open(running.url, options, &store, &failure);
    EXPECT((store.context != NULL) == (status == SKAN_OK) && (store.size != 0) == (status == SKAN_OK),
           "a store exactly for SKAN_OK");
    if (status == SKAN_OK) skan_postgres_store_close(&store);
    EXPECT(store.size == 0 && store.context == NULL && store.load == NULL && store.finalize == NULL, "zeroed");
    return status;
}

static void checks_arguments(const void *subject) {
    (void)subject;
    skan_store store;
    const size_t size = sizeof(skan_postgres_options);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postgres_store_open("x", NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postgres_store_open(NULL, NULL, &store, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postgres_store_open("", NULL, &store, &failure));
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_postgres_store_open(NULL, NULL, NULL, NULL));

    struct {
        skan_postgres_options options;
        char tail[1024];
    } larger;
    memset(&larger, 0, sizeof larger);
    larger.options.create_table = 1;
    static const size_t wrong[] = {0, 1, sizeof(skan_postgres_options) - 1, 1025, SIZE_MAX};
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

    static const char *const tables[] = {"", ".", "a.", ".a", "a.b.c", "a\nb",
                                         "0123456789012345678901234567890123456789012345678901234567890123"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_postgres_options){.size = size, .table = tables[i]}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_postgres_options){.size = size, .timeout_ms = 3600001}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_postgres_options){.size = size, .max_connections = 1025}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_postgres_options){.size = size, .create_table = 2}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_postgres_options){.size = size, .pooled = 2}));
    ANSWER(SKAN_OK, open_with(&(skan_postgres_options){.size = size, .timeout_ms = 3600000, .max_connections = 1024}));

    skan_postgres_store_close(NULL);
    store = (skan_store){0};
    skan_postgres_store_close(&store);
    store = (skan_store){.size = sizeof store, .context = &store};
    skan_postgres_store_close(&store);
    EXPECT(store.context == &store, "another store is left alone");
}

static void tables_have_any_name(const void *subject) {
    (void)subject;
    run_sql(running.url, "CREATE SCHEMA \"Game \"\"X\"\"\"");
    static const char *const names[] = {"Game \"X\".Records; DROP TABLE skan_records", "\xC3\xA4", "select", "a\"\"b"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        in_round("%s", names[i]);
        skan_postgres_options options = making(names[i]);
        skan_store store = opened(running.url, &options);
        EXPECT_STATUS(SKAN_OK, save_text(&store, "player", names[i], 0, NULL));
        skan_postgres_store_close(&store);
        store = opened(running.url, &options);
        EXPECT(holds_text(&store, "player", names[i]), "its record");
        skan_postgres_store_close(&store);
    }
    char *count = ask_sql(running.url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'Game \"X\"' AND"
                                       " tablename = 'Records; DROP TABLE skan_records'");
    EXPECT_TEXT("1", count);
    free(count);
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

typedef struct threads_subject {
    const char *table, *url_end;
    uint32_t connections;
} threads_subject;

static void is_shared_by_threads(const void *given) {
    enum { THREADS = 8, TIMES = 80 };
    const threads_subject *subject = given;
    skan_postgres_options options = making(subject->table);
    options.max_connections = subject->connections;
    options.timeout_ms = 30000;
    char *url = text_of("%s%s", running.url, subject->url_end);
    shared = opened(url, &options);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, increment_many, (void *)(intptr_t)TIMES);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect_counts(THREADS * TIMES / COUNTERS);
    char *count = ask_sql(running.url, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'libskan'");
    EXPECT(atoi(count) <= (int)subject->connections, "%s connections", count);
    free(count);
    free(url);
    skan_postgres_store_close(&shared);
}

static void forks_under_threads(const void *subject) {
    enum { THREADS = 4, TIMES = 120, FORKS = 8, CHILD_TIMES = 16 };
    (void)subject;
    skan_postgres_options options = making("forked");
    options.max_connections = 3;
    options.timeout_ms = 30000;
    shared = opened(running.url, &options);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, increment_many, (void *)(intptr_t)TIMES);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        if (child == 0) {
            increment_many((void *)(intptr_t)CHILD_TIMES);
            _exit(0);
        }
        int ending = 1;
        waitpid(child, &ending, 0);
        EXPECT_NUMBER(0, ending);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    expect_counts((THREADS * TIMES + FORKS * CHILD_TIMES) / COUNTERS);
    skan_postgres_store_close(&shared);
}

static void made_by_many_at_once(const void *subject) {
    (void)subject;
    enum { ROUNDS = 5, PROCESSES = 8 };
    for (int round = 0; round < ROUNDS; round++) {
        char *table = text_of("made_%d", round);
        int gate[2];
        char byte;
        if (pipe(gate) != 0) abort();
        for (int i = 0; i < PROCESSES; i++) {
            if (fork() != 0) continue;
            close(gate[1]);
            if (read(gate[0], &byte, 1) != 0) _exit(1);
            skan_postgres_options options = making(table);
            skan_store store = opened(running.url, &options);
            char key[16];
            snprintf(key, sizeof key, "install-%d", i);
            _exit(save_text(&store, key, key, 0, NULL) == SKAN_OK ? 0 : 1);
        }
        close(gate[0]);
        close(gate[1]);
        for (int i = 0; i < PROCESSES; i++) {
            int ending = 1;
            wait(&ending);
            EXPECT_NUMBER(0, ending);
        }
        char *count = ask_sql(running.url, "SELECT count(*) FROM %s", table);
        EXPECT_NUMBER(PROCESSES, atoi(count));
        free(count);
        free(table);
    }
}

/* Tables of their own, which are made. */
static int run_on(const char *url, bool is_pooled) {
    snprintf(running.url, sizeof running.url, "%s", url);
    kit_subject kit = {url, url, making("skan_test"), false};
    kit.options.pooled = is_pooled;
    run_case("keeps the contract", keeps_the_contract, &kit);
    run_case("saves and loads many", saves_and_loads_many, is_pooled ? "pooled" : NULL);
    return finish_cases();
}

int main(int count, char **texts) {
    if (count > 1) return run_on(texts[1], count > 2);
    server_start(&running, "fsync=off");
    run_sql(running.url, "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'");
    run_sql(running.url, "CREATE DATABASE plain TEMPLATE template0 ENCODING 'SQL_ASCII'");
    char *latin = text_of("%s&dbname=latin", running.url), *plain = text_of("%s&dbname=plain", running.url);
    const kit_subject kits[] = {
        {"sessions", running.url, making(NULL), true},
        {"pooled", running.url,
         {.size = sizeof(skan_postgres_options), .table = "pooled", .create_table = 1, .pooled = 1}, false},
        {"LATIN1", latin, making(NULL), false},
        {"SQL_ASCII", plain, making(NULL), false},
    };
    for (size_t i = 0; i < sizeof kits / sizeof *kits; i++) {
        char *name = text_of("keeps the contract: %s", kits[i].name);
        run_case(name, keeps_the_contract, &kits[i]);
        free(name);
    }
    run_case("saves and loads many", saves_and_loads_many, NULL);
    run_case("saves and loads many, pooled", saves_and_loads_many, "pooled");
    run_case("largest batches", largest_batches, NULL);
    run_case("lists every key", lists_every_key, NULL);
    run_case("checks arguments", checks_arguments, NULL);
    run_case("tables have any name", tables_have_any_name, NULL);
    run_case("threads", is_shared_by_threads, &(threads_subject){"threads", "", 8});
    run_case("threads, two connections", is_shared_by_threads, &(threads_subject){"threads2", "", 2});
    run_case("threads, serializable", is_shared_by_threads,
             &(threads_subject){"threads3", "&options=-cdefault_transaction_isolation%3Dserializable", 8});
    run_case("forks under threads", forks_under_threads, NULL);
    run_case("made by many at once", made_by_many_at_once, NULL);
    free(latin), free(plain);
    return finish_cases();
}
