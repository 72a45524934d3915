#define _GNU_SOURCE
#include "pool.h"

#include "clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct pool {
    struct pool *next; /* of the pools that fork() empties */
    pool_settings settings;
    pthread_mutex_t mutex;
    pthread_cond_t may_write; /* the writer has gone */
    pthread_cond_t may_take;  /* a connection has come back, a fork is over */
    pthread_cond_t is_quiet;  /* a fork waits, and no connection is lent any more */
    pooled *idle;
    uint32_t count; /* connections, idle or lent */
    uint32_t lent;
    bool has_writer;
    bool is_forking;
};

/* ------------------------------------------------------------------------------------------------------------- fork */
/*
 * A child must neither use nor end a connection of its parent: both would talk on one socket, and a polite end tells
 * the server that the parent has gone. SQLite is worse: it keeps the locks of a process in tables of that process, and
 * a child's new connection would count on locks that only the parent holds ("How To Corrupt An SQLite Database File",
 * "Carrying an open database connection across a fork()"; inodeList in os_unix.c). So connections end before the fork,
 * and both processes begin anew.
 */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER; /* around the list, and in forks */
static pool *list;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void close_idle(pool *pool) {
    while (pool->idle) {
        pooled *connection = pool->idle;
        pool->idle = connection->next;
        pool->count--;
        pool->settings.kind->close(connection);
    }
}

static void before_fork(void) {
    pthread_mutex_lock(&list_lock);
    for (pool *pool = list; pool; pool = pool->next) {
        pthread_mutex_lock(&pool->mutex);
        pool->is_forking = true;
        while (pool->lent > 0) pthread_cond_wait(&pool->is_quiet, &pool->mutex);
        close_idle(pool);
    }
}

static void after_fork(void) {
    for (pool *pool = list; pool; pool = pool->next) {
        pool->is_forking = false;
        pthread_cond_broadcast(&pool->may_take);
        pthread_mutex_unlock(&pool->mutex);
    }
    pthread_mutex_unlock(&list_lock);
}

static void make_conditions(pool *pool) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->may_write, &monotonic);
    pthread_cond_init(&pool->may_take, &monotonic);
    pthread_cond_init(&pool->is_quiet, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* The threads that waited are the parent's. */
static void after_fork_in_child(void) {
    for (pool *pool = list; pool; pool = pool->next) {
        make_conditions(pool);
        pool->has_writer = false;
    }
    after_fork();
}

static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

/* ---------------------------------------------------------------------------------------------------------- opening */

static void unlist(pool *closed) {
    pthread_mutex_lock(&list_lock);
    pool **place = &list;
    while (*place && *place != closed) place = &(*place)->next;
    if (*place) *place = closed->next;
    close_idle(closed);
    pthread_mutex_unlock(&list_lock);
}

pool *pool_open(const pool_settings *settings, trouble *trouble) {
    pool *made = calloc(1, sizeof *made);
    if (!made) {
        trouble_set(trouble, SKAN_ERROR_STORE, "%s: out of memory", settings->name);
        return NULL;
    }
    made->settings = *settings;
    pthread_mutex_init(&made->mutex, NULL);
    make_conditions(made);
    /* Its first connection is lent to this call, so that a fork waits for it. */
    made->count = made->lent = 1;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&list_lock);
    made->next = list;
    list = made;
    pthread_mutex_unlock(&list_lock);

    pooled *first = settings->kind->open(settings->settings, true, trouble);
    pool_give_back(made, first, false);
    if (first) return made;
    pool_close(made);
    return NULL;
}

void pool_close(pool *pool) {
    unlist(pool);
    pthread_cond_destroy(&pool->may_write);
    pthread_cond_destroy(&pool->may_take);
    pthread_cond_destroy(&pool->is_quiet);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

/* ---------------------------------------------------------------------------------------------------------- lending */

static struct timespec time_out_of(const pool *pool) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t nanoseconds = (uint64_t)end.tv_nsec + (uint64_t)pool->settings.timeout_ms * 1000000;
    end.tv_sec += (time_t)(nanoseconds / 1000000000);
    end.tv_nsec = (long)(nanoseconds % 1000000000);
    return end;
}

/* Whether there is a place for this caller; the mutex is held. */
static bool take_place(pool *pool, bool writes) {
    struct timespec end = {0, 0};
    while (writes && pool->has_writer) {
        if (end.tv_sec == 0) end = time_out_of(pool);
        if (pthread_cond_timedwait(&pool->may_write, &pool->mutex, &end) == ETIMEDOUT && pool->has_writer) return false;
    }
    if (writes) pool->has_writer = true;
    while (pool->is_forking || (!pool->idle && pool->count == pool->settings.limit)) {
        if (end.tv_sec == 0) end = time_out_of(pool);
        if (pthread_cond_timedwait(&pool->may_take, &pool->mutex, &end) != ETIMEDOUT) continue;
        if (!pool->is_forking && (pool->idle || pool->count < pool->settings.limit)) break;
        if (writes) pool->has_writer = false;
        if (writes) pthread_cond_signal(&pool->may_write);
        return false;
    }
    pool->lent++;
    return true;
}

pooled *pool_take(pool *pool, bool writes, trouble *trouble) {
    const pool_kind *kind = pool->settings.kind;
    const int64_t deadline = milliseconds_now() + pool->settings.timeout_ms;
    writes = writes && pool->settings.has_one_writer;
    pthread_mutex_lock(&pool->mutex);
    if (!take_place(pool, writes)) {
        pthread_mutex_unlock(&pool->mutex);
        trouble_set(trouble, SKAN_ERROR_STORE, "%s: other threads of this process kept it busy for %u ms",
                    pool->settings.name, (unsigned)pool->settings.timeout_ms);
        return NULL;
    }
    pooled *taken = pool->idle;
    if (taken)
        pool->idle = taken->next;
    else
        pool->count++;
    pthread_mutex_unlock(&pool->mutex);
    if (taken && kind->is_stale && kind->is_stale(taken)) {
        kind->close(taken);
        taken = NULL;
    }
    if (!taken) taken = kind->open(pool->settings.settings, false, trouble);
    if (taken) taken->deadline = deadline;
    else pool_give_back(pool, NULL, writes);
    return taken;
}

void pool_give_back(pool *pool, pooled *connection, bool writes) {
    if (connection && connection->is_broken) {
        pool->settings.kind->close(connection);
        connection = NULL;
    }
    pthread_mutex_lock(&pool->mutex);
    if (connection) {
        connection->next = pool->idle;
        pool->idle = connection;
    } else {
        pool->count--;
    }
    pool->lent--;
    if (writes && pool->settings.has_one_writer) {
        pool->has_writer = false;
        pthread_cond_signal(&pool->may_write);
    }
    pthread_cond_signal(&pool->may_take);
    if (pool->is_forking && pool->lent == 0) pthread_cond_signal(&pool->is_quiet);
    pthread_mutex_unlock(&pool->mutex);
}
