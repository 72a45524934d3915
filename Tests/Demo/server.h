/* A `skan serve` of the demo's own, with a clock that the demo turns. */
#ifndef SERVER_H
#define SERVER_H

#include <skan/skan.h>

#include <stdatomic.h>
#include <sys/types.h>

typedef struct server {
    char folder[64]; /* for the demo's files */
    _Atomic int64_t *now; /* microseconds since 1970, what the server's clock tells, and the engine's */
    pid_t process;
    char url[64];
} server;

/* Starts it on a free port of the loopback. Ends the demo, saying why, where that fails. */
void server_start(server *server, const char *command, const char *model);
/* SIGTERM; answers whether it ended as it should. Removes the folder and what is in it. */
bool server_stop(server *server);

/* The clock for an engine. */
skan_clock server_clock(server *server);

#endif
