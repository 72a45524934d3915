/* What laws are written with: a run over one store, calls that are checked, and keys that begin without a record.
 *
 * A broken law is noted, its first failure counts, and the law goes on or returns as it likes: calls go on to the store
 * all the same. Only the thread of the run may use these, unless said otherwise. */
#ifndef STORE_KIT_RUN_H
#define STORE_KIT_RUN_H

#include <skan/store_kit.h>

#include <string.h>

#define KIT_KEY_SIZE 129 /* of the longest key, with its NUL */

typedef struct kit_text {
    char *bytes; /* ends with a NUL; NULL before the first text */
    size_t length, capacity;
} kit_text;

#define KIT_PRINTS(text, first) __attribute__((format(printf, text, first)))

void kit_print(kit_text *text, const char *format, ...) KIT_PRINTS(2, 3);

/* A key, a record or a part of one, as text that a terminal takes. */
void kit_print_bytes(kit_text *text, const void *data, size_t length);

typedef struct kit_run {
    const skan_store_kit *kit;
    const char *prefix;
    uint32_t threads, rounds, steps;
    uint64_t seed;

    skan_store store; /* the handle that is open all the time */
    bool open;
    kit_text not_open; /* why it is not */
    skan_buffer *buffer;

    size_t law; /* number of the running one */
    bool failed, not_applicable;
    kit_text reason;
    char (*keys)[KIT_KEY_SIZE]; /* of the running law */
    size_t key_count;
} kit_run;

void *kit_allocate(size_t size); /* zeroed; ends the process where there is none */

/* Notes that the law is broken, and why; answers false. */
bool kit_fail(kit_run *run, const char *format, ...) KIT_PRINTS(2, 3);
/* Notes that the law is about what the store does not claim. */
void kit_not_applicable(kit_run *run, const char *why);

/* ---------------------------------------------------------------------------------------------------- handles */

bool kit_open(kit_run *run, skan_store *out);
/* Opens the run's own handle. */
bool kit_open_own(kit_run *run);
void kit_close(skan_store *store);
/* Closes the last handle and opens another one. */
bool kit_reopen(kit_run *run);
/* Whether it is; a law for durable stores is not applicable if not. */
bool kit_is_durable(kit_run *run);

/* ------------------------------------------------------------------------------------------------------- keys */

/* A key of this law alone, without a record; valid until the law ends, as the kit removes its record then. */
const char *kit_key(kit_run *run, const char *name);
/* The same of exactly these bytes behind the prefix. */
const char *kit_exact_key(kit_run *run, const char *rest);
/* The same, filled up with `-` to the longest key. */
const char *kit_longest_key(kit_run *run, const char *name);
/* What every key of this law begins with, but those of kit_exact_key. */
void kit_law_prefix(const kit_run *run, char prefix[KIT_KEY_SIZE]);
/* Keys that stores quote wrongly, the shortest and the longest; their number. */
#define KIT_ODD_KEYS_MAX 64
size_t kit_odd_keys(kit_run *run, const char *keys[KIT_ODD_KEYS_MAX]);
/* Removes the record of a key if there is one. */
bool kit_clear(kit_run *run, const char *key);

/* ------------------------------------------------------------------------------------- calls, on any handle */

typedef struct kit_bytes {
    const void *data;
    size_t length;
} kit_bytes;

#define KIT_TEXT(text) ((kit_bytes){(text), strlen(text)})

/* These may be used from any thread: they check nothing and note nothing. `version` is 0 unless the answer is OK. */
skan_status kit_load(skan_store *store, const char *key, skan_buffer *buffer, uint64_t *version);
skan_status kit_save(skan_store *store, const char *key, kit_bytes record, uint64_t expected, uint64_t *version);
skan_status kit_remove(skan_store *store, const char *key, uint64_t expected);

/* These note a failure where the store answers anything else than they expect. */

/* Saves; the new version, 0 on a failure. It must not be 0 nor the expected one. */
uint64_t kit_saves(kit_run *run, skan_store *store, const char *key, kit_bytes record, uint64_t expected);
bool kit_save_conflicts(kit_run *run, skan_store *store, const char *key, kit_bytes record, uint64_t expected);
bool kit_removes(kit_run *run, skan_store *store, const char *key, uint64_t expected);
bool kit_remove_conflicts(kit_run *run, skan_store *store, const char *key, uint64_t expected);
/* A load gives exactly this record with this version. */
bool kit_holds(kit_run *run, skan_store *store, const char *key, kit_bytes record, uint64_t version);
bool kit_holds_nothing(kit_run *run, skan_store *store, const char *key);

/* ----------------------------------------------------------------------------------------------- many at once */

/* One of many loads or saves. */
typedef struct kit_item {
    const char *key;
    kit_bytes record;    /* to save */
    uint64_t expected;   /* the same */
    skan_buffer *buffer; /* to load into */
    skan_status status;  /* answered */
    uint64_t version;    /* 0 unless the answer is OK */
} kit_item;

/* With a buffer each. */
kit_item *kit_items(size_t count);
void kit_end_items(kit_item *items, size_t count);

/* By load_many and save_many, or one by one where the store has none. From any thread; these note nothing. */
void kit_load_many(skan_store *store, kit_item *items, size_t count);
void kit_save_many(skan_store *store, kit_item *items, size_t count);

/* These note a failure where an item was answered anything else than they expect. */

/* The new version, 0 on a failure. */
uint64_t kit_item_is_saved(kit_run *run, const kit_item *items, size_t count, size_t index);
bool kit_item_conflicts(kit_run *run, const kit_item *items, size_t count, size_t index);
bool kit_item_holds(kit_run *run, const kit_item *items, size_t count, size_t index, kit_bytes record,
                    uint64_t version);
bool kit_item_holds_nothing(kit_run *run, const kit_item *items, size_t count, size_t index);

/* Whether the store has an optional hook; a law about it is not applicable if not. */
bool kit_offers(kit_run *run, bool offered, const char *hook);

/* -------------------------------------------------------------------------------------------------- listed keys */

/* Keys that were listed, in order, each once. */
typedef struct kit_listing {
    char (*keys)[KIT_KEY_SIZE];
    size_t count, capacity;
    size_t pages;
} kit_listing;

/* Reads the next page, with keys of this beginning only; an empty cursor begins, and is what the last page leaves. */
bool kit_list_page(kit_run *run, skan_store *store, skan_buffer *cursor, const char *beginning, kit_listing *listing);
/* From the first page to the last, then sorted. */
bool kit_list(kit_run *run, skan_store *store, const char *beginning, kit_listing *listing);
void kit_sort_listing(kit_listing *listing);
bool kit_is_listed(const kit_listing *listing, const char *key);
void kit_end_listing(kit_listing *listing);

/* ---------------------------------------------------------------------------------------------------- threads */

/* Runs `work` in as many threads as the run has, the first with `contexts`, each next one `size` bytes on. */
void kit_run_threads(kit_run *run, void *(*work)(void *context), void *contexts, size_t size);

/* ------------------------------------------------------------------------------------------------------- laws */

typedef struct kit_law {
    const char *name;
    void (*prove)(kit_run *run);
} kit_law;

extern const kit_law kit_open_laws[], kit_record_laws[], kit_version_laws[], kit_conflict_laws[], kit_key_laws[],
    kit_handle_laws[], kit_parallel_laws[], kit_load_many_laws[], kit_save_many_laws[], kit_parallel_batch_laws[],
    kit_list_laws[], kit_sequence_laws[]; /* each ends with a NULL name */

/* ------------------------------------------------------------------------------- numbers that look like chance */

typedef struct kit_random {
    uint64_t state;
} kit_random;

uint64_t kit_draw(kit_random *random);
/* 0..<limit */
uint64_t kit_draw_below(kit_random *random, uint64_t limit);
/* The numbers 0..<count in some order. */
void kit_draw_order(kit_random *random, size_t *order, size_t count);

/* ------------------------------------------------------------------------------------------- sets of versions */

typedef struct kit_versions {
    uint64_t *numbers;
    size_t count, capacity;
} kit_versions;

void kit_versions_add(kit_versions *versions, uint64_t version);
/* A version that is there twice, or 0. Sorts them. */
uint64_t kit_versions_repeated(kit_versions *versions);
void kit_versions_end(kit_versions *versions);
/* Fails where a version of a key is there twice; ends the set. */
void kit_expect_no_repetition(kit_run *run, kit_versions *versions);

#endif
