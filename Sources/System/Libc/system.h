/* What Swift uses of libc: Embedded Swift has no module Glibc. Declarations, and what Swift cannot call as it is. */
#ifndef SKAN_SYSTEM_H
#define SKAN_SYSTEM_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* open() has a variable number of arguments, which Swift does not call. */
static inline int system_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

#endif
