#include "pooled_store.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------------ hooks */

typedef struct call {
    pooled_store *store;
    pooled *lent; /* NULL = none was to be had */
    bool writes;
    trouble trouble;
} call;

static bool begin(call *call, pooled_store *store, bool writes) {
    call->store = store;
    call->writes = writes;
    call->lent = pool_take(store->pool, writes, &call->trouble);
    return call->lent != NULL;
}

static skan_status finish(call *call, skan_status status) {
    if (call->lent) pool_give_back(call->store->pool, call->lent, call->writes);
    return trouble_reported(&call->store->reporter, status, &call->trouble);
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    pooled_store *store = context;
    skan_status status = SKAN_ERROR_STORE;
    call call;
    if (begin(&call, store, false)) status = store->kind->load(call.lent, key, out, version, &call.trouble);
    return finish(&call, status);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version) {
    pooled_store *store = context;
    skan_status status = SKAN_ERROR_STORE;
    call call;
    if (begin(&call, store, true))
        status = store->kind->save(call.lent, key, data, length, expected_version, new_version, &call.trouble);
    return finish(&call, status);
}

static skan_status remove_record(void *context, const char *key, uint64_t expected_version) {
    pooled_store *store = context;
    skan_status status = SKAN_ERROR_STORE;
    call call;
    if (begin(&call, store, true)) status = store->kind->remove(call.lent, key, expected_version, &call.trouble);
    return finish(&call, status);
}

static void load_many(void *context, skan_load_item *items, size_t count) {
    pooled_store *store = context;
    skan_status status = SKAN_ERROR_STORE;
    call call;
    for (size_t i = 0; i < count; i++) items[i].status = status;
    if (begin(&call, store, false)) status = store->kind->load_many(call.lent, items, count, &call.trouble);
    finish(&call, status);
}

static void save_many(void *context, skan_save_item *items, size_t count) {
    pooled_store *store = context;
    skan_status status = SKAN_ERROR_STORE;
    call call;
    for (size_t i = 0; i < count; i++) items[i].status = status;
    if (begin(&call, store, true)) status = store->kind->save_many(call.lent, items, count, &call.trouble);
    finish(&call, status);
}

static skan_status list(void *context, skan_buffer *cursor, skan_buffer *keys) {
    pooled_store *store = context;
    skan_status status = SKAN_ERROR_STORE;
    call call;
    if (begin(&call, store, false)) status = store->kind->list(call.lent, cursor, keys, &call.trouble);
    return finish(&call, status);
}

static void finalize(void *context) {
    pooled_store_end(context);
}

/* ----------------------------------------------------------------------------------------------- opening and ending */

pooled_store *pooled_store_open(const pooled_store_kind *kind, const pool_settings *pool, void *settings,
                                reporter reporter, trouble *trouble) {
    pooled_store *made = malloc(sizeof *made);
    if (!made) {
        trouble_set(trouble, SKAN_ERROR_STORE, "%s: out of memory", pool->name);
        kind->end(settings);
        return NULL;
    }
    *made = (pooled_store){kind, pool_open(pool, trouble), settings, reporter};
    if (made->pool) return made;
    pooled_store_end(made);
    return NULL;
}

void pooled_store_end(pooled_store *store) {
    if (store->pool) pool_close(store->pool);
    store->kind->end(store->settings);
    free(store);
}

void pooled_store_fill(skan_store *out, pooled_store *store) {
    memset(out, 0, sizeof *out);
    if (!store) return;
    out->size = sizeof *out;
    out->context = store;
    out->load = load;
    out->save = save;
    out->remove = remove_record;
    out->finalize = finalize;
    out->load_many = load_many;
    out->save_many = save_many;
    out->list = list;
}

void pooled_store_close(skan_store *store, const pooled_store_kind *kind) {
    if (!store || store->finalize != finalize || ((pooled_store *)store->context)->kind != kind) return;
    pooled_store_end(store->context);
    pooled_store_fill(store, NULL);
}
