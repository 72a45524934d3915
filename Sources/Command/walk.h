/* Going through all installs of a store, with a progress bar. */
#ifndef WALK_H
#define WALK_H

#include "batch.h"

/* What to do with a batch whose records are loaded; items that could not be are SKAN_ERROR_STORE and were named. False
 * ends the walk. */
typedef bool (*batch_visitor)(void *context, batch *batch);

typedef struct walk {
    store *store;
    batch_visitor visit;
    void *context;
    bool prints_data; /* on standard output, line by line */
    uint64_t failed;  /* records that could not be loaded */
} walk;

/* Whether the end was reached; why not was said, but for a signal or a reader that left. */
bool walk_all(walk *walk);

#endif
