#define _GNU_SOURCE
#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------------------- fork */
/*
 * A child must not use a connection of its parent, nor close it, nor may it open the same file while the parent's
 * connections are in its memory: SQLite keeps the locks of a process in tables of that process, and the child's new
 * connection would count on locks that only the parent holds ("How To Corrupt An SQLite Database File", "Carrying an
 * open database connection across a fork()"; inodeList in os_unix.c). So connections end before the fork, and both
 * processes begin anew.
 */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER; /* held while a pool is opened or closed, and in forks */
static pool *list;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void close_idle(pool *pool) {
    while (pool->idle) {
        connection *connection = pool->idle;
        pool->idle = connection->next;
        pool->count--;
        connection_close(connection);
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

/* The directory as it is now, with the file's own name: what comes later opens the same file from any directory. */
static skan_status find_path(const char *path, char **found, trouble *trouble) {
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

/* An empty file only its owner may read: SQLite would let the umask decide. `-wal` and `-shm` get the file's mode.
 * Closing a file drops the locks of its process, so no connection may exist yet: list_lock is held. */
static skan_status make_file(const char *path, trouble *trouble) {
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0) {
        close(file);
        return SKAN_OK;
    }
    return errno == EEXIST ? SKAN_OK
                           : trouble_set(trouble, SKAN_ERROR_STORE, "%s: unable to open database file: %s", path,
                                         strerror(errno));
}

pool *pool_open(const char *path, bool is_full, uint32_t busy_timeout_ms, uint32_t limit, trouble *trouble) {
    if (!sqlite3_threadsafe()) {
        trouble_set(trouble, SKAN_ERROR_STORE, "%s: this SQLite was built without threads", path);
        return NULL;
    }
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&list_lock);
    pool *made = calloc(1, sizeof *made);
    if (!made) trouble_set(trouble, SKAN_ERROR_STORE, "%s: out of memory", path);
    if (made && find_path(path, &made->settings.path, trouble) == SKAN_OK &&
        make_file(made->settings.path, trouble) == SKAN_OK) {
        made->settings.is_full = is_full;
        made->settings.busy_timeout_ms = busy_timeout_ms;
        made->idle = connection_open(&made->settings, true, trouble);
    }
    if (made && made->idle) {
        made->limit = limit;
        made->count = 1;
        pthread_mutex_init(&made->mutex, NULL);
        make_conditions(made);
        made->next = list;
        list = made;
    } else if (made) {
        free(made->settings.path);
        free(made);
        made = NULL;
    }
    pthread_mutex_unlock(&list_lock);
    return made;
}

void pool_close(pool *closed) {
    pthread_mutex_lock(&list_lock);
    pool **place = &list;
    while (*place != closed) place = &(*place)->next;
    *place = closed->next;
    close_idle(closed);
    pthread_mutex_unlock(&list_lock);
    pthread_cond_destroy(&closed->may_write);
    pthread_cond_destroy(&closed->may_take);
    pthread_cond_destroy(&closed->is_quiet);
    pthread_mutex_destroy(&closed->mutex);
    free(closed->settings.path);
    free(closed);
}

/* ---------------------------------------------------------------------------------------------------------- lending */

static struct timespec time_out_of(const pool *pool) {
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t nanoseconds = (uint64_t)end.tv_nsec + (uint64_t)pool->settings.busy_timeout_ms * 1000000;
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
    while (pool->is_forking || (!pool->idle && pool->count == pool->limit)) {
        if (end.tv_sec == 0) end = time_out_of(pool);
        if (pthread_cond_timedwait(&pool->may_take, &pool->mutex, &end) != ETIMEDOUT) continue;
        if (!pool->is_forking && (pool->idle || pool->count < pool->limit)) break;
        if (writes) pool->has_writer = false;
        if (writes) pthread_cond_signal(&pool->may_write);
        return false;
    }
    pool->lent++;
    return true;
}

connection *pool_take(pool *pool, bool writes, trouble *trouble) {
    pthread_mutex_lock(&pool->mutex);
    if (!take_place(pool, writes)) {
        pthread_mutex_unlock(&pool->mutex);
        trouble_set(trouble, SKAN_ERROR_STORE, "%s: other threads of this process kept it busy for %u ms",
                    pool->settings.path, (unsigned)pool->settings.busy_timeout_ms);
        return NULL;
    }
    connection *taken = pool->idle;
    if (taken)
        pool->idle = taken->next;
    else
        pool->count++;
    pthread_mutex_unlock(&pool->mutex);
    if (taken && connection_has_moved(taken)) {
        connection_close(taken);
        taken = NULL;
    }
    if (!taken) taken = connection_open(&pool->settings, false, trouble);
    if (!taken) pool_give_back(pool, NULL, writes);
    return taken;
}

void pool_give_back(pool *pool, connection *connection, bool writes) {
    if (connection && connection->is_broken) {
        connection_close(connection);
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
    if (writes) {
        pool->has_writer = false;
        pthread_cond_signal(&pool->may_write);
    }
    pthread_cond_signal(&pool->may_take);
    if (pool->is_forking && pool->lent == 0) pthread_cond_signal(&pool->is_quiet);
    pthread_mutex_unlock(&pool->mutex);
}
