/* Laws of records: what was saved is what is there. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

/* Saved anew, over another record, and loaded each time. */
static void keeps(kit_run *run, const char *key, kit_bytes record) {
    kit_clear(run, key);
    uint64_t inserted = kit_saves(run, &run->store, key, record, 0);
    kit_holds(run, &run->store, key, record, inserted);
    uint64_t other = kit_saves(run, &run->store, key, KIT_TEXT("another record"), inserted);
    uint64_t saved = kit_saves(run, &run->store, key, record, other);
    kit_holds(run, &run->store, key, record, saved);
}

static void missing_is_not_found(kit_run *run) {
    kit_holds_nothing(run, &run->store, kit_key(run, "missing"));
    const char *other = kit_key(run, "other");
    uint64_t version = kit_saves(run, &run->store, other, KIT_TEXT("a record"), 0);
    kit_holds_nothing(run, &run->store, kit_key(run, "missing, beside another"));
    kit_holds(run, &run->store, other, KIT_TEXT("a record"), version);
}

static void load_gives_what_was_saved(kit_run *run) {
    const char *key = kit_key(run, "key");
    uint64_t version = 0;
    for (uint32_t round = 0; round < run->rounds && !run->failed; round++) {
        char text[64];
        snprintf(text, sizeof text, "record %u of the round", (unsigned)round);
        version = kit_saves(run, &run->store, key, KIT_TEXT(text), version);
        kit_holds(run, &run->store, key, KIT_TEXT(text), version);
        kit_holds(run, &run->store, key, KIT_TEXT(text), version);
    }
}

static void one_byte(kit_run *run) {
    const char *key = kit_key(run, "key");
    for (unsigned value = 0; value < 256 && !run->failed; value++) {
        unsigned char byte = (unsigned char)value;
        keeps(run, key, (kit_bytes){&byte, 1});
    }
}

static void longest(kit_run *run) {
    const char *key = kit_key(run, "key");
    unsigned char *record = kit_allocate(SKAN_RECORD_MAX);
    kit_random random = {run->seed};
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < SKAN_RECORD_MAX; i++) record[i] = (unsigned char)kit_draw(&random);
        keeps(run, key, (kit_bytes){record, SKAN_RECORD_MAX});
    }
    memset(record, 0xFF, SKAN_RECORD_MAX); /* the longest of most text forms, too */
    keeps(run, key, (kit_bytes){record, SKAN_RECORD_MAX});
    free(record);
}

static void nul_bytes(kit_run *run) {
    const char *key = kit_key(run, "key");
    keeps(run, key, (kit_bytes){"\0", 1});
    keeps(run, key, (kit_bytes){"\0behind", 7});
    keeps(run, key, (kit_bytes){"before\0behind", 13});
    keeps(run, key, (kit_bytes){"before\0", 7});
    keeps(run, key, (kit_bytes){"before\0\0\0\0", 10});
    keeps(run, key, (kit_bytes){"\0\0\0\0\0\0\0\0", 8});
}

static void every_byte(kit_run *run) {
    const char *key = kit_key(run, "key");
    unsigned char record[512];
    for (size_t i = 0; i < 256; i++) record[i] = (unsigned char)i;
    keeps(run, key, (kit_bytes){record, 256});
    for (size_t i = 0; i < 256; i++) record[i] = (unsigned char)(255 - i);
    keeps(run, key, (kit_bytes){record, 256});
    for (size_t i = 0; i < 512; i++) record[i] = (unsigned char)(i / 2); /* each twice: \r\r, \n\n, '' and \\ */
    keeps(run, key, (kit_bytes){record, 512});
    keeps(run, key, KIT_TEXT("line\r\nline\rline\n"));
    keeps(run, key, KIT_TEXT(" \t spaces at both ends \t "));
    keeps(run, key, KIT_TEXT("\xEF\xBB\xBFtext \xC3\x28 that is no UTF-8 \xED\xA0\x80 \xF5\x80\x80\x80 \xFF\xFE"));
}

static void many_lengths(kit_run *run) {
    const char *key = kit_key(run, "key");
    unsigned char *record = kit_allocate(SKAN_RECORD_MAX);
    for (size_t i = 0; i < SKAN_RECORD_MAX; i++) record[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t length = 1; length <= 130 && !run->failed; length++) keeps(run, key, (kit_bytes){record, length});
    for (size_t power = 256; power <= SKAN_RECORD_MAX && !run->failed; power *= 2)
        for (size_t length = power - 1; length <= power + 1 && length <= SKAN_RECORD_MAX; length++)
            keeps(run, key, (kit_bytes){record, length});
    free(record);
}

static void shorter_after_longer(kit_run *run) {
    const char *key = kit_key(run, "key");
    unsigned char *record = kit_allocate(4096);
    memset(record, 'x', 4096);
    uint64_t version = 0;
    for (size_t length = 4096; length >= 1 && !run->failed; length /= 2) {
        version = kit_saves(run, &run->store, key, (kit_bytes){record, length}, version);
        kit_holds(run, &run->store, key, (kit_bytes){record, length}, version);
    }
    free(record);
}

static void load_replaces_the_buffer(kit_run *run) {
    const char *key = kit_key(run, "key"), *other = kit_key(run, "other");
    uint64_t version = kit_saves(run, &run->store, key, KIT_TEXT("a record"), 0);
    uint64_t others = kit_saves(run, &run->store, other, KIT_TEXT("the record of another key"), 0);
    static const char *const held[] = {"", "x", "a RECORD", "much longer than any of the records that are loaded here"};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        skan_buffer_set(run->buffer, held[i], strlen(held[i]));
        kit_holds(run, &run->store, key, KIT_TEXT("a record"), version);
    }
    kit_holds(run, &run->store, other, KIT_TEXT("the record of another key"), others);
    kit_holds(run, &run->store, key, KIT_TEXT("a record"), version);

    /* Two buffers at a time: neither is the store's own. */
    skan_buffer *first = skan_buffer_create();
    uint64_t loaded = 0;
    skan_status status = kit_load(&run->store, key, first, &loaded);
    kit_holds(run, &run->store, other, KIT_TEXT("the record of another key"), others);
    if (status != SKAN_OK || skan_buffer_size(first) != 8 || memcmp(skan_buffer_data(first), "a record", 8) != 0)
        kit_fail(run, "a buffer does not hold what was loaded into it once another one was loaded");
    skan_buffer_destroy(first);
}

/* The memory of a call has other bytes once the call has returned; it is freed only after the loads, so that a store
 * that kept it is found out, not crashed. */
static void save_copies(kit_run *run, bool changes_key) {
    const char *key = kit_key(run, "key");
    char lent_key[KIT_KEY_SIZE], lent_record[] = "a record";
    memcpy(lent_key, key, strlen(key) + 1);
    skan_store *store = &run->store;
    uint64_t version = 0;
    if (store->save(store->context, lent_key, lent_record, sizeof lent_record, 0, &version) != SKAN_OK)
        kit_fail(run, "an insert does not answer SKAN_OK");
    if (changes_key)
        memset(lent_key, '?', strlen(lent_key));
    else
        memset(lent_record, '?', sizeof lent_record);
    kit_holds(run, store, key, (kit_bytes){"a record", sizeof "a record"}, version);
    if (changes_key)
        memcpy(lent_key, key, strlen(key) + 1);
    uint64_t next = kit_saves(run, store, key, KIT_TEXT("the next record"), version);
    kit_holds(run, store, key, KIT_TEXT("the next record"), next);
    kit_clear(run, key);
}

static void save_copies_the_record(kit_run *run) {
    save_copies(run, false);
}

static void save_copies_the_key(kit_run *run) {
    save_copies(run, true);
}

const kit_law kit_record_laws[] = {
    {"a missing record is not found", missing_is_not_found},
    {"load gives what was saved, with its version", load_gives_what_was_saved},
    {"records of 1 byte are kept", one_byte},
    {"records of 32768 bytes are kept", longest},
    {"records with NUL bytes are kept", nul_bytes},
    {"records with every byte value are kept", every_byte},
    {"records of many lengths are kept", many_lengths},
    {"a shorter record leaves nothing of a longer one", shorter_after_longer},
    {"load replaces what the buffer held", load_replaces_the_buffer},
    {"save copies the record", save_copies_the_record},
    {"save copies the key", save_copies_the_key},
    {NULL, NULL},
};
