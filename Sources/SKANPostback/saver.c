#include "saver.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 64 };

typedef struct waiting {
    struct waiting *next;
    skan_save_item item;
    bool is_done;
} waiting;

struct saver {
    const skan_store *store;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    waiting *first, **end; /* what no thread has begun to save */
    bool is_saving;        /* a thread saves for others */
};

saver *saver_create(const skan_store *store) {
    saver *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->store = store;
    made->end = &made->first;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->changed, NULL);
    return made;
}

void saver_destroy(saver *saver) {
    if (!saver) return;
    pthread_cond_destroy(&saver->changed);
    pthread_mutex_destroy(&saver->mutex);
    free(saver);
}

static bool is_among(const skan_save_item *items, size_t count, const char *key) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(items[i].key, key) == 0) return true;
    return false;
}

/* Takes saves out of the line, each key once; how many. The mutex is held. */
static size_t take(saver *saver, waiting *taken[AT_ONCE], skan_save_item items[AT_ONCE]) {
    size_t count = 0;
    waiting **link = &saver->first;
    while (*link && count < AT_ONCE) {
        waiting *each = *link;
        if (is_among(items, count, each->item.key)) {
            link = &each->next;
            continue;
        }
        *link = each->next;
        taken[count] = each;
        items[count++] = each->item;
    }
    while (*link) link = &(*link)->next;
    saver->end = link;
    return count;
}

/* Saves what waits, this thread's own among it. The mutex is held, except while the store is called. */
static void save_waiting(saver *saver) {
    waiting *taken[AT_ONCE];
    skan_save_item items[AT_ONCE];
    size_t count = take(saver, taken, items);
    saver->is_saving = true;
    pthread_mutex_unlock(&saver->mutex);
    saver->store->save_many(saver->store->context, items, count);
    pthread_mutex_lock(&saver->mutex);
    for (size_t i = 0; i < count; i++) {
        taken[i]->item = items[i];
        taken[i]->is_done = true;
    }
    saver->is_saving = false;
    pthread_cond_broadcast(&saver->changed);
}

/* As an engine takes what a store answers. */
static skan_status judged(skan_status status, uint64_t version) {
    if (status == SKAN_OK) return version != 0 ? SKAN_OK : SKAN_ERROR_STORE_UNKNOWN;
    return status == SKAN_ERROR_STORE_CONFLICT || status == SKAN_ERROR_STORE ? status : SKAN_ERROR_STORE_UNKNOWN;
}

skan_status saver_save(saver *saver, const char *key, const void *data, size_t length) {
    if (!saver->store->save_many) {
        uint64_t version = 0;
        skan_status status = saver->store->save(saver->store->context, key, data, length, 0, &version);
        return judged(status, version);
    }
    waiting own = {NULL, {key, data, length, 0, 0, SKAN_ERROR_STORE_UNKNOWN}, false};
    pthread_mutex_lock(&saver->mutex);
    *saver->end = &own;
    saver->end = &own.next;
    while (!own.is_done) {
        if (saver->is_saving)
            pthread_cond_wait(&saver->changed, &saver->mutex);
        else
            save_waiting(saver);
    }
    pthread_mutex_unlock(&saver->mutex);
    return judged(own.item.status, own.item.new_version);
}
