/* Calls of the store, checked; and keys. */
#define _GNU_SOURCE
#include "run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------------ handles */

/* The struct may end before an optional hook; there are such stores from before these hooks. */
static bool ends_at_a_hook(size_t size) {
    const size_t least = offsetof(skan_store, load_many);
    return size >= least && size <= sizeof(skan_store) && (size - least) % sizeof(void (*)(void)) == 0;
}

bool kit_open(kit_run *run, skan_store *out) {
    memset(out, 0, sizeof *out);
    skan_status status = run->kit->open(run->kit->context, out);
    if (status != SKAN_OK) return kit_fail(run, "open: answered %s (%d)", skan_status_name(status), (int)status);
    bool has_size = ends_at_a_hook(out->size);
    if (has_size) memset((char *)out + out->size, 0, sizeof *out - out->size);
    if (has_size && out->load && out->save && out->remove) return true;
    kit_fail(run, has_size ? "open: a hook is NULL"
                           : "open: the size is neither sizeof(skan_store) nor that of one without optional hooks");
    kit_close(out);
    return false;
}

bool kit_open_own(kit_run *run) {
    bool failed = run->failed;
    run->failed = false;
    run->open = kit_open(run, &run->store);
    run->not_open.length = 0;
    if (!run->open) kit_print(&run->not_open, "%s", run->reason.bytes);
    run->failed = failed || !run->open;
    return run->open;
}

void kit_close(skan_store *store) {
    if (store->finalize) store->finalize(store->context);
    memset(store, 0, sizeof *store);
}

/* -------------------------------------------------------------------------------------------------------- calls */

skan_status kit_load(skan_store *store, const char *key, skan_buffer *buffer, uint64_t *version) {
    *version = 0;
    skan_status status = store->load(store->context, key, buffer, version);
    if (status != SKAN_OK) *version = 0;
    return status;
}

/* The store is lent memory that has other bytes right afterwards: what it wants to keep it copies. */
skan_status kit_save(skan_store *store, const char *key, kit_bytes record, uint64_t expected, uint64_t *version) {
    size_t key_size = strlen(key) + 1;
    char *lent_key = kit_allocate(key_size);
    unsigned char *lent_record = kit_allocate(record.length);
    memcpy(lent_key, key, key_size);
    if (record.length > 0) memcpy(lent_record, record.data, record.length);
    *version = 0;
    skan_status status = store->save(store->context, lent_key, lent_record, record.length, expected, version);
    if (status != SKAN_OK) *version = 0;
    memset(lent_key, '?', key_size - 1);
    for (size_t i = 0; i < record.length; i++) lent_record[i] = (unsigned char)~lent_record[i];
    free(lent_key);
    free(lent_record);
    return status;
}

skan_status kit_remove(skan_store *store, const char *key, uint64_t expected) {
    return store->remove(store->context, key, expected);
}

/* Fails with "save of "key" after version 3: " and what is behind it. */
static bool fail_call(kit_run *run, const char *call, const char *key, uint64_t expected, const char *format, ...)
    KIT_PRINTS(5, 6);

static bool fail_call(kit_run *run, const char *call, const char *key, uint64_t expected, const char *format, ...) {
    if (run->failed) return false;
    char *what = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&what, format, values) < 0) abort();
    va_end(values);
    kit_text text = {NULL, 0, 0};
    kit_print(&text, "%s of ", call);
    kit_print_bytes(&text, key, strlen(key));
    if (strcmp(call, "load") != 0) kit_print(&text, ", expected_version %" PRIu64, expected);
    kit_fail(run, "%s: %s", text.bytes, what);
    free(text.bytes);
    free(what);
    return false;
}

static bool answers(kit_run *run, const char *call, const char *key, uint64_t expected, skan_status wanted,
                    skan_status came) {
    if (wanted == came) return true;
    return fail_call(run, call, key, expected, "expected %s, came %s (%d)", skan_status_name(wanted),
                     skan_status_name(came), (int)came);
}

uint64_t kit_saves(kit_run *run, skan_store *store, const char *key, kit_bytes record, uint64_t expected) {
    uint64_t version = 0;
    if (!answers(run, "save", key, expected, SKAN_OK, kit_save(store, key, record, expected, &version))) return 0;
    if (version != 0 && version != expected) return version;
    fail_call(run, "save", key, expected, "expected a new version, came %" PRIu64, version);
    return 0;
}

bool kit_save_conflicts(kit_run *run, skan_store *store, const char *key, kit_bytes record, uint64_t expected) {
    uint64_t version = 0;
    return answers(run, "save", key, expected, SKAN_ERROR_STORE_CONFLICT,
                   kit_save(store, key, record, expected, &version));
}

bool kit_removes(kit_run *run, skan_store *store, const char *key, uint64_t expected) {
    return answers(run, "remove", key, expected, SKAN_OK, kit_remove(store, key, expected));
}

bool kit_remove_conflicts(kit_run *run, skan_store *store, const char *key, uint64_t expected) {
    return answers(run, "remove", key, expected, SKAN_ERROR_STORE_CONFLICT, kit_remove(store, key, expected));
}

bool kit_holds(kit_run *run, skan_store *store, const char *key, kit_bytes record, uint64_t version) {
    uint64_t loaded = 0;
    if (!answers(run, "load", key, 0, SKAN_OK, kit_load(store, key, run->buffer, &loaded))) return false;
    if (loaded != version)
        return fail_call(run, "load", key, 0, "expected version %" PRIu64 ", came %" PRIu64, version, loaded);
    size_t size = skan_buffer_size(run->buffer);
    const unsigned char *wanted = record.data, *came = skan_buffer_data(run->buffer);
    size_t same = 0;
    while (same < size && same < record.length && wanted[same] == came[same]) same++;
    if (same == size && same == record.length) return true;
    if (same == size || same == record.length)
        return fail_call(run, "load", key, 0, "expected %zu bytes, came %zu, which begin alike", record.length, size);
    return fail_call(run, "load", key, 0, "expected %zu bytes, came %zu; byte %zu is %02X, came %02X", record.length,
                     size, same, wanted[same], came[same]);
}

bool kit_holds_nothing(kit_run *run, skan_store *store, const char *key) {
    uint64_t version = 0;
    return answers(run, "load", key, 0, SKAN_NOT_FOUND, kit_load(store, key, run->buffer, &version));
}

/* --------------------------------------------------------------------------------------------------------- keys */

bool kit_clear(kit_run *run, const char *key) {
    for (int attempt = 0; attempt < 3; attempt++) {
        uint64_t version = 0;
        skan_status status = kit_load(&run->store, key, run->buffer, &version);
        if (status == SKAN_NOT_FOUND) return true;
        if (status == SKAN_OK) kit_remove(&run->store, key, version);
    }
    return fail_call(run, "load", key, 0, "the record of an earlier run or law cannot be removed");
}

/* Keys keep their addresses: the memory is for all of a law. */
#define KIT_KEYS_MAX 16384

static const char *added_key(kit_run *run, const char *key) {
    if (!run->keys) run->keys = kit_allocate(KIT_KEYS_MAX * sizeof *run->keys);
    if (run->key_count == KIT_KEYS_MAX || strlen(key) > SKAN_INSTALL_ID_MAX) abort();
    char *added = run->keys[run->key_count++];
    memcpy(added, key, strlen(key) + 1);
    kit_clear(run, added);
    return added;
}

const char *kit_key(kit_run *run, const char *name) {
    char key[KIT_KEY_SIZE];
    int length = snprintf(key, sizeof key, "%slaw-%zu/%s", run->prefix, run->law, name);
    if (length < 0 || (size_t)length >= sizeof key) abort();
    return added_key(run, key);
}

const char *kit_longest_key(kit_run *run, const char *name) {
    char key[KIT_KEY_SIZE];
    kit_law_prefix(run, key);
    size_t length = strlen(key);
    if (length + strlen(name) >= sizeof key) abort();
    memset(key + length, '-', sizeof key - 1 - length);
    memcpy(key + length, name, strlen(name));
    key[sizeof key - 1] = '\0';
    return added_key(run, key);
}

void kit_law_prefix(const kit_run *run, char prefix[KIT_KEY_SIZE]) {
    int length = snprintf(prefix, KIT_KEY_SIZE, "%slaw-%zu/", run->prefix, run->law);
    if (length < 0 || length >= KIT_KEY_SIZE) abort();
}

size_t kit_odd_keys(kit_run *run, const char *keys[KIT_ODD_KEYS_MAX]) {
    static const char *const names[] = {
        "a", "A", "a ", " a", "  ", "%", "a%", "_", "*", "?", "[a]", "{}", "{a}", "{a}b", "b{a}", "'", "''", "\"",
        "\"\"", "\\", "\\\\", "\\0", "\\x00", "$1", "?1", ":a", "#", ",", "a,b", "(a,b)", "{\"a\":1}", "NULL", "null",
        "1", "01", "1.0", "0x1", "';--", "a/b", "a:b", "a;b", "a|b", "%25", "\xC3\xA9", "e\xCC\x81", "\xC2\x80",
        "\xEF\xBB\xBF", "\xF0\x9F\x8E\xAE", "\xF4\x8F\xBF\xBF", "\xE2\x80\xAE", "\xE2\x80\xA8", "cursor", "0",
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) keys[count++] = kit_key(run, names[i]);
    keys[count++] = kit_longest_key(run, "");
    keys[count++] = kit_longest_key(run, "longest");
    keys[count++] = kit_key(run, "");
    if (run->prefix[0] == '\0') {
        keys[count++] = kit_exact_key(run, "%");
        keys[count++] = kit_exact_key(run, "x");
    } else
        keys[count++] = kit_exact_key(run, "");
    return count;
}

const char *kit_exact_key(kit_run *run, const char *rest) {
    char key[2 * KIT_KEY_SIZE];
    int length = snprintf(key, sizeof key, "%s%s", run->prefix, rest);
    if (length < 0 || (size_t)length >= sizeof key) abort();
    return added_key(run, key);
}
