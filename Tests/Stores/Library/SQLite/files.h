/* Files of a test: a directory of its own, gone with the process that asked for it. */
#ifndef FILES_H
#define FILES_H

#include <skan/sqlite.h>

/* A new directory for this process, anyone may use it; the same at every call. */
const char *directory(void);
/* A file in it. */
char *file_named(const char *name);

bool file_exists(const char *path);
/* Permission bits; -1 where there is no file. */
int mode_of(const char *path);
void write_file(const char *path, const void *data, size_t length);
void copy_file(const char *from, const char *to);

/* The options of a store that does not wait for the disk, as few tests need that. */
skan_sqlite_options quick(void);

/* Runs SQL on a file by a connection of the test's own; ends the process where that fails. */
void run_sql(const char *path, const char *sql);

#endif
