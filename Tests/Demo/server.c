#define _GNU_SOURCE
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "demo: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void make_clock(server *server, char *path, size_t size) {
    snprintf(path, size, "%s/clock", server->folder);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof *server->now) != 0) give_up(path);
    void *memory = mmap(NULL, sizeof *server->now, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) give_up(path);
    close(file);
    server->now = memory;
}

/* The server's first line tells where it listens. */
static void read_url(server *server, int pipe) {
    char line[512];
    FILE *from = fdopen(pipe, "r");
    const char *start = from && fgets(line, sizeof line, from) ? strstr(line, "http://") : NULL;
    if (!start) give_up("skan serve did not start");
    size_t length = strcspn(start, ", \n");
    if (length >= sizeof server->url) give_up("skan serve listens at a strange place");
    memcpy(server->url, start, length);
    fclose(from);
}

void server_start(server *server, const char *command, const char *model) {
    memset(server, 0, sizeof *server);
    snprintf(server->folder, sizeof server->folder, "%s", "/tmp/skan-demo.XXXXXX");
    if (!mkdtemp(server->folder)) give_up(server->folder);
    char clock[128];
    make_clock(server, clock, sizeof clock);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) give_up("pipe");
    server->process = fork();
    if (server->process < 0) give_up("fork");
    if (server->process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl(command, command, "serve", "--listen", "127.0.0.1:0", "--model", model, "--clock", clock, "--log",
              "nothing", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    read_url(server, ends[0]);
}

static int remove_file(const char *path, const struct stat *found, int kind, struct FTW *place) {
    (void)found;
    (void)kind;
    (void)place;
    return remove(path);
}

bool server_stop(server *server) {
    int status = 0;
    kill(server->process, SIGTERM);
    bool was_fine = waitpid(server->process, &status, 0) == server->process && WIFEXITED(status) &&
                    WEXITSTATUS(status) == 0;
    munmap(server->now, sizeof *server->now);
    nftw(server->folder, remove_file, 8, FTW_DEPTH | FTW_PHYS);
    return was_fine;
}

static int64_t now(void *context) { return atomic_load((_Atomic int64_t *)context); }

skan_clock server_clock(server *server) {
    return (skan_clock){.size = sizeof(skan_clock), .context = server->now, .now = now};
}
