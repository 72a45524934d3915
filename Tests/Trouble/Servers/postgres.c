#define _GNU_SOURCE
#include "postgres.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const server_script = "Tests/Trouble/Servers/postgres.sh";

/* Ends the process where it fails. */
static PGresult *result_of(PGconn *session, const char *sql) {
    if (PQstatus(session) != CONNECTION_OK) end_with("session", PQerrorMessage(session));
    PGresult *result = PQexec(session, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) end_with(sql, PQresultErrorMessage(result));
    return result;
}

PGconn *session_with(const char *url, const char *sql) {
    PGconn *session = PQconnectdb(url);
    PQclear(result_of(session, sql));
    return session;
}

static char *ask(const char *url, const char *format, va_list values) {
    char *sql = NULL;
    if (vasprintf(&sql, format, values) < 0) abort();
    PGconn *session = PQconnectdb(url);
    PGresult *result = result_of(session, sql);
    char *value = strdup(PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    PQfinish(session);
    free(sql);
    return value;
}

void run_sql(const char *url, const char *format, ...) {
    va_list values;
    va_start(values, format);
    free(ask(url, format, values));
    va_end(values);
}

char *ask_sql(const char *url, const char *format, ...) {
    va_list values;
    va_start(values, format);
    char *value = ask(url, format, values);
    va_end(values);
    return value;
}

skan_postgres_options making(const char *table) {
    return (skan_postgres_options){.size = sizeof(skan_postgres_options), .table = table, .create_table = 1};
}

static skan_status open_url(const char *url, const void *options, skan_store *out, skan_error **error) {
    return skan_postgres_store_open(url, options, out, error);
}

const store_kind kind = {"postgres://", open_url, skan_postgres_store_close};
