/* Laws of many threads at once, on one handle and on a handle each. */
#define _GNU_SOURCE
#include "run.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* What all threads of a round share. */
typedef struct round_of_all {
    const char *key;
    uint32_t threads, repetitions;
    uint64_t expected;   /* version that all of them expect */
    atomic_uint waiting; /* for each other, at the start */
    atomic_bool written; /* the writer is done */
} round_of_all;

typedef struct worker {
    round_of_all *round;
    skan_store *store;
    skan_buffer *buffer;
    uint32_t index;
    void *(*work)(void *worker);

    /* What became of it. */
    skan_status status;
    uint64_t version;
    kit_versions versions;
    unsigned char *letters; /* the records of `versions`, where a law wants them */
    char problem[160];
} worker;

static void *start(void *context) {
    worker *self = context;
    atomic_fetch_add(&self->round->waiting, 1);
    while (atomic_load(&self->round->waiting) < self->round->threads) sched_yield();
    return self->work(self);
}

/* Each thread on a handle of its own where `handles` says so. */
static worker *workers_of(kit_run *run, round_of_all *round, skan_store *handles, void *(*work)(void *)) {
    worker *workers = kit_allocate(run->threads * sizeof *workers);
    for (uint32_t i = 0; i < run->threads; i++) {
        workers[i].round = round;
        workers[i].store = handles ? &handles[i] : &run->store;
        workers[i].buffer = skan_buffer_create();
        workers[i].index = i;
        workers[i].work = work;
    }
    return workers;
}

static void end_workers(kit_run *run, worker *workers) {
    for (uint32_t i = 0; i < run->threads; i++) {
        skan_buffer_destroy(workers[i].buffer);
        kit_versions_end(&workers[i].versions);
        free(workers[i].letters);
    }
    free(workers);
}

static void run_all(kit_run *run, worker *workers) {
    pthread_t threads[SKAN_STORE_KIT_THREADS_MAX];
    atomic_store(&workers[0].round->waiting, 0);
    for (uint32_t i = 0; i < run->threads; i++)
        if (pthread_create(&threads[i], NULL, start, &workers[i]) != 0) {
            perror("skan_store_kit_run: pthread_create");
            abort();
        }
    for (uint32_t i = 0; i < run->threads; i++) pthread_join(threads[i], NULL);
    for (uint32_t i = 0; i < run->threads; i++)
        if (workers[i].problem[0]) kit_fail(run, "thread %u: %s", (unsigned)i, workers[i].problem);
}

/* ----------------------------------------------------------------------------------------------------- a counter */

/* The record is a number in decimal, and who wrote it last. */
static uint64_t number_in(skan_buffer *buffer) {
    char text[64] = "";
    size_t size = skan_buffer_size(buffer);
    memcpy(text, skan_buffer_data(buffer), size < sizeof text ? size : sizeof text - 1);
    return strtoull(text, NULL, 10);
}

static bool increment(worker *self) {
    /* Each conflict is a write of another thread. */
    uint64_t attempts = (uint64_t)self->round->threads * self->round->repetitions + 1;
    for (uint64_t attempt = 0; attempt < attempts; attempt++) {
        uint64_t expected = 0, version = 0, number = 0;
        skan_status status = kit_load(self->store, self->round->key, self->buffer, &expected);
        if (status == SKAN_OK) number = number_in(self->buffer);
        if (status != SKAN_OK && status != SKAN_NOT_FOUND) {
            snprintf(self->problem, sizeof self->problem, "load: answered %s (%d)", skan_status_name(status),
                     (int)status);
            return false;
        }
        char text[64];
        snprintf(text, sizeof text, "%" PRIu64 " by %u", number + 1, (unsigned)self->index);
        status = kit_save(self->store, self->round->key, KIT_TEXT(text), expected, &version);
        if (status == SKAN_OK) {
            kit_versions_add(&self->versions, version);
            return true;
        }
        if (status != SKAN_ERROR_STORE_CONFLICT) {
            snprintf(self->problem, sizeof self->problem, "save: answered %s (%d)", skan_status_name(status),
                     (int)status);
            return false;
        }
        sched_yield();
    }
    snprintf(self->problem, sizeof self->problem, "more conflicts than there were writes of other threads");
    return false;
}

static void *increment_often(void *context) {
    worker *self = context;
    for (uint32_t i = 0; i < self->round->repetitions; i++)
        if (!increment(self)) break;
    return NULL;
}

static void count_together(kit_run *run, skan_store *handles) {
    round_of_all round = {.key = kit_key(run, "counter"), .threads = run->threads, .repetitions = run->rounds};
    worker *workers = workers_of(run, &round, handles, increment_often);
    run_all(run, workers);
    kit_versions versions = {NULL, 0, 0};
    for (uint32_t i = 0; i < run->threads; i++)
        for (size_t k = 0; k < workers[i].versions.count; k++)
            kit_versions_add(&versions, workers[i].versions.numbers[k]);
    uint64_t version = 0, wanted = (uint64_t)run->threads * run->rounds;
    skan_status status = kit_load(&run->store, round.key, run->buffer, &version);
    if (status != SKAN_OK)
        kit_fail(run, "load of the counter: answered %s (%d)", skan_status_name(status), (int)status);
    else if (number_in(run->buffer) != wanted)
        kit_fail(run, "%" PRIu64 " increments of %" PRIu64 " that were answered SKAN_OK were lost",
                 wanted - number_in(run->buffer), wanted);
    kit_expect_no_repetition(run, &versions);
    end_workers(run, workers);
}

static void writers_on_one_handle(kit_run *run) {
    count_together(run, NULL);
}

static void writers_on_a_handle_each(kit_run *run) {
    if (!run->kit->shared) {
        kit_not_applicable(run, "handles of this store do not share records");
        return;
    }
    skan_store handles[SKAN_STORE_KIT_THREADS_MAX];
    uint32_t open = 0;
    while (open < run->threads && kit_open(run, &handles[open])) open++;
    if (open == run->threads) count_together(run, handles);
    while (open > 0) kit_close(&handles[--open]);
}

/* --------------------------------------------------------------------------------------------------- one of all */

static kit_bytes record_of(char text[64], uint32_t index) {
    snprintf(text, 64, "the record of thread %u", (unsigned)index);
    return KIT_TEXT(text);
}

static void *save_once(void *context) {
    worker *self = context;
    char text[64];
    self->status = kit_save(self->store, self->round->key, record_of(text, self->index), self->round->expected,
                            &self->version);
    return NULL;
}

static void *remove_once(void *context) {
    worker *self = context;
    self->status = kit_remove(self->store, self->round->key, self->round->expected);
    return NULL;
}

static void *save_or_remove_once(void *context) {
    return ((worker *)context)->index % 2 ? remove_once(context) : save_once(context);
}

/* All expect the same version: one is answered SKAN_OK, the others are conflicts, and the record is the one's. */
static void one_wins(kit_run *run, bool inserted_before, void *(*work)(void *)) {
    round_of_all round = {.key = kit_key(run, "key"), .threads = run->threads};
    for (uint32_t repetition = 0; repetition < run->rounds && !run->failed; repetition++) {
        kit_clear(run, round.key);
        round.expected = inserted_before ? kit_saves(run, &run->store, round.key, KIT_TEXT("the record before"), 0) : 0;
        worker *workers = workers_of(run, &round, NULL, work), *winner = NULL;
        run_all(run, workers);
        for (uint32_t i = 0; i < run->threads; i++) {
            if (workers[i].status == SKAN_OK && winner)
                kit_fail(run, "threads %u and %u were both answered SKAN_OK", (unsigned)winner->index, (unsigned)i);
            else if (workers[i].status == SKAN_OK)
                winner = &workers[i];
            else if (workers[i].status != SKAN_ERROR_STORE_CONFLICT)
                kit_fail(run, "thread %u was answered %s (%d)", (unsigned)i, skan_status_name(workers[i].status),
                         (int)workers[i].status);
        }
        char text[64];
        if (!winner)
            kit_fail(run, "no thread was answered SKAN_OK");
        else if (winner->version != 0)
            kit_holds(run, &run->store, round.key, record_of(text, winner->index), winner->version);
        else
            kit_holds_nothing(run, &run->store, round.key);
        end_workers(run, workers);
    }
}

static void one_insert_wins(kit_run *run) {
    one_wins(run, false, save_once);
}

static void one_save_wins(kit_run *run) {
    one_wins(run, true, save_once);
}

static void one_remove_wins(kit_run *run) {
    one_wins(run, true, remove_once);
}

static void one_save_or_remove_wins(kit_run *run) {
    one_wins(run, true, save_or_remove_once);
}

/* ---------------------------------------------------------------------------------------- loads during saves */

/* A record is one letter many times, so many as belong to the letter. */
static size_t length_of(unsigned char letter) {
    return 1 + (size_t)(letter - 'a') * 150;
}

static void *write_letters(worker *self) {
    unsigned char record[26 * 150];
    uint64_t version = self->round->expected;
    for (uint32_t i = 0; i < self->round->repetitions; i++) {
        unsigned char letter = (unsigned char)('a' + i * 7 % 26);
        memset(record, letter, length_of(letter));
        skan_status status = kit_save(self->store, self->round->key, (kit_bytes){record, length_of(letter)}, version,
                                      &version);
        if (status != SKAN_OK) {
            snprintf(self->problem, sizeof self->problem, "save: answered %s (%d), though nobody else writes",
                     skan_status_name(status), (int)status);
            break;
        }
        kit_versions_add(&self->versions, version);
        self->letters[i] = letter;
    }
    atomic_store(&self->round->written, true);
    return NULL;
}

static void *read_letters(worker *self) {
    size_t count = 0;
    while (!atomic_load(&self->round->written) && count < 4 * (size_t)self->round->repetitions) {
        uint64_t version = 0;
        skan_status status = kit_load(self->store, self->round->key, self->buffer, &version);
        size_t size = skan_buffer_size(self->buffer);
        const unsigned char *data = skan_buffer_data(self->buffer);
        if (status != SKAN_OK) {
            snprintf(self->problem, sizeof self->problem, "load: answered %s (%d)", skan_status_name(status),
                     (int)status);
            break;
        }
        bool whole = size > 0 && data[0] >= 'a' && data[0] <= 'z' && size == length_of(data[0]);
        for (size_t i = 1; whole && i < size; i++) whole = data[i] == data[0];
        if (!whole) {
            snprintf(self->problem, sizeof self->problem, "a load gave %zu bytes that nobody saved together", size);
            break;
        }
        kit_versions_add(&self->versions, version);
        self->letters[count++] = data[0];
    }
    return NULL;
}

static void *write_or_read_letters(void *context) {
    worker *self = context;
    return self->index == 0 ? write_letters(self) : read_letters(self);
}

static void loads_see_one_save(kit_run *run) {
    round_of_all round = {.key = kit_key(run, "key"), .threads = run->threads, .repetitions = 4 * run->rounds};
    round.expected = kit_saves(run, &run->store, round.key, KIT_TEXT("a"), 0);
    worker *workers = workers_of(run, &round, NULL, write_or_read_letters), *writer = &workers[0];
    for (uint32_t i = 0; i < run->threads; i++) workers[i].letters = kit_allocate(4 * (size_t)round.repetitions);
    run_all(run, workers);
    for (uint32_t i = 1; i < run->threads; i++) {
        size_t place = 0; /* versions are seen in the order of the saves: one record, read by one thread */
        for (size_t k = 0; k < workers[i].versions.count && !run->failed; k++) {
            uint64_t version = workers[i].versions.numbers[k];
            unsigned char letter = workers[i].letters[k];
            if (version == round.expected && place == 0 && letter == 'a') continue;
            while (place < writer->versions.count && writer->versions.numbers[place] != version) place++;
            if (place == writer->versions.count)
                kit_fail(run, "version %" PRIu64 " was loaded after a newer one, or never given", version);
            else if (writer->letters[place] != letter)
                kit_fail(run, "version %" PRIu64 " came with the bytes of another save", version);
        }
    }
    end_workers(run, workers);
}

/* --------------------------------------------------------------------------------------------- different keys */

/* What one thread alone does to one key comes out as if it was alone in the store. */
static void *keep_to_its_key(void *context) {
    worker *self = context;
    char key[KIT_KEY_SIZE], text[64];
    snprintf(key, sizeof key, "%.100s %u", self->round->key, (unsigned)self->index);
    for (uint32_t i = 0; i < self->round->repetitions && !self->problem[0]; i++) {
        uint64_t version = 0, next = 0, loaded = 0;
        skan_status status = kit_load(self->store, key, self->buffer, &loaded);
        if (status != SKAN_NOT_FOUND) {
            snprintf(self->problem, sizeof self->problem, "load of no record: answered %s", skan_status_name(status));
            break;
        }
        kit_bytes record = record_of(text, self->index);
        status = kit_save(self->store, key, record, 0, &version);
        if (status == SKAN_OK) status = kit_save(self->store, key, record, version, &next);
        if (status == SKAN_OK) status = kit_load(self->store, key, self->buffer, &loaded);
        if (status == SKAN_OK &&
            (loaded != next || skan_buffer_size(self->buffer) != record.length ||
             memcmp(skan_buffer_data(self->buffer), record.data, record.length) != 0))
            snprintf(self->problem, sizeof self->problem, "a load gave another record than its own thread had saved");
        if (status == SKAN_OK) status = kit_remove(self->store, key, next);
        if (status != SKAN_OK)
            snprintf(self->problem, sizeof self->problem, "a call on its own key was answered %s (%d)",
                     skan_status_name(status), (int)status);
    }
    return NULL;
}

static void threads_keep_apart(kit_run *run) {
    const char *key = kit_key(run, "key");
    for (uint32_t i = 0; i < run->threads; i++) { /* known to the kit, so that their records are removed */
        char name[32];
        snprintf(name, sizeof name, "key %u", (unsigned)i);
        kit_key(run, name);
    }
    round_of_all round = {.key = key, .threads = run->threads, .repetitions = run->rounds};
    worker *workers = workers_of(run, &round, NULL, keep_to_its_key);
    run_all(run, workers);
    end_workers(run, workers);
}

const kit_law kit_parallel_laws[] = {
    {"parallel writers on one handle lose nothing", writers_on_one_handle},
    {"parallel writers on a handle each lose nothing", writers_on_a_handle_each},
    {"of parallel inserts exactly one wins", one_insert_wins},
    {"of parallel saves exactly one wins", one_save_wins},
    {"of parallel removes exactly one wins", one_remove_wins},
    {"of parallel saves and removes exactly one wins", one_save_or_remove_wins},
    {"a load gives bytes and version of one save", loads_see_one_save},
    {"parallel work on different keys does not mix", threads_keep_apart},
    {NULL, NULL},
};
