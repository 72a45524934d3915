/* What Swift uses of libc: Embedded Swift has no module Glibc. Declarations, and what Swift cannot call as it is. */
#ifndef SKAN_SYSTEM_H
#define SKAN_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "sockets.h"

/* open() has a variable number of arguments, which Swift does not call. */
static inline int system_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

static inline int system_close_on_exec(int file) { return fcntl(file, F_SETFD, FD_CLOEXEC); }

/* Both ends of a pipe that no program inherits and no call waits for; 0, or -1 and errno. */
int pipe2(int ends[2], int flags);
static inline int system_pipe(int *reader, int *writer) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    *reader = ends[0];
    *writer = ends[1];
    return 0;
}

/* What tools show of a thread: up to 15 bytes. */
int pthread_setname_np(pthread_t thread, const char *name);
static inline void system_name_thread(pthread_t thread, const char *name) { pthread_setname_np(thread, name); }

/* stdout and stderr are macros of expressions that change. The line ends and is seen at once. */
static inline void system_print_line(const char *line) {
    puts(line);
    fflush(stdout);
}
static inline void system_print_error(const char *text) { fputs(text, stderr); }

#endif
