/* The store contract of skan.h, on a server of the test's own:
 *   store
 * or, as far as that goes, on one that is there, of any kind that speaks the protocol, or on a pooler before it:
 *   store URL [pooled] */
#define _GNU_SOURCE
#include "Stores/Library/cases.h"
#include "Stores/Library/hooks.h"
#include "Trouble/Servers/postgres.h"
#include "support.h"

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
    skan_postgres_options options = making("many");
    options.pooled = (uint32_t)(subject != NULL);
    skan_store store = opened(running.url, &options);
    run_sql(running.url, "DELETE FROM many");
    save_and_load_many(&store);
    skan_postgres_store_close(&store);
}

/* Both sides send megabytes at once. */
static void largest_batches(const void *subject) {
    (void)subject;
    skan_postgres_options options = making("largest");
    options.timeout_ms = 60000;
    skan_store store = opened(running.url, &options);
    save_and_load_largest(&store);
    skan_postgres_store_close(&store);
}

/* ---------------------------------------------------------------------------------------------------------- listing */

static void remove_two_listed(void) {
    run_sql(running.url, "DELETE FROM listed WHERE key = 'key-0' OR key = 'key-999'");
}

static void list_nothing(const skan_store *store) {
    skan_buffer *cursor = skan_buffer_create(), *keys = skan_buffer_create();
    EXPECT_STATUS(SKAN_OK, store->list(store->context, cursor, keys));
    EXPECT(skan_buffer_size(cursor) == 0 && skan_buffer_size(keys) == 0, "nothing is listed");
    skan_buffer_destroy(cursor);
    skan_buffer_destroy(keys);
}

static void lists_every_key(const void *subject) {
    (void)subject;
    skan_postgres_options options = making("listed");
    skan_store store = opened(running.url, &options);
    list_nothing(&store);
    run_sql(running.url,
            "INSERT INTO listed SELECT convert_to('key-' || i, 'UTF8'), 1, 'x' FROM generate_series(0, %d) i",
            LISTED_KEYS - 1);
    /* What no store put there is not given out. */
    run_sql(running.url, "INSERT INTO listed VALUES ('', 1, 'x'), ('key-1\\000', 1, 'x'),"
                         " (repeat('k', 129)::bytea, 1, 'x')");
    list_every_key(&store, true, remove_two_listed);
    char *longer = repeated("k", 130);
    refuse_cursors(&store, (const char *const[]){"k", "x1", "K1", longer}, 4);
    free(longer);
    skan_postgres_store_close(&store);
}

/* -------------------------------------------------------------------------------------------------------- arguments */

static const skan_postgres_options plain = {.size = sizeof plain, .create_table = 1};

static skan_status open_with(const skan_postgres_options *options) {
    return open_and_close(running.url, options);
}

static void checks_arguments(const void *subject) {
    (void)subject;
    const size_t size = sizeof plain;
    check_arguments(running.url, &plain, size);
    static const char *const tables[] = {"", ".", "a.", ".a", "a.b.c", "a\nb",
                                         "0123456789012345678901234567890123456789012345678901234567890123"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_postgres_options){.size = size, .table = tables[i]}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_postgres_options){.size = size, .timeout_ms = 3600001}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_postgres_options){.size = size, .max_connections = 1025}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_postgres_options){.size = size, .create_table = 2}));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_with(&(skan_postgres_options){.size = size, .pooled = 2}));
    ANSWER(SKAN_OK, open_with(&(skan_postgres_options){.size = size, .timeout_ms = 3600000, .max_connections = 1024}));
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

typedef struct threads_subject {
    const char *table, *url_end;
    uint32_t connections;
} threads_subject;

static void is_shared_by_threads(const void *given) {
    const threads_subject *subject = given;
    skan_postgres_options options = making(subject->table);
    options.max_connections = subject->connections;
    options.timeout_ms = 30000;
    char *url = text_of("%s%s", running.url, subject->url_end);
    skan_store store = opened(url, &options);
    count_by_threads(&store, 8, 80);
    char *count = ask_sql(running.url, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'libskan'");
    EXPECT(atoi(count) <= (int)subject->connections, "%s connections", count);
    free(count);
    free(url);
    skan_postgres_store_close(&store);
}

static void forks_under_threads(const void *subject) {
    (void)subject;
    skan_postgres_options options = making("forked");
    options.max_connections = 3;
    options.timeout_ms = 30000;
    skan_store store = opened(running.url, &options);
    count_under_forks(&store, &(forks){120, 16, 8, skan_postgres_store_close});
    skan_postgres_store_close(&store);
}

static skan_store open_table(const void *table) {
    skan_postgres_options options = making(table);
    return opened(running.url, &options);
}

static void made_by_many_at_once(const void *subject) {
    (void)subject;
    for (int round = 0; round < 5; round++) {
        char *table = text_of("made_%d", round);
        make_by_many(8, open_table, table);
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
