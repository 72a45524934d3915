/*
 * Processes that work on one database are killed at any moment, again and again: two at a time, each with two threads
 * and installs of their own. They note each call before it begins and its answer after, in shared memory. Afterwards
 * every install is as the answered calls left it, or as the call that was under way makes it; and making that call
 * again, with the same event or open id, counts it or takes it once.
 */
#ifndef KILLS_H
#define KILLS_H

#include <skan/skan.h>

/* Batches of records that the workers also save, each at a place of its own: after a kill they are all of one batch,
 * the last that was answered or the next. */
typedef struct batches {
    void (*open)(void); /* before any other; in each process */
    void (*close)(void);
    skan_status (*save)(int place, uint64_t number); /* gives each record of a place this number */
    uint64_t (*number_at)(int place);                /* that all of them have; 0: they are not there */
} batches;

/* On a database that was started; `batches` may be NULL. */
void kill_processes(int kills, const batches *batches);

#endif
