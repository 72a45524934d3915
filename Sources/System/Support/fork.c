#include "thread.h"

/* Held while the list is read or changed, and during a fork. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct support_forked_locks *list;
static pthread_once_t once = PTHREAD_ONCE_INIT;

unsigned support_fork_generation = 1;

unsigned support_forks(void) { return support_fork_generation; }

static struct support_lock *lock_at(const struct support_forked_locks *locks, size_t index) {
    return (struct support_lock *)((char *)locks->first + index * locks->stride);
}

static void before_fork(void) {
    pthread_mutex_lock(&list_lock);
    for (const struct support_forked_locks *locks = list; locks != NULL; locks = locks->next) {
        for (size_t index = 0; index < locks->count; index++) support_acquire(lock_at(locks, index));
    }
}

static void after_fork(void) {
    for (const struct support_forked_locks *locks = list; locks != NULL; locks = locks->next) {
        for (size_t index = 0; index < locks->count; index++) support_release(lock_at(locks, index));
    }
    pthread_mutex_unlock(&list_lock);
}

static void after_fork_in_child(void) {
    support_fork_generation++;
    after_fork();
}

static void watch_forks(void) { pthread_atfork(before_fork, after_fork, after_fork_in_child); }

void support_watch_forks(void) { pthread_once(&once, watch_forks); }

void support_remember_locks(struct support_forked_locks *locks) {
    support_watch_forks();
    pthread_mutex_lock(&list_lock);
    locks->next = list;
    list = locks;
    pthread_mutex_unlock(&list_lock);
}

void support_forget_locks(struct support_forked_locks *locks) {
    pthread_mutex_lock(&list_lock);
    struct support_forked_locks **place = &list;
    while (*place != locks) place = &(*place)->next;
    *place = locks->next;
    pthread_mutex_unlock(&list_lock);
}
