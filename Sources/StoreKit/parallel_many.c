/* Laws of many saves at once from many threads at once, on keys that they share and on keys of their own. A store that
 * takes locks in the order of the items ends in deadlocks here, and answers what is neither OK nor a conflict. */
#define _GNU_SOURCE
#include "run.h"

#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define KEYS 12 /* that threads share */

typedef struct gathering {
    const char *keys[KEYS];
    uint64_t expected[KEYS]; /* by all, where one wins */
    uint32_t threads, repetitions;
    atomic_uint waiting;
    atomic_uint reading; /* that have not read as often as they will */
} gathering;

typedef struct member {
    gathering *gathering;
    skan_store *store;
    uint32_t index;
    kit_random random;
    kit_item *items;
    bool saves_one_by_one;

    /* What became of it. */
    uint64_t added[KEYS];         /* to each key, with the answer OK */
    kit_versions versions[KEYS];
    char problem[200];
} member;

static void *wait_for_all(member *self) {
    atomic_fetch_add(&self->gathering->waiting, 1);
    while (atomic_load(&self->gathering->waiting) < self->gathering->threads) sched_yield();
    return NULL;
}

static member *members_of(kit_run *run, gathering *gathering, skan_store *handles) {
    member *members = kit_allocate(run->threads * sizeof *members);
    gathering->threads = run->threads;
    for (uint32_t i = 0; i < run->threads; i++) {
        members[i].gathering = gathering;
        members[i].store = handles ? &handles[i] : &run->store;
        members[i].index = i;
        members[i].random.state = run->seed + i;
        members[i].items = kit_items(KEYS);
    }
    return members;
}

static void run_members(kit_run *run, member *members, void *(*work)(void *)) {
    atomic_store(&members->gathering->waiting, 0);
    kit_run_threads(run, work, members, sizeof *members);
    for (uint32_t i = 0; i < run->threads; i++)
        if (members[i].problem[0]) kit_fail(run, "thread %u: %s", (unsigned)i, members[i].problem);
}

static void end_members(kit_run *run, member *members) {
    for (uint32_t i = 0; i < run->threads; i++) {
        for (size_t k = 0; k < KEYS; k++) kit_versions_end(&members[i].versions[k]);
        kit_end_items(members[i].items, KEYS);
    }
    free(members);
}

static bool has_problem(member *self, const char *call, skan_status status) {
    snprintf(self->problem, sizeof self->problem, "%s: answered %s (%d)", call, skan_status_name(status), (int)status);
    return true;
}

static void name_keys(kit_run *run, gathering *gathering) {
    for (size_t i = 0; i < KEYS; i++) {
        char name[32];
        snprintf(name, sizeof name, "counter %zu", i);
        gathering->keys[i] = kit_key(run, name);
    }
}

/* ---------------------------------------------------------------------------------------------------- counters */

static uint64_t number_in(skan_buffer *buffer) {
    char text[32] = "";
    size_t size = skan_buffer_size(buffer);
    memcpy(text, skan_buffer_data(buffer), size < sizeof text ? size : sizeof text - 1);
    return strtoull(text, NULL, 10);
}

/* Adds 1 to some of the counters, in an order of its own. Answers whether there is a problem. */
static bool add_to_some(member *self) {
    gathering *gathering = self->gathering;
    kit_item *items = self->items;
    size_t order[KEYS], count = 1 + (size_t)kit_draw_below(&self->random, KEYS);
    char texts[KEYS][32];
    kit_draw_order(&self->random, order, KEYS);
    for (size_t i = 0; i < count; i++) items[i].key = gathering->keys[order[i]];
    kit_load_many(self->store, items, count);
    for (size_t i = 0; i < count; i++) {
        if (items[i].status != SKAN_OK && items[i].status != SKAN_NOT_FOUND)
            return has_problem(self, "load_many", items[i].status);
        uint64_t number = items[i].status == SKAN_OK ? number_in(items[i].buffer) : 0;
        snprintf(texts[i], sizeof texts[i], "%" PRIu64 " ", number + 1);
        items[i].record = KIT_TEXT(texts[i]);
        items[i].expected = items[i].version;
    }
    skan_store one_by_one = *self->store;
    one_by_one.save_many = NULL;
    kit_save_many(self->saves_one_by_one ? &one_by_one : self->store, items, count);
    for (size_t i = 0; i < count; i++) {
        if (items[i].status == SKAN_OK) {
            self->added[order[i]]++;
            kit_versions_add(&self->versions[order[i]], items[i].version);
        } else if (items[i].status != SKAN_ERROR_STORE_CONFLICT)
            return has_problem(self, self->saves_one_by_one ? "save" : "save_many", items[i].status);
    }
    return false;
}

static void *add_often(void *context) {
    member *self = context;
    wait_for_all(self);
    for (uint32_t i = 0; i < self->gathering->repetitions; i++)
        if (add_to_some(self)) break;
    return NULL;
}

/* Every addition that was answered OK is in the counter: neither lost, nor there although it conflicted. */
static void count_together(kit_run *run, skan_store *handles, bool some_save_one_by_one) {
    gathering gathering = {.repetitions = run->rounds};
    name_keys(run, &gathering);
    member *members = members_of(run, &gathering, handles);
    for (uint32_t i = 0; some_save_one_by_one && i < run->threads; i += 2) members[i].saves_one_by_one = true;
    run_members(run, members, add_often);
    uint64_t all = 0;
    for (size_t k = 0; k < KEYS && !run->failed; k++) {
        uint64_t added = 0, version = 0;
        kit_versions versions = {NULL, 0, 0};
        for (uint32_t i = 0; i < run->threads; i++) {
            added += members[i].added[k];
            for (size_t v = 0; v < members[i].versions[k].count; v++)
                kit_versions_add(&versions, members[i].versions[k].numbers[v]);
        }
        all += added;
        skan_status status = kit_load(&run->store, gathering.keys[k], run->buffer, &version);
        uint64_t number = status == SKAN_OK ? number_in(run->buffer) : 0;
        if (status != SKAN_OK && status != SKAN_NOT_FOUND)
            kit_fail(run, "load of a counter: answered %s (%d)", skan_status_name(status), (int)status);
        else if (number != added)
            kit_fail(run, "a counter is at %" PRIu64 " after %" PRIu64 " additions that were answered SKAN_OK", number,
                     added);
        kit_expect_no_repetition(run, &versions);
    }
    if (all == 0) kit_fail(run, "no addition was answered SKAN_OK");
    end_members(run, members);
}

static void batches_on_one_handle(kit_run *run) {
    if (kit_offers(run, run->store.save_many, "save_many")) count_together(run, NULL, false);
}

static void batches_and_single_saves(kit_run *run) {
    if (kit_offers(run, run->store.save_many, "save_many")) count_together(run, NULL, true);
}

static void batches_on_a_handle_each(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    if (!run->kit->shared) {
        kit_not_applicable(run, "handles of this store do not share records");
        return;
    }
    skan_store handles[SKAN_STORE_KIT_THREADS_MAX];
    uint32_t open = 0;
    while (open < run->threads && kit_open(run, &handles[open])) open++;
    if (open == run->threads) count_together(run, handles, true);
    while (open > 0) kit_close(&handles[--open]);
}

/* --------------------------------------------------------------------------------------------------- one of all */

static void *save_all_once(void *context) {
    member *self = context;
    size_t order[KEYS];
    char text[32];
    kit_draw_order(&self->random, order, KEYS);
    snprintf(text, sizeof text, "of thread %u", (unsigned)self->index);
    for (size_t i = 0; i < KEYS; i++) {
        self->items[i].key = self->gathering->keys[order[i]];
        self->items[i].record = KIT_TEXT(text);
        self->items[i].expected = self->gathering->expected[order[i]];
    }
    wait_for_all(self);
    kit_save_many(self->store, self->items, KEYS);
    for (size_t i = 0; i < KEYS; i++) {
        self->added[order[i]] = self->items[i].version;
        if (self->items[i].status != SKAN_OK && self->items[i].status != SKAN_ERROR_STORE_CONFLICT) {
            has_problem(self, "save_many", self->items[i].status);
            break;
        }
    }
    return NULL;
}

/* All expect the same versions of the same keys: each key is given to one of them. */
static void one_wins_each_key(kit_run *run) {
    if (!kit_offers(run, run->store.save_many, "save_many")) return;
    gathering gathering = {.repetitions = 1};
    name_keys(run, &gathering);
    member *members = members_of(run, &gathering, NULL);
    for (uint32_t round = 0; round < run->rounds && !run->failed; round++) {
        run_members(run, members, save_all_once);
        for (size_t k = 0; k < KEYS && !run->failed; k++) {
            member *winner = NULL;
            for (uint32_t i = 0; i < run->threads && !run->failed; i++) {
                if (members[i].added[k] == 0) continue;
                if (winner)
                    kit_fail(run, "threads %u and %u were both answered SKAN_OK for key %zu", (unsigned)winner->index,
                             (unsigned)i, k);
                winner = &members[i];
            }
            if (!winner) {
                kit_fail(run, "no thread was answered SKAN_OK for key %zu", k);
                break;
            }
            char text[32];
            snprintf(text, sizeof text, "of thread %u", (unsigned)winner->index);
            kit_holds(run, &run->store, gathering.keys[k], KIT_TEXT(text), winner->added[k]);
            gathering.expected[k] = winner->added[k];
        }
    }
    end_members(run, members);
}

/* ----------------------------------------------------------------------------------------------- different keys */

/* What one thread alone does to its keys comes out as if it was alone in the store. */
static void *keep_to_its_keys(void *context) {
    member *self = context;
    kit_item *items = self->items;
    char keys[KEYS][KIT_KEY_SIZE], texts[KEYS][64];
    wait_for_all(self);
    for (size_t i = 0; i < KEYS; i++)
        snprintf(keys[i], sizeof keys[i], "%.100s %u", self->gathering->keys[i], (unsigned)self->index);
    for (size_t i = 0; i < KEYS; i++) items[i].version = 0;
    for (uint32_t round = 0; round < self->gathering->repetitions && !self->problem[0]; round++) {
        for (size_t i = 0; i < KEYS; i++) {
            snprintf(texts[i], sizeof texts[i], "record %zu of thread %u", i, (unsigned)self->index);
            items[i].key = keys[i];
            items[i].record = KIT_TEXT(texts[i]);
            items[i].expected = items[i].version;
        }
        uint64_t versions[KEYS];
        kit_save_many(self->store, items, KEYS);
        for (size_t i = 0; i < KEYS; i++) {
            versions[i] = items[i].version;
            if (items[i].status != SKAN_OK) has_problem(self, "save_many of its own keys", items[i].status);
        }
        kit_load_many(self->store, items, KEYS);
        for (size_t i = 0; i < KEYS && !self->problem[0]; i++) {
            if (items[i].status != SKAN_OK)
                has_problem(self, "load_many of its own keys", items[i].status);
            else if (items[i].version != versions[i] || skan_buffer_size(items[i].buffer) != strlen(texts[i]) ||
                     memcmp(skan_buffer_data(items[i].buffer), texts[i], strlen(texts[i])) != 0)
                snprintf(self->problem, sizeof self->problem,
                         "load_many gave another record than its own thread had saved");
        }
    }
    return NULL;
}

static void threads_keep_apart(kit_run *run) {
    if (!kit_offers(run, run->store.load_many && run->store.save_many, "load_many and save_many")) return;
    gathering gathering = {.repetitions = run->rounds};
    name_keys(run, &gathering);
    for (uint32_t i = 0; i < run->threads; i++) /* known to the kit, so that their records are removed */
        for (size_t k = 0; k < KEYS; k++) {
            char name[32];
            snprintf(name, sizeof name, "counter %zu %u", k, (unsigned)i);
            kit_key(run, name);
        }
    member *members = members_of(run, &gathering, NULL);
    run_members(run, members, keep_to_its_keys);
    end_members(run, members);
}

/* ------------------------------------------------------------------------------------------ loads during saves */

/* The first thread writes each key anew, one after the other, with the number of the save, as long as the others read;
 * they see numbers that do not go back, and each with the version that it was saved with. */
static void write_numbers(member *self) {
    gathering *gathering = self->gathering;
    for (uint32_t number = 1; atomic_load(&gathering->reading) > 0 && !self->problem[0]; number++) {
        char text[32];
        size_t k = number % KEYS;
        snprintf(text, sizeof text, "%u ", (unsigned)number);
        skan_status status = kit_save(self->store, gathering->keys[k], KIT_TEXT(text), self->added[k], &self->added[k]);
        if (status != SKAN_OK) has_problem(self, "save of a key that nobody else saves", status);
        kit_versions_add(&self->versions[0], self->added[k]);
    }
}

static void read_numbers(member *self, uint64_t seen[KEYS]) {
    kit_load_many(self->store, self->items, KEYS);
    for (size_t i = 0; i < KEYS && !self->problem[0]; i++) {
        const kit_item *item = &self->items[i];
        if (item->status == SKAN_NOT_FOUND && seen[i] == 0) continue;
        uint64_t number = item->status == SKAN_OK ? number_in(item->buffer) : 0;
        if (item->status != SKAN_OK)
            has_problem(self, "load_many", item->status);
        else if (number < seen[i] || number == 0)
            snprintf(self->problem, sizeof self->problem, "load_many gave save %" PRIu64 " after save %" PRIu64, number,
                     seen[i]);
        kit_versions_add(&self->versions[0], number);
        kit_versions_add(&self->versions[0], item->version);
        seen[i] = number;
    }
}

static void *write_or_read(void *context) {
    member *self = context;
    uint64_t seen[KEYS] = {0};
    for (size_t i = 0; i < KEYS; i++) self->items[i].key = self->gathering->keys[i];
    wait_for_all(self);
    if (self->index == 0) {
        write_numbers(self);
        return NULL;
    }
    for (uint32_t i = 0; i < self->gathering->repetitions && !self->problem[0]; i++) read_numbers(self, seen);
    atomic_fetch_sub(&self->gathering->reading, 1);
    return NULL;
}

static void loads_see_one_save(kit_run *run) {
    if (!kit_offers(run, run->store.load_many, "load_many")) return;
    gathering gathering = {.repetitions = run->rounds};
    name_keys(run, &gathering);
    member *members = members_of(run, &gathering, NULL);
    atomic_store(&gathering.reading, run->threads - 1);
    run_members(run, members, write_or_read);
    const kit_versions *written = &members[0].versions[0];
    for (uint32_t i = 1; i < run->threads && !run->failed; i++)
        for (size_t k = 0; k < members[i].versions[0].count; k += 2) {
            uint64_t number = members[i].versions[0].numbers[k], version = members[i].versions[0].numbers[k + 1];
            if (number == 0 || number > written->count || written->numbers[number - 1] != version)
                kit_fail(run, "load_many gave version %" PRIu64 " with the bytes of another save", version);
        }
    end_members(run, members);
}

const kit_law kit_parallel_batch_laws[] = {
    {"parallel batches on overlapping keys lose nothing", batches_on_one_handle},
    {"parallel batches and single saves lose nothing", batches_and_single_saves},
    {"parallel batches on a handle each lose nothing", batches_on_a_handle_each},
    {"of parallel batches exactly one wins each key", one_wins_each_key},
    {"parallel batches of different keys do not mix", threads_keep_apart},
    {"load_many gives bytes and version of one save", loads_see_one_save},
    {NULL, NULL},
};
