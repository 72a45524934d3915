/* What goes wrong with servers: each is told clearly, with the right outcome; nothing is lost; and once it is mended
 * the same store goes on:
 *   trouble */
#define _GNU_SOURCE
#include "Trouble/Servers/postgres.h"
#include "restarts.h"
#include "support.h"
#include "trouble.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define COLUMNS "(key bytea NOT NULL PRIMARY KEY, version bigint NOT NULL, record bytea NOT NULL)"

static server running;
static const char *password; /* of running.tcp_url */

static skan_postgres_options reporting(const char *table, uint32_t timeout_ms) {
    skan_postgres_options options = making(table);
    options.timeout_ms = timeout_ms;
    options.report = note_report;
    options.report_context = &told;
    return options;
}

static char *url_of_role(const char *role) {
    return text_of("postgres://%s@/postgres?host=%s&port=%d", role, running.directory, running.port);
}

/* A store on a new table of this name, with the record "kept" of version `version`. */
static skan_store store_with_record(const char *table, uint32_t timeout_ms, uint64_t *version) {
    skan_postgres_options options = reporting(table, timeout_ms);
    skan_store store = opened(running.url, &options);
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", 0, version));
    return store;
}

static void wait_for(const char *sql) {
    double end = seconds_now() + 20;
    for (;;) {
        char *answer = ask_sql(running.url, "SELECT %s", sql);
        bool holds = strcmp(answer, "t") == 0;
        free(answer);
        if (holds) return;
        if (!EXPECT(seconds_now() < end, "never came: %s", sql)) return;
        pass_milliseconds(5);
    }
}

#define OURS " FROM pg_stat_activity WHERE application_name = 'libskan' "

/* --------------------------------------------------------------------------------------------------------- reaching */

static void nobody_listens(const void *subject) {
    (void)subject;
    int taken, port = listening_port(-1, &taken);
    skan_postgres_options options = reporting(NULL, 2000);
    char *url = text_of("postgres://skan:%s@127.0.0.1:%d/game", password, port), *where = text_of("127.0.0.1:%d", port);
    never_in_messages = password;
    expect_refused(url, &options, SKAN_ERROR_STORE, "Connection refused");
    EXPECT_WORDS(where, failure_message());
    expect_refused("postgres://skan@/game?host=/nowhere", &options, SKAN_ERROR_STORE, "No such file or directory");
    free(url), free(where);
    close(taken);
}

/* It accepts, and never answers. */
static void black_hole(const void *subject) {
    (void)subject;
    int hole, port = listening_port(16, &hole);
    skan_postgres_options options = reporting("hole", 400);
    char *url = text_of("postgres://skan:%s@127.0.0.1:%d/postgres", password, port);
    never_in_messages = password;
    expect_late(url, &options, 0.4, "no answer from the server within 400 ms");
    free(url);

    /* Another host of the same URL is asked while there is time. */
    options.timeout_ms = 4000;
    url = text_of("postgres://skan:%s@127.0.0.1:%d,127.0.0.1:%d/postgres", password, port, running.port);
    expect_refused(url, &options, SKAN_OK, "");
    free(url);
    close(hole);
}

static void wrong_password(const void *subject) {
    (void)subject;
    skan_postgres_options options = reporting("passwords", 5000);
    char *url = text_of("postgres://skan:wrong-secret@127.0.0.1:%d/postgres", running.port);
    never_in_messages = "wrong-secret";
    expect_refused(url, &options, SKAN_ERROR_STORE, "password authentication failed");
    free(url);
    never_in_messages = password;
    expect_refused(running.tcp_url, &options, SKAN_OK, "");
    url = text_of("host=127.0.0.1 port=%d user=skan password=%s dbname=nowhere", running.port, password);
    expect_refused(url, &options, SKAN_ERROR_STORE, "does not exist");
    free(url);
}

static void unreadable_urls(const void *subject) {
    (void)subject;
    static const char *const urls[] = {"postgres://u:s3cr3t%zz@host/db",
                                       "postgres://u:p/s3cr3t@host/db",
                                       "postgres://u:12/s3cr3t@host/db",
                                       "postgres://u:p@s3cr3t@host/db",
                                       "postgres://u:p@host/db?s3cr3t=1",
                                       "postgres://u:s3cr3t@[::1/db",
                                       "postgres://u:s3cr3t@host:port/db",
                                       "host=a,b,c port=1,2 password=s3cr3t",
                                       "host=h password='s3cr3t",
                                       "host=h password s3cr3t",
                                       "mysql://u:s3cr3t@host/db",
                                       "s3cr3t"};
    never_in_messages = "s3cr3t";
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        in_round("url %zu", i);
        expect_refused(urls[i], NULL, SKAN_ERROR_INVALID_ARGUMENT, "url: ");
    }
    /* Words of the system, with the password in a place that can be read. */
    expect_refused("host=/nowhere/s3cr3t password=s3cr3t", NULL, SKAN_ERROR_STORE, "/nowhere/");
}

static void too_many_connections(const void *subject) {
    (void)subject;
    run_sql(running.url, "CREATE ROLE single LOGIN CONNECTION LIMIT 1; GRANT CREATE ON SCHEMA public TO single");
    char *url = url_of_role("single");
    skan_postgres_options options = reporting("single", 5000);
    options.max_connections = 1;
    skan_store store = opened(url, &options);
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", 0, &version));
    run_sql(running.url, "SELECT pg_terminate_backend(pid)" OURS);
    wait_for("count(*) = 0" OURS);
    PGconn *other = session_with(url, "SELECT 1");
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, PLAYER, "lost", version, NULL));
    expect_told(SKAN_ERROR_STORE, "too many connections");
    PQfinish(other);
    wait_for("count(*) = 0 FROM pg_stat_activity WHERE usename = 'single'");
    EXPECT(holds_text(&store, PLAYER, "kept"), "kept");
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "more", version, NULL));
    kind.close(&store);
    free(url);
}

/* -------------------------------------------------------------------------------------------------------- the table */

static void missing_table(const void *subject) {
    (void)subject;
    skan_postgres_options options = reporting("absent", 5000);
    options.create_table = 0;
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "relation \"absent\" does not exist");
    EXPECT_WORDS("CREATE TABLE \"absent\" " COLUMNS, failure_message());
    options.table = "nowhere.absent";
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "\"nowhere.absent\" does not exist");
    options.create_table = 1;
    expect_refused(running.url, &options, SKAN_ERROR_STORE, "schema \"nowhere\" does not exist");

    /* A role without the right to make tables uses one that is there. */
    run_sql(running.url, "CREATE ROLE modest LOGIN");
    char *url = url_of_role("modest");
    options.table = "granted";
    expect_refused(url, &options, SKAN_ERROR_STORE, "permission denied for schema public");
    run_sql(running.url, "CREATE TABLE granted " COLUMNS "; GRANT SELECT, INSERT, UPDATE, DELETE ON granted TO modest");
    skan_store store = opened(url, &options);
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "one", 0, &version));
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "two", version, &version));
    EXPECT_STATUS(SKAN_OK, remove_key(&store, PLAYER, version));
    kind.close(&store);
    free(url);
}

static void another_shape(const void *subject) {
    (void)subject;
    static const struct {
        const char *columns;
        skan_status status;
        const char *words;
    } tables[] = {
        {"(key text PRIMARY KEY, version bigint NOT NULL, record bytea NOT NULL)", SKAN_ERROR_STORE, "column key of"},
        {"(key bytea PRIMARY KEY, version int NOT NULL, record bytea NOT NULL)", SKAN_ERROR_STORE, "column version of"},
        {"(key bytea PRIMARY KEY, version bigint NOT NULL)", SKAN_ERROR_STORE, "no column record"},
        {"(key bytea, version bigint, record bytea)", SKAN_ERROR_STORE, "no unique index on key"},
        {"(key bytea, version bigint, record bytea, PRIMARY KEY (key, version))", SKAN_ERROR_STORE, "no unique index"},
        {"(key bytea PRIMARY KEY, version bigint NOT NULL, record bytea NOT NULL, form_2 int)",
         SKAN_ERROR_RECORD_TOO_NEW, "newer libskan-postgres (form 2"},
        {"(key bytea PRIMARY KEY, version bigint, record bytea, form_99999999999999999999 int)",
         SKAN_ERROR_RECORD_TOO_NEW, "newer"},
        {"(made timestamptz DEFAULT now(), record bytea, version bigint, key bytea UNIQUE, form_x int, form_1 int)",
         SKAN_OK, ""},
    };
    skan_postgres_options options = reporting("shaped", 5000);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        in_round("%s", tables[i].columns);
        run_sql(running.url, "SET client_min_messages = error; DROP TABLE IF EXISTS shaped; CREATE TABLE shaped %s",
                tables[i].columns);
        expect_refused(running.url, &options, tables[i].status, tables[i].words);
        if (tables[i].status != SKAN_OK) EXPECT_WORDS("\"shaped\"", failure_message());
    }
    skan_store store = opened(running.url, &options);
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "text", 0, NULL));
    EXPECT(holds_text(&store, PLAYER, "text"), "columns of others do not matter");
    kind.close(&store);
}

static void table_gone(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record("gone", 5000, &version);
    EXPECT(holds_text(&store, PLAYER, "kept"), "kept");
    run_sql(running.url, "ALTER TABLE gone RENAME TO hidden");
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, PLAYER, "lost", version, NULL));
    expect_told(SKAN_ERROR_STORE, "\"gone\" does not exist");
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, PLAYER)->status);
    expect_told(SKAN_ERROR_STORE, "\"gone\" does not exist");
    char *count = ask_sql(running.url, "SELECT count(*) FROM pg_tables WHERE tablename = 'gone'");
    EXPECT_TEXT("0", count);
    free(count);
    run_sql(running.url, "CREATE TABLE gone " COLUMNS "; ALTER TABLE gone ADD form_7 int");
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, PLAYER, "lost", version, NULL));
    expect_told(SKAN_ERROR_STORE, "newer libskan-postgres");
    run_sql(running.url, "DROP TABLE gone; ALTER TABLE hidden RENAME TO gone");
    EXPECT(holds_text(&store, PLAYER, "kept"), "it is back");
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "more", version, NULL));
    kind.close(&store);
}

static void spoiled_rows(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record("spoiled", 5000, &version);
    run_sql(running.url, "INSERT INTO spoiled VALUES ('zero', 0, 'x'), ('below', -5, 'x'),"
                         " ('huge', 1, decode(repeat('00', 1048577), 'hex'))");
    skan_load_item items[] = {{"zero", skan_buffer_create(), 0, -1},
                              {PLAYER, skan_buffer_create(), 0, -1},
                              {"nobody", skan_buffer_create(), 0, -1}};
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, "zero")->status);
    expect_told(SKAN_ERROR_STORE, "version 0");
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, "below")->status);
    expect_told(SKAN_ERROR_STORE, "version -5");
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, "huge")->status);
    expect_told(SKAN_ERROR_STORE, "1048577 bytes");
    store.load_many(store.context, items, 3);
    expect_told(SKAN_ERROR_STORE, "version 0");
    EXPECT_STATUS(SKAN_ERROR_STORE, items[0].status);
    EXPECT_STATUS(SKAN_OK, items[1].status);
    EXPECT_STATUS(SKAN_NOT_FOUND, items[2].status);
    for (int i = 0; i < 3; i++) skan_buffer_destroy(items[i].out);
    kind.close(&store);
}

/* ----------------------------------------------------------------------------------------------------------- rights */

static void no_rights(const void *subject) {
    (void)subject;
    run_sql(running.url, "CREATE ROLE reader LOGIN; CREATE TABLE readable " COLUMNS ";"
                         " INSERT INTO readable VALUES ('" PLAYER "', 5, 'kept'); GRANT SELECT ON readable TO reader");
    char *url = url_of_role("reader");
    skan_postgres_options options = reporting("readable", 5000);
    skan_store store = opened(url, &options);
    EXPECT(holds_text(&store, PLAYER, "kept"), "may be read");
    expect_changes_refused(&store, 5, "permission denied for table readable");
    EXPECT_STATUS(SKAN_ERROR_STORE, remove_key(&store, PLAYER, 5));
    expect_told(SKAN_ERROR_STORE, "permission denied");
    EXPECT(holds_text(&store, PLAYER, "kept") && holds_text(&store, "another", NULL), "nothing was changed");
    run_sql(running.url, "GRANT INSERT, UPDATE, DELETE ON readable TO reader");
    EXPECT_STATUS(SKAN_OK, save_two(&store, 5));

    run_sql(running.url, "ALTER ROLE reader SET default_transaction_read_only = on;"
                         " SELECT pg_terminate_backend(pid)" OURS);
    wait_for("count(*) = 0" OURS);
    uint64_t version = load(&store, PLAYER)->version;
    EXPECT(version != 0, "may be read");
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, PLAYER, "lost", version, NULL));
    expect_told(SKAN_ERROR_STORE, "read-only transaction");
    run_sql(running.url, "ALTER ROLE reader SET default_transaction_read_only = off");
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "more", version, NULL));
    EXPECT_NUMBER(0, told.count);
    kind.close(&store);
    free(url);
}

/* ------------------------------------------------------------------------------------------------------- the server */

static void end_connections(void) {
    run_sql(running.url, "SELECT pg_terminate_backend(pid)" OURS);
    wait_for("count(*) = 0" OURS);
}

static void restarted_between_calls(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record("restarted", 5000, &version);
    restart_between_calls(&running, &store, version, end_connections);
}

/* Statements are prepared where they are first used, and to prepare one takes a lock of its own. */
static void prepare_all(skan_store *store, uint64_t *version) {
    uint64_t other = 0;
    EXPECT_STATUS(SKAN_OK, save_text(store, PLAYER, "kept", *version, version));
    EXPECT_STATUS(SKAN_OK, save_text(store, "other", "kept", 0, &other));
    EXPECT_STATUS(SKAN_OK, remove_key(store, "other", other));
}

static void lost_in_a_call(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record("lost", 3000, &version);
    for (int i = 0; i < 4; i++) {
        in_round("%d", i);
        prepare_all(&store, &version);
        PGconn *lock = session_with(running.url, "BEGIN; LOCK TABLE lost IN SHARE MODE");
        aside call = {.store = &store, .version = version, .what = i % 2 ? SAVING_TWO : SAVING};
        begin_aside(&call);
        wait_for("count(*) = 1" OURS "AND wait_event_type = 'Lock'");
        if (i < 2)
            run_sql(running.url, "SELECT pg_terminate_backend(pid)" OURS "AND wait_event_type = 'Lock'");
        else
            server_stop(&running, "immediate");
        end_aside(&call, SKAN_ERROR_STORE_UNKNOWN);
        expect_told(SKAN_ERROR_STORE_UNKNOWN, i == 0 ? "terminating connection due to" : "save: ");
        PQfinish(lock);
        if (i >= 2) server_again(&running, "");
        EXPECT(holds_text(&store, PLAYER, "kept"), "it was not applied");
        EXPECT_NUMBER(0, told.count);
    }
    /* What reads is read again. */
    PGconn *lock = session_with(running.url, "BEGIN; LOCK TABLE lost IN ACCESS EXCLUSIVE MODE");
    EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, PLAYER)->status);
    told.count = 0;
    PQfinish(lock);
    EXPECT(holds_text(&store, PLAYER, "kept"), "there is a connection");
    PGconn *again = session_with(running.url, "BEGIN; LOCK TABLE lost IN ACCESS EXCLUSIVE MODE");
    aside call = {.store = &store, .what = LOADING};
    begin_aside(&call);
    wait_for("count(*) = 1" OURS "AND wait_event_type = 'Lock'");
    run_sql(running.url, "SELECT pg_terminate_backend(pid)" OURS "AND wait_event_type = 'Lock'");
    wait_for("count(*) = 1" OURS "AND wait_event_type = 'Lock'");
    PQfinish(again);
    end_aside(&call, SKAN_OK);
    EXPECT_NUMBER(0, told.count);
    kind.close(&store);
}

/* The server gives up before the caller does, so the outcome is known; behind a pooler it is not told to. */
static void statement_too_long(const void *subject) {
    (void)subject;
    for (uint32_t pooled = 0; pooled < 2; pooled++) {
        in_round("pooled %u", (unsigned)pooled);
        skan_postgres_options options = reporting("long", 800);
        options.pooled = pooled;
        skan_store store = opened(running.url, &options);
        uint64_t version = 0;
        run_sql(running.url, "DELETE FROM long");
        EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", 0, &version));
        PGconn *lock = session_with(running.url, "BEGIN; SELECT * FROM long FOR UPDATE");
        for (int i = 0; i < 2; i++) {
            aside call = {.store = &store, .version = version, .what = i ? SAVING_TWO : SAVING};
            begin_aside(&call);
            end_aside(&call, pooled ? SKAN_ERROR_STORE_UNKNOWN : SKAN_ERROR_STORE);
            EXPECT(call.took > 0.5 && call.took < 4, "the time-out of 0.8 s took %g s", call.took);
            expect_told(call.status, pooled ? "no answer from the server within 800 ms" : "due to statement timeout");
        }
        EXPECT(holds_text(&store, PLAYER, "kept"), "reading needs no lock");
        run_sql(running.url, "SELECT pg_terminate_backend(pid)" OURS "AND wait_event_type = 'Lock'");
        wait_for("count(*) = 0" OURS "AND wait_event_type = 'Lock'");
        PQfinish(lock);
        EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "more", version, NULL));
        kind.close(&store);
    }
    /* One that the role or the database has set, if it is lower, stays. */
    run_sql(running.url, "CREATE ROLE hasty LOGIN; ALTER ROLE hasty SET statement_timeout = '100ms';"
                         " GRANT ALL ON long TO hasty");
    char *url = url_of_role("hasty");
    skan_postgres_options options = reporting("long", 60000);
    skan_store store = opened(url, &options);
    PGconn *lock = session_with(running.url, "BEGIN; LOCK TABLE long IN ACCESS EXCLUSIVE MODE");
    aside call = {.store = &store, .what = LOADING};
    begin_aside(&call);
    end_aside(&call, SKAN_ERROR_STORE);
    EXPECT(call.took < 20, "the role's time-out of 0.1 s took %g s", call.took);
    PQfinish(lock);
    kind.close(&store);
    free(url);
}

/* A server that has stopped to move, in the middle of a large batch too: nothing waits for it longer than the time-out,
 * the end of the connection included. */
static void server_stands_still(const void *subject) {
    (void)subject;
    static unsigned char record[SKAN_RECORD_MAX];
    static skan_save_item items[SKAN_BATCH_MAX];
    static char keys[SKAN_BATCH_MAX][16];
    uint64_t version = 0;
    skan_store store = store_with_record("still", 700, &version);
    for (int i = 0; i < 4; i++) {
        in_round("%d", i);
        version = load(&store, PLAYER)->version;
        prepare_all(&store, &version);
        char *backend = ask_sql(running.url, "SELECT pid" OURS);
        pid_t pid = (pid_t)atol(backend);
        free(backend);
        kill(pid, SIGSTOP);
        double start = seconds_now();
        if (i == 0) {
            EXPECT_STATUS(SKAN_ERROR_STORE_UNKNOWN, save_text(&store, PLAYER, "lost", version, NULL));
            expect_told(SKAN_ERROR_STORE_UNKNOWN, "no answer from the server within 700 ms");
        } else if (i == 1) {
            for (int k = 0; k < SKAN_BATCH_MAX; k++) {
                snprintf(keys[k], sizeof keys[k], "many-%d", k);
                items[k] = (skan_save_item){keys[k], record, sizeof record, 0, 0, -1};
            }
            store.save_many(store.context, items, SKAN_BATCH_MAX);
            /* It was never sent as a whole: the word to commit comes last. */
            for (int k = 0; k < SKAN_BATCH_MAX; k++) EXPECT_STATUS(SKAN_ERROR_STORE, items[k].status);
            expect_told(SKAN_ERROR_STORE, "no answer from the server within 700 ms");
        } else if (i == 2) {
            EXPECT_STATUS(SKAN_ERROR_STORE_UNKNOWN, save_two(&store, version));
            expect_told(SKAN_ERROR_STORE_UNKNOWN, "no answer from the server within 700 ms");
        } else {
            EXPECT_STATUS(SKAN_ERROR_STORE, load(&store, PLAYER)->status);
            expect_told(SKAN_ERROR_STORE, "no answer from the server within 700 ms");
        }
        double took = seconds_now() - start;
        EXPECT(took < 5, "the time-out of 0.7 s took %g s", took);
        kill(pid, SIGCONT);
        wait_for("count(*) = 0" OURS);
        EXPECT(i != 1 || holds_text(&store, "many-0", NULL), "nothing of the large batch was applied");
        version = load(&store, PLAYER)->version;
        EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "more", version, &version));
    }
    kind.close(&store);
}

static void connections_all_in_use(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_postgres_options options = reporting("busy", 1000);
    options.max_connections = 1;
    skan_store store = opened(running.url, &options);
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", 0, &version));
    PGconn *lock = session_with(running.url, "BEGIN; SELECT * FROM busy FOR UPDATE");
    aside first = {.store = &store, .version = version, .what = SAVING}, second = first;
    double start = seconds_now();
    begin_aside(&first);
    begin_aside(&second);
    pthread_join(first.thread, NULL);
    pthread_join(second.thread, NULL);
    EXPECT(seconds_now() - start < 5, "each ends in its time");
    EXPECT(first.status == SKAN_ERROR_STORE || second.status == SKAN_ERROR_STORE, "one is not sent, or given up");
    PQfinish(lock);
    kind.close(&store);
}

/* --------------------------------------------------------------------------------------------- what the server says */

static void every_sqlstate(const void *subject) {
    (void)subject;
    static const struct {
        const char *state;
        skan_status status;
        int tries;
    } cases[] = {
        {"23514", SKAN_ERROR_STORE, 1},         {"22000", SKAN_ERROR_STORE, 1},
        {"53100", SKAN_ERROR_STORE, 1},         {"53200", SKAN_ERROR_STORE, 1},
        {"57014", SKAN_ERROR_STORE, 1},         {"55P03", SKAN_ERROR_STORE, 1},
        {"40001", SKAN_ERROR_STORE, 10},        {"40P01", SKAN_ERROR_STORE, 10},
        {"40003", SKAN_ERROR_STORE_UNKNOWN, 1}, {"08006", SKAN_ERROR_STORE_UNKNOWN, 1},
        {"08P01", SKAN_ERROR_STORE_UNKNOWN, 1}, {"57P01", SKAN_ERROR_STORE_UNKNOWN, 1},
        {"57P05", SKAN_ERROR_STORE_UNKNOWN, 1}, {"58030", SKAN_ERROR_STORE_UNKNOWN, 1},
        {"XX000", SKAN_ERROR_STORE_UNKNOWN, 1},
    };
    uint64_t version = 0;
    skan_store store = store_with_record("said", 8000, &version);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int batch = 0; batch < 2; batch++) {
            in_round("%s%s", cases[i].state, batch ? ", a batch" : "");
            run_sql(running.url,
                    "SET client_min_messages = error; DROP SEQUENCE IF EXISTS tries; CREATE SEQUENCE tries;"
                    "CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                    " PERFORM nextval('tries'); RAISE 'the words' USING ERRCODE = '%s'; END $$;"
                    "CREATE TRIGGER fail BEFORE UPDATE ON said FOR EACH ROW EXECUTE FUNCTION fail()",
                    cases[i].state);
            skan_status status = batch ? save_two(&store, version) : save_text(&store, PLAYER, "lost", version, NULL);
            EXPECT_STATUS(cases[i].status, status);
            char *words = text_of("the words (SQLSTATE %s)", cases[i].state);
            expect_told(cases[i].status, words);
            free(words);
            char *tries = ask_sql(running.url, "DROP TRIGGER fail ON said; SELECT last_value FROM tries");
            EXPECT_NUMBER(cases[i].tries, atoi(tries));
            free(tries);
            EXPECT(holds_text(&store, PLAYER, "kept") && holds_text(&store, "another", NULL), "nothing was changed");
        }
    }
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "more", version, NULL));
    kind.close(&store);
}

/* The statement succeeds and its commit does not: what counts is the commit. */
static void commit_fails(const void *subject) {
    (void)subject;
    uint64_t version = 0;
    skan_store store = store_with_record("sealed", 5000, &version);
    static const struct {
        const char *action;
        skan_status status;
    } cases[] = {{"RAISE 'not today' USING ERRCODE = '23514'", SKAN_ERROR_STORE},
                 {"PERFORM pg_terminate_backend(pg_backend_pid())", SKAN_ERROR_STORE_UNKNOWN}};
    for (int i = 0; i < 4; i++) {
        in_round("%d", i);
        run_sql(running.url,
                "CREATE OR REPLACE FUNCTION seal() RETURNS trigger LANGUAGE plpgsql AS"
                " $$ BEGIN %s; RETURN NULL; END $$;"
                "CREATE CONSTRAINT TRIGGER seal AFTER UPDATE ON sealed DEFERRABLE INITIALLY DEFERRED"
                " FOR EACH ROW EXECUTE FUNCTION seal()",
                cases[i / 2].action);
        skan_status status = i % 2 ? save_two(&store, version) : save_text(&store, PLAYER, "lost", version, NULL);
        EXPECT_STATUS(cases[i / 2].status, status);
        expect_told(cases[i / 2].status, i < 2 ? "not today" : "save: ");
        run_sql(running.url, "DROP TRIGGER seal ON sealed");
        EXPECT(holds_text(&store, PLAYER, "kept") && holds_text(&store, "another", NULL), "nothing was changed");
    }
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "more", version, NULL));
    kind.close(&store);
}

/* Another transaction takes the rows of a batch in the other order. */
static void deadlock(const void *subject) {
    (void)subject;
    run_sql(running.url, "CREATE ROLE quick SUPERUSER LOGIN; ALTER ROLE quick SET deadlock_timeout = '1s'");
    char *url = url_of_role("quick");
    skan_postgres_options options = reporting("dead", 20000);
    skan_store store = opened(url, &options);
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", 0, &version));
    EXPECT_STATUS(SKAN_OK, save_text(&store, "zebra", "kept", 0, NULL));
    PGconn *other = session_with(running.url, "SET deadlock_timeout = '30s'; BEGIN;"
                                              " SELECT * FROM dead WHERE key = 'zebra' FOR UPDATE");
    skan_save_item items[] = {{"zebra", "batch", 5, load(&store, "zebra")->version, 0, -1},
                              {PLAYER, "batch", 5, version, 0, -1}};
    if (!PQsendQuery(other, "SELECT pg_sleep(0.5); SELECT * FROM dead WHERE key = '" PLAYER "' FOR UPDATE; COMMIT"))
        abort();
    store.save_many(store.context, items, 2);
    EXPECT_STATUS(SKAN_OK, items[0].status);
    EXPECT_STATUS(SKAN_OK, items[1].status);
    EXPECT(told.count == 0, "%s", told.message);
    for (PGresult *result; (result = PQgetResult(other));) {
        EXPECT(PQresultStatus(result) != PGRES_FATAL_ERROR, "%s", PQresultErrorMessage(result));
        PQclear(result);
    }
    char *count = ask_sql(running.url, "SELECT deadlocks > 0 FROM pg_stat_database WHERE datname = 'postgres'");
    EXPECT_TEXT("t", count);
    free(count);
    PQfinish(other);
    EXPECT(holds_text(&store, PLAYER, "batch") && holds_text(&store, "zebra", "batch"), "saved");
    kind.close(&store);
    free(url);
}

/* ---------------------------------------------------------------------------------------------------- the full disk */

static void full_disk(const void *subject) {
    (void)subject;
    char *path = text_of("/tmp/skan-small-XXXXXX");
    if (!mkdtemp(path)) abort();
    if (!EXPECT(mount_small(path, "3m"), "no small file system can be made: %s", strerror(errno))) return;
    char *space = text_of("%s/space", path);
    mkdir(space, 0777);
    server small;
    server_start(&small, "fsync=off");
    struct stat owner;
    char *data = text_of("%s/data", small.directory);
    if (stat(data, &owner) != 0 || chown(space, owner.st_uid, owner.st_gid) != 0) abort();
    run_sql(small.url, "CREATE TABLESPACE small LOCATION '%s'", space);
    run_sql(small.url, "CREATE TABLE full_one " COLUMNS " TABLESPACE small");
    skan_postgres_options options = reporting("full_one", 5000);
    skan_store store = opened(small.url, &options);
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", 0, &version));
    skan_status status = SKAN_OK;
    int count = fill(&store, &status);
    EXPECT_STATUS(SKAN_ERROR_STORE, status);
    expect_told(SKAN_ERROR_STORE, "No space left on device (SQLSTATE 53100)");
    char *key = text_of("large-%d", count);
    EXPECT(holds_text(&store, key, NULL), "it was not applied");
    if (mount("tmpfs", path, "tmpfs", MS_REMOUNT, "size=30m") != 0) abort();
    expect_filled(&store, count);
    expect_mended(&store, version);
    server_stop(&small, "immediate");
    umount2(path, MNT_DETACH);
    rmdir(path);
    free(path), free(space), free(data), free(key);
}

int main(void) {
    server_start(&running, "fsync=off");
    password = strndup(strchr(running.tcp_url + 11, ':') + 1, strcspn(strchr(running.tcp_url + 11, ':') + 1, "@"));
    never_in_messages = password;
    run_case("nobody listens", nobody_listens, NULL);
    run_case("black hole", black_hole, NULL);
    run_case("wrong password", wrong_password, NULL);
    run_case("unreadable URLs", unreadable_urls, NULL);
    run_case("too many connections", too_many_connections, NULL);
    run_case("missing table", missing_table, NULL);
    run_case("another shape", another_shape, NULL);
    run_case("table gone", table_gone, NULL);
    run_case("spoiled rows", spoiled_rows, NULL);
    run_case("no rights", no_rights, NULL);
    run_case("lost in a call", lost_in_a_call, NULL);
    run_case("statement too long", statement_too_long, NULL);
    run_case("server stands still", server_stands_still, NULL);
    run_case("connections all in use", connections_all_in_use, NULL);
    run_case("every SQLSTATE", every_sqlstate, NULL);
    run_case("commit fails", commit_fails, NULL);
    run_case("deadlock", deadlock, NULL);
    run_case("full disk", full_disk, NULL);
    run_case("restarted between calls", restarted_between_calls, NULL);
    return finish_cases();
}
