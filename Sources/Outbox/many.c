#include "many.h"

void many_load(const skan_store *store, skan_load_item *items, size_t count) {
    for (size_t i = 0; i < count; i++) items[i].status = SKAN_ERROR_STORE;
    if (store->load_many) {
        store->load_many(store->context, items, count);
    } else {
        for (size_t i = 0; i < count; i++)
            items[i].status = store->load(store->context, items[i].key, items[i].out, &items[i].version);
    }
}

void many_save(const skan_store *store, skan_save_item *items, size_t count) {
    for (size_t i = 0; i < count; i++) items[i].status = SKAN_ERROR_STORE_UNKNOWN;
    if (store->save_many) {
        store->save_many(store->context, items, count);
    } else {
        for (size_t i = 0; i < count; i++)
            items[i].status = store->save(store->context, items[i].key, items[i].data, items[i].length,
                                          items[i].expected_version, &items[i].new_version);
    }
}
