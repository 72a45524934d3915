#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

skan_status file_find(const char *path, char **found, trouble *trouble) {
    const char *slash = strrchr(path, '/');
    char *directory = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    char *resolved = directory ? realpath(directory, NULL) : NULL;
    skan_status status = SKAN_OK;
    *found = NULL;
    if (!resolved)
        status = trouble_set(trouble, SKAN_ERROR_STORE, "%s: unable to open database file: %s", path, strerror(errno));
    else if (asprintf(found, "%s/%s", strcmp(resolved, "/") == 0 ? "" : resolved, slash ? slash + 1 : path) < 0)
        status = trouble_set(trouble, SKAN_ERROR_STORE, "%s: out of memory", path);
    free(directory);
    free(resolved);
    return status;
}

skan_status file_make(const char *path, trouble *trouble) {
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0) {
        close(file);
        return SKAN_OK;
    }
    return errno == EEXIST ? SKAN_OK
                           : trouble_set(trouble, SKAN_ERROR_STORE, "%s: unable to open database file: %s", path,
                                         strerror(errno));
}
