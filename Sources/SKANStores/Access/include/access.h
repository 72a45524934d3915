/* Threads of one's own for calls that wait, and what a store's hook said on the thread that ran it. For Swift, whose
 * tasks must not wait, and which has no variables of threads. */
#ifndef ACCESS_H
#define ACCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Up to `limit` threads, started as they are needed, that do pieces of work in the order in which they came. */
typedef struct skan_access_threads skan_access_threads;

typedef void access_work(void *context);

/* NULL where there is no memory. */
skan_access_threads *skan_access_threads_create(uint32_t limit);
/* Whether the work will be done, once, by one of the threads. False: there is no memory, or no thread. */
bool skan_access_threads_do(skan_access_threads *threads, access_work *work, void *context);
/* Ends the threads once they have done what they were given, and this as the last. Does not wait for it. */
void skan_access_threads_end(skan_access_threads *threads, access_work *last, void *context);

/* One line of words for each thread. */
void skan_access_words_clear(void);
void skan_access_words_keep(const char *words);
/* "" where there are none; valid on this thread until they are changed. */
const char *skan_access_words(void);

#endif
