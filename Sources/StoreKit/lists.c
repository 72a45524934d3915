/* Laws of listed keys: each as it is, those that stay at least once, to an end. */
#include "run.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGES_MAX 1000000 /* of one listing; then it is taken to go on for ever */
#define MANY 8300         /* longest keys, with their ends, are more than one buffer holds */

/* ------------------------------------------------------------------------------------------------------- pages */

static void add_key(kit_listing *listing, const char *key, size_t length) {
    if (listing->count == listing->capacity) {
        listing->capacity = listing->capacity ? 2 * listing->capacity : 256;
        listing->keys = realloc(listing->keys, listing->capacity * sizeof *listing->keys);
        if (!listing->keys) abort();
    }
    memcpy(listing->keys[listing->count++], key, length + 1);
}

static bool read_page(kit_run *run, const char *beginning, kit_listing *listing) {
    const char *next = skan_buffer_data(run->buffer), *end = next + skan_buffer_size(run->buffer);
    while (next < end) {
        const char *nul = memchr(next, '\0', (size_t)(end - next));
        if (!nul) return kit_fail(run, "list: the last key of a page is not ended by a NUL");
        size_t length = (size_t)(nul - next);
        if (length == 0 || length > SKAN_INSTALL_ID_MAX)
            return kit_fail(run, "list: a key of %zu bytes", length);
        if (strncmp(next, beginning, strlen(beginning)) == 0) add_key(listing, next, length);
        next = nul + 1;
    }
    return true;
}

bool kit_list_page(kit_run *run, skan_store *store, skan_buffer *cursor, const char *beginning, kit_listing *listing) {
    if (run->failed) return false;
    static const char held[] = "what the buffer held";
    skan_buffer_set(run->buffer, held, sizeof held);
    skan_status status = store->list(store->context, cursor, run->buffer);
    if (status != SKAN_OK) return kit_fail(run, "list: answered %s (%d)", skan_status_name(status), (int)status);
    if (listing->pages++ == PAGES_MAX) return kit_fail(run, "list: more than %d pages", PAGES_MAX);
    return read_page(run, beginning, listing);
}

bool kit_list(kit_run *run, skan_store *store, const char *beginning, kit_listing *listing) {
    skan_buffer *cursor = skan_buffer_create();
    bool lists;
    do {
        lists = kit_list_page(run, store, cursor, beginning, listing);
    } while (lists && skan_buffer_size(cursor) > 0);
    skan_buffer_destroy(cursor);
    kit_sort_listing(listing);
    return lists;
}

static int order(const void *left, const void *right) {
    return strcmp(left, right);
}

void kit_sort_listing(kit_listing *listing) {
    if (listing->count < 2) return;
    qsort(listing->keys, listing->count, sizeof *listing->keys, order);
    size_t kept = 1;
    for (size_t i = 1; i < listing->count; i++)
        if (strcmp(listing->keys[i], listing->keys[kept - 1]) != 0)
            memmove(listing->keys[kept++], listing->keys[i], sizeof *listing->keys);
    listing->count = kept;
}

bool kit_is_listed(const kit_listing *listing, const char *key) {
    return listing->count > 0 && bsearch(key, listing->keys, listing->count, sizeof *listing->keys, order);
}

void kit_end_listing(kit_listing *listing) {
    free(listing->keys);
    *listing = (kit_listing){NULL, 0, 0, 0};
}

/* ------------------------------------------------------------------------------------------------------ checks */

static bool fail_key(kit_run *run, const char *what, const char *key) {
    if (run->failed) return false;
    kit_text text = {NULL, 0, 0};
    kit_print_bytes(&text, key, strlen(key));
    kit_fail(run, "list: %s: %s", what, text.bytes);
    free(text.bytes);
    return false;
}

/* A whole listing has these keys, and of those that begin like keys of this law no others. */
static void lists_exactly(kit_run *run, skan_store *store, const char *const *keys, size_t count) {
    kit_listing listing = {NULL, 0, 0, 0};
    char beginning[KIT_KEY_SIZE];
    kit_law_prefix(run, beginning);
    if (kit_list(run, store, run->prefix, &listing)) {
        for (size_t i = 0; i < count; i++)
            if (!kit_is_listed(&listing, keys[i])) fail_key(run, "a key with a record is missing", keys[i]);
        for (size_t i = 0; i < listing.count && !run->failed; i++) {
            bool known = strncmp(listing.keys[i], beginning, strlen(beginning)) != 0;
            for (size_t k = 0; k < count && !known; k++) known = strcmp(listing.keys[i], keys[k]) == 0;
            if (!known) fail_key(run, "a key without a record", listing.keys[i]);
        }
    }
    kit_end_listing(&listing);
}

static uint64_t insert(kit_run *run, const char *key) {
    return kit_saves(run, &run->store, key, KIT_TEXT("a record"), 0);
}

/* Records under keys of 128 bytes. */
static const char **insert_many(kit_run *run, size_t count) {
    const char **keys = kit_allocate(count * sizeof *keys);
    kit_item *items = kit_items(SKAN_BATCH_MAX);
    for (size_t first = 0; first < count && !run->failed; first += SKAN_BATCH_MAX) {
        size_t length = count - first < SKAN_BATCH_MAX ? count - first : SKAN_BATCH_MAX;
        for (size_t i = 0; i < length; i++) {
            char name[32];
            snprintf(name, sizeof name, "0%05zu", first + i);
            items[i].key = keys[first + i] = kit_longest_key(run, name);
            items[i].record = KIT_TEXT("a record");
        }
        kit_save_many(&run->store, items, length);
        for (size_t i = 0; i < length; i++) kit_item_is_saved(run, items, length, i);
    }
    kit_end_items(items, SKAN_BATCH_MAX);
    return keys;
}

/* -------------------------------------------------------------------------------------------------------- laws */

static void nothing_is_listed(kit_run *run) {
    if (!kit_offers(run, run->store.list, "list")) return;
    lists_exactly(run, &run->store, NULL, 0);
    const char *key = kit_key(run, "key");
    kit_removes(run, &run->store, key, insert(run, key));
    lists_exactly(run, &run->store, NULL, 0);
    kit_save_conflicts(run, &run->store, key, KIT_TEXT("must not get in"), 1);
    lists_exactly(run, &run->store, NULL, 0);
}

static void keys_as_they_are(kit_run *run) {
    if (!kit_offers(run, run->store.list, "list")) return;
    const char *keys[KIT_ODD_KEYS_MAX];
    size_t count = kit_odd_keys(run, keys);
    for (size_t i = 0; i < count; i++) insert(run, keys[i]);
    lists_exactly(run, &run->store, keys, count);
}

static void removed_keys_are_gone(kit_run *run) {
    if (!kit_offers(run, run->store.list, "list")) return;
    enum { COUNT = 12 };
    const char *keys[COUNT], *left[COUNT];
    uint64_t versions[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        char name[32];
        snprintf(name, sizeof name, "key %zu", i);
        keys[i] = kit_key(run, name);
        versions[i] = insert(run, keys[i]);
    }
    lists_exactly(run, &run->store, keys, COUNT);
    for (size_t removed = 0; removed < COUNT && !run->failed; removed++) {
        size_t gone = removed * 5 % COUNT, count = 0;
        kit_removes(run, &run->store, keys[gone], versions[gone]);
        versions[gone] = 0;
        for (size_t i = 0; i < COUNT; i++)
            if (versions[i] != 0) left[count++] = keys[i];
        lists_exactly(run, &run->store, left, count);
    }
    insert(run, keys[3]); /* again */
    lists_exactly(run, &run->store, &keys[3], 1);
}

static void lists_page_by_page(kit_run *run) {
    if (!kit_offers(run, run->store.list, "list")) return;
    const char **keys = insert_many(run, MANY);
    kit_listing listing = {NULL, 0, 0, 0};
    if (kit_list(run, &run->store, run->prefix, &listing))
        for (size_t i = 0; i < MANY; i++)
            if (!kit_is_listed(&listing, keys[i])) fail_key(run, "a key with a record is missing", keys[i]);
    kit_end_listing(&listing);
    free(keys);
}

/* The key that comes where this one goes: after all the others, where stores go by their order. */
static void key_instead(const kit_run *run, const char *key, char instead[KIT_KEY_SIZE]) {
    kit_law_prefix(run, instead);
    size_t length = strlen(instead);
    memcpy(instead, key, strlen(key) + 1);
    instead[length] = '~';
}

/* Of the keys that were listed since, those that come and go make way for others; the others stay. */
static void change_others(kit_run *run, const kit_listing *listing, size_t from) {
    for (size_t i = from; i < listing->count && !run->failed; i++) {
        const char *key = listing->keys[i];
        if (!strstr(key, "comes and goes")) continue;
        uint64_t version = 0;
        if (kit_load(&run->store, key, run->buffer, &version) != SKAN_OK) continue;
        kit_removes(run, &run->store, key, version);
        char other[KIT_KEY_SIZE];
        key_instead(run, key, other);
        insert(run, other);
    }
}

static void keys_that_stay_are_listed(kit_run *run) {
    if (!kit_offers(run, run->store.list, "list")) return;
    const char **keys = insert_many(run, MANY);
    for (size_t i = 0; i < MANY / 4 && !run->failed; i++) {
        char name[32];
        snprintf(name, sizeof name, "0%05zu comes and goes", 4 * i);
        const char *key = kit_longest_key(run, name);
        insert(run, key);
        char after[KIT_KEY_SIZE]; /* what change_others makes of it, known to the kit */
        key_instead(run, key, after);
        kit_exact_key(run, after + strlen(run->prefix));
    }
    kit_listing listing = {NULL, 0, 0, 0};
    skan_buffer *cursor = skan_buffer_create();
    char beginning[KIT_KEY_SIZE];
    kit_law_prefix(run, beginning);
    do {
        size_t seen = listing.count;
        if (!kit_list_page(run, &run->store, cursor, beginning, &listing)) break;
        change_others(run, &listing, seen);
    } while (skan_buffer_size(cursor) > 0 && !run->failed);
    skan_buffer_destroy(cursor);
    kit_sort_listing(&listing);
    for (size_t i = 0; i < MANY; i++)
        if (!run->failed && !kit_is_listed(&listing, keys[i])) fail_key(run, "a key that stayed is missing", keys[i]);
    kit_end_listing(&listing);
    free(keys);
}

/* Page by page through handles in turn. */
static void goes_on_through_another_handle(kit_run *run) {
    if (!kit_offers(run, run->store.list, "list")) return;
    skan_store second, *handles[2] = {&run->store, &second};
    if (!run->kit->shared) {
        kit_not_applicable(run, "handles of this store do not share records");
        return;
    }
    if (!kit_open(run, &second)) return;
    const char **keys = insert_many(run, MANY);
    kit_listing listing = {NULL, 0, 0, 0};
    skan_buffer *cursor = skan_buffer_create();
    bool goes_on = true;
    while (goes_on)
        goes_on = kit_list_page(run, handles[listing.pages % 2], cursor, run->prefix, &listing) &&
                  skan_buffer_size(cursor) > 0;
    skan_buffer_destroy(cursor);
    kit_sort_listing(&listing);
    for (size_t i = 0; i < MANY; i++)
        if (!run->failed && !kit_is_listed(&listing, keys[i])) fail_key(run, "a key with a record is missing", keys[i]);
    kit_end_listing(&listing);
    free(keys);
    kit_close(&second);
}

/* What no store would leave as a cursor: too long, or of bytes that have no meaning together. */
static void foreign_cursors(kit_run *run) {
    if (!kit_offers(run, run->store.list, "list")) return;
    const char *key = kit_key(run, "key");
    insert(run, key);
    char *long_one = kit_allocate(SKAN_BUFFER_MAX);
    memset(long_one, '\xFE', SKAN_BUFFER_MAX);
    const kit_bytes cursors[] = {KIT_TEXT("no cursor of this store"), {"\0", 1}, {"\xFF\xFE\x01\x00 ?\n'\"", 9},
                                 KIT_TEXT("%s%n{}[]<>&;--"), {long_one, 300}, {long_one, SKAN_BUFFER_MAX}};
    skan_buffer *cursor = skan_buffer_create();
    for (size_t i = 0; i < sizeof cursors / sizeof *cursors; i++) {
        skan_buffer_set(cursor, cursors[i].data, cursors[i].length);
        skan_status status = run->store.list(run->store.context, cursor, run->buffer);
        if (status != SKAN_ERROR_STORE)
            kit_fail(run, "list with a cursor that the store did not make (%zu bytes): expected %s, came %s (%d)",
                     cursors[i].length, skan_status_name(SKAN_ERROR_STORE), skan_status_name(status), (int)status);
    }
    skan_buffer_destroy(cursor);
    free(long_one);
    lists_exactly(run, &run->store, &key, 1); /* it goes on */
}

/* ------------------------------------------------------------------------------------- listings beside changes */

#define STAYING 200
#define CHANGING 100

typedef struct fair {
    kit_run *run; /* only the first thread, which lists, notes anything */
    const char *staying[STAYING];
    const char *changing[CHANGING];
    atomic_bool is_over;
} fair;

typedef struct visitor {
    fair *fair;
    uint32_t index;
    char problem[160];
} visitor;

static void list_often(fair *fair) {
    kit_run *run = fair->run;
    for (uint32_t round = 0; round < run->rounds && !run->failed; round++) {
        kit_listing listing = {NULL, 0, 0, 0};
        if (kit_list(run, &run->store, run->prefix, &listing))
            for (size_t i = 0; i < STAYING; i++)
                if (!kit_is_listed(&listing, fair->staying[i]))
                    fail_key(run, "a key that stayed is missing", fair->staying[i]);
        kit_end_listing(&listing);
    }
}

/* Saves and removes keys that no other thread has. */
static void come_and_go(visitor *self, skan_store *store, uint32_t step) {
    uint64_t versions[CHANGING] = {0};
    for (size_t i = self->index - 1; !atomic_load(&self->fair->is_over) && !self->problem[0];) {
        const char *key = self->fair->changing[i];
        skan_status status;
        if (versions[i] == 0) {
            status = kit_save(store, key, KIT_TEXT("here"), 0, &versions[i]);
        } else {
            status = kit_remove(store, key, versions[i]);
            versions[i] = 0;
        }
        if (status != SKAN_OK)
            snprintf(self->problem, sizeof self->problem, "a change of a key that nobody else changes: %s (%d)",
                     skan_status_name(status), (int)status);
        i += step;
        if (i >= CHANGING) i = self->index - 1;
    }
}

static void *visit(void *context) {
    visitor *self = context;
    kit_run *run = self->fair->run;
    if (self->index == 0) {
        list_often(self->fair);
        atomic_store(&self->fair->is_over, true);
    } else
        come_and_go(self, &run->store, run->threads - 1);
    return NULL;
}

static void lists_beside_changes(kit_run *run) {
    if (!kit_offers(run, run->store.list, "list")) return;
    fair fair = {.run = run};
    visitor visitors[SKAN_STORE_KIT_THREADS_MAX] = {{0}};
    for (size_t i = 0; i < STAYING; i++) {
        char name[32];
        snprintf(name, sizeof name, "%03zu stays", i);
        fair.staying[i] = kit_key(run, name);
        insert(run, fair.staying[i]);
    }
    for (size_t i = 0; i < CHANGING; i++) {
        char name[32];
        snprintf(name, sizeof name, "%03zu comes and goes", 2 * i);
        fair.changing[i] = kit_key(run, name);
    }
    for (uint32_t i = 0; i < run->threads; i++) visitors[i] = (visitor){.fair = &fair, .index = i};
    kit_run_threads(run, visit, visitors, sizeof *visitors);
    for (uint32_t i = 0; i < run->threads; i++)
        if (visitors[i].problem[0]) kit_fail(run, "thread %u: %s", (unsigned)i, visitors[i].problem);
}

const kit_law kit_list_laws[] = {
    {"nothing is listed where no record is", nothing_is_listed},
    {"list gives every key as it is", keys_as_they_are},
    {"removed keys are not listed", removed_keys_are_gone},
    {"list gives more keys than a buffer holds, page by page", lists_page_by_page},
    {"keys that stay are listed while others come and go", keys_that_stay_are_listed},
    {"a listing goes on through another handle", goes_on_through_another_handle},
    {"list refuses a cursor that it did not make", foreign_cursors},
    {"keys that stay are listed beside threads that save and remove", lists_beside_changes},
    {NULL, NULL},
};
