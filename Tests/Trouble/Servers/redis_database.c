#define _GNU_SOURCE
#include "Trouble/Stores/database.h"
#include "redis.h"

#include <stdio.h>
#include <string.h>

static server database;

/* Each change is on the disk before it is answered, unless said otherwise, and the file is rewritten all the time. */
void database_start(bool survives_kills) {
    char settings[256];
    snprintf(settings, sizeof settings, "%s'user=worker on >password ~* +@all' 'user=test on >password ~* +@all'",
             survives_kills ? "auto-aof-rewrite-min-size=64kb " : "appendfsync=everysec ");
    server_start(&database, settings);
}

skan_store database_open(const char *user) {
    char url[256];
    snprintf(url, sizeof url, "redis+unix://%s:password@%s/socket", user, database.directory);
    return opened(url, NULL);
}

bool database_is_quiet(const char *user) {
    char name[64];
    snprintf(name, sizeof name, "user=%s ", user);
    redisReply *clients = run_command(&database, "CLIENT LIST");
    bool is_quiet = !strstr(clients->str, name);
    freeReplyObject(clients);
    return is_quiet;
}

void database_empty(void) { tell(&database, "FLUSHALL"); }

void database_restart(int number) { server_restart(&database, number); }
