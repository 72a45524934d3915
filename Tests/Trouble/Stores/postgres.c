/* What goes wrong with servers: each is told clearly, with the right outcome; nothing is lost; and once it is mended
 * the same store goes on:
 *   trouble [forks beside calls that time out] */
#define _GNU_SOURCE
#include "Trouble/Servers/postgres.h"
#include "support.h"
#include "trouble.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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

static const char *url_of_role(const char *role) {
    return text_of("postgres://%s@/postgres?host=%s&port=%d", role, running.directory, running.port);
}

/* On a new table of this name. */
static skan_store store_on(const char *table, uint32_t timeout_ms, uint64_t *version) {
    skan_postgres_options options = reporting(table, timeout_ms);
    return store_with_record(running.url, &options, version);
}

static bool is_true(const char *sql) {
    char *answer = ask_sql(running.url, "SELECT %s", sql);
    bool holds = strcmp(answer, "t") == 0;
    free(answer);
    return holds;
}

#define OURS " FROM pg_stat_activity WHERE application_name = 'libskan' "
#define WAITING OURS "AND wait_event_type = 'Lock'"
#define END_THEM "SELECT pg_terminate_backend(pid)"
/* It answers once they are gone. A session leaves pg_stat_activity before the connection limit of its role stops
 * counting it. */
#define END_THEM_WHOLLY "SELECT pg_terminate_backend(pid, 60000)"

static void end_connections(void) {
    run_sql(running.url, END_THEM_WHOLLY OURS);
    EVENTUALLY(is_true("count(*) = 0" OURS));
}

/* --------------------------------------------------------------------------------------------------------- reaching */

static void nobody_listens(void) {
    int port;
    listening_socket(-1, &port);
    skan_postgres_options options = reporting(NULL, 2000);
    expect_refused(text_of("postgres://skan:%s@127.0.0.1:%d/game", password, port), &options, SKAN_ERROR_STORE,
                   "Connection refused");
    EXPECT_WORDS(text_of("127.0.0.1:%d", port), failure_message());
    expect_refused("postgres://skan@/game?host=/nowhere", &options, SKAN_ERROR_STORE, "No such file or directory");
}

/* It accepts, and never answers. */
static void black_hole(void) {
    int port;
    listening_socket(16, &port);
    skan_postgres_options options = reporting("hole", 400);
    expect_late(text_of("postgres://skan:%s@127.0.0.1:%d/postgres", password, port), &options, 0.4,
                "no answer from the server within 400 ms");
    /* Another host of the same URL is asked while there is time. */
    options.timeout_ms = 10000;
    expect_refused(text_of("postgres://skan:%s@127.0.0.1:%d,127.0.0.1:%d/postgres", password, port, running.port),
                   &options, SKAN_OK, "");
}

/* A name with two addresses. The store and libpq call this program's getaddrinfo in place of libc's. */
#define TWO_ADDRESSES "two-addresses.invalid"
/* A name whose look-up takes two seconds and fails, and how often it was looked up. */
#define SLOW_NAME "slow.invalid"
static atomic_int slow_look_ups;

typedef int look_up(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    look_up *libc = NULL;
    *(void **)&libc = dlsym(RTLD_NEXT, "getaddrinfo");
    if (name && strcmp(name, SLOW_NAME) == 0) {
        atomic_fetch_add(&slow_look_ups, 1);
        pass_milliseconds(2000);
        return EAI_AGAIN;
    }
    if (!name || strcmp(name, TWO_ADDRESSES) != 0) return libc(name, service, hints, found);
    int code = libc("127.0.0.2", service, hints, found);
    return code != 0 ? code : libc("127.0.0.1", service, hints, &(*found)->ai_next);
}

/* The first of two addresses accepts, and never answers; the other one is the server's. The list is in a name, in the
 * environment or in a service file. */
static void dead_first_address(void) {
    struct sockaddr_in dead = {.sin_family = AF_INET, .sin_port = htons((uint16_t)running.port)};
    inet_pton(AF_INET, "127.0.0.2", &dead.sin_addr);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&dead, sizeof dead) != 0 || listen(listener, 16) != 0) abort();
    skan_postgres_options options = reporting("addresses", 20000);

    expect_refused(text_of("postgres://skan:%s@" TWO_ADDRESSES ":%d/postgres", password, running.port), &options,
                   SKAN_OK, "");
    setenv("PGHOST", "127.0.0.2,127.0.0.1", 1);
    setenv("PGPORT", text_of("%d", running.port), 1);
    expect_refused(text_of("postgres://skan:%s@/postgres", password), &options, SKAN_OK, "");
    unsetenv("PGHOST"), unsetenv("PGPORT");

    const char *path = text_of("/tmp/skan-service-%d", (int)getpid());
    FILE *file = fopen(path, "w");
    fprintf(file, "[game]\nhost=127.0.0.2,127.0.0.1\nport=%d\ndbname=postgres\nuser=skan\npassword=%s\n", running.port,
            password);
    fclose(file);
    setenv("PGSERVICEFILE", path, 1);
    expect_refused("service=game", &options, SKAN_OK, "");
    setenv("PGSERVICE", "game", 1);
    expect_refused("connect_timeout=1", &options, SKAN_OK, "");
    unlink(path);
    close(listener);
}

/* A name is looked up when its host is tried, and once. */
static void slow_second_name(void) {
    skan_postgres_options options = reporting("names", 60000);
    const char *hosts[] = {"127.0.0.1," SLOW_NAME, SLOW_NAME ",127.0.0.1"};
    const char *url = text_of("postgres://skan:%s@%s/postgres?port=%d", password, hosts[0], running.port);
    expect_refused(url, &options, SKAN_OK, "");
    EXPECT_NUMBER(0, atomic_load(&slow_look_ups));
    for (int i = 0; i < 2; i++) {
        atomic_store(&slow_look_ups, 0);
        const char *wanted = i ? "&target_session_attrs=prefer-standby" : "";
        expect_refused(text_of("postgres://skan:%s@%s/postgres?port=%d%s", password, hosts[1], running.port, wanted),
                       &options, SKAN_OK, "");
        EXPECT_NUMBER(1, atomic_load(&slow_look_ups));
    }
    options.timeout_ms = 1000;
    expect_refused(text_of("postgres://skan:%s@" SLOW_NAME "/postgres", password), &options, SKAN_ERROR_STORE,
                   "the host's name: Temporary failure in name resolution");
}

/* A standby is taken wherever it stands in the list, and another server where there is none. */
static void prefers_a_standby(void) {
    server second;
    server_start(&second, "fsync=off");
    skan_postgres_options options = reporting("standbys", 20000);
    const server *servers[] = {&running, &second};
    for (int i = 0; i < 2; i++) {
        skan_store store = opened(servers[i]->url, &options);
        EXPECT_STATUS(SKAN_OK, save_text(&store, "where", i == 0 ? "primary" : "standby", 0, NULL));
        kind.close(&store);
    }
    server_stop(&second, "fast");
    const char *data = text_of("%s/data", second.directory), *mark = text_of("%s/standby.signal", data);
    struct stat owner;
    fclose(fopen(mark, "w"));
    if (stat(data, &owner) != 0 || chown(mark, owner.st_uid, owner.st_gid) != 0) abort();
    server_again(&second, "");

    const char *url = text_of("postgres://skan@/postgres?host=%s,%s&port=%d,%d", running.directory, second.directory,
                              running.port, second.port);
    for (int in_environment = 0; in_environment < 2; in_environment++) {
        in_round("in the %s", in_environment ? "environment" : "URL");
        if (in_environment) setenv("PGTARGETSESSIONATTRS", "prefer-standby", 1);
        const char *whole = in_environment ? url : text_of("%s&target_session_attrs=prefer-standby", url);
        skan_store store = opened(whole, &options);
        EXPECT(holds_text(&store, "where", "standby"), "it reads of the standby");
        server_stop(&second, "fast");
        EXPECT(holds_text(&store, "where", "primary"), "there is no standby");
        kind.close(&store);
        if (!in_environment) server_again(&second, "");
    }
    unsetenv("PGTARGETSESSIONATTRS");
    told.count = 0;
}

static void wrong_password(void) {
    skan_postgres_options options = reporting("passwords", 5000);
    never_in_messages = "wrong-secret";
    expect_refused(text_of("postgres://skan:wrong-secret@127.0.0.1:%d/postgres", running.port), &options,
                   SKAN_ERROR_STORE, "password authentication failed");
    never_in_messages = password;
    expect_refused(running.tcp_url, &options, SKAN_OK, "");
    expect_refused(text_of("host=127.0.0.1 port=%d user=skan password=%s dbname=nowhere", running.port, password),
                   &options, SKAN_ERROR_STORE, "does not exist");
    /* In another place of the system's words. */
    never_in_messages = "s3cr3t";
    expect_refused("host=/nowhere/s3cr3t password=s3cr3t", NULL, SKAN_ERROR_STORE, "/nowhere/");
}

static void too_many_connections(void) {
    run_sql(running.url, "CREATE ROLE single LOGIN CONNECTION LIMIT 1; GRANT CREATE ON SCHEMA public TO single");
    const char *url = url_of_role("single");
    skan_postgres_options options = reporting("single", 5000);
    options.max_connections = 1;
    uint64_t version = 0;
    skan_store store = store_with_record(url, &options, &version);
    end_connections();
    PGconn *other = session_with(url, "SELECT 1");
    EXPECT_TOLD(SKAN_ERROR_STORE, "too many connections", save_text(&store, PLAYER, "lost", version, NULL));
    run_sql(running.url, END_THEM_WHOLLY " FROM pg_stat_activity WHERE usename = 'single'");
    PQfinish(other);
    expect_mended(&store, version);
}

/* -------------------------------------------------------------------------------------------------------- the table */

static void missing_table(void) {
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
    const char *url = url_of_role("modest");
    options.table = "granted";
    expect_refused(url, &options, SKAN_ERROR_STORE, "permission denied for schema public");
    run_sql(running.url, "CREATE TABLE granted " COLUMNS "; GRANT SELECT, INSERT, UPDATE, DELETE ON granted TO modest");
    skan_store store = opened(url, &options);
    uint64_t version = 0;
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "one", 0, &version));
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "two", version, &version));
    EXPECT_STATUS(SKAN_OK, remove_key(&store, PLAYER, version));
    kind.close(&store);

    /* A table that is there, and that the role may not read, is not to be made. */
    run_sql(running.url, "CREATE TABLE withheld " COLUMNS);
    options.table = "withheld";
    options.create_table = 0;
    expect_refused(url, &options, SKAN_ERROR_STORE, "permission denied for table withheld");
    EXPECT(strstr(failure_message(), "CREATE TABLE") == NULL, "advised: %s", failure_message());
}

static void another_shape(void) {
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

static void table_gone(void) {
    uint64_t version = 0;
    skan_store store = store_on("gone", 5000, &version);
    EXPECT(holds_text(&store, PLAYER, "kept"), "kept");
    run_sql(running.url, "ALTER TABLE gone RENAME TO hidden");
    EXPECT_TOLD(SKAN_ERROR_STORE, "\"gone\" does not exist", save_text(&store, PLAYER, "lost", version, NULL));
    EXPECT_TOLD(SKAN_ERROR_STORE, "\"gone\" does not exist", load(&store, PLAYER)->status);
    EXPECT(is_true("count(*) = 0 FROM pg_tables WHERE tablename = 'gone'"), "it was made anew");
    run_sql(running.url, "CREATE TABLE gone " COLUMNS "; ALTER TABLE gone ADD form_7 int");
    EXPECT_TOLD(SKAN_ERROR_STORE, "newer libskan-postgres", save_text(&store, PLAYER, "lost", version, NULL));
    run_sql(running.url, "DROP TABLE gone; ALTER TABLE hidden RENAME TO gone");
    expect_mended(&store, version);
}

static void spoiled_rows(void) {
    uint64_t version = 0;
    skan_store store = store_on("spoiled", 5000, &version);
    run_sql(running.url, "INSERT INTO spoiled VALUES ('zero', 0, 'x'), ('below', -5, 'x'),"
                         " ('huge', 1, decode(repeat('00', 1048577), 'hex'))");
    static const struct {
        const char *key, *words;
    } rows[] = {{"zero", "version 0"}, {"below", "version -5"}, {"huge", "1048577 bytes"}};
    for (int i = 0; i < 3; i++) EXPECT_TOLD(SKAN_ERROR_STORE, rows[i].words, load(&store, rows[i].key)->status);
    EXPECT_TEXT("SKAN_ERROR_STORE SKAN_OK SKAN_NOT_FOUND", load_many(&store, "zero " PLAYER " nobody"));
    expect_told(SKAN_ERROR_STORE, "version 0");
    kind.close(&store);
}

/* ----------------------------------------------------------------------------------------------------------- rights */

static void no_rights(void) {
    run_sql(running.url, "CREATE ROLE reader LOGIN; CREATE TABLE readable " COLUMNS ";"
                         " INSERT INTO readable VALUES ('" PLAYER "', 5, 'kept'); GRANT SELECT ON readable TO reader");
    const char *url = url_of_role("reader");
    skan_postgres_options options = reporting("readable", 5000);
    skan_store store = opened(url, &options);
    EXPECT(holds_text(&store, PLAYER, "kept"), "may be read");
    expect_changes_refused(&store, 5, "permission denied for table readable");
    EXPECT_TOLD(SKAN_ERROR_STORE, "permission denied", remove_key(&store, PLAYER, 5));
    EXPECT(holds_text(&store, PLAYER, "kept") && holds_text(&store, "another", NULL), "nothing was changed");
    run_sql(running.url, "GRANT INSERT, UPDATE, DELETE ON readable TO reader");
    EXPECT_STATUS(SKAN_OK, save_two(&store, 5));

    run_sql(running.url, "ALTER ROLE reader SET default_transaction_read_only = on");
    end_connections();
    uint64_t version = load(&store, PLAYER)->version;
    EXPECT(version != 0, "may be read");
    EXPECT_TOLD(SKAN_ERROR_STORE, "read-only transaction", save_text(&store, PLAYER, "lost", version, NULL));
    run_sql(running.url, "ALTER ROLE reader SET default_transaction_read_only = off");
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "more", version, NULL));
    EXPECT_NUMBER(0, told.count);
    kind.close(&store);
}

/* ------------------------------------------------------------------------------------------------------- the server */

static void restarted_between_calls(void) {
    uint64_t version = 0;
    skan_store store = store_on("restarted", 5000, &version);
    restart_between_calls(&running, &store, version, end_connections);
}

/* Statements are prepared where they are first used, and to prepare one takes a lock of its own. */
static void prepare_all(skan_store *store, uint64_t *version) {
    uint64_t other = 0;
    EXPECT_STATUS(SKAN_OK, save_text(store, PLAYER, "kept", *version, version));
    EXPECT_STATUS(SKAN_OK, save_text(store, "other", "kept", 0, &other));
    EXPECT_STATUS(SKAN_OK, remove_key(store, "other", other));
}

static void lost_in_a_call(void) {
    uint64_t version = 0;
    skan_store store = store_on("lost", NEVER_MS, &version);
    for (int i = 0; i < 4; i++) {
        in_round("%d", i);
        prepare_all(&store, &version);
        PGconn *lock = session_with(running.url, "BEGIN; LOCK TABLE lost IN SHARE MODE");
        aside call = {.store = &store, .version = version, .what = i % 2 ? SAVING_TWO : SAVING};
        begin_aside(&call);
        EVENTUALLY(is_true("count(*) = 1" WAITING));
        if (i < 2)
            run_sql(running.url, END_THEM WAITING);
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
    aside call = {.store = &store, .what = LOADING};
    begin_aside(&call);
    EVENTUALLY(is_true("count(*) = 1" WAITING));
    run_sql(running.url, END_THEM WAITING);
    EVENTUALLY(is_true("count(*) = 1" WAITING));
    PQfinish(lock);
    end_aside(&call, SKAN_OK);
    EXPECT_NUMBER(0, told.count);
    expect_mended(&store, version);
}

/* The server gives up before the caller does, so the outcome is known; behind a pooler it is not told to. */
static void statement_too_long(void) {
    for (uint32_t pooled = 0; pooled < 2; pooled++) {
        in_round("pooled %u", (unsigned)pooled);
        /* The server is told three quarters of it: what is left is enough for its answer on a busy machine. */
        skan_postgres_options options = reporting("long", pooled ? 1000 : 3000);
        options.pooled = pooled;
        uint64_t version = 0;
        run_sql(running.url, "SET client_min_messages = error; DROP TABLE IF EXISTS long");
        skan_store store = store_with_record(running.url, &options, &version);
        PGconn *lock = session_with(running.url, "BEGIN; SELECT * FROM long FOR UPDATE");
        for (int i = 0; i < 2; i++) {
            aside call = {.store = &store, .version = version, .what = i ? SAVING_TWO : SAVING};
            begin_aside(&call);
            end_aside(&call, pooled ? SKAN_ERROR_STORE_UNKNOWN : SKAN_ERROR_STORE);
            EXPECT_TIME(pooled ? 1 : 2.25, call.took);
            expect_told(call.status, pooled ? "no answer from the server within 1000 ms" : "due to statement timeout");
        }
        EXPECT(holds_text(&store, PLAYER, "kept"), "reading needs no lock");
        run_sql(running.url, END_THEM WAITING);
        EVENTUALLY(is_true("count(*) = 0" WAITING));
        PQfinish(lock);
        expect_mended(&store, version);
    }
    /* One that the role or the database has set, if it is lower, stays. */
    run_sql(running.url, "CREATE ROLE hasty LOGIN; ALTER ROLE hasty SET statement_timeout = '1s';"
                         " GRANT ALL ON long TO hasty");
    const char *url = url_of_role("hasty");
    skan_postgres_options options = reporting("long", NEVER_MS);
    skan_store store = opened(url, &options);
    PGconn *lock = session_with(running.url, "BEGIN; LOCK TABLE long IN ACCESS EXCLUSIVE MODE");
    aside call = {.store = &store, .what = LOADING};
    begin_aside(&call);
    end_aside(&call, SKAN_ERROR_STORE);
    EXPECT_TIME(1, call.took);
    PQfinish(lock);
    kind.close(&store);
}

/* Told to end a statement that waits for a standby, the server commits without it, and says so by a warning alone. */
static void commits_without_its_standby(void) {
    uint64_t version = 0;
    skan_store store = store_on("unreplicated", NEVER_MS, &version);
    run_sql(running.url, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    run_sql(running.url, "SELECT pg_reload_conf()");
    EVENTUALLY(is_true("current_setting('synchronous_standby_names') = 'nobody'"));
    for (int i = 0; i < 2; i++) {
        in_round("round %d", i);
        aside call = {.store = &store, .version = version, .what = i ? SAVING_TWO : SAVING};
        begin_aside(&call);
        EVENTUALLY(is_true("count(*) = 1" OURS "AND wait_event = 'SyncRep'"));
        run_sql(running.url, "SELECT pg_cancel_backend(pid)" OURS "AND wait_event = 'SyncRep'");
        end_aside(&call, SKAN_ERROR_STORE_UNKNOWN);
        expect_told(SKAN_ERROR_STORE_UNKNOWN, "not waited for its synchronous standbys");
        EXPECT(holds_text(&store, PLAYER, "lost"), "it is there all the same");
        version = load(&store, PLAYER)->version;
    }
    in_round("%s", "");
    run_sql(running.url, "ALTER SYSTEM RESET synchronous_standby_names");
    run_sql(running.url, "SELECT pg_reload_conf()");
    EVENTUALLY(is_true("current_setting('synchronous_standby_names') = ''"));
    EXPECT_STATUS(SKAN_OK, remove_key(&store, "another", load(&store, "another")->version));
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", version, &version));
    expect_mended(&store, version);
}

/* A server that has stopped to move, in the middle of a large batch too: nothing waits for it longer than the time-out,
 * the end of the connection included. */
static void server_stands_still(void) {
    static unsigned char record[SKAN_RECORD_MAX];
    static skan_save_item items[SKAN_BATCH_MAX];
    static char keys[SKAN_BATCH_MAX][16];
    static const char late[] = "no answer from the server within 2000 ms";
    uint64_t version = 0;
    skan_store store = store_on("still", 2000, &version);
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
            EXPECT_TOLD(SKAN_ERROR_STORE_UNKNOWN, late, save_text(&store, PLAYER, "lost", version, NULL));
        } else if (i == 1) {
            for (int k = 0; k < SKAN_BATCH_MAX; k++) {
                snprintf(keys[k], sizeof keys[k], "many-%d", k);
                items[k] = (skan_save_item){keys[k], record, sizeof record, 0, 0, -1};
            }
            store.save_many(store.context, items, SKAN_BATCH_MAX);
            /* It was never sent as a whole: the word to commit comes last. */
            for (int k = 0; k < SKAN_BATCH_MAX; k++) EXPECT_STATUS(SKAN_ERROR_STORE, items[k].status);
            expect_told(SKAN_ERROR_STORE, late);
        } else if (i == 2) {
            EXPECT_TOLD(SKAN_ERROR_STORE_UNKNOWN, late, save_two(&store, version));
        } else {
            EXPECT_TOLD(SKAN_ERROR_STORE, late, load(&store, PLAYER)->status);
        }
        EXPECT_TIME(2, seconds_now() - start);
        kill(pid, SIGCONT);
        EVENTUALLY(is_true("count(*) = 0" OURS));
        EXPECT(i != 1 || holds_text(&store, "many-0", NULL), "nothing of the large batch was applied");
        version = load(&store, PLAYER)->version;
        EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "more", version, &version));
    }
    kind.close(&store);
}

/* --------------------------------------------------------------------------------------------- what the server says */

static void every_sqlstate(void) {
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
    skan_store store = store_on("said", 8000, &version);
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
            EXPECT_TOLD(cases[i].status, text_of("the words (SQLSTATE %s)", cases[i].state), status);
            char *tries = ask_sql(running.url, "DROP TRIGGER fail ON said; SELECT last_value FROM tries");
            EXPECT_NUMBER(cases[i].tries, atoi(tries));
            free(tries);
            EXPECT(holds_text(&store, PLAYER, "kept") && holds_text(&store, "another", NULL), "nothing was changed");
        }
    }
    expect_mended(&store, version);
}

/* The statement succeeds and its commit does not: what counts is the commit. */
static void commit_fails(void) {
    uint64_t version = 0;
    skan_store store = store_on("sealed", 5000, &version);
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
        EXPECT_TOLD(cases[i / 2].status, i < 2 ? "not today" : "save: ", status);
        run_sql(running.url, "DROP TRIGGER seal ON sealed");
        EXPECT(holds_text(&store, PLAYER, "kept") && holds_text(&store, "another", NULL), "nothing was changed");
    }
    expect_mended(&store, version);
}

typedef struct batch {
    const skan_store *store;
    skan_save_item items[2];
    const char *answers;
} batch;

static void *save_batch(void *argument) {
    batch *batch = argument;
    batch->answers = save_many(batch->store, batch->items, 2);
    return NULL;
}

/* Another transaction takes the rows of a batch in the other order: it asks for the second row once the batch waits for
 * the first. The batch looks for a deadlock after three seconds and is the one that is ended. */
static void deadlock(void) {
    run_sql(running.url, "CREATE ROLE quick SUPERUSER LOGIN; ALTER ROLE quick SET deadlock_timeout = '3s'");
    const char *url = url_of_role("quick");
    skan_postgres_options options = reporting("dead", NEVER_MS);
    uint64_t version = 0;
    skan_store store = store_with_record(url, &options, &version);
    EXPECT_STATUS(SKAN_OK, save_text(&store, "zebra", "kept", 0, NULL));
    PGconn *other = session_with(running.url, "SET deadlock_timeout = '30s'; BEGIN;"
                                              " SELECT * FROM dead WHERE key = 'zebra' FOR UPDATE");
    batch batch = {.store = &store,
                   .items = {{"zebra", "batch", 5, load(&store, "zebra")->version, 0, -1},
                             {PLAYER, "batch", 5, version, 0, -1}}};
    pthread_t saver;
    pthread_create(&saver, NULL, save_batch, &batch);
    EVENTUALLY(is_true("count(*) = 1" WAITING));
    if (!PQsendQuery(other, "SELECT * FROM dead WHERE key = '" PLAYER "' FOR UPDATE; COMMIT")) abort();
    pthread_join(saver, NULL);
    EXPECT_TEXT("SKAN_OK SKAN_OK", batch.answers);
    EXPECT(told.count == 0, "%s", told.message);
    for (PGresult *result; (result = PQgetResult(other));) {
        EXPECT(PQresultStatus(result) != PGRES_FATAL_ERROR, "%s", PQresultErrorMessage(result));
        PQclear(result);
    }
    EXPECT(is_true("deadlocks > 0 FROM pg_stat_database WHERE datname = 'postgres'"), "there was a deadlock");
    PQfinish(other);
    EXPECT(holds_text(&store, PLAYER, "batch") && holds_text(&store, "zebra", "batch"), "saved");
    kind.close(&store);
}

/* ---------------------------------------------------------------------------------------------------- the full disk */

static void full_disk(void) {
    const char *disk = small_disk();
    if (!disk) return;
    const char *space = text_of("%s/space", disk);
    mkdir(space, 0777);
    server small;
    server_start(&small, "fsync=off");
    struct stat owner;
    if (stat(text_of("%s/data", small.directory), &owner) != 0 || chown(space, owner.st_uid, owner.st_gid) != 0)
        abort();
    run_sql(small.url, "CREATE TABLESPACE small LOCATION '%s'", space);
    run_sql(small.url, "CREATE TABLE full_one " COLUMNS " TABLESPACE small");
    skan_postgres_options options = reporting("full_one", 5000);
    uint64_t version = 0;
    skan_store store = store_with_record(small.url, &options, &version);
    skan_status status = SKAN_OK;
    int count = fill(&store, &status);
    EXPECT_TOLD(SKAN_ERROR_STORE, "No space left on device (SQLSTATE 53100)", status);
    EXPECT(holds_text(&store, text_of("large-%d", count), NULL), "it was not applied");
    enlarge_disk(disk);
    expect_filled(&store, count);
    expect_mended(&store, version);
    server_stop(&small, "immediate");
    remove_disk(disk);
}

/* -------------------------------------------------------------------------------------- sessions of calls timed out */

/* Threads that save, each a record of its own, until they are to stop. */
typedef struct savers {
    const skan_store *store;
    pthread_t threads[24];
    atomic_bool are_over;
    atomic_int timed_out;
} savers;

enum { SAVERS = 24, SESSIONS = 4 };

static void *save_on(void *argument) {
    savers *all = argument;
    const char *key = text_of("saver-%lx", (unsigned long)pthread_self());
    while (!atomic_load(&all->are_over)) {
        skan_status status = save_text(all->store, key, "text", load(all->store, key)->version, NULL);
        if (status == SKAN_ERROR_STORE_UNKNOWN) atomic_fetch_add(&all->timed_out, 1);
    }
    return NULL;
}

/* How many rows two answers have in common. */
static int in_both(const PGresult *one, const PGresult *other) {
    int count = 0;
    for (int i = 0; i < PQntuples(one); i++)
        for (int k = 0; k < PQntuples(other); k++)
            if (strcmp(PQgetvalue(one, i, 0), PQgetvalue(other, k, 0)) == 0) count++;
    return count;
}

/* The most sessions that the server had at once of this table's store, in 6 seconds. The server reads its list of
 * sessions one by one, and on a busy machine one may end and another begin meanwhile: those were there at once that two
 * answers in turn have. */
static int most_sessions(PGconn *observer) {
    int most = 0;
    PGresult *before = NULL;
    for (double end = seconds_now() + 6; seconds_now() < end; pass_milliseconds(5)) {
        PGresult *found = PQexec(observer, "SELECT pid" OURS);
        bool is_answer =
            EXPECT(PQresultStatus(found) == PGRES_TUPLES_OK, "the server says %s", PQerrorMessage(observer));
        int now = before && is_answer ? in_both(before, found) : 0;
        PQclear(before);
        before = found;
        if (!is_answer) break;
        if (now > most) most = now;
    }
    PQclear(before);
    return most;
}

/* Once all sessions have ended, others time out and are ended in the same way. */
static void time_out_again(const skan_store *store, PGconn *other) {
    pass_milliseconds(500);
    PQclear(PQexec(other, "BEGIN; LOCK TABLE timing_out"));
    pass_milliseconds(2000);
    PQclear(PQexec(other, "COMMIT"));
    EVENTUALLY(save_text(store, "after", "text", load(store, "after")->version, NULL) == SKAN_OK);
}

/* Changes wait for a lock, or for a standby that has gone: their sessions are ended, and not left on the server. */
static void sessions_that_time_out(const void *subject) {
    const bool has_standby = subject != NULL;
    skan_postgres_options options = reporting("timing_out", 500);
    options.pooled = 1; /* the server does not end statements by itself */
    options.max_connections = SESSIONS;
    options.report = NULL;
    skan_store store = opened(running.url, &options);
    static savers all;
    all.store = &store;
    PGconn *observer = session_with(running.url, "SET application_name = 'observer'");
    PGconn *other = session_with(running.url, "SET application_name = 'other'");
    if (has_standby) {
        run_sql(running.url, "ALTER SYSTEM SET synchronous_standby_names = 'gone'");
        run_sql(running.url, "SELECT pg_reload_conf()");
    } else {
        PQclear(PQexec(other, "BEGIN; LOCK TABLE timing_out"));
    }
    for (int i = 0; i < SAVERS; i++)
        if (pthread_create(&all.threads[i], NULL, save_on, &all) != 0) abort();
    int most = most_sessions(observer);
    EXPECT(most <= SESSIONS, "%d sessions; expected at most %d", most, SESSIONS);
    EXPECT(most > 0, "no session of the store was seen");
    if (has_standby) {
        EXPECT(atomic_load(&all.timed_out) > 0, "no change was in doubt");
        run_sql(running.url, "ALTER SYSTEM RESET synchronous_standby_names");
        run_sql(running.url, "SELECT pg_reload_conf()");
    } else {
        PQclear(PQexec(other, "COMMIT"));
    }
    EVENTUALLY(save_text(&store, "after", "text", load(&store, "after")->version, NULL) == SKAN_OK);
    if (!has_standby) time_out_again(&store, other);
    atomic_store(&all.are_over, true);
    for (int i = 0; i < SAVERS; i++) pthread_join(all.threads[i], NULL);
    kind.close(&store);
    EVENTUALLY(is_true("count(*) = 0" OURS));
    PQfinish(observer), PQfinish(other);
}

/* A call that has timed out hands its session on: no lock that this takes is held by a fork that waits for the call.
 * Sessions that the first store left may still be ending while calls of the second one time out. */
static void forks_beside_time_outs(void) {
    static const char *const tables[] = {"forking_first", "forking_second"};
    for (int i = 0; i < 2; i++) {
        skan_postgres_options options = reporting(tables[i], 1000); /* enough for a busy machine to make the table */
        options.pooled = 1; /* the server does not end statements by itself */
        options.report = NULL;
        uint64_t version = 0;
        skan_store store = store_with_record(running.url, &options, &version);
        PGconn *other = session_with(running.url, text_of("BEGIN; LOCK TABLE %s", tables[i]));
        expect_forks_beside_time_outs(&store, version, options.timeout_ms);
        PQfinish(other);
        kind.close(&store);
    }
}

static const char late_words[] = "connections whose calls timed out have not ended at the server";

/* The first host has stood still since the store was opened, and the other one never answers: there is a session on
 * each. */
static void late_on_two_hosts(void) {
    int hole;
    listening_socket(16, &hole);
    skan_postgres_options options = reporting("two_hosts", 3000);
    options.max_connections = 2;
    uint64_t version = 0;
    const char *url = text_of("postgres://skan:%s@127.0.0.1:%d,127.0.0.1:%d/postgres", password, running.port, hole);
    skan_store store = store_with_record(url, &options, &version);
    char *parent = ask_sql(running.url, "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)");
    pid_t pid = (pid_t)atol(parent);
    free(parent);
    end_connections();
    kill(pid, SIGSTOP);
    double start = seconds_now();
    EXPECT_TOLD(SKAN_ERROR_STORE, "no answer from the server", save_text(&store, PLAYER, "lost", version, NULL));
    EXPECT_TIME(3, seconds_now() - start);
    EXPECT_TOLD(SKAN_ERROR_STORE, text_of("2 %s", late_words), load(&store, PLAYER)->status);
    kill(pid, SIGCONT);
    EVENTUALLY(load(&store, PLAYER)->status == SKAN_OK);
    told.count = 0;
    expect_mended(&store, version);
}

/* It is counted, and where there is one place, that is for the host that answers. */
static void late_before_one_that_answers(void) {
    int hole;
    listening_socket(16, &hole);
    const char *url = text_of("postgres://skan:%s@127.0.0.1:%d,127.0.0.1:%d/postgres", password, hole, running.port);
    skan_postgres_options options = reporting("second_host", 8000);
    options.max_connections = 2;
    uint64_t version = 0;
    skan_store store = store_with_record(url, &options, &version);
    PGconn *lock = session_with(running.url, "BEGIN; LOCK TABLE second_host");
    aside calls[2] = {{.store = &store, .what = LOADING}, {.store = &store, .what = LOADING}};
    for (int i = 0; i < 2; i++) begin_aside(&calls[i]);
    EVENTUALLY(is_true("count(*) = 1" WAITING));
    /* Another one would be there when the first host has had its half of the time. */
    for (double end = seconds_now() + 5; seconds_now() < end; pass_milliseconds(50))
        if (!EXPECT(is_true("count(*) = 1" WAITING), "the place of the one that is late was taken")) break;
    PQfinish(lock);
    for (int i = 0; i < 2; i++) end_aside(&calls[i], SKAN_OK);
    EXPECT_NUMBER(0, told.count);
    kind.close(&store);

    options.max_connections = 1;
    store = opened(url, &options);
    EXPECT(holds_text(&store, PLAYER, "kept"), "it waits for a host that does not answer");
    EXPECT_NUMBER(0, told.count);
    kind.close(&store);
}

static void fair_turns(void) {
    skan_postgres_options options = reporting("turns", 60000);
    options.max_connections = 4;
    skan_store store = opened(running.url, &options);
    expect_fair_turns(&store);
    EXPECT_NUMBER(0, told.count);
    kind.close(&store);
}

int main(int count, char **arguments) {
    if (count > 1) fork_count = atoi(arguments[1]);
    server_start(&running, "fsync=off");
    password = strndup(strchr(running.tcp_url + 11, ':') + 1, strcspn(strchr(running.tcp_url + 11, ':') + 1, "@"));
    never_in_messages = password;
    RUN(nobody_listens);
    RUN(black_hole);
    RUN(dead_first_address);
    RUN(slow_second_name);
    RUN(prefers_a_standby);
    RUN(wrong_password);
    RUN(too_many_connections);
    RUN(missing_table);
    RUN(another_shape);
    RUN(table_gone);
    RUN(spoiled_rows);
    RUN(no_rights);
    RUN(lost_in_a_call);
    RUN(statement_too_long);
    RUN(commits_without_its_standby);
    RUN(server_stands_still);
    RUN(every_sqlstate);
    RUN(commit_fails);
    RUN(deadlock);
    RUN(full_disk);
    RUN(late_on_two_hosts);
    RUN(late_before_one_that_answers);
    RUN(fair_turns);
    run_case("sessions that wait for a lock", sessions_that_time_out, NULL);
    run_case("sessions that wait for a standby", sessions_that_time_out, "standby");
    RUN(forks_beside_time_outs);
    RUN(restarted_between_calls);
    return finish_cases();
}
