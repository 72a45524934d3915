#define _GNU_SOURCE
#include "server.h"

#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *to_server, *from_server;
static pid_t server, owner;
static char folder[64];
static struct {
    char name[32];
    int number;
} ports[16];
static int port_count;

static void stop(void) {
    if (getpid() != owner) return;
    kill(server, SIGTERM);
    waitpid(server, NULL, 0);
    char *command = text_of("rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "%s is left\n", folder);
    free(command);
}

static void end_with(const char *why) {
    fprintf(stderr, "the server: %s\n", why);
    exit(2);
}

void start_server(const char *script) {
    strcpy(folder, "/tmp/skan-http-XXXXXX");
    int to[2], from[2];
    if (!mkdtemp(folder) || pipe(to) != 0 || pipe(from) != 0) end_with("no folder or pipe");
    owner = getpid();
    server = fork();
    if (server < 0) end_with("cannot be started");
    if (server == 0) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[1]);
        close(from[0]);
        execlp("python3", "python3", script, folder, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    atexit(stop);
    to_server = fdopen(to[1], "w");
    from_server = fdopen(from[0], "r");
    char line[64];
    const int most = sizeof ports / sizeof *ports;
    while (fgets(line, sizeof line, from_server) && strcmp(line, "ready\n") != 0 && port_count < most)
        if (sscanf(line, "%31s %d", ports[port_count].name, &ports[port_count].number) == 2) port_count++;
    if (strcmp(line, "ready\n") != 0) end_with("is not ready");
    run_cases_in_own_threads();
}

const char *server_file(const char *name) {
    static _Thread_local char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

int port_of(const char *name) {
    for (int i = 0; i < port_count; i++)
        if (strcmp(ports[i].name, name) == 0) return ports[i].number;
    end_with(name);
    return 0;
}

char *url_to(const char *port_name, const char *path) {
    return text_of("%s://127.0.0.1:%d%s", strcmp(port_name, "plain") == 0 ? "http" : "https", port_of(port_name), path);
}

static counts ask(const char *what) {
    counts counts = {-1, -1};
    char line[64];
    fprintf(to_server, "%s\n", what);
    fflush(to_server);
    if (!fgets(line, sizeof line, from_server) ||
        sscanf(line, "%d %d", &counts.connections, &counts.requests) != 2)
        end_with("does not answer");
    return counts;
}

counts server_counts(void) {
    return ask("stats");
}

void reset_server(void) {
    ask("reset");
}
