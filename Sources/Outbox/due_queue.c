#include "due_queue.h"

#include <stdlib.h>
#include <string.h>

#define BUCKETS 65536

struct due_queue {
    size_t capacity, count; /* of all that are known */
    size_t waiting;         /* in the heap */
    int64_t horizon;        /* what is due then or later is not taken in, for some of it was forgotten */
    due_entry **heap;       /* from 1 */
    due_entry *buckets[BUCKETS];
};

due_queue *due_queue_create(size_t capacity) {
    due_queue *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->capacity = capacity;
    made->horizon = INT64_MAX;
    made->heap = calloc(capacity + 1, sizeof *made->heap);
    if (made->heap) return made;
    free(made);
    return NULL;
}

void due_queue_destroy(due_queue *queue) {
    if (!queue) return;
    for (size_t i = 0; i < BUCKETS; i++)
        while (queue->buckets[i]) {
            due_entry *ended = queue->buckets[i];
            queue->buckets[i] = ended->next;
            free(ended);
        }
    free(queue->heap);
    free(queue);
}

/* ------------------------------------------------------------------------------------------------------------- heap */

static void put(due_queue *queue, size_t place, due_entry *entry) {
    queue->heap[place] = entry;
    entry->place = place;
}

static void rise(due_queue *queue, due_entry *entry, size_t place) {
    while (place > 1 && queue->heap[place / 2]->due > entry->due) {
        put(queue, place, queue->heap[place / 2]);
        place /= 2;
    }
    put(queue, place, entry);
}

static void sink(due_queue *queue, due_entry *entry, size_t place) {
    for (;;) {
        size_t child = place * 2;
        if (child > queue->waiting) break;
        if (child < queue->waiting && queue->heap[child + 1]->due < queue->heap[child]->due) child++;
        if (queue->heap[child]->due >= entry->due) break;
        put(queue, place, queue->heap[child]);
        place = child;
    }
    put(queue, place, entry);
}

/* ---------------------------------------------------------------------------------------------------------- entries */

static int compare(const void *one, const void *other) {
    const due_entry *a = *(due_entry *const *)one, *b = *(due_entry *const *)other;
    return a->due < b->due ? -1 : a->due > b->due;
}

/* Makes room by forgetting the half that waits longest. What is in order is a heap. */
static void forget_late(due_queue *queue) {
    size_t kept = queue->waiting / 2;
    qsort(queue->heap + 1, queue->waiting, sizeof *queue->heap, compare);
    for (size_t place = 1; place <= queue->waiting; place++) queue->heap[place]->place = place;
    if (queue->waiting > kept) queue->horizon = queue->heap[kept + 1]->due;
    while (queue->waiting > kept) due_queue_forget(queue, queue->heap[queue->waiting--]);
}

/* Whether one that is due then comes in. */
static bool make_room(due_queue *queue, int64_t due, bool *was_room) {
    if (queue->count < queue->capacity / 2) queue->horizon = INT64_MAX;
    *was_room = due < queue->horizon;
    if (*was_room && queue->count == queue->capacity) {
        *was_room = false;
        forget_late(queue);
    }
    return due < queue->horizon && queue->count < queue->capacity;
}

/* FNV-1a. */
static due_entry **bucket_of(due_queue *queue, const char *key) {
    uint32_t hash = 2166136261u;
    for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 16777619u;
    return &queue->buckets[(hash ^ hash >> 16) % BUCKETS];
}

bool due_queue_add(due_queue *queue, const char *key, int64_t due, bool is_activated, bool *was_room) {
    *was_room = true;
    due_entry **bucket = bucket_of(queue, key);
    due_entry *found = *bucket;
    while (found && strcmp(found->key, key) != 0) found = found->next;
    if (found) {
        if (is_activated) found->is_activated = true;
        if (found->place > 0 && due < found->due) {
            found->due = due;
            rise(queue, found, found->place);
        }
        if (found->place == 0 && due < found->due_again) found->due_again = due;
        return true;
    }
    size_t size = strlen(key) + 1;
    if (!make_room(queue, due, was_room)) return *was_room = false;
    found = calloc(1, sizeof *found + size);
    if (!found) return *was_room = false;
    /* Forgetting may have changed what comes first. */
    bucket = bucket_of(queue, key);
    memcpy(found->key, key, size);
    found->due = due;
    found->is_activated = is_activated;
    found->next = *bucket;
    *bucket = found;
    queue->count++;
    rise(queue, found, ++queue->waiting);
    return true;
}

due_entry *due_queue_take(due_queue *queue, int64_t now) {
    if (queue->waiting == 0 || queue->heap[1]->due > now) return NULL;
    due_entry *taken = queue->heap[1], *last = queue->heap[queue->waiting--];
    if (queue->waiting > 0) sink(queue, last, 1);
    taken->place = 0;
    taken->due_again = INT64_MAX;
    return taken;
}

void due_queue_return(due_queue *queue, due_entry *entry, int64_t due) {
    entry->due = due < entry->due_again ? due : entry->due_again;
    rise(queue, entry, ++queue->waiting);
}

void due_queue_forget(due_queue *queue, due_entry *entry) {
    due_entry **link = bucket_of(queue, entry->key);
    while (*link != entry) link = &(*link)->next;
    *link = entry->next;
    queue->count--;
    free(entry);
}

size_t due_queue_count(const due_queue *queue) { return queue->count; }

int64_t due_queue_next(const due_queue *queue) { return queue->waiting > 0 ? queue->heap[1]->due : INT64_MAX; }
