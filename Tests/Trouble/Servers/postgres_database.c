#define _GNU_SOURCE
#include "Trouble/Stores/database.h"
#include "postgres.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static server database;

void database_start(bool survives_kills) {
    (void)survives_kills; /* The server's log needs no sync for that: the system goes on. */
    server_start(&database, "fsync=off");
}

skan_store database_open(const char *user) {
    skan_postgres_options options = making(NULL);
    char url[640];
    snprintf(url, sizeof url, "%s&application_name=%s", database.url, user);
    return opened(url, &options);
}

bool database_is_quiet(const char *user) {
    char *count = ask_sql(database.url, "SELECT count(*) FROM pg_stat_activity WHERE application_name = '%s'", user);
    bool is_quiet = strcmp(count, "0") == 0;
    free(count);
    return is_quiet;
}

void database_empty(void) { run_sql(database.url, "DELETE FROM skan_records"); }

void database_restart(int number) { server_restart(&database, number); }
