/* The entries of the outbox that this process knows of, by when they are due. Not for several threads at once. */
#ifndef DUE_QUEUE_H
#define DUE_QUEUE_H

#include "entry.h"

/* An entry that is known. */
typedef struct due_entry {
    struct due_entry *next; /* with the same hash */
    int64_t due;
    int64_t due_again; /* where it was added while it was taken, else INT64_MAX */
    size_t place;      /* in the heap, from 1; 0 = taken */
    bool is_activated; /* its postback was counted, says who prepared it: it is not waited for */
    char key[];
} due_entry;

typedef struct due_queue due_queue;

/* For so many entries; NULL where there is no memory. */
due_queue *due_queue_create(size_t capacity);
void due_queue_destroy(due_queue *queue);

/* Adds an entry, or brings one that is known forward, once it is returned if it is taken. Where the queue is full it
 * forgets those that are due last, and takes in none that is due as late until half of it is empty: was_room is false
 * where one was forgotten or not taken in, the answer where that is this one. */
bool due_queue_add(due_queue *queue, const char *key, int64_t due, bool is_activated, bool *was_room);
/* The entry that is due first, if it is now: taken until one of the next two. NULL for none. */
due_entry *due_queue_take(due_queue *queue, int64_t now);
void due_queue_return(due_queue *queue, due_entry *entry, int64_t due);
void due_queue_forget(due_queue *queue, due_entry *entry);

/* How many are known, those that are taken too. */
size_t due_queue_count(const due_queue *queue);
/* When the first one that waits is due; INT64_MAX for none. */
int64_t due_queue_next(const due_queue *queue);

#endif
