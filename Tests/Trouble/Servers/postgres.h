/* What a PostgreSQL server's database is made to be, beside the store. */
#ifndef POSTGRES_H
#define POSTGRES_H

#include "server.h"

#include <skan/postgres.h>

#include <libpq-fe.h>

/* Runs SQL by a connection of the test's own; ends the process where that fails. */
void run_sql(const char *url, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first value of the first row, as text; "" where there is none. Freed by the caller. */
char *ask_sql(const char *url, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A connection of the test's own that has run these statements. */
PGconn *session_with(const char *url, const char *sql);

/* Options of a store that makes its table; `table` NULL = the default's. */
skan_postgres_options making(const char *table);

#endif
