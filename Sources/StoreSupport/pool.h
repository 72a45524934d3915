/* The connections of one store in a process: lent to one caller each, up to a limit, none of them across a fork. */
#ifndef POOL_H
#define POOL_H

#include "trouble.h"

/* What every connection begins with. */
typedef struct pooled {
    struct pooled *next; /* in the pool */
    int64_t deadline;    /* of the call that borrowed it, on the clock of milliseconds_now */
    bool is_broken;      /* to be closed, not lent again */
} pooled;

/* What connections of a store can do. */
typedef struct pool_kind {
    /* NULL, and trouble, where it fails. `is_first`: the store is being opened, what it needs may be made. */
    pooled *(*open)(const void *settings, bool is_first, trouble *trouble);
    void (*close)(pooled *connection);
    bool (*is_stale)(pooled *connection); /* asked when it is lent: to be replaced. NULL = never */
} pool_kind;

typedef struct pool_settings {
    const pool_kind *kind;
    const void *settings; /* for open; outlives the pool */
    const char *name;     /* of the store, in messages; outlives the pool */
    uint32_t limit;       /* of connections, at least 1 */
    uint32_t timeout_ms;  /* for how long a caller waits for one */
    bool has_one_writer;  /* callers that write wait for each other */
} pool_settings;

typedef struct pool pool;

/* Opens the first connection; NULL, and trouble, where that fails. */
pool *pool_open(const pool_settings *settings, trouble *trouble);
/* No connection may be lent. */
void pool_close(pool *pool);

/* A connection for this thread, to write where `writes`, with the time-out counted from here as its deadline; NULL, and
 * trouble, after the time-out or where none can be opened. */
pooled *pool_take(pool *pool, bool writes, trouble *trouble);
void pool_give_back(pool *pool, pooled *connection, bool writes);

#endif
