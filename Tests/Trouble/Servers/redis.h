/* What a Redis server is told beside the store. */
#ifndef REDIS_H
#define REDIS_H

#include "server.h"

#include <skan/redis.h>

#include <hiredis/hiredis.h>

/* A command with hiredis's format. The reply is freed with freeReplyObject; an error ends the process. */
redisReply *run_command(const server *server, const char *format, ...);
/* The same for commands whose reply is of no interest, and for numbers. */
void tell(const server *server, const char *format, ...);
long long ask_number(const server *server, const char *format, ...);

#endif
