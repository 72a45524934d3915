/* What Swift uses of libc: Embedded Swift has no module Glibc. Declarations, and what Swift cannot call as it is. */
#ifndef SKAN_SYSTEM_H
#define SKAN_SYSTEM_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
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
#include <sys/ioctl.h>
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
/* Opens a file that is there by its name in an open folder. */
static inline int system_open_at(int folder, const char *name, int flags) { return openat(folder, name, flags); }

static inline int system_close_on_exec(int file) { return fcntl(file, F_SETFD, FD_CLOEXEC); }

/* Another descriptor of the same file that no program inherits; -1 and errno. */
static inline int system_duplicate(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 0); }

/* Locks on bytes of a file that belong to the open file, not to the process ("Open file description locks", fcntl(2));
 * glibc has their names for _GNU_SOURCE only. */
#ifndef F_OFD_GETLK
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#endif

/* 0; -1 and errno, EAGAIN where another open file has it. */
static inline int system_lock_byte(int file, int64_t byte) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)byte, .l_len = 1};
    return fcntl(file, F_OFD_SETLK, &lock);
}

/* All that the open file has. */
static inline void system_unlock_bytes(int file) {
    struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    fcntl(file, F_OFD_SETLK, &lock);
}

/* A byte that another open file has locked, of `count` from `first` on, 0: of all from there on; -1: there is none, or
 * the file has no such locks. */
static inline int64_t system_locked_byte(int file, int64_t first, int64_t count) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)first, .l_len = (off_t)count};
    if (fcntl(file, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return -1;
    return lock.l_start;
}

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

/* The calling thread gives way to others of its process (Linux has a priority for each thread, setpriority(2)): `steps`
   of nice more. Where the system refuses, nothing changes. */
static inline void system_give_way(int steps) {
    errno = 0;
    const int nice = getpriority(PRIO_PROCESS, 0);
    if (errno == 0) setpriority(PRIO_PROCESS, 0, nice + steps);
}

/* stdin, stdout and stderr are variables, which Swift does not take. */
static inline FILE *system_input(void) { return stdin; }
static inline FILE *system_output(void) { return stdout; }
static inline FILE *system_errors(void) { return stderr; }
/* The line ends and is seen at once. */
static inline void system_print_line(const char *line) {
    puts(line);
    fflush(stdout);
}
static inline void system_print_error(const char *text) { fputs(text, stderr); }

/* What an open folder holds, in the order of the names' bytes, without names that begin with a dot; -1 and errno. Each
 * entry, and the list, are to be freed. */
static inline int system_is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }
static inline int system_compare_names(const struct dirent **one, const struct dirent **other) {
    return strcmp((*one)->d_name, (*other)->d_name);
}
int scandirat(int folder, const char *path, struct dirent ***entries, int (*filter)(const struct dirent *),
              int (*compare)(const struct dirent **, const struct dirent **));
static inline int system_list_folder(int folder, struct dirent ***entries) {
    return scandirat(folder, ".", entries, system_is_shown, system_compare_names);
}
static inline const char *system_entry_name(const struct dirent *entry) { return entry->d_name; }

/* A byte, or EOF, without a call for most of them. */
static inline int system_next_byte(FILE *file) { return getc_unlocked(file); }

/* As %.*f; answers the length of all of it. */
static inline int system_print_fixed(char *text, size_t size, int places, double number) {
    return snprintf(text, size, "%.*f", places, number);
}

/* The columns of the terminal at a file; 0: it is none. */
static inline int system_columns(int file) {
    struct winsize size;
    return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* SIG_IGN and SIG_DFL are casts, which Swift does not take. */
static inline int system_ignores(int number) {
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}
static inline void system_ignore(int number) { signal(number, SIG_IGN); }
static inline void system_end_by(int number) {
    signal(number, SIG_DFL);
    raise(number);
}

#endif
