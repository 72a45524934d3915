#define _GNU_SOURCE
#include "server.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRIPT "Tests/Trouble/Servers/postgres.sh"

static void end_with(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(2);
}

static void take(const char *line, const char *name, char *value, size_t size) {
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || line[length] != '=') return;
    snprintf(value, size, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1);
}

static void run_script(server *server, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void run_script(server *server, const char *format, ...) {
    char *command = NULL, line[1024], pid[32] = "", port[32] = "";
    va_list values;
    va_start(values, format);
    if (vasprintf(&command, format, values) < 0) abort();
    va_end(values);
    FILE *said = popen(command, "r");
    if (!said) end_with(command, "cannot be run");
    while (fgets(line, sizeof line, said)) {
        take(line, "directory", server->directory, sizeof server->directory);
        take(line, "url", server->url, sizeof server->url);
        take(line, "tcp_url", server->tcp_url, sizeof server->tcp_url);
        take(line, "pid", pid, sizeof pid);
        take(line, "port", port, sizeof port);
    }
    if (pclose(said) != 0) end_with(command, "failed");
    if (pid[0]) server->pid = (pid_t)atol(pid);
    if (port[0]) server->port = atoi(port);
    free(command);
}

void server_start(server *server, const char *settings) {
    memset(server, 0, sizeof *server);
    run_script(server, SCRIPT " start --for %ld %s", (long)getpid(), settings);
    if (!server->pid || !server->url[0]) end_with(SCRIPT, "no server");
}

void server_stop(const server *stopped, const char *mode) {
    server copy = *stopped;
    run_script(&copy, SCRIPT " stop %s %s", stopped->directory, mode);
}

void server_again(server *server) {
    run_script(server, SCRIPT " again %s", server->directory);
}

void server_kill(server *server) {
    kill(server->pid, SIGKILL);
}

PGconn *session_with(const char *url, const char *sql) {
    PGconn *session = PQconnectdb(url);
    if (PQstatus(session) != CONNECTION_OK) end_with("session", PQerrorMessage(session));
    PGresult *result = PQexec(session, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) end_with(sql, PQresultErrorMessage(result));
    PQclear(result);
    return session;
}

static char *ask(const char *url, const char *sql) {
    PGconn *session = PQconnectdb(url);
    if (PQstatus(session) != CONNECTION_OK) end_with("session", PQerrorMessage(session));
    PGresult *result = PQexec(session, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) end_with(sql, PQresultErrorMessage(result));
    char *value = strdup(PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "");
    PQclear(result);
    PQfinish(session);
    return value;
}

void run_sql(const char *url, const char *format, ...) {
    char *sql = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&sql, format, values) < 0) abort();
    va_end(values);
    free(ask(url, sql));
    free(sql);
}

char *ask_sql(const char *url, const char *format, ...) {
    char *sql = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&sql, format, values) < 0) abort();
    va_end(values);
    char *value = ask(url, sql);
    free(sql);
    return value;
}

skan_postgres_options making(const char *table) {
    return (skan_postgres_options){.size = sizeof(skan_postgres_options), .table = table, .create_table = 1};
}

skan_store opened(const char *url, const skan_postgres_options *options) {
    skan_store store;
    skan_error *error = NULL;
    if (skan_postgres_store_open(url, options, &store, &error) != SKAN_OK)
        end_with("skan_postgres_store_open", skan_error_message(error));
    return store;
}
