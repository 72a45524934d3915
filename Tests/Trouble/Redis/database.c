#define _GNU_SOURCE
#include "Trouble/Servers/restarts.h"
#include "Trouble/Stores/database.h"

#include "server.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static server running;

const int database_least_answers = 10;

void database_start(bool survives_kills) {
    /* Each change is on the disk before it is answered, unless said otherwise, and the file is rewritten all the time.
     * */
    char settings[256];
    snprintf(settings, sizeof settings, "%s'user=worker on >password ~* +@all' 'user=test on >password ~* +@all'",
             survives_kills ? "auto-aof-rewrite-min-size=64kb " : "appendfsync=everysec ");
    server_start(&running, settings);
}

skan_store database_open(const char *user) {
    char *url = text_of("redis+unix://%s:password@%s/socket", user, running.directory);
    skan_store store = opened(url, NULL);
    free(url);
    return store;
}

bool database_is_quiet(const char *user) {
    char name[64];
    snprintf(name, sizeof name, "user=%s ", user);
    redisReply *clients = run_command(&running, "CLIENT LIST");
    bool is_quiet = !strstr(clients->str, name);
    freeReplyObject(clients);
    return is_quiet;
}

void database_empty(void) { tell(&running, "FLUSHALL"); }

void database_restart(int number) {
    if (number % 3 == 0)
        server_kill(&running);
    else
        server_stop(&running, number % 3 == 1 ? "immediate" : "fast");
    server_again(&running, "");
}
