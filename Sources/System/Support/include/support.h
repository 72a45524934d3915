/* What the Swift side needs of libc and json-c: time, randomness, locks, what is kept per thread, JSON documents. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- build */

/* The commit that the program was linked at, as git describes it; "" where make did not link it, or without git. */
const char *support_commit_text(void);

/* ------------------------------------------------------------------------------------------------ time and chance */

/* Microseconds since 1970 by the system's clock; negative where it fails. */
int64_t support_now(void);

/* Microseconds on a clock that nobody sets. */
int64_t support_ticks(void);

/* Waits about that long. */
void support_pause(uint32_t microseconds);

/* 64 random bits. Seeded by the system for every thread, and again in the child of a fork, so that no two processes
 * draw the same numbers. */
uint64_t support_random(void);

/* ---------------------------------------------------------------------------------------------------------- memory */

/* Memory from malloc, with fewer instructions than by Swift's own allocation, which asks for an alignment. The process
 * ends where there is none, as with Swift's. */
__attribute__((returns_nonnull, warn_unused_result)) static inline void *support_allocate(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) abort();
    return memory;
}
static inline void support_deallocate(void *memory) { free(memory); }

/* ------------------------------------------------------------------------------------------------------------ text */

/* The length of a text, or limit + 1 where it is longer than the limit. */
static inline size_t support_length(const char *text, size_t limit) { return strnlen(text, limit + 1); }

static inline bool support_equal(const void *left, const void *right, size_t length) {
    return memcmp(left, right, length) == 0;
}

#define SUPPORT_NUMBER_SIZE 40

/* The shortest decimal text that reads back as the same number, "0.1", "1e+16", "inf"; answers its length, no NUL. */
size_t support_number_text(double value, char text[SUPPORT_NUMBER_SIZE]);

/* ---------------------------------------------------------------------------------------------------------- memory */

/* Asks the processor for a cache line that will be read. */
static inline void support_prefetch(const void *memory) { __builtin_prefetch(memory); }

static inline void support_free(void *memory) { free(memory); }

/* ----------------------------------------------------------------------------------------------------------- locks */

struct support_lock {
    pthread_mutex_t mutex;
};

/* Locks that a fork has to find free, so that the child can take them: `count` of them, `stride` bytes apart, kept in
 * a list until they are forgotten. The caller keeps the entry. */
struct support_forked_locks {
    void *first;
    size_t count, stride;
    struct support_forked_locks *next;
};
void support_remember_locks(struct support_forked_locks *locks);
void support_forget_locks(struct support_forked_locks *locks);

static inline void support_lock_create(struct support_lock *lock) { pthread_mutex_init(&lock->mutex, NULL); }
static inline void support_lock_destroy(struct support_lock *lock) { pthread_mutex_destroy(&lock->mutex); }
static inline void support_acquire(struct support_lock *lock) { pthread_mutex_lock(&lock->mutex); }
static inline void support_release(struct support_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

/* A number of the current thread. */
static inline uintptr_t support_thread_number(void) { return (uintptr_t)pthread_self(); }

/* Another number in the child of each fork, once locks are remembered. */
unsigned support_forks(void);

/* Tells a thread that waits for a change of what a lock guards. */
struct support_signal {
    pthread_cond_t sent;
};
void support_signal_create(struct support_signal *signal);
static inline void support_signal_destroy(struct support_signal *signal) { pthread_cond_destroy(&signal->sent); }
static inline void support_signal_send(struct support_signal *signal) { pthread_cond_signal(&signal->sent); }
/* Releases the lock, waits for the signal, at most until a moment of support_ticks, and takes the lock again. May end
 * early. */
void support_signal_await(struct support_signal *signal, struct support_lock *lock, int64_t until);

/* -------------------------------------------------------------------------------------- hooks of the current thread */

/* One hook that the current thread is in, and the engine it belongs to. */
struct support_hook;

/* Notes a hook in memory of its own: a coroutine's stack may be copied away, or end, while a hook is suspended. NULL
 * where there is no memory; then the hook is not noted. */
struct support_hook *support_enter_hook(const void *engine);
/* Ends a hook, in any order with the others of its thread. NULL is fine. */
void support_leave_hook(struct support_hook *hook);
bool support_is_in_hook(const void *engine);

/* --------------------------------------------------------------------------------------------------- JSON documents */

/* A text to be written as it is in place of a JSON value. */
struct support_text {
    const char *start;
    size_t length;
};

/* Prints an object with the given keys, in this order, through json-c, plain style. The tree behind it is kept per
 * thread and set of keys (`keys` is compared by address and lives for ever). Answers malloc'ed text and its length, or
 * NULL where json-c has no memory. */
char *support_print_object(const char *const *keys, const struct support_text *values, size_t count, size_t *length);

#endif
