/* The outbox's queue beside a plain list: what is due first, what is known, what is forgotten where it is full. */
#include "../../Sources/Outbox/due_queue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 300, CAPACITY = 100, STEPS = 200000 };

static struct {
    bool is_known, is_taken;
    int64_t due, due_again;
} plain[KEYS];
static due_entry *taken[KEYS];
static int passed, failed;

static void check(bool holds, const char *what) {
    if (holds) {
        passed++;
    } else {
        failed++;
        fprintf(stderr, "FAILED: %s\n", what);
    }
}

static void name(char *key, int number) { snprintf(key, ENTRY_KEY_SIZE, "key-%d", number); }

static size_t count_known(void) {
    size_t count = 0;
    for (int i = 0; i < KEYS; i++) count += plain[i].is_known;
    return count;
}

static int64_t first_due(void) {
    int64_t first = INT64_MAX;
    for (int i = 0; i < KEYS; i++)
        if (plain[i].is_known && !plain[i].is_taken && plain[i].due < first) first = plain[i].due;
    return first;
}

/* Not where it is full: see below. */
static void add_one(due_queue *queue, bool *is_fine) {
    char key[ENTRY_KEY_SIZE];
    int number = rand() % KEYS;
    int64_t due = rand() % 1000;
    bool was_room, was_known = plain[number].is_known, is_full = count_known() == CAPACITY;
    if (is_full && !was_known) return;
    name(key, number);
    bool is_added = due_queue_add(queue, key, due, false, &was_room);
    *is_fine &= is_added && was_room;
    if (!was_known) {
        plain[number].is_known = true;
        plain[number].is_taken = false;
        plain[number].due = due;
    } else if (plain[number].is_taken && due < plain[number].due_again) {
        plain[number].due_again = due;
    } else if (!plain[number].is_taken && due < plain[number].due) {
        plain[number].due = due;
    }
}

static void take_one(due_queue *queue, bool *is_fine) {
    int64_t now = rand() % 1000, first = first_due();
    due_entry *entry = due_queue_take(queue, now);
    *is_fine &= (entry != NULL) == (first <= now);
    if (!entry) return;
    int number = atoi(entry->key + 4);
    *is_fine &= entry->due == first && plain[number].is_known && !plain[number].is_taken && plain[number].due == first;
    plain[number].is_taken = true;
    plain[number].due_again = INT64_MAX;
    taken[number] = entry;
}

static void settle_one(due_queue *queue) {
    int number = rand() % KEYS;
    if (!plain[number].is_taken) return;
    plain[number].is_taken = false;
    if (rand() % 2) {
        int64_t due = rand() % 1000;
        plain[number].due = due < plain[number].due_again ? due : plain[number].due_again;
        due_queue_return(queue, taken[number], due);
    } else {
        plain[number].is_known = false;
        due_queue_forget(queue, taken[number]);
    }
}

static void test_as_a_list(void) {
    due_queue *queue = due_queue_create(CAPACITY);
    bool is_fine = true;
    for (int i = 0; i < STEPS && is_fine; i++) {
        int what = rand() % 3;
        if (what == 0) add_one(queue, &is_fine);
        if (what == 1) take_one(queue, &is_fine);
        if (what == 2) settle_one(queue);
        is_fine &= due_queue_count(queue) == count_known() && due_queue_next(queue) == first_due();
    }
    check(is_fine, "the queue answers as a plain list does");
    due_queue_destroy(queue);
}

/* Many more than it has room for, in any order: those that are due first are there. */
static void test_full(void) {
    enum { MANY = 1000 };
    due_queue *queue = due_queue_create(CAPACITY);
    int64_t dues[MANY];
    char key[ENTRY_KEY_SIZE];
    int missing = 0;
    bool is_fine = true;
    for (int i = 0; i < MANY; i++) dues[i] = i;
    for (int i = MANY - 1; i > 0; i--) {
        int other = rand() % (i + 1);
        int64_t due = dues[i];
        dues[i] = dues[other];
        dues[other] = due;
    }
    for (int i = 0; i < MANY; i++) {
        bool was_room;
        name(key, i);
        bool is_in = due_queue_add(queue, key, dues[i], true, &was_room);
        if (i < CAPACITY) is_fine &= is_in && was_room;
        if (!was_room) missing++;
        is_fine &= due_queue_count(queue) <= CAPACITY && (is_in || !was_room);
    }
    check(is_fine, "there is room for as many as it was made for, and no more");
    check(missing > 0 && due_queue_count(queue) >= CAPACITY / 2, "what is not there is told of, and half is kept");
    int64_t expected = 0;
    for (due_entry *entry; (entry = due_queue_take(queue, INT64_MAX)); due_queue_forget(queue, entry))
        is_fine &= entry->due == expected++ && entry->is_activated;
    check(is_fine && due_queue_count(queue) == 0, "those that are due first are left, in order");
    bool was_room;
    check(due_queue_add(queue, "late", MANY, false, &was_room) && was_room, "an empty one takes in late ones again");
    due_queue_destroy(queue);
}

int main(void) {
    srand(20);
    test_as_a_list();
    test_full();
    printf("due queue: %d passed, %d failed\n", passed, failed);
    return failed > 0;
}
