/* A Redis server of the test's own, and what it is told beside the store. */
#ifndef SERVER_H
#define SERVER_H

#include <skan/redis.h>

#include <hiredis/hiredis.h>
#include <sys/types.h>

typedef struct server {
    char directory[128], url[256], tcp_url[128];
    int port;
    pid_t pid;
    redisContext *session; /* of the test's own commands; NULL until the first */
    pid_t session_of;
} server;

/* Starts one with these settings ("name=value name=value" for a shell, "" for none); it goes when the process that
 * started it has gone. Ends the process where that fails. */
void server_start(server *server, const char *settings);
void server_stop(server *server, const char *mode); /* fast or immediate */
/* `arguments`: of redis.sh again, "" for none. */
void server_again(server *server, const char *arguments);
void server_kill(const server *server); /* SIGKILL */

/* A command with hiredis's format. The reply is freed with freeReplyObject; an error ends the process, unless the
 * command is only tried: then it is the reply, NULL where the connection was lost. */
redisReply *run_command(server *server, const char *format, ...);
redisReply *try_command(server *server, const char *format, ...);
/* The same for commands whose reply is of no interest, and for numbers. */
void tell(server *server, const char *format, ...);
long long ask_number(server *server, const char *format, ...);

/* The store with these options; ends the process where that fails. */
skan_store opened(const char *url, const skan_redis_options *options);

#endif
