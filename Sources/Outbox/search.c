/* Searches the store for entries: those of processes that ended, those of before, and those that are tried again. */
#include "worker.h"

#include "../Serve/log.h"

#include <string.h>

enum { AT_ONCE = 64 };

static void look_at(outbox *outbox, const skan_load_item *item) {
    entry entry;
    if (item->status != SKAN_OK) return;
    if (!entry_read(skan_buffer_data(item->out), skan_buffer_size(item->out), &entry)) return;
    if (entry.state == ENTRY_DEAD) {
        outbox->dead_seen++;
        return;
    }
    bool was_room;
    pthread_mutex_lock(&outbox->mutex);
    due_queue_add(outbox->queue, item->key, entry.due, false, &was_room);
    if (!was_room) outbox->is_partial = true;
    pthread_mutex_unlock(&outbox->mutex);
}

static void look_at_all(outbox *outbox, skan_load_item *items, size_t count) {
    if (count == 0) return;
    many_load(outbox->settings.relaxed, items, count);
    for (size_t i = 0; i < count; i++) look_at(outbox, &items[i]);
}

static bool is_among(const skan_load_item *items, size_t count, const char *key) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(items[i].key, key) == 0) return true;
    return false;
}

/* Keys of a page, each ended by a NUL. */
static void look_through(outbox *outbox, const char *keys, size_t length) {
    skan_load_item items[AT_ONCE] = {0};
    size_t count = 0;
    for (int i = 0; i < AT_ONCE; i++) items[i].out = skan_buffer_create();
    for (size_t place = 0; place < length; place += strlen(keys + place) + 1) {
        const char *key = keys + place;
        entry_name name;
        if (!entry_name_read(key, &name) || is_among(items, count, key)) continue;
        items[count++].key = key;
        if (count < AT_ONCE) continue;
        look_at_all(outbox, items, count);
        count = 0;
    }
    look_at_all(outbox, items, count);
    for (int i = 0; i < AT_ONCE; i++) skan_buffer_destroy(items[i].out);
}

static void end_search(outbox *outbox, int64_t pause) {
    outbox->is_searching = false;
    outbox->next_search = outbox_now() + pause;
    skan_buffer_set(outbox->cursor, "", 0);
}

void worker_search(outbox *outbox) {
    const skan_store *store = outbox->settings.relaxed;
    if (!outbox->is_searching) {
        outbox->is_searching = true;
        outbox->dead_seen = 0;
        pthread_mutex_lock(&outbox->mutex);
        outbox->is_partial = false;
        pthread_mutex_unlock(&outbox->mutex);
    }
    skan_buffer_set(outbox->page, "", 0);
    if (store->list(store->context, outbox->cursor, outbox->page) != SKAN_OK) {
        log_event("outbox", "the store's keys could not be listed");
        end_search(outbox, 5 * SECOND);
        return;
    }
    look_through(outbox, skan_buffer_data(outbox->page), skan_buffer_size(outbox->page));
    if (skan_buffer_size(outbox->cursor) > 0) return;
    atomic_store(&outbox->dead, outbox->dead_seen);
    end_search(outbox, outbox->settings.scan_seconds * SECOND);
}
