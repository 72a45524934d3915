/* Sessions of calls that time out, where closing a connection does not end what it was doing: behind PgBouncer, beside a
 * server that has gone, and at one that is slow to obey:
 *   pooler */
#define _GNU_SOURCE
#include "Trouble/Servers/postgres.h"
#include "Trouble/Servers/relay.h"
#include "support.h"
#include "trouble.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAITING(table) \
    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%" table "%'" \
    " AND pid <> pg_backend_pid()"

enum { SAVERS = 24, SESSIONS = 4 };

static server running;

static skan_postgres_options quick(const char *table) {
    skan_postgres_options options = making(table);
    options.timeout_ms = 2000; /* a busy machine opens a store in less */
    options.report = note_report;
    options.report_context = &told;
    return options;
}

static int rows(PGconn *observer, const char *sql) {
    PGresult *found = PQexec(observer, sql);
    EXPECT(PQresultStatus(found) == PGRES_TUPLES_OK, "the server says %s", PQerrorMessage(observer));
    const int count = PQntuples(found);
    PQclear(found);
    return count;
}

/* ------------------------------------------------------------------------------------------------- behind PgBouncer */

typedef struct savers {
    const skan_store *store;
    pthread_t threads[SAVERS];
    atomic_bool are_over;
} savers;

static void *save_on(void *argument) {
    savers *all = argument;
    const char *key = text_of("saver-%lx", (unsigned long)pthread_self());
    while (!atomic_load(&all->are_over)) save_text(all->store, key, "text", load(all->store, key)->version, NULL);
    return NULL;
}

static void start_pooler(server *pooler) {
    server_start_by("Tests/Trouble/Servers/pgbouncer.sh", pooler,
                    text_of("server=%s server_port=%d", running.directory, running.port));
}

/* The URL says that there is a pooler, the options do not. A statement that waits for the lock is counted where it
 * does so in two looks in turn, as a session may end and another begin during one. */
static void behind_a_pooler(void) {
    server pooler;
    start_pooler(&pooler);
    skan_postgres_options options = quick("behind_pooler");
    options.max_connections = SESSIONS;
    options.report = NULL;
    skan_store store = opened(text_of("%s?pooled=1", pooler.url), &options);
    PGconn *observer = session_with(running.url, "SET application_name = 'observer'");
    PGconn *other = session_with(running.url, "BEGIN; LOCK TABLE behind_pooler");
    static savers all;
    all.store = &store;
    for (int i = 0; i < SAVERS; i++)
        if (pthread_create(&all.threads[i], NULL, save_on, &all) != 0) abort();
    int most = 0, before = 0;
    for (double end = seconds_now() + 8; seconds_now() < end; pass_milliseconds(20)) {
        const int now = rows(observer, WAITING("behind_pooler"));
        const int steady = now < before ? now : before;
        if (steady > most) most = steady;
        before = now;
    }
    EXPECT(0 < most && most <= SESSIONS, "%d sessions wait; expected 1 to %d", most, SESSIONS);
    PQclear(PQexec(other, "COMMIT"));
    EVENTUALLY(save_text(&store, "after", "text", load(&store, "after")->version, NULL) == SKAN_OK);
    atomic_store(&all.are_over, true);
    for (int i = 0; i < SAVERS; i++) pthread_join(all.threads[i], NULL);
    kind.close(&store);
    /* Other programs get these sessions next. */
    PGconn *next = PQconnectdb(pooler.url);
    PGresult *setting = PQexec(next, "SHOW statement_timeout");
    EXPECT_TEXT("0", PQgetvalue(setting, 0, 0));
    PQclear(setting);
    PQfinish(next), PQfinish(other), PQfinish(observer);
    server_stop(&pooler, "fast");
}

/* The server cancels the statement of a call that has timed out, and the session's place is free again, while the lock
 * that the statement waited for is still held: no server looks at a socket while it waits for a lock, and a pooler waits
 * for the statement. */
static void cancelled_at_the_server(const void *subject) {
    server pooler;
    if (subject) start_pooler(&pooler);
    const char *table = subject ? "cancelled_pooled" : "cancelled";
    skan_postgres_options options = quick(table);
    options.pooled = 1; /* the server does not end statements by itself */
    options.max_connections = 1;
    uint64_t version = 0;
    skan_store store = store_with_record(subject ? pooler.url : running.url, &options, &version);
    PGconn *lock = session_with(running.url, text_of("BEGIN; LOCK TABLE %s", table));
    PGconn *observer = session_with(running.url, "SET application_name = 'observer'");
    EXPECT_TOLD(SKAN_ERROR_STORE_UNKNOWN, "no answer from the server",
                save_text(&store, PLAYER, "lost", version, NULL));
    EVENTUALLY(rows(observer, WAITING("cancelled")) == 0);
    /* Until the place is free, a call says that a connection has not ended. */
    EVENTUALLY(save_text(&store, PLAYER, "lost", version, NULL) != SKAN_OK &&
               strstr(told.message, "no answer from the server"));
    EVENTUALLY(rows(observer, WAITING("cancelled")) == 0);
    PQfinish(lock), PQfinish(observer);
    EVENTUALLY(holds_text(&store, PLAYER, "kept"));
    kind.close(&store);
    if (subject) server_stop(&pooler, "fast");
}

/* Of sessions whose calls have timed out the pooler ends the connections before it has seen a request to cancel. That
 * proves nothing: their statements still wait at the server. So their places stay taken, and the server is asked to
 * cancel each of them, the one as well whose request was not sent yet when its connection ended. */
static void ended_by_the_pooler(void) {
    enum { CALLS = 2 };
    server pooler;
    start_pooler(&pooler);
    relay_start(pooler.port);
    relay_keeps_requests(true);
    skan_postgres_options options = quick("ended");
    options.max_connections = CALLS;
    options.report = NULL; /* the calls come from two threads */
    uint64_t version = 0;
    skan_store store = store_with_record(text_of("postgres://skan@127.0.0.1:%d/postgres?pooled=1", relay_port()),
                                         &options, &version);
    PGconn *lock = session_with(running.url, "BEGIN; LOCK TABLE ended IN EXCLUSIVE MODE");
    PGconn *observer = session_with(running.url, "SET application_name = 'observer'");
    aside calls[CALLS];
    for (int i = 0; i < CALLS; i++) {
        calls[i] = (aside){.store = &store, .version = version, .what = SAVING};
        begin_aside(&calls[i]);
    }
    for (int i = 0; i < CALLS; i++) end_aside(&calls[i], SKAN_ERROR_STORE_UNKNOWN);
    EVENTUALLY(relay_requests() > 0);
    relay_ends_sessions();
    EVENTUALLY(relay_closed_sessions() == CALLS);
    EXPECT_NUMBER(CALLS, rows(observer, WAITING("ended")));
    EXPECT_STATUS(SKAN_ERROR_STORE, save_text(&store, PLAYER, "lost", version, NULL));
    EXPECT_NUMBER(CALLS, rows(observer, WAITING("ended")));
    relay_keeps_requests(false);
    EVENTUALLY(rows(observer, WAITING("ended")) == 0);
    PQfinish(lock), PQfinish(observer);
    /* Nothing was changed, and a call has a place again. */
    EVENTUALLY(holds_text(&store, PLAYER, "kept"));
    kind.close(&store);
    relay_stop();
    server_stop(&pooler, "fast");
}

/* ------------------------------------------------------------------------------------------ beside one that has gone */

/* A postmaster that stands still accepts a cancel request and never answers it. */
static void beside_a_server_that_has_gone(void) {
    server gone;
    server_start(&gone, "fsync=off");
    skan_postgres_options options = quick("beside");
    options.pooled = 1; /* the server does not end statements by itself */
    uint64_t versions[2] = {0, 0};
    skan_store stores[2] = {store_with_record(gone.url, &options, &versions[0]),
                            store_with_record(running.url, &options, &versions[1])};
    PGconn *locks[2] = {session_with(gone.url, "BEGIN; LOCK TABLE beside"),
                        session_with(running.url, "BEGIN; LOCK TABLE beside")};
    kill(gone.pid, SIGSTOP);
    for (int i = 0; i < 2; i++)
        EXPECT_NUMBER(SKAN_ERROR_STORE_UNKNOWN, save_text(&stores[i], PLAYER, "lost", versions[i], NULL));
    /* Its session waits for the lock until the server is asked to cancel. */
    PGconn *observer = session_with(running.url, "SET application_name = 'observer'");
    EVENTUALLY(rows(observer, WAITING("beside")) == 0);
    kill(gone.pid, SIGCONT);
    for (int i = 0; i < 2; i++) PQfinish(locks[i]), kind.close(&stores[i]);
    PQfinish(observer);
    server_stop(&gone, "immediate");
}

/* --------------------------------------------------------------------------------------------------- slow to obey */

static int sockets(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat file;
        if (fstat(atoi(entry->d_name), &file) == 0 && S_ISSOCK(file.st_mode)) count++;
    }
    closedir(folder);
    return count;
}

/* The host's threads are this one alone. */
static void expect_signals_blocked_in_other_threads(void) {
    DIR *folder = opendir("/proc/self/task");
    int others = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.' || atoi(entry->d_name) == (int)getpid()) continue;
        FILE *status = fopen(text_of("/proc/self/task/%s/status", entry->d_name), "r");
        if (!status) continue;
        unsigned long long blocked = 0;
        for (char line[256]; fgets(line, sizeof line, status);) sscanf(line, "SigBlk: %llx", &blocked);
        fclose(status);
        others++;
        EXPECT(blocked >> (SIGPIPE - 1) & 1, "SIGPIPE is blocked in thread %s", entry->d_name);
        EXPECT(blocked >> (SIGTERM - 1) & 1, "SIGTERM is blocked in thread %s", entry->d_name);
    }
    closedir(folder);
    EXPECT(others > 0, "a thread waits for the session's end");
}

/* The session's process stands still: the request to cancel is answered by the postmaster, and nothing ends. For longer
 * than a silent server is waited for, the session keeps its place, and no child of this process has its socket. */
static void answered_and_goes_on(const void *subject) {
    const bool has_pooler = strcmp(subject, "behind_pooler") == 0;
    server pooler;
    if (has_pooler) start_pooler(&pooler);
    const char *table = text_of("goes_on_%s", (const char *)subject);
    skan_postgres_options options = quick(table);
    options.pooled = strcmp(subject, "alone") != 0;
    options.max_connections = 1;
    /* Of a session that is not pooled the server ends statements by itself, but for a process that stands still. */
    if (!options.pooled) options.timeout_ms = 5000;
    const int before = sockets();
    uint64_t version = 0;
    skan_store store = store_with_record(has_pooler ? pooler.url : running.url, &options, &version);
    /* The statement is prepared, where that is done, before a lock is held that preparing it would wait for. */
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", version, &version));
    PGconn *lock = session_with(running.url, text_of("BEGIN; LOCK TABLE %s", table));
    const int with_lock = before + 1;
    aside call = {.store = &store, .version = version, .what = SAVING};
    begin_aside(&call);
    char *pid = NULL;
    do {
        free(pid);
        pid = ask_sql(running.url, "%s", WAITING("goes_on"));
    } while (!pid[0]);
    kill(atoi(pid), SIGSTOP);
    end_aside(&call, SKAN_ERROR_STORE_UNKNOWN);
    pass_milliseconds(300);
    expect_signals_blocked_in_other_threads();
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) _exit(sockets() == with_lock ? 0 : 1);
    expect_success(child);
    for (double end = seconds_now() + 11; seconds_now() < end;) pass_milliseconds(100);
    told.count = 0;
    EXPECT_NUMBER(SKAN_ERROR_STORE, save_text(&store, PLAYER, "kept", version, NULL));
    expect_told(SKAN_ERROR_STORE, "have not ended at the server");
    kill(atoi(pid), SIGCONT);
    PQfinish(lock);
    EVENTUALLY(save_text(&store, PLAYER, "kept", load(&store, PLAYER)->version, NULL) == SKAN_OK);
    /* A pooler keeps its own session with the server. */
    EVENTUALLY(has_pooler || kill(atoi(pid), 0) != 0);
    free(pid);
    kind.close(&store);
    EVENTUALLY(sockets() == before);
    if (has_pooler) server_stop(&pooler, "fast");
}

int main(void) {
    server_start(&running, "fsync=off");
    RUN(behind_a_pooler);
    run_case("cancelled_at_the_server", cancelled_at_the_server, NULL);
    run_case("cancelled_at_the_server behind a pooler", cancelled_at_the_server, "pooler");
    RUN(ended_by_the_pooler);
    RUN(beside_a_server_that_has_gone);
    run_case("answered_and_goes_on", answered_and_goes_on, "alone");
    run_case("answered_and_goes_on, pooled", answered_and_goes_on, "pooled");
    run_case("answered_and_goes_on behind a pooler", answered_and_goes_on, "behind_pooler");
    return finish_cases();
}
