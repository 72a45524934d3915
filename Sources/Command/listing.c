#include "listing.h"

#include "ending.h"
#include "messages.h"

#include <stddef.h>
#include <string.h>

bool store_lists(const store *store) {
    return store->hooks.size >= offsetof(skan_store, list) + sizeof store->hooks.list && store->hooks.list;
}

bool listing_begin(listing *listing, store *store) {
    memset(listing, 0, sizeof *listing);
    if (!store_lists(store)) {
        complain(store->name, "this store cannot list its installs");
        return false;
    }
    listing->store = store;
    listing->cursor = skan_buffer_create();
    listing->page = skan_buffer_create();
    return true;
}

void listing_end(listing *listing) {
    skan_buffer_destroy(listing->cursor);
    skan_buffer_destroy(listing->page);
    memset(listing, 0, sizeof *listing);
}

static bool turn_page(listing *listing) {
    store *store = listing->store;
    store_calm(store);
    skan_buffer_set(listing->page, NULL, 0);
    listing->place = 0;
    if (store->hooks.list(store->hooks.context, listing->cursor, listing->page) != SKAN_OK) {
        complain(store->name, "its installs could not be listed: %s", store_words(store));
        return false;
    }
    listing->is_last = skan_buffer_size(listing->cursor) == 0;
    return true;
}

/* The next key of the page; NULL at its end. */
static const char *next_key(listing *listing) {
    const char *keys = skan_buffer_data(listing->page);
    size_t left = skan_buffer_size(listing->page) - listing->place;
    const char *key = keys + listing->place;
    const char *end = left > 0 ? memchr(key, 0, left) : NULL;
    if (!end) return NULL;
    listing->place += (size_t)(end - key) + 1;
    return key;
}

bool listing_next(listing *listing, batch *batch) {
    batch_empty(batch);
    while (!is_ending()) {
        const char *key;
        while (batch->count < SKAN_BATCH_MAX && (key = next_key(listing))) batch_add(batch, key);
        if (batch->count == SKAN_BATCH_MAX || listing->is_last) break;
        if (!turn_page(listing)) return false;
    }
    return true;
}

bool listing_count(store *store, uint64_t *count) {
    *count = 0;
    listing listing;
    if (!listing_begin(&listing, store)) return false;
    bool is_fine = true;
    while (is_fine && !listing.is_last && !is_ending()) {
        is_fine = turn_page(&listing);
        while (is_fine && next_key(&listing)) ++*count;
    }
    listing_end(&listing);
    return is_fine;
}
