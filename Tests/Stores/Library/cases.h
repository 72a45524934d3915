/* Cases that stores share. A store's own tests open it, in each way that it has, and put it through them. */
#ifndef CASES_H
#define CASES_H

#include <skan/skan.h>
#include <skan/store_kit.h>

/* The laws of the store kit, of which are taken: context, open, reopen, prefix, rounds and steps. */
void keep_contract(skan_store_kit kit);

/* Batches, each item of which is answered as a single call would be; the store has none of their keys. */
void save_and_load_many(const skan_store *store);
/* The largest batch there can be. */
void save_and_load_largest(const skan_store *store);

/* The store lists key-0 and on, so many; `remove_two` takes away key-0 and key-999, after the first page. */
enum { LISTED_KEYS = 3000 };
void list_every_key(const skan_store *store, bool gives_each_once, void (*remove_two)(void));
/* As a store's own cursors never are. */
void refuse_cursors(const skan_store *store, const char *const *cursors, size_t count);

/* Opens and closes; expects a store exactly for SKAN_OK. */
skan_status open_and_close(const char *place, const void *options);
/* What all functions that open stores say of their arguments; with these options they open one. */
void check_arguments(const char *place, const void *options, size_t size);

/* Threads add to the same counters, each so many times: nothing is lost. */
void count_by_threads(const skan_store *store, int threads, long times);

/* And beside four of them so many children of fork(), each with a child of its own; they add so many times each, and
 * every other one closes the store. */
typedef struct forks {
    long times, times_of_child;
    int children;
    void (*close)(skan_store *store);
} forks;
void count_under_forks(skan_store *store, const forks *forks);

/* Processes open at once what is not there yet: all find the same, and each a record under its own key. */
void make_by_many(int processes, skan_store (*open)(const void *context), const void *context);

#endif
