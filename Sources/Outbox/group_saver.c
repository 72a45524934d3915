#include "group_saver.h"

#include "many.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct waiting {
    struct waiting *next;
    skan_save_item *items;
    size_t count;
    bool is_done;
} waiting;

struct group_saver {
    const skan_store *store;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    waiting *first, **end; /* what no thread has begun to save */
    bool is_saving;        /* a thread saves for others, and has `items` */
    skan_save_item items[SKAN_BATCH_MAX];
};

group_saver *group_saver_create(const skan_store *store) {
    group_saver *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->store = store;
    made->end = &made->first;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->changed, NULL);
    return made;
}

void group_saver_destroy(group_saver *saver) {
    if (!saver) return;
    pthread_cond_destroy(&saver->changed);
    pthread_mutex_destroy(&saver->mutex);
    free(saver);
}

static bool share_a_key(const skan_save_item *items, size_t count, const waiting *other) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < other->count; k++)
            if (strcmp(items[i].key, other->items[k].key) == 0) return true;
    return false;
}

/* Takes those out of the line that fit into one call and have no key in common. The mutex is held. */
static waiting *take(group_saver *saver, size_t *count) {
    skan_save_item *items = saver->items;
    waiting *taken = NULL, **link = &saver->first;
    *count = 0;
    while (*link) {
        waiting *each = *link;
        if (*count + each->count > SKAN_BATCH_MAX || share_a_key(items, *count, each)) {
            link = &each->next;
            continue;
        }
        *link = each->next;
        each->next = taken;
        taken = each;
        memcpy(items + *count, each->items, each->count * sizeof *items);
        *count += each->count;
    }
    saver->end = link;
    return taken;
}

/* Saves what waits. The mutex is held, except while the store is called. */
static void save_waiting(group_saver *saver) {
    size_t count;
    waiting *taken = take(saver, &count);
    saver->is_saving = true;
    pthread_mutex_unlock(&saver->mutex);
    many_save(saver->store, saver->items, count);
    pthread_mutex_lock(&saver->mutex);
    for (; taken; taken = taken->next) {
        count -= taken->count;
        memcpy(taken->items, saver->items + count, taken->count * sizeof *taken->items);
        taken->is_done = true;
    }
    saver->is_saving = false;
    pthread_cond_broadcast(&saver->changed);
}

void group_saver_save(group_saver *saver, skan_save_item *items, size_t count) {
    if (!saver->store->save_many) {
        many_save(saver->store, items, count);
        return;
    }
    waiting own = {NULL, items, count, false};
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
}
