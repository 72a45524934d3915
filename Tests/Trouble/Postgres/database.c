#define _GNU_SOURCE
#include "Trouble/Servers/restarts.h"
#include "Trouble/Stores/database.h"

#include "server.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static server running;

const int database_least_answers = 100;

void database_start(bool survives_kills) {
    (void)survives_kills; /* The server's log needs no sync for that: the system goes on. */
    server_start(&running, "fsync=off");
}

skan_store database_open(const char *user) {
    skan_postgres_options options = making(NULL);
    char *url = text_of("%s&application_name=%s", running.url, user);
    skan_store store = opened(url, &options);
    free(url);
    return store;
}

bool database_is_quiet(const char *user) {
    char *count = ask_sql(running.url, "SELECT count(*) FROM pg_stat_activity WHERE application_name = '%s'", user);
    bool is_quiet = strcmp(count, "0") == 0;
    free(count);
    return is_quiet;
}

void database_empty(void) { run_sql(running.url, "DELETE FROM skan_records"); }

void database_restart(int number) {
    if (number % 3 == 0)
        server_kill(&running);
    else
        server_stop(&running, number % 3 == 1 ? "immediate" : "fast");
    server_again(&running);
}
