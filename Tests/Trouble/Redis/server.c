#define _GNU_SOURCE
#include "server.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRIPT "Tests/Trouble/Servers/redis.sh"

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

static void end_session(server *server) {
    if (server->session) redisFree(server->session);
    server->session = NULL;
}

void server_start(server *server, const char *settings) {
    memset(server, 0, sizeof *server);
    run_script(server, SCRIPT " start --for %ld %s", (long)getpid(), settings);
    if (!server->pid || !server->url[0]) end_with(SCRIPT, "no server");
}

void server_stop(server *stopped, const char *mode) {
    end_session(stopped);
    run_script(stopped, SCRIPT " stop %s %s", stopped->directory, mode);
}

void server_again(server *server, const char *arguments) {
    end_session(server);
    run_script(server, SCRIPT " again %s %s", server->directory, arguments);
}

void server_kill(const server *server) {
    kill(server->pid, SIGKILL);
}

static redisReply *command(server *server, const char *format, va_list values) {
    if (server->session_of != getpid()) end_session(server); /* a copy of the parent's */
    if (!server->session) {
        char path[160];
        snprintf(path, sizeof path, "%s/socket", server->directory);
        server->session = redisConnectUnix(path);
        server->session_of = getpid();
        if (!server->session || server->session->err) end_with(path, "no session");
    }
    redisReply *reply = redisvCommand(server->session, format, values);
    if (!reply) end_session(server);
    return reply;
}

redisReply *try_command(server *server, const char *format, ...) {
    va_list values;
    va_start(values, format);
    redisReply *reply = command(server, format, values);
    va_end(values);
    return reply;
}

static redisReply *run_valid(server *server, const char *format, va_list values) {
    redisReply *reply = command(server, format, values);
    if (!reply) end_with(format, "no reply");
    if (reply->type == REDIS_REPLY_ERROR) end_with(format, reply->str);
    return reply;
}

redisReply *run_command(server *server, const char *format, ...) {
    va_list values;
    va_start(values, format);
    redisReply *reply = run_valid(server, format, values);
    va_end(values);
    return reply;
}

void tell(server *server, const char *format, ...) {
    va_list values;
    va_start(values, format);
    freeReplyObject(run_valid(server, format, values));
    va_end(values);
}

long long ask_number(server *server, const char *format, ...) {
    va_list values;
    va_start(values, format);
    redisReply *reply = run_valid(server, format, values);
    va_end(values);
    if (reply->type != REDIS_REPLY_INTEGER) end_with(format, "not a number");
    long long number = reply->integer;
    freeReplyObject(reply);
    return number;
}

skan_store opened(const char *url, const skan_redis_options *options) {
    skan_store store;
    skan_error *error = NULL;
    if (skan_redis_store_open(url, options, &store, &error) != SKAN_OK)
        end_with("skan_redis_store_open", skan_error_message(error));
    return store;
}
