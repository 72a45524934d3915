/* Many records in one call of a store, with its hooks for many or without. */
#ifndef MANY_H
#define MANY_H

#include <skan/skan.h>

/* Each item has its status afterwards. Keys are distinct, 1 to SKAN_BATCH_MAX. */
void many_load(const skan_store *store, skan_load_item *items, size_t count);
void many_save(const skan_store *store, skan_save_item *items, size_t count);

#endif
