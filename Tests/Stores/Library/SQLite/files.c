#define _GNU_SOURCE
#include "files.h"
#include "Stores/Library/hooks.h"
#include "Trouble/Stores/database.h"
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char made[64];
static pid_t made_by;

static void remove_directory(void) {
    if (made_by != getpid()) return;
    chmod(made, 0700);
    DIR *listing = opendir(made);
    for (struct dirent *entry; listing && (entry = readdir(listing));) unlinkat(dirfd(listing), entry->d_name, 0);
    if (listing) closedir(listing);
    rmdir(made);
}

const char *directory(void) {
    if (made_by == getpid()) return made;
    strcpy(made, "/tmp/skan-sqlite-XXXXXX");
    if (!mkdtemp(made)) end_with(made, "no directory");
    chmod(made, 0777);
    made_by = getpid();
    atexit(remove_directory);
    return made;
}

char *file_named(const char *name) {
    return text_of("%s/%s", directory(), name);
}

bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

int mode_of(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (int)(status.st_mode & 0777) : -1;
}

void write_file(const char *path, const void *data, size_t length) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, length, file) != length || fclose(file) != 0) end_with(path, "cannot be written");
}

void copy_file(const char *from, const char *to) {
    FILE *source = fopen(from, "rb"), *target = fopen(to, "wb");
    if (!source || !target) end_with(from, "cannot be copied");
    char buffer[65536];
    for (size_t length; (length = fread(buffer, 1, sizeof buffer, source)) > 0;)
        if (fwrite(buffer, 1, length, target) != length) end_with(to, "cannot be written");
    fclose(source);
    fclose(target);
}

skan_sqlite_options quick(void) {
    return (skan_sqlite_options){.size = sizeof(skan_sqlite_options), .synchronous = SKAN_SQLITE_NORMAL};
}

void run_sql(const char *path, const char *sql) {
    sqlite3 *database = NULL;
    char *message = NULL;
    if (sqlite3_open(path, &database) != SQLITE_OK) end_with(path, "cannot be opened");
    sqlite3_busy_timeout(database, 5000);
    if (sqlite3_exec(database, sql, NULL, NULL, &message) != SQLITE_OK) end_with(sql, message);
    sqlite3_close(database);
}

static skan_status open_file(const char *path, const void *options, skan_store *out, skan_error **error) {
    return skan_sqlite_store_open(path, options, out, error);
}

const store_kind kind = {"", open_file, skan_sqlite_store_close};

/* --------------------------------------------------------------------------------------------------- as a database */

static char *database_file;

void database_start(bool survives_kills) {
    (void)survives_kills; /* as a file always does */
    database_file = file_named("installs.db");
}

skan_store database_open(const char *user) {
    (void)user;
    return opened(database_file, NULL);
}

bool database_is_quiet(const char *user) {
    (void)user; /* Nobody works for a process that is gone. */
    return true;
}
