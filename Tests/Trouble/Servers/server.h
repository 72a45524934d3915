/* A server of the test's own, of the kind that is tested: each kind has a script that starts it. */
#ifndef SERVER_H
#define SERVER_H

#include "Stores/Library/hooks.h"

#include <sys/types.h>

typedef struct server {
    const char *script;
    char directory[128], url[512], tcp_url[512];
    int port;
    pid_t pid;
} server;

extern const char *const server_script;

/* Starts one with these settings ("name=value name=value" for a shell, "" for none); it goes when the process that
 * started it has gone. Ends the process where that fails. */
void server_start(server *server, const char *settings);
/* The same by another script than the kind's. */
void server_start_by(const char *script, server *server, const char *settings);
void server_stop(server *server, const char *mode); /* fast or immediate */
/* `arguments`: of the script's again, "" for none. */
void server_again(server *server, const char *arguments);
void server_kill(const server *server); /* SIGKILL */
/* Ends it in each of the ways there are in turn, by number, and starts it again. */
void server_restart(server *server, int number);

#endif
