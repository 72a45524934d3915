#include "walk.h"

#include "ending.h"
#include "listing.h"
#include "messages.h"
#include "progress.h"

static void name_failed(walk *walk, const batch *batch) {
    for (size_t index = 0; index < batch->count; index++)
        if (batch->items[index].status == SKAN_ERROR_STORE) {
            walk->failed++;
            complain(batch->items[index].key, "could not be read: %s", store_words(walk->store));
        }
}

static bool walk_listing(walk *walk, listing *listing) {
    batch *batch = batch_create();
    uint64_t done = 0;
    bool goes_on = true;
    bool is_over = false;
    while (goes_on && !is_over && !is_ending()) {
        goes_on = listing_next(listing, batch);
        is_over = batch->count == 0;
        if (!goes_on || is_over || is_ending()) break;
        store_calm(walk->store);
        batch_load(batch, walk->store);
        name_failed(walk, batch);
        goes_on = walk->visit(walk->context, batch);
        done += batch->count;
        progress_step(done);
    }
    batch_destroy(batch);
    return goes_on && is_over && !is_ending();
}

bool walk_all(walk *walk) {
    listing listing;
    if (!listing_begin(&listing, walk->store)) return false;
    bool is_seen = progress_is_seen(walk->prints_data);
    uint64_t total = 0;
    bool is_fine = !is_seen || listing_count(walk->store, &total);
    if (is_fine) {
        progress_begin(is_seen, "records", total);
        is_fine = walk_listing(walk, &listing);
        progress_end();
    }
    listing_end(&listing);
    return is_fine;
}
