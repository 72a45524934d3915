/* A connection to the file: opened with its settings and the table checked, three operations by prepared statements.
 * Used by one thread at a time. */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <skan/skan.h>

#include <sqlite3.h>
#include <time.h>

#define TROUBLE_MAX 1024

/* What went wrong: a status and words, "" for none. */
typedef struct trouble {
    skan_status status;
    char message[TROUBLE_MAX];
} trouble;

/* Answers the status. */
skan_status trouble_set(trouble *trouble, skan_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef struct connection_settings {
    char *path; /* absolute, so that it is neither a URI nor relative to a directory that changes */
    bool is_full;
    uint32_t busy_timeout_ms;
} connection_settings;

typedef struct connection {
    struct connection *next; /* in the pool */
    const connection_settings *settings;
    sqlite3 *database;
    sqlite3_stmt *load, *insert, *update, *remove;
    struct timespec waits_since; /* for a lock of another process */
    bool is_committing;          /* the running statement has begun to seal its change */
    bool is_broken;              /* to be closed, not used again: the next one sees the file as it is then */
} connection;

/* NULL, and trouble, where it fails. `may_create`: a new or empty file gets its table; otherwise it must be there. */
connection *connection_open(const connection_settings *settings, bool may_create, trouble *trouble);
void connection_close(connection *connection);

/* Whether another file, or none, is at the path now. */
bool connection_has_moved(connection *connection);

/* As the hooks of a store; `trouble` is set where they answer an error other than a conflict. */
skan_status connection_load(connection *connection, const char *key, skan_buffer *out, uint64_t *version,
                            trouble *trouble);
skan_status connection_save(connection *connection, const char *key, const void *data, size_t length, uint64_t expected,
                            uint64_t *version, trouble *trouble);
skan_status connection_remove(connection *connection, const char *key, uint64_t expected, trouble *trouble);

#endif
