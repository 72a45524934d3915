/* Inside the outbox: its one thread, which takes entries, calls partners and writes down what came of it. */
#ifndef WORKER_H
#define WORKER_H

#include "group_saver.h"
#include "many.h"
#include "due_queue.h"
#include "outbox.h"

#include <pthread.h>
#include <stdatomic.h>

#define SECOND INT64_C(1000000)
/* How long an entry waits for its postback to be counted before it is given up: no call of a store takes that long. */
#define GIVE_UP_AFTER (24 * 3600 * SECOND)

enum {
    OUTBOX_KNOWN_MAX = 100000, /* what is above, and due later, stays in the store until a later search */
    OUTBOX_AT_ONCE = 64,
    OUTBOX_AT_ONCE_OF_ONE = 16 /* of one partner, where there are others: a slow one does not hold them up */
};

/* An attempt to tell a partner. */
typedef struct attempt {
    struct attempt *next;
    outbox *outbox;
    due_entry *known;
    entry entry;      /* as the store holds it */
    uint64_t version; /* of that */
    entry_name name;
    const partner *partner; /* NULL = none that is configured */
    char *url;
    skan_status status;
    char reason[sizeof((entry *)0)->reason];
} attempt;

struct outbox {
    outbox_settings settings;
    http_library http;
    skan_http_client *client;
    group_saver *saver;
    pthread_t thread;

    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t changed;
    due_queue *queue;
    attempt *finished; /* told or failed, not written down */
    size_t under_way;
    size_t *under_way_of; /* each partner, by its index */
    bool is_partial;   /* the store has entries that the queue had no room for */
    bool is_stopping, is_cancelling;
    struct timespec stop_by; /* CLOCK_MONOTONIC */

    /* Of the thread alone. */
    skan_buffer *cursor, *page;
    bool is_searching;
    int64_t next_search;
    uint64_t dead_seen; /* in this search */
    uint64_t random;
    int64_t next_complaint;

    atomic_uint_fast64_t delivered, failed, died, dead;
};

void *worker_run(void *outbox);

/* The pieces, each of the thread alone. */
int64_t worker_lease(const outbox *outbox);            /* in microseconds: how long an attempt may take */
void worker_begin_due(outbox *outbox);                 /* begin.c */
void worker_write_down(outbox *outbox, attempt *done); /* finish.c: a list */
void worker_bury(outbox *outbox, due_entry *known, entry *entry, uint64_t version, const char *reason);
void worker_search(outbox *outbox);                    /* search.c: one step */

void worker_return(outbox *outbox, due_entry *known, int64_t due);
void worker_forget(outbox *outbox, due_entry *known);

#endif
