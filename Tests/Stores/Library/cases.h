/* Cases that stores share. A store's own tests open it, in each way that it has, and put it through them. */
#ifndef CASES_H
#define CASES_H

#include "options.h"

#include <skan/store_kit.h>

/* The laws of the store kit on a store that is opened so: a case of this subject. Of the kit are taken: reopen, prefix,
 * rounds and steps. */
typedef struct kit_subject {
    const char *name, *place;
    const void *options;
    skan_store_kit kit;
} kit_subject;
void keep_contract(const void *subject);

/* Rules, "Event ids", on such a store: a purchase that is repeated after 10 000 ad impressions and 63 other purchases is
 * a duplicate. */
void know_old_repeats(const void *subject);

/* As a store's own cursors never are. */
void refuse_cursors(const skan_store *store, const char *const *cursors, size_t count);

/* Opens and closes; expects a store exactly for SKAN_OK. */
skan_status open_and_close(const char *place, const void *options);
/* What all functions that open stores say of their arguments; with these options they open one. */
void check_arguments(const char *place, const void *options, size_t size, const number_option *numbers, size_t count);

/* Four threads add to the same counters, each so many times, and beside them so many children of fork(), each with a
 * child of its own; they add so many times each, and every other one closes the store. Nothing is lost. */
typedef struct forks {
    long times, times_of_child;
    int children;
} forks;
void count_under_forks(const char *place, const void *options, const forks *forks);

/* Processes open at once what is not there yet: all find the same, and each a record under its own key. */
void make_by_many(int processes, skan_store (*open)(const void *context), const void *context);

#endif
