/* Cases that stores share. A store's own tests open it, in each way that it has, and put it through them. */
#ifndef CASES_H
#define CASES_H

#include <skan/skan.h>

/* The laws of the store kit; `name` tells ways of opening apart. */
void keep_contract(const char *name, skan_status (*open)(void *context, skan_store *out),
                   skan_status (*reopen)(void *context), void *context);

/* Batches, each item of which is answered as a single call would be; the store has none of their keys. */
void save_and_load_many(const skan_store *store);
/* The largest batch there can be. */
void save_and_load_largest(const skan_store *store);

/* The store lists key-0 and on, so many; `remove_two` takes away key-0 and key-999, after the first page. */
enum { LISTED_KEYS = 3000 };
void list_every_key(const skan_store *store, bool gives_each_once, void (*remove_two)(void));
/* As a store's own cursors never are. */
void refuse_cursors(const skan_store *store, const char *const *cursors, size_t count);

/* How a store is opened, for what all of these functions say of their arguments. */
typedef struct opener {
    skan_status (*open)(const char *place, const void *options, skan_store *out, skan_error **error);
    void (*close)(skan_store *store);
    const char *place;
    const void *options; /* that open it */
    size_t options_size;
} opener;

/* Opens and closes; expects a store exactly for SKAN_OK. */
skan_status open_and_close(const opener *opener, const void *options);
void check_arguments(const opener *opener);

/* Threads add to the same counters, each so many times: nothing is lost. */
void count_by_threads(const skan_store *store, long times);
/* And beside them so many children of fork(), every other of which closes the store. */
void count_under_forks(skan_store *store, long times, int forks, void (*close)(skan_store *store));

#endif
