/* What the tests that all stores share need of one: each kind of store has its own. */
#ifndef DATABASE_H
#define DATABASE_H

#include <skan/store.h>

/* Starts it; `survives_kills`: a change that was answered is there after its server was killed. */
void database_start(bool survives_kills);
/* A store on it. `user` tells connections apart. */
skan_store database_open(const char *user);
/* Whether this user has no connection any more. */
bool database_is_quiet(const char *user);

/* Of a database that has a server. */
void database_empty(void);
/* Ends the server, the `number`-th time, in each of the ways there are in turn, and starts it again. */
void database_restart(int number);

#endif
