/* The installs of a store, batch by batch, in the order of its listing. */
#ifndef LISTING_H
#define LISTING_H

#include "batch.h"

/* A store may give a key twice: within a batch it comes once, in two batches twice. */
typedef struct listing {
    store *store;
    skan_buffer *cursor;
    skan_buffer *page;
    size_t place; /* in the page: of the next key */
    bool is_last; /* no page follows */
} listing;

bool store_lists(const store *store);

/* False, and said why, where the store lists no keys. */
bool listing_begin(listing *listing, store *store);
void listing_end(listing *listing);

/* Fills the batch with the next keys; none at the end. False, and said why, where the store fails. */
bool listing_next(listing *listing, batch *batch);

/* How many keys there are, those that come twice counted twice; ends early where the command does. False, and said why,
 * where the store fails. */
bool listing_count(store *store, uint64_t *count);

#endif
