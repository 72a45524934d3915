#define _GNU_SOURCE
#include "server.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void server_start_by(const char *script, server *server, const char *settings) {
    memset(server, 0, sizeof *server);
    server->script = script;
    run_script(server, "%s start --for %ld %s", script, (long)getpid(), settings);
    if (!server->pid || !server->url[0]) end_with(script, "no server");
}

void server_start(server *server, const char *settings) {
    server_start_by(server_script, server, settings);
}

void server_stop(server *server, const char *mode) {
    run_script(server, "%s stop %s %s", server->script, server->directory, mode);
}

void server_again(server *server, const char *arguments) {
    run_script(server, "%s again %s %s", server->script, server->directory, arguments);
}

void server_kill(const server *server) {
    kill(server->pid, SIGKILL);
}

void server_restart(server *server, int number) {
    if (number % 3 == 0)
        server_kill(server);
    else
        server_stop(server, number % 3 == 1 ? "immediate" : "fast");
    server_again(server, "");
}
