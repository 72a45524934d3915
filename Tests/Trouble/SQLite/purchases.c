/*
 * Engines of several processes on one file:
 *   purchases [purchases of each process]
 * And what an engine says while its file is in trouble, and after.
 */
#define _GNU_SOURCE
#include "Trouble/Stores/purchases.h"

#include "Trouble/Stores/database.h"
#include "Stores/Library/SQLite/files.h"
#include "support.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static void check_sums(const void *subject) {
    database_start(false);
    sums_are_exact(*(const long *)subject);
}

static skan *engine_on(const char *path, const skan_sqlite_options *options) {
    skan_store store = opened(path, options);
    const skan_options engine_options = {.size = sizeof engine_options, .store = &store};
    skan *made = NULL;
    if (skan_create(&engine_options, &made, NULL) != SKAN_OK) abort();
    return made;
}

static char last_report[1024];

static void keep_report(void *unused, skan_status status, const char *message) {
    (void)unused, (void)status;
    snprintf(last_report, sizeof last_report, "%s", message);
}

static void an_engine_outlives_trouble(const void *subject) {
    (void)subject;
    skan_sqlite_options options = quick();
    options.busy_timeout_ms = 50;
    options.report = keep_report;
    char *path = file_named("installs.db");
    skan *engine = engine_on(path, &options);
    ANSWER(SKAN_OK, skan_update_revenue(engine, "player", 1, "USD", false, "first", &failure));

    sqlite3 *other = NULL;
    sqlite3_open(path, &other);
    EXPECT_NUMBER(SQLITE_OK, sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL));
    ANSWER(SKAN_ERROR_STORE, skan_update_revenue(engine, "player", 1, "USD", false, "second", &failure));
    ANSWER(SKAN_ERROR_STORE, skan_forget(engine, "player", &failure));
    EXPECT(strstr(last_report, "database is locked"), "the report is %s", last_report);
    expect_revenue(engine, "player", 2);
    sqlite3_exec(other, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(other);
    ANSWER(SKAN_OK, skan_update_revenue(engine, "player", 1, "USD", false, "second", &failure));
    expect_revenue(engine, "player", 4);

    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    /* Less than a page: with more room, the store clears its log and goes on. */
    struct rlimit low = {4000, limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &low);
    int bought = 2;
    skan_status status = SKAN_OK;
    char event[32] = "";
    while (status == SKAN_OK && bought < 100) {
        snprintf(event, sizeof event, "purchase-%d", bought);
        status = SETTLE(skan_update_revenue(engine, "player", 1, "USD", false, event, &failure));
        bought += status == SKAN_OK;
    }
    EXPECT(status == SKAN_ERROR_STORE || status == SKAN_ERROR_STORE_UNKNOWN, "no room: %s", skan_status_name(status));
    setrlimit(RLIMIT_FSIZE, &limit);
    status = SETTLE(skan_update_revenue(engine, "player", 1, "USD", false, event, &failure));
    EXPECT(status == SKAN_OK || status == SKAN_DUPLICATE_EVENT, "room again: %s", skan_status_name(status));
    expect_revenue(engine, "player", (bought + 1) * 2);
    skan_destroy(engine);
    free(path);
}

int main(int count, char **texts) {
    long purchases = count > 1 ? strtol(texts[1], NULL, 10) : 1000;
    run_case("sums are exact", check_sums, &purchases);
    run_case("an engine outlives trouble", an_engine_outlives_trouble, NULL);
    return finish_cases();
}
