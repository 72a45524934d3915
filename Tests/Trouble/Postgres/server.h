/* A PostgreSQL server of the test's own, and what its database is made to be. */
#ifndef SERVER_H
#define SERVER_H

#include <skan/postgres.h>

#include <libpq-fe.h>
#include <sys/types.h>

typedef struct server {
    char directory[128], url[512], tcp_url[512];
    int port;
    pid_t pid; /* the postmaster's */
} server;

/* Starts one with these settings of postgresql.conf ("name=value name=value", "" for none); it goes when the process
 * that started it has gone. Ends the process where that fails. */
void server_start(server *server, const char *settings);
void server_stop(const server *server, const char *mode); /* fast or immediate */
void server_again(server *server);
void server_kill(server *server);                         /* SIGKILL to the postmaster */

/* Runs SQL by a connection of the test's own; ends the process where that fails. */
void run_sql(const char *url, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first value of the first row, as text; "" where there is none. Freed by the caller. */
char *ask_sql(const char *url, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A connection of the test's own that has run these statements. */
PGconn *session_with(const char *url, const char *sql);

/* Options of a store that makes its table; `table` NULL = the default's. */
skan_postgres_options making(const char *table);
/* The store with these options; ends the process where that fails. */
skan_store opened(const char *url, const skan_postgres_options *options);

#endif
