/* The libraries that hold the stores, loaded when a URL asks for one: a command without libpq still opens SQLite. */
#ifndef COMPANIONS_H
#define COMPANIONS_H

#include "stores.h"

/* A function of a companion, `file` being its name for the loader; NULL, and said why, where it is not installed. */
typedef void companion_function(void);
companion_function *companion_find(const char *store_name, const char *file, const char *function);

/* What a store reports, kept as its last words; `context` is the store. */
void companion_report(void *context, skan_status status, const char *message);

/* Says why the store could not be opened, ends the error and answers EXIT_FOUND. */
int companion_refused(const store *store, skan_error *error);

/* One per kind of store, each in a file of its own. */
int open_sqlite(const char *url, store_use use, store *out);
int open_postgres(const char *url, store_use use, store *out);
int open_redis(const char *url, store_use use, store *out);

#endif
