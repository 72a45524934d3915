#define _GNU_SOURCE
#include "redis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const server_script = "Tests/Trouble/Servers/redis.sh";

/* Of this process, with the server that was asked last, as it was started last. */
static redisContext *session;
static pid_t session_of, session_with;

static void end_session(void) {
    if (session) redisFree(session);
    session = NULL;
}

/* NULL: the connection was lost. */
static redisReply *command(const server *server, const char *format, va_list values) {
    if (session_of != getpid() || session_with != server->pid) end_session();
    if (!session) {
        char path[160];
        snprintf(path, sizeof path, "%s/socket", server->directory);
        session = redisConnectUnix(path);
        if (!session || session->err) end_with(path, "no session");
        session_of = getpid();
        session_with = server->pid;
    }
    redisReply *reply = redisvCommand(session, format, values);
    if (!reply) end_session();
    return reply;
}

static redisReply *run_valid(const server *server, const char *format, va_list values) {
    redisReply *reply = command(server, format, values);
    if (!reply) end_with(format, "no reply");
    if (reply->type == REDIS_REPLY_ERROR) end_with(format, reply->str);
    return reply;
}

redisReply *run_command(const server *server, const char *format, ...) {
    va_list values;
    va_start(values, format);
    redisReply *reply = run_valid(server, format, values);
    va_end(values);
    return reply;
}

void tell(const server *server, const char *format, ...) {
    va_list values;
    va_start(values, format);
    freeReplyObject(run_valid(server, format, values));
    va_end(values);
}

long long ask_number(const server *server, const char *format, ...) {
    va_list values;
    va_start(values, format);
    redisReply *reply = run_valid(server, format, values);
    va_end(values);
    if (reply->type != REDIS_REPLY_INTEGER) end_with(format, "not a number");
    long long number = reply->integer;
    freeReplyObject(reply);
    return number;
}

static skan_status open_url(const char *url, const void *options, skan_store *out, skan_error **error) {
    return skan_redis_store_open(url, options, out, error);
}

const store_kind kind = {"redis", open_url, skan_redis_store_close};
