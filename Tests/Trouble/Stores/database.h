/* What the tests that all stores share need of one; Trouble/SQLite, Trouble/Postgres and Trouble/Redis have their own. */
#ifndef DATABASE_H
#define DATABASE_H

#include <skan/skan.h>

/* Starts it; `survives_kills`: a change that was answered is there after its server was killed. */
void database_start(bool survives_kills);
/* A store on it. `user` tells connections apart. */
skan_store database_open(const char *user);
/* Whether this user has no connection any more. */
bool database_is_quiet(const char *user);

#endif
