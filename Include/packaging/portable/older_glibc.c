/* Functions that glibc has had since 2.33 and 2.36, for what also runs on older ones. They stay inside the library or
   program that has them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC visibility push(hidden)

int fstatat(int folder, const char *path, struct stat *status, int flags) {
    return (int)syscall(SYS_newfstatat, folder, path, status, flags);
}

int stat(const char *path, struct stat *status) { return fstatat(AT_FDCWD, path, status, 0); }

int lstat(const char *path, struct stat *status) { return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW); }

int fstat(int file, struct stat *status) { return fstatat(file, "", status, AT_EMPTY_PATH); }

void arc4random_buf(void *bytes, size_t count) {
    for (char *next = bytes; count > 0;) {
        const ssize_t got = getrandom(next, count, 0);
        if (got > 0) {
            next += got;
            count -= (size_t)got;
        }
    }
}
