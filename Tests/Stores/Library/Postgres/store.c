/* The store contract of store.h, on a server of the test's own:
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

static skan_status restart(void *context) {
    (void)context;
    server_stop(&running, "immediate");
    server_again(&running, "");
    return SKAN_OK;
}

static const skan_store_kit laws = {.prefix = "", .rounds = 30, .steps = 1500};
static const skan_store_kit laws_with_restarts = {.prefix = "", .rounds = 30, .steps = 1500, .reopen = restart};

/* For batches of megabytes. */
static skan_postgres_options making_patiently(const char *table) {
    skan_postgres_options options = making(table);
    options.timeout_ms = 60000;
    return options;
}

/* ---------------------------------------------------------------------------------------------------------- listing */

/* What no store put there is not given out. That every key is, over pages, is law. */
CASE(lists_keys_of_its_own) {
    skan_postgres_options options = making("listed");
    skan_store store = opened(running.url, &options);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "key-1", "text", 0, NULL));
    run_sql(running.url, "INSERT INTO listed VALUES ('', 1, 'x'), ('key-1\\000', 1, 'x'),"
                         " (repeat('k', 129)::bytea, 1, 'x')");
    EXPECT_TEXT("key-1 ", list(&store, "")->keys);
    refuse_cursors(&store, (const char *const[]){"k", "x1", "K1", repeated("k", 130)}, 4);
    skan_postgres_store_close(&store);
}

/* -------------------------------------------------------------------------------------------------------- arguments */

CASE(checks_arguments) {
    const skan_postgres_options plain = making(NULL), name = making("a.b.c");
    const number_option numbers[] = {{offsetof(skan_postgres_options, timeout_ms), 3600000},
                                     {offsetof(skan_postgres_options, max_connections), 1024},
                                     {offsetof(skan_postgres_options, create_table), 1},
                                     {offsetof(skan_postgres_options, pooled), 1}};
    check_arguments(running.url, &plain, sizeof plain, numbers, sizeof numbers / sizeof *numbers);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open_and_close(running.url, &name));
}

/* ------------------------------------------------------------------------------------------------ ---------- forks */

CASE(forks_under_threads) {
    skan_postgres_options options = making("forked");
    options.max_connections = 3;
    options.timeout_ms = 30000;
    count_under_forks(running.url, &options, &(forks){120, 16, 8});
}

/* As Scale.md has it. */
static void make_parts(void) {
    run_sql(running.url, "CREATE SCHEMA game; CREATE TABLE game.installs (key bytea NOT NULL PRIMARY KEY,"
                         " version bigint NOT NULL, record bytea NOT NULL) PARTITION BY HASH (key)");
    for (int part = 0; part < 64; part++)
        run_sql(running.url, "CREATE TABLE game.installs_%d PARTITION OF game.installs"
                             " FOR VALUES WITH (MODULUS 64, REMAINDER %d) WITH (fillfactor = 70)", part, part);
}

/* They are left as they are, though they might be made. */
static void expect_parts(void) {
    char *parts = ask_sql(running.url, "SELECT count(*) || ' ' || bool_and(reloptions = '{fillfactor=70}') FROM pg_class"
                                       " WHERE relnamespace = 'game'::regnamespace AND relispartition AND relkind = 'r'");
    EXPECT_TEXT("64 true", parts);
    free(parts);
}

static skan_store open_table(const void *table) {
    skan_postgres_options options = making(table);
    return opened(running.url, &options);
}

CASE(made_by_many_at_once) {
    for (int round = 0; round < 5; round++) make_by_many(8, open_table, text_of("made_%d", round));
}

/* Tables of their own, which are made. */
static int run_on(const char *url, bool is_pooled) {
    skan_postgres_options options = making_patiently("skan_test");
    options.pooled = is_pooled;
    run_case("keeps the contract", keep_contract, &(kit_subject){url, url, &options, laws});
    return finish_cases();
}

int main(int count, char **texts) {
    if (count > 1) return run_on(texts[1], count > 2);
    server_start(&running, "fsync=off");
    run_sql(running.url, "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'");
    run_sql(running.url, "CREATE DATABASE plain TEMPLATE template0 ENCODING 'SQL_ASCII'");
    run_sql(running.url, "CREATE SCHEMA \"Game \"\"X\"\"\"");
    skan_postgres_options sessions = making_patiently(NULL), serial = making_patiently("select");
    skan_postgres_options pooled = making_patiently("Game \"X\".Records; DROP TABLE skan_records");
    skan_postgres_options few = making_patiently("\xC3\xA4"), parts = making_patiently("game.installs");
    make_parts();
    pooled.pooled = 1;
    few.max_connections = 2;
    const char *latin = text_of("%s&dbname=latin", running.url);
    const char *serializable = text_of("%s&dbname=plain&options=-cdefault_transaction_isolation%%3Dserializable",
                                       running.url);
    const kit_subject kits[] = {
        {"sessions", running.url, &sessions, laws_with_restarts},
        {"pooled, any name of a table", running.url, &pooled, laws},
        {"LATIN1, two connections", latin, &few, laws},
        {"SQL_ASCII, serializable", serializable, &serial, laws},
        {"64 parts in a schema of their own", running.url, &parts, laws},
    };
    for (size_t i = 0; i < sizeof kits / sizeof *kits; i++) run_case(kits[i].name, keep_contract, &kits[i]);
    run_case("an old repeat", know_old_repeats, &kits[0]);
    RUN(expect_parts);
    return run_cases();
}
