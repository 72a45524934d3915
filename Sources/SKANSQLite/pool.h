/* The connections of a process to one file: lent to one caller each, up to a limit, and one writer at a time. */
#ifndef POOL_H
#define POOL_H

#include "connection.h"

#include <pthread.h>

typedef struct pool {
    struct pool *next; /* of the pools that fork() empties */
    connection_settings settings;
    uint32_t limit;
    pthread_mutex_t mutex;
    pthread_cond_t may_write; /* the writer has gone */
    pthread_cond_t may_take;  /* a connection has come back, a fork is over */
    pthread_cond_t is_quiet;  /* a fork waits, and no connection is lent any more */
    connection *idle;
    uint32_t count; /* connections, idle or lent */
    uint32_t lent;
    bool has_writer;
    bool is_forking;
} pool;

/* Opens the file and the first connection; NULL, and trouble, where that fails. */
pool *pool_open(const char *path, bool is_full, uint32_t busy_timeout_ms, uint32_t limit, trouble *trouble);
void pool_close(pool *pool);

/* A connection for this thread, to write where `writes`; NULL, and trouble, after the time-out or where none can be
 * opened. Threads of one process queue here for the file's one writer, as SQLite would make them poll for it. */
connection *pool_take(pool *pool, bool writes, trouble *trouble);
void pool_give_back(pool *pool, connection *connection, bool writes);

#endif
