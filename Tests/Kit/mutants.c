#define _GNU_SOURCE
#include "mutants.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------- the right store */

static host_store *records_of(void *handle) {
    return &((mutant_store *)handle)->data->records;
}

static skan_status right_load(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    return host_store_load(records_of(handle), key, out, version);
}

static skan_status right_save(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                              uint64_t *version) {
    return host_store_save(records_of(handle), key, data, length, expected, version);
}

static skan_status right_remove(void *handle, const char *key, uint64_t expected) {
    return host_store_remove(records_of(handle), key, expected);
}

/* By the mutant's own load and save, one by one. */
static void right_load_many(void *context, skan_load_item *items, size_t count) {
    mutant_store *handle = context;
    const mutant *mutant = handle->data->mutant;
    for (size_t i = 0; i < count; i++)
        items[i].status = (mutant->load ? mutant->load : right_load)(handle, items[i].key, items[i].out,
                                                                     &items[i].version);
}

static void right_save_many(void *context, skan_save_item *items, size_t count) {
    mutant_store *handle = context;
    const mutant *mutant = handle->data->mutant;
    for (size_t i = 0; i < count; i++)
        items[i].status = (mutant->save ? mutant->save : right_save)(
            handle, items[i].key, items[i].data, items[i].length, items[i].expected_version, &items[i].new_version);
}

/* The cursor is the last key of a page, behind this. */
static const char mark[] = "after ";

/* The place after the cursor's key; SIZE_MAX for a cursor that is none. The mutex is held. */
static size_t place_after(const host_store *records, const skan_buffer *cursor) {
    const char *data = skan_buffer_data(cursor);
    size_t size = skan_buffer_size(cursor), place = 0;
    if (size == 0) return 0;
    if (size < strlen(mark) || size > strlen(mark) + SKAN_INSTALL_ID_MAX || memcmp(data, mark, strlen(mark)) != 0)
        return SIZE_MAX;
    char key[SKAN_INSTALL_ID_MAX + 1] = "";
    memcpy(key, data + strlen(mark), size - strlen(mark));
    while (place < records->count && strcmp(records->records[place].key, key) <= 0) place++;
    return place;
}

/* Keys from a place on, at most `limit`, as many as a buffer holds; the place after them. */
static size_t put_page(const host_store *records, size_t place, size_t limit, skan_buffer *keys) {
    char *page = malloc(SKAN_BUFFER_MAX);
    if (!page) abort();
    size_t length = 0;
    for (; place < records->count && limit > 0; place++, limit--) {
        size_t size = strlen(records->records[place].key) + 1;
        if (length + size > SKAN_BUFFER_MAX) break;
        memcpy(page + length, records->records[place].key, size);
        length += size;
    }
    skan_buffer_set(keys, page, length);
    free(page);
    return place;
}

static void put_cursor(const host_store *records, size_t place, skan_buffer *cursor) {
    char text[256] = "";
    if (place < records->count) snprintf(text, sizeof text, "%s%s", mark, records->records[place - 1].key);
    skan_buffer_set(cursor, text, strlen(text));
}

static skan_status right_list(void *handle, skan_buffer *cursor, skan_buffer *keys) {
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    size_t place = place_after(records, cursor);
    if (place != SIZE_MAX) put_cursor(records, put_page(records, place, 1000, keys), cursor);
    pthread_mutex_unlock(&records->mutex);
    return place == SIZE_MAX ? SKAN_ERROR_STORE : SKAN_OK;
}

static void close_handle(void *context) {
    mutant_store *handle = context;
    handle->data->open--;
    if (handle->data->mutant->closed) handle->data->mutant->closed(handle);
    host_store_end(&handle->cache);
    free(handle);
}

skan_status mutant_open(void *context, skan_store *out) {
    mutant_data *data = context;
    mutant_store *handle = calloc(1, sizeof *handle);
    if (!handle) abort();
    handle->data = data;
    host_store_init(&handle->cache);
    data->handles++;
    data->open++;
    const mutant *mutant = data->mutant;
    *out = (skan_store){sizeof *out,
                        handle,
                        mutant->load ? mutant->load : right_load,
                        mutant->save ? mutant->save : right_save,
                        mutant->remove ? mutant->remove : right_remove,
                        close_handle,
                        mutant->load_many,
                        mutant->save_many,
                        mutant->list};
    if (!data->offers_least || mutant->opened) {
        if (!out->load_many) out->load_many = right_load_many;
        if (!out->save_many) out->save_many = right_save_many;
        if (!out->list) out->list = right_list;
    }
    if (mutant->opened) mutant->opened(handle, out);
    return SKAN_OK;
}

skan_status mutant_reopen(void *context) {
    mutant_data *data = context;
    if (data->open != 0) return SKAN_ERROR_MISUSE;
    if (data->mutant->reopened) data->mutant->reopened(data);
    return SKAN_OK;
}

void mutant_data_init(mutant_data *data, const mutant *mutant) {
    memset(data, 0, sizeof *data);
    data->mutant = mutant;
    host_store_init(&data->records);
    pthread_mutex_init(&data->mutex, NULL);
    pthread_mutex_init(&data->other, NULL);
}

void mutant_data_end(mutant_data *data) {
    host_store_end(&data->records);
    pthread_mutex_destroy(&data->mutex);
    pthread_mutex_destroy(&data->other);
}

/* -------------------------------------------------------------------------------------------------------- records */

/* A copy of the record as it is now; `data`, which the caller frees, is NULL if there is none. */
static host_record copy_of(void *handle, const char *key) {
    host_record copy = {NULL, NULL, 0, 0};
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    const host_record *record = host_store_find(records, key);
    if (record) {
        copy = (host_record){NULL, malloc(record->length + 1), record->length, record->version};
        if (!copy.data) abort();
        memcpy(copy.data, record->data, record->length);
    }
    pthread_mutex_unlock(&records->mutex);
    return copy;
}

static skan_status empty_for_missing(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    skan_status status = right_load(handle, key, out, version);
    if (status != SKAN_NOT_FOUND) return status;
    *version = 0;
    return skan_buffer_set(out, NULL, 0);
}

static skan_status loads_in_lower_case(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    skan_status status = right_load(handle, key, out, version);
    char *copy = malloc(skan_buffer_size(out) + 1);
    if (!copy) abort();
    size_t size = skan_buffer_size(out);
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = ((const unsigned char *)skan_buffer_data(out))[i];
        copy[i] = byte == 'r' ? 'R' : (char)byte;
    }
    skan_buffer_set(out, copy, size);
    free(copy);
    return status;
}

static skan_status refuses_one_byte(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                                    uint64_t *version) {
    return length < 2 ? SKAN_ERROR_STORE : right_save(handle, key, data, length, expected, version);
}

static skan_status keeps_32767_bytes(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                                     uint64_t *version) {
    return right_save(handle, key, data, length < 32767 ? length : 32767, expected, version);
}

static skan_status cuts_at_nul(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                               uint64_t *version) {
    return right_save(handle, key, data, strnlen(data, length), expected, version);
}

/* Line ends, as a file opened as text has them. */
static skan_status translates_lines(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                                    uint64_t *version) {
    char *copy = malloc(length + 1);
    if (!copy) abort();
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        if (((const char *)data)[i] != '\r' || length == 1) copy[count++] = ((const char *)data)[i];
    skan_status status = right_save(handle, key, copy, count, expected, version);
    free(copy);
    return status;
}

static skan_status pads_to_eight(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                                 uint64_t *version) {
    if (length % 8 == 0 || length < 100) return right_save(handle, key, data, length, expected, version);
    char *copy = calloc(1, length + 8);
    if (!copy) abort();
    memcpy(copy, data, length);
    skan_status status = right_save(handle, key, copy, length / 8 * 8 + 8, expected, version);
    free(copy);
    return status;
}

static skan_status keeps_the_tail(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                                  uint64_t *version) {
    host_record record = copy_of(handle, key);
    skan_status status;
    if (record.length > length) {
        memcpy(record.data, data, length);
        status = right_save(handle, key, record.data, record.length, expected, version);
    } else
        status = right_save(handle, key, data, length, expected, version);
    free(record.data);
    return status;
}

/* Believes that a buffer as long as the record holds it. */
static skan_status spares_the_buffer(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    host_record record = copy_of(handle, key);
    free(record.data);
    if (record.length != 8 || skan_buffer_size(out) != 8) return right_load(handle, key, out, version);
    *version = record.version;
    return SKAN_OK;
}

/* The record of the laws about memory, the only ones that do not free what they lend before they load. */
static bool is_lent(const void *data, size_t length) {
    return length == sizeof "a record" && memcmp(data, "a record", length) == 0;
}

/* Looks again, on loading, at the memory of the last save while its record is the stored one. */
static skan_status keeps_the_record_pointer(void *handle, const char *key, const void *data, size_t length,
                                            uint64_t expected, uint64_t *version) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    bool lent = is_lent(data, length);
    skan_status status = right_save(handle, key, data, length, expected, version);
    if (status == SKAN_OK && lent)
        shared->kept = (host_record){NULL, (void *)(uintptr_t)data, length, *version};
    return status;
}

static skan_status loads_from_the_pointer(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    skan_status status = right_load(handle, key, out, version);
    if (status == SKAN_OK && shared->kept.data && shared->kept.version == *version)
        return skan_buffer_set(out, shared->kept.data, shared->kept.length);
    return status;
}

static skan_status keeps_the_key_pointer(void *handle, const char *key, const void *data, size_t length,
                                         uint64_t expected, uint64_t *version) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    bool lent = is_lent(data, length);
    skan_status status = right_save(handle, key, data, length, expected, version);
    if (status == SKAN_OK && lent) shared->kept = (host_record){(char *)(uintptr_t)key, NULL, 0, *version};
    return status;
}

static skan_status compares_the_pointed_key(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    skan_status status = right_load(handle, key, out, version);
    bool kept = status == SKAN_OK && shared->kept.key && shared->kept.version == *version;
    return kept && strcmp(shared->kept.key, key) != 0 ? SKAN_NOT_FOUND : status;
}

/* ------------------------------------------------------------------------------------------------------- versions */

/* Stored versions are the right ones of an inner store; what is shown is made of them. */
static skan_status shows_versions_from_0(void *handle, const char *key, const void *data, size_t length,
                                         uint64_t expected, uint64_t *version) {
    skan_status status = right_save(handle, key, data, length, expected, version);
    if (status == SKAN_OK && expected == 0) *version = 0;
    return status;
}

static skan_status loads_the_next_version(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    skan_status status = right_load(handle, key, out, version);
    if (status == SKAN_OK && *version % 64 == 63) ++*version;
    return status;
}

/* Saves with a version that the mutant chooses. */
static skan_status save_with(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                             uint64_t *version, uint64_t (*chosen)(mutant_data *, const host_record *, const void *,
                                                                   size_t)) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    host_record *record = host_store_find(records, key);
    bool matches = (record ? record->version : 0) == expected;
    if (matches) {
        uint64_t next = chosen(shared, record, data, length);
        host_store_put(records, key, data, length);
        *version = host_store_find(records, key)->version = next;
    }
    pthread_mutex_unlock(&records->mutex);
    return matches ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT;
}

static uint64_t version_of_insert(mutant_data *shared, const host_record *before, const void *data, size_t length) {
    (void)data, (void)length;
    return before ? before->version : shared->records.newest_version + 1;
}

static uint64_t version_of_bytes(mutant_data *shared, const host_record *before, const void *data, size_t length) {
    bool equal = before && before->length == length && memcmp(before->data, data, length) == 0;
    return equal ? before->version : shared->records.newest_version + 1;
}

static uint64_t version_below_200(mutant_data *shared, const host_record *before, const void *data, size_t length) {
    (void)before, (void)data, (void)length;
    return 1 + shared->records.newest_version % 199;
}

static uint64_t version_of_record(mutant_data *shared, const host_record *before, const void *data, size_t length) {
    (void)shared, (void)data, (void)length;
    return before ? before->version + 1 : 1;
}

#define SAVES_WITH(name, chosen) \
    static skan_status name(void *handle, const char *key, const void *data, size_t length, uint64_t expected, \
                            uint64_t *version) { \
        return save_with(handle, key, data, length, expected, version, chosen); \
    }

SAVES_WITH(keeps_the_version, version_of_insert)
SAVES_WITH(keeps_the_version_of_equal_bytes, version_of_bytes)
SAVES_WITH(wraps_versions, version_below_200)
SAVES_WITH(counts_for_each_record, version_of_record)

/* ------------------------------------------------------------------------------------------------ compare-and-set */

static uint64_t stored_version(void *handle, const char *key) {
    host_record record = copy_of(handle, key);
    free(record.data);
    return record.version;
}

static uint64_t newest_version(void *handle) {
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    uint64_t version = records->newest_version;
    pthread_mutex_unlock(&records->mutex);
    return version;
}

/* Saves and removes as if the caller had expected another version. */
#define SAVES_EXPECTING(name, number) \
    static skan_status name(void *handle, const char *key, const void *data, size_t length, uint64_t expected, \
                            uint64_t *version) { \
        uint64_t stored = stored_version(handle, key); \
        (void)stored, (void)expected; \
        return right_save(handle, key, data, length, (number), version); \
    }
#define REMOVES_EXPECTING(name, number) \
    static skan_status name(void *handle, const char *key, uint64_t expected) { \
        uint64_t stored = stored_version(handle, key); \
        (void)stored, (void)expected; \
        return right_remove(handle, key, (number)); \
    }

SAVES_EXPECTING(saves_stale, expected != 0 && expected < stored ? stored : expected)
SAVES_EXPECTING(inserts_for_any_version, stored == 0 ? 0 : expected)
SAVES_EXPECTING(compares_32_bits, stored && (uint32_t)stored == (uint32_t)expected ? stored : expected)
SAVES_EXPECTING(saves_from_the_future, stored && expected > stored ? stored : expected)
SAVES_EXPECTING(saves_what_the_store_gave, stored && expected && expected <= newest_version(handle) ? stored : expected)
REMOVES_EXPECTING(removes_anything, stored)
REMOVES_EXPECTING(removes_stale, stored && expected < stored ? stored : expected)
REMOVES_EXPECTING(removes_from_the_future, stored && expected > stored ? stored : expected)

/* Inserts are answered SKAN_OK again while the bytes are equal: "it is there, is it not". */
static skan_status inserts_equal_twice(void *handle, const char *key, const void *data, size_t length,
                                       uint64_t expected, uint64_t *version) {
    host_record record = copy_of(handle, key);
    bool equal = expected == 0 && record.data && record.length == length && memcmp(record.data, data, length) == 0;
    free(record.data);
    if (equal) *version = record.version;
    return equal ? SKAN_OK : right_save(handle, key, data, length, expected, version);
}

/* Answers a conflict and writes all the same. */
static skan_status writes_then_compares(void *handle, const char *key, const void *data, size_t length,
                                        uint64_t expected, uint64_t *version) {
    skan_status status = right_save(handle, key, data, length, expected, version);
    uint64_t ignored = 0;
    if (status == SKAN_ERROR_STORE_CONFLICT && expected == 0)
        right_save(handle, key, data, length, stored_version(handle, key), &ignored);
    return status;
}

static skan_status removes_nothing(void *handle, const char *key, uint64_t expected) {
    uint64_t stored = stored_version(handle, key);
    return stored != 0 && stored == expected ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT;
}

static skan_status removes_missing_gladly(void *handle, const char *key, uint64_t expected) {
    return stored_version(handle, key) == 0 ? SKAN_OK : right_remove(handle, key, expected);
}

/* Takes the version of the last removed record for the stored one. */
static skan_status remembers_removed(void *handle, const char *key, uint64_t expected) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    skan_status status = right_remove(handle, key, expected);
    pthread_mutex_lock(&shared->mutex);
    if (status == SKAN_OK) shared->number = expected;
    pthread_mutex_unlock(&shared->mutex);
    return status;
}

static skan_status saves_as_before_the_remove(void *handle, const char *key, const void *data, size_t length,
                                              uint64_t expected, uint64_t *version) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    uint64_t stored = stored_version(handle, key);
    pthread_mutex_lock(&shared->mutex);
    bool fine = stored != 0 && expected != 0 && expected == shared->number;
    pthread_mutex_unlock(&shared->mutex);
    return right_save(handle, key, data, length, fine ? stored : expected, version);
}

/* ----------------------------------------------------------------------------------------------------------- keys */

typedef void key_change(char *changed, const char *key); /* into 512 bytes */

static void fold_case(char *changed, const char *key) {
    for (; *key; key++) *changed++ = (char)tolower((unsigned char)*key);
    *changed = '\0';
}

static void cut_to_64(char *changed, const char *key) {
    snprintf(changed, 512, "%.64s", key);
}

static void cut_to_127(char *changed, const char *key) {
    snprintf(changed, 512, "%.127s", key);
}

static void strip(char *changed, const char *key) {
    strcpy(changed, key);
    size_t length = strlen(changed);
    while (length > 0 && changed[length - 1] == ' ') changed[--length] = '\0';
}

static void replace(char *changed, const char *key, const char *part, const char *by) {
    while (*key)
        if (strncmp(key, part, strlen(part)) == 0) {
            changed = stpcpy(changed, by);
            key += strlen(part);
        } else
            *changed++ = *key++;
    *changed = '\0';
}

static void compose(char *changed, const char *key) {
    replace(changed, key, "e\xCC\x81", "\xC3\xA9");
}

static void three_bytes_at_most(char *changed, const char *key) {
    for (; *key; key++)
        if ((unsigned char)*key >= 0xF0) {
            *changed++ = '?';
            key += 3;
        } else
            *changed++ = *key;
    *changed = '\0';
}

static void unescape_percent(char *changed, const char *key) {
    replace(changed, key, "%25", "%");
}

static void double_quotes(char *changed, const char *key) {
    replace(changed, key, "''", "'");
}

static void no_slash(char *changed, const char *key) {
    replace(changed, key, "\\", "/");
}

static void in_braces(char *changed, const char *key) {
    const char *open = strchr(key, '{'), *close = open ? strchr(open, '}') : NULL;
    if (close && close > open + 1)
        snprintf(changed, 512, "%.*s%.*s", (int)(open - key), key, (int)(close - open - 1), open + 1);
    else
        strcpy(changed, key);
}

static void as_number(char *changed, const char *key) {
    const char *digits = strrchr(key, '/');
    digits = digits ? digits + 1 : key;
    char *end;
    double number = strtod(digits, &end);
    if (end != digits && !*end)
        snprintf(changed, 512, "%.*s%.17g", (int)(digits - key), key, number);
    else
        strcpy(changed, key);
}

#define CHANGES_KEYS(change) \
    static skan_status load_##change(void *handle, const char *key, skan_buffer *out, uint64_t *version) { \
        char changed[512]; \
        change(changed, key); \
        return right_load(handle, changed, out, version); \
    } \
    static skan_status save_##change(void *handle, const char *key, const void *data, size_t length, \
                                     uint64_t expected, uint64_t *version) { \
        char changed[512]; \
        change(changed, key); \
        return right_save(handle, changed, data, length, expected, version); \
    } \
    static skan_status remove_##change(void *handle, const char *key, uint64_t expected) { \
        char changed[512]; \
        change(changed, key); \
        return right_remove(handle, changed, expected); \
    }
#define HOOKS(change) .load = load_##change, .save = save_##change, .remove = remove_##change

CHANGES_KEYS(fold_case)
CHANGES_KEYS(cut_to_64)
CHANGES_KEYS(cut_to_127)
CHANGES_KEYS(strip)
CHANGES_KEYS(compose)
CHANGES_KEYS(three_bytes_at_most)
CHANGES_KEYS(unescape_percent)
CHANGES_KEYS(double_quotes)
CHANGES_KEYS(no_slash)
CHANGES_KEYS(in_braces)
CHANGES_KEYS(as_number)

/* LIKE in the place of =, with its `%` at the end of keys. */
static skan_status load_like(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    size_t length = strlen(key);
    if (length == 0 || key[length - 1] != '%') return right_load(handle, key, out, version);
    host_store *records = records_of(handle);
    char found[129] = "";
    pthread_mutex_lock(&records->mutex);
    for (size_t i = 0; i < records->count && !found[0]; i++)
        if (strncmp(records->records[i].key, key, length - 1) == 0) strcpy(found, records->records[i].key);
    pthread_mutex_unlock(&records->mutex);
    return found[0] ? right_load(handle, found, out, version) : SKAN_NOT_FOUND;
}

/* Refuses what its path has no room for. */
static skan_status save_quoted(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                               uint64_t *version) {
    const char *last = key + strlen(key) - 1;
    return *last == '"' ? SKAN_ERROR_STORE : right_save(handle, key, data, length, expected, version);
}

/* DEL key* */
static skan_status removes_longer_keys(void *handle, const char *key, uint64_t expected) {
    skan_status status = right_remove(handle, key, expected);
    if (status != SKAN_OK) return status;
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    for (size_t i = 0; i < records->count;)
        if (strncmp(records->records[i].key, key, strlen(key)) == 0)
            host_store_drop(records, records->records[i].key);
        else
            i++;
    pthread_mutex_unlock(&records->mutex);
    return SKAN_OK;
}

/* The version lies beside the record, under a key of the same sort. */
static skan_status save_beside(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                               uint64_t *version) {
    skan_status status = right_save(handle, key, data, length, expected, version);
    if (status != SKAN_OK || strlen(key) > 100) return status;
    char beside[129];
    snprintf(beside, sizeof beside, "%s:version", key);
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    host_store_put(records, beside, version, sizeof *version);
    pthread_mutex_unlock(&records->mutex);
    return status;
}

static skan_status remove_beside(void *handle, const char *key, uint64_t expected) {
    skan_status status = right_remove(handle, key, expected);
    if (status != SKAN_OK || strlen(key) > 100) return status;
    char beside[129];
    snprintf(beside, sizeof beside, "%s:version", key);
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    host_store_drop(records, beside);
    pthread_mutex_unlock(&records->mutex);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- handles */

/* Each handle remembers what it loaded. */
static skan_status load_cached(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    mutant_store *handle = context;
    if (host_store_load(&handle->cache, key, out, version) == SKAN_OK) return SKAN_OK;
    skan_status status = right_load(context, key, out, version);
    if (status != SKAN_OK) return status;
    pthread_mutex_lock(&handle->cache.mutex);
    host_store_put(&handle->cache, key, skan_buffer_data(out), skan_buffer_size(out));
    host_store_find(&handle->cache, key)->version = *version;
    pthread_mutex_unlock(&handle->cache.mutex);
    return status;
}

static void uncache(mutant_store *handle, const char *key) {
    pthread_mutex_lock(&handle->cache.mutex);
    host_store_drop(&handle->cache, key);
    pthread_mutex_unlock(&handle->cache.mutex);
}

static skan_status save_cached(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                               uint64_t *version) {
    uncache(context, key);
    return right_save(context, key, data, length, expected, version);
}

static skan_status remove_cached(void *context, const char *key, uint64_t expected) {
    uncache(context, key);
    return right_remove(context, key, expected);
}

/* The second handle compares nothing. */
static void notes_number(mutant_store *handle, skan_store *out) {
    (void)out;
    handle->number = (uint64_t)handle->data->handles;
}

static bool is_first(void *context) {
    return ((mutant_store *)context)->number == 1;
}

static skan_status first_compares(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                                  uint64_t *version) {
    uint64_t stored = stored_version(context, key);
    bool knows = is_first(context) || expected == 0 || stored == 0;
    return right_save(context, key, data, length, knows ? expected : stored, version);
}

static skan_status first_compares_removes(void *context, const char *key, uint64_t expected) {
    return right_remove(context, key, is_first(context) ? expected : stored_version(context, key));
}

/* Versions of a handle's own counter, which starts anew. */
static skan_status saves_with_own_counter(void *context, const char *key, const void *data, size_t length,
                                          uint64_t expected, uint64_t *version) {
    mutant_store *handle = context;
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    host_record *record = host_store_find(records, key);
    bool matches = (record ? record->version : 0) == expected;
    if (matches) {
        if (++handle->number == expected) handle->number++;
        host_store_put(records, key, data, length);
        *version = host_store_find(records, key)->version = handle->number;
    }
    pthread_mutex_unlock(&records->mutex);
    return matches ? SKAN_OK : SKAN_ERROR_STORE_CONFLICT;
}

static void drop_all(mutant_data *data) {
    while (data->records.count > 0) host_store_drop(&data->records, data->records.records[0].key);
}

static void drops_all(mutant_store *handle) {
    drop_all(handle->data);
}

/* The newest version that a stored record has: a removed one's is forgotten. */
static void counts_from_the_stored(mutant_data *data) {
    data->records.newest_version = 0;
    for (size_t i = 0; i < data->records.count; i++)
        if (data->records.records[i].version > data->records.newest_version)
            data->records.newest_version = data->records.records[i].version;
}

static void has_no_remove(mutant_store *handle, skan_store *out) {
    (void)handle;
    out->remove = NULL;
}

/* -------------------------------------------------------------------------------------------------------- threads */

static void pause_a_moment(void) {
    usleep(20);
}

/* Saves without comparing again. */
static skan_status save_now(void *handle, const char *key, const void *data, size_t length, uint64_t *version) {
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    host_store_put(records, key, data, length);
    *version = records->newest_version;
    pthread_mutex_unlock(&records->mutex);
    return SKAN_OK;
}

static skan_status saves_after_comparing(void *handle, const char *key, const void *data, size_t length,
                                         uint64_t expected, uint64_t *version) {
    if (stored_version(handle, key) != expected) return SKAN_ERROR_STORE_CONFLICT;
    if (expected == 0) return right_save(handle, key, data, length, expected, version);
    pause_a_moment();
    return save_now(handle, key, data, length, version);
}

static skan_status inserts_after_looking(void *handle, const char *key, const void *data, size_t length,
                                         uint64_t expected, uint64_t *version) {
    if (expected != 0) return right_save(handle, key, data, length, expected, version);
    if (stored_version(handle, key) != 0) return SKAN_ERROR_STORE_CONFLICT;
    pause_a_moment();
    return save_now(handle, key, data, length, version);
}

static skan_status removes_after_comparing(void *handle, const char *key, uint64_t expected) {
    if (expected == 0 || stored_version(handle, key) != expected) return SKAN_ERROR_STORE_CONFLICT;
    pause_a_moment();
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    host_store_drop(records, key);
    pthread_mutex_unlock(&records->mutex);
    return SKAN_OK;
}

/* The lock is the handle's, the records are not. */
static skan_status saves_under_own_lock(void *context, const char *key, const void *data, size_t length,
                                        uint64_t expected, uint64_t *version) {
    mutant_store *handle = context;
    pthread_mutex_lock(&handle->cache.mutex);
    skan_status status = saves_after_comparing(context, key, data, length, expected, version);
    pthread_mutex_unlock(&handle->cache.mutex);
    return status;
}

/* A failed transaction is no conflict: whoever comes while another one saves. */
static skan_status fails_when_busy(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                                   uint64_t *version) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    if (pthread_mutex_trylock(&shared->mutex) != 0) return SKAN_ERROR_STORE;
    pause_a_moment();
    skan_status status = right_save(handle, key, data, length, expected, version);
    pthread_mutex_unlock(&shared->mutex);
    return status;
}

static skan_status loads_in_two_steps(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    skan_status status = right_load(handle, key, out, version);
    if (status != SKAN_OK) return status;
    pause_a_moment();
    uint64_t stored = stored_version(handle, key);
    if (stored != 0) *version = stored;
    return status;
}

/* One prepared statement for all threads: the key is bound, and then it runs. */
static skan_status loads_with_one_statement(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    pthread_mutex_lock(&shared->mutex);
    snprintf(shared->scratch, sizeof shared->scratch, "%s", key);
    pthread_mutex_unlock(&shared->mutex);
    pause_a_moment();
    char bound[129];
    pthread_mutex_lock(&shared->mutex);
    memcpy(bound, shared->scratch, sizeof bound);
    pthread_mutex_unlock(&shared->mutex);
    return right_load(handle, bound, out, version);
}

/* ------------------------------------------------------------------------------------------------------ sequences */

/* One save in twenty, of one sort of key, loses its last byte. */
static skan_status loses_the_20th(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                                    uint64_t *version) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    pthread_mutex_lock(&shared->mutex);
    bool loses = strstr(key, "{b}") && ++shared->number % 20 == 0 && length > 1;
    pthread_mutex_unlock(&shared->mutex);
    return right_save(handle, key, data, loses ? length - 1 : length, expected, version);
}

/* While two handles are open, each shows the last record that it saved where the record is gone. */
static skan_status saves_and_notes(void *context, const char *key, const void *data, size_t length,
                                            uint64_t expected, uint64_t *version) {
    mutant_store *handle = context;
    skan_status status = right_save(context, key, data, length, expected, version);
    if (status == SKAN_OK && handle->data->open > 1 && strstr(key, "{b}")) handle->number = *version;
    return status;
}

static skan_status loads_what_it_saved(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    mutant_store *handle = context;
    skan_status status = right_load(context, key, out, version);
    if (status != SKAN_NOT_FOUND || handle->number == 0 || !strstr(key, "{b}") || handle->data->open < 2) return status;
    *version = handle->number;
    return skan_buffer_set(out, "removed", 7);
}

/* A record of one sort of key that was removed is there again after reopening. */
static skan_status removes_softly(void *handle, const char *key, uint64_t expected) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    skan_status status = right_remove(handle, key, expected);
    if (status == SKAN_OK && strstr(key, "{b}")) snprintf(shared->scratch, sizeof shared->scratch, "%s", key);
    return status;
}

static void undoes_the_remove(mutant_data *data) {
    if (data->scratch[0] && !host_store_find(&data->records, data->scratch))
        host_store_put(&data->records, data->scratch, "undone", 6);
}

/* ----------------------------------------------------------------------------------------------------- many at once */

/* Stops at the first that is not there. */
static void loads_until_missing(void *handle, skan_load_item *items, size_t count) {
    bool is_missing = false;
    for (size_t i = 0; i < count; i++) {
        items[i].status = SKAN_NOT_FOUND;
        if (!is_missing) right_load_many(handle, &items[i], 1);
        is_missing = items[i].status == SKAN_NOT_FOUND;
    }
}

/* What one loaded together is remembered together. */
static void loads_many_from_cache(void *context, skan_load_item *items, size_t count) {
    mutant_store *handle = context;
    for (size_t i = 0; i < count; i++)
        items[i].status = load_cached(handle, items[i].key, items[i].out, &items[i].version);
}

static int by_key_of_load(const void *left, const void *right) {
    return strcmp(((const skan_load_item *)left)->key, ((const skan_load_item *)right)->key);
}

static int by_key_of_save(const void *left, const void *right) {
    return strcmp(((const skan_save_item *)left)->key, ((const skan_save_item *)right)->key);
}

/* Rows come in the order of keys, as the server likes it, and are taken for those of the items in turn. */
static void loads_rows_in_their_order(void *handle, skan_load_item *items, size_t count) {
    skan_load_item *rows = calloc(count, sizeof *rows);
    if (!rows) abort();
    memcpy(rows, items, count * sizeof *rows);
    qsort(rows, count, sizeof *rows, by_key_of_load);
    for (size_t i = 0; i < count; i++) rows[i].out = items[i].out;
    right_load_many(handle, rows, count);
    for (size_t i = 0; i < count; i++) {
        items[i].version = rows[i].version;
        items[i].status = rows[i].status;
    }
    free(rows);
}

static void saves_rows_in_their_order(void *handle, skan_save_item *items, size_t count) {
    skan_save_item *rows = calloc(count, sizeof *rows);
    if (!rows) abort();
    memcpy(rows, items, count * sizeof *rows);
    qsort(rows, count, sizeof *rows, by_key_of_save);
    right_save_many(handle, rows, count);
    for (size_t i = 0; i < count; i++) {
        items[i].new_version = rows[i].new_version;
        items[i].status = rows[i].status;
    }
    free(rows);
}

/* Sorts where it may not. */
static void loads_sorted(void *handle, skan_load_item *items, size_t count) {
    qsort(items, count, sizeof *items, by_key_of_load);
    right_load_many(handle, items, count);
}

static void saves_sorted(void *handle, skan_save_item *items, size_t count) {
    qsort(items, count, sizeof *items, by_key_of_save);
    right_save_many(handle, items, count);
}

/* One answer has room for a megabyte; what is behind is lost. */
static void loads_a_megabyte(void *handle, skan_load_item *items, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        right_load_many(handle, &items[i], 1);
        if (items[i].status == SKAN_OK) length += skan_buffer_size(items[i].out);
        if (length > 1048576) items[i].status = SKAN_ERROR_STORE;
    }
}

static void saves_a_megabyte(void *handle, skan_save_item *items, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        length += items[i].length;
        if (length > 1048576)
            items[i].status = SKAN_ERROR_STORE;
        else
            right_save_many(handle, &items[i], 1);
    }
}

/* Records as text. */
static void loads_texts(void *handle, skan_load_item *items, size_t count) {
    right_load_many(handle, items, count);
    for (size_t i = 0; i < count; i++) {
        const char *data = skan_buffer_data(items[i].out);
        size_t length = strnlen(data, skan_buffer_size(items[i].out));
        char text[SKAN_RECORD_MAX];
        memcpy(text, data, length);
        if (items[i].status == SKAN_OK) skan_buffer_set(items[i].out, text, length);
    }
}

static void saves_texts(void *handle, skan_save_item *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        skan_save_item text = items[i];
        text.length = strnlen(text.data, text.length);
        right_save_many(handle, &text, 1);
        items[i].new_version = text.new_version;
        items[i].status = text.status;
    }
}

/* Keys as elements of a list in braces, where NULL is none. */
static void loads_a_list(void *handle, skan_load_item *items, size_t count) {
    right_load_many(handle, items, count);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(items[i].key);
        if (length > 4 && strcmp(items[i].key + length - 4, "NULL") == 0) items[i].status = SKAN_NOT_FOUND;
    }
}

static void saves_a_list(void *handle, skan_save_item *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        skan_save_item element = items[i];
        char key[129];
        snprintf(key, sizeof key, "%s", element.key);
        size_t length = strlen(key);
        if (key[length - 1] == ' ') key[length - 1] = '\0'; /* spaces at the end of an element are dropped */
        element.key = key;
        right_save_many(handle, &element, 1);
        items[i].new_version = element.new_version;
        items[i].status = element.status;
    }
}

static void loads_into_full_buffers(void *handle, skan_load_item *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        items[i].status = spares_the_buffer(handle, items[i].key, items[i].out, &items[i].version);
}

/* Items after the 1000th are forgotten. */
static void saves_1000(void *handle, skan_save_item *items, size_t count) {
    right_save_many(handle, items, count < 1000 ? count : 1000);
}

/* Takes the version of the last single save for a stale one. */
static void saves_as_after_a_batch(void *context, skan_save_item *items, size_t count) {
    mutant_data *shared = ((mutant_store *)context)->data;
    for (size_t i = 0; i < count; i++) {
        skan_save_item *item = &items[i];
        bool is_strange = item->expected_version != 0 && item->expected_version == shared->number;
        item->status = is_strange ? SKAN_ERROR_STORE_CONFLICT
                                  : right_save(context, item->key, item->data, item->length, item->expected_version,
                                               &item->new_version);
    }
}

static skan_status notes_single_saves(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                                      uint64_t *version) {
    skan_status status = right_save(handle, key, data, length, expected, version);
    mutant_data *shared = ((mutant_store *)handle)->data;
    pthread_mutex_lock(&shared->mutex);
    if (status == SKAN_OK) shared->number = *version;
    pthread_mutex_unlock(&shared->mutex);
    return status;
}

/* All or nothing: after a conflict nothing is saved. */
static void saves_all_or_nothing(void *handle, skan_save_item *items, size_t count) {
    bool matches = true;
    for (size_t i = 0; i < count; i++)
        matches = matches && stored_version(handle, items[i].key) == items[i].expected_version;
    for (size_t i = 0; i < count; i++)
        if (matches)
            right_save_many(handle, &items[i], 1);
        else
            items[i].status = SKAN_ERROR_STORE_CONFLICT;
}

/* What is answered with a conflict is there all the same. */
static void saves_over_everything(void *handle, skan_save_item *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t ignored = 0;
        right_save_many(handle, &items[i], 1);
        if (items[i].status == SKAN_ERROR_STORE_CONFLICT && i > 0)
            right_save(handle, items[i].key, items[i].data, items[i].length, stored_version(handle, items[i].key),
                       &ignored);
    }
}

/* Versions of batches are counted for each record. */
static void saves_many_counting(void *handle, skan_save_item *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        items[i].status = counts_for_each_record(handle, items[i].key, items[i].data, items[i].length,
                                                 items[i].expected_version, &items[i].new_version);
}

static void saves_lent_records(void *handle, skan_save_item *items, size_t count) {
    right_save_many(handle, items, count);
    mutant_data *shared = ((mutant_store *)handle)->data;
    if (count == 2 && items[0].length == 13 && memcmp(items[0].data, "a lent record", 13) == 0)
        shared->kept = (host_record){NULL, (void *)(uintptr_t)items[0].data, 13, items[0].new_version};
}

/* Records saved together are shown one by one only, until the next single save. */
static void loads_behind_batches(void *handle, skan_load_item *items, size_t count) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    right_load_many(handle, items, count);
    for (size_t i = 0; i < count; i++)
        if (items[i].status == SKAN_OK && items[i].version == shared->number) items[i].status = SKAN_NOT_FOUND;
}

static void notes_batches(void *handle, skan_save_item *items, size_t count) {
    right_save_many(handle, items, count);
    mutant_data *shared = ((mutant_store *)handle)->data;
    pthread_mutex_lock(&shared->mutex);
    for (size_t i = 0; i < count; i++)
        if (items[i].status == SKAN_OK) shared->number = items[i].new_version;
    pthread_mutex_unlock(&shared->mutex);
}

/* The last item of a batch is in memory only. */
static void undoes_the_last_item(mutant_data *data) {
    for (size_t i = 0; i < data->records.count; i++)
        if (data->records.records[i].version == data->number) {
            host_store_drop(&data->records, data->records.records[i].key);
            return;
        }
}

static void saves_many_after_comparing(void *handle, skan_save_item *items, size_t count) {
    bool matches[SKAN_BATCH_MAX];
    for (size_t i = 0; i < count; i++) matches[i] = stored_version(handle, items[i].key) == items[i].expected_version;
    pause_a_moment();
    for (size_t i = 0; i < count; i++)
        items[i].status = !matches[i] ? SKAN_ERROR_STORE_CONFLICT
                                      : save_now(handle, items[i].key, items[i].data, items[i].length,
                                                 &items[i].new_version);
}

static void saves_many_under_own_lock(void *context, skan_save_item *items, size_t count) {
    mutant_store *handle = context;
    pthread_mutex_lock(&handle->cache.mutex);
    saves_many_after_comparing(context, items, count);
    pthread_mutex_unlock(&handle->cache.mutex);
}

/* A lock for each item, in their order, and a deadlock is a failure. Two locks do for it. */
static void saves_many_with_locks(void *context, skan_save_item *items, size_t count) {
    mutant_data *shared = ((mutant_store *)context)->data;
    bool backwards = count > 1 && strcmp(items[0].key, items[1].key) > 0;
    pthread_mutex_t *first = backwards ? &shared->mutex : &shared->other;
    pthread_mutex_t *second = backwards ? &shared->other : &shared->mutex;
    pthread_mutex_lock(first);
    pause_a_moment();
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += 1000000;
    if (end.tv_nsec >= 1000000000) end.tv_sec++, end.tv_nsec -= 1000000000;
    if (pthread_mutex_timedlock(second, &end) == 0) {
        right_save_many(context, items, count);
        pthread_mutex_unlock(second);
    } else
        for (size_t i = 0; i < count; i++) items[i].status = SKAN_ERROR_STORE;
    pthread_mutex_unlock(first);
}

/* Keys of a batch wait in memory of all threads. */
static void loads_many_with_one_statement(void *handle, skan_load_item *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        items[i].status = count > 3 ? loads_with_one_statement(handle, items[i].key, items[i].out, &items[i].version)
                                    : right_load(handle, items[i].key, items[i].out, &items[i].version);
}

static void loads_many_in_two_steps(void *handle, skan_load_item *items, size_t count) {
    right_load_many(handle, items, count);
    pause_a_moment();
    for (size_t i = 0; i < count; i++) {
        uint64_t stored = stored_version(handle, items[i].key);
        if (items[i].status == SKAN_OK && stored != 0) items[i].version = stored;
    }
}

/* ----------------------------------------------------------------------------------------------------- listed keys */

static skan_status lists_nothing_as_missing(void *handle, skan_buffer *cursor, skan_buffer *keys) {
    skan_status status = right_list(handle, cursor, keys);
    return status == SKAN_OK && skan_buffer_size(keys) == 0 ? SKAN_NOT_FOUND : status;
}

static skan_status lists_keys_as_text(void *handle, skan_buffer *cursor, skan_buffer *keys) {
    skan_status status = right_list(handle, cursor, keys);
    size_t size = skan_buffer_size(keys), end = 0;
    char *text = malloc(size + 1);
    if (!text) abort();
    for (size_t i = 0; i < size; i++) {
        char byte = ((const char *)skan_buffer_data(keys))[i];
        if (byte == '\0')
            while (end > 0 && text[end - 1] == ' ') end--;
        text[end++] = byte;
    }
    skan_buffer_set(keys, text, end);
    free(text);
    return status;
}

static skan_status lists_without_the_last_nul(void *handle, skan_buffer *cursor, skan_buffer *keys) {
    skan_status status = right_list(handle, cursor, keys);
    size_t size = skan_buffer_size(keys);
    char *copy = malloc(size + 1);
    if (!copy) abort();
    memcpy(copy, skan_buffer_data(keys), size);
    skan_buffer_set(keys, copy, size ? size - 1 : 0);
    free(copy);
    return status;
}

/* A removed key stays in the list of keys. */
static skan_status notes_removed_key(void *handle, const char *key, uint64_t expected) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    skan_status status = right_remove(handle, key, expected);
    pthread_mutex_lock(&shared->mutex);
    if (status == SKAN_OK) snprintf(shared->scratch, sizeof shared->scratch, "%s", key);
    pthread_mutex_unlock(&shared->mutex);
    return status;
}

static skan_status lists_removed_too(void *handle, skan_buffer *cursor, skan_buffer *keys) {
    mutant_data *shared = ((mutant_store *)handle)->data;
    skan_status status = right_list(handle, cursor, keys);
    size_t size = skan_buffer_size(keys), length = strlen(shared->scratch) + 1;
    if (status != SKAN_OK || length == 1 || size == 0 || size > 65536) return status;
    char *copy = malloc(size + length);
    if (!copy) abort();
    memcpy(copy, skan_buffer_data(keys), size);
    memcpy(copy + size, shared->scratch, length);
    skan_buffer_set(keys, copy, size + length);
    free(copy);
    return status;
}

/* What does not go into one buffer is left out. */
static skan_status lists_one_page(void *handle, skan_buffer *cursor, skan_buffer *keys) {
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    bool known = place_after(records, cursor) != SIZE_MAX;
    if (known) put_page(records, 0, SIZE_MAX, keys);
    pthread_mutex_unlock(&records->mutex);
    if (known) skan_buffer_set(cursor, NULL, 0);
    return known ? SKAN_OK : SKAN_ERROR_STORE;
}

/* The cursor never is empty again. */
static skan_status lists_for_ever(void *handle, skan_buffer *cursor, skan_buffer *keys) {
    /* A million pages are asked for: each must cost little. */
    static const char behind[] = "after \xFF";
    size_t size = skan_buffer_size(cursor);
    if (size == sizeof behind - 1 && memcmp(skan_buffer_data(cursor), behind, size) == 0)
        return skan_buffer_set(keys, "", 0);
    skan_status status = right_list(handle, cursor, keys);
    if (status == SKAN_OK && skan_buffer_size(cursor) == 0) skan_buffer_set(cursor, behind, sizeof behind - 1);
    return status;
}

/* LIMIT and OFFSET: the cursor is how many were listed. */
static skan_status lists_by_number(void *handle, skan_buffer *cursor, skan_buffer *keys) {
    host_store *records = records_of(handle);
    size_t place = 0, size = skan_buffer_size(cursor), next;
    if (size != 0 && size != sizeof place + 1) return SKAN_ERROR_STORE;
    if (size != 0) memcpy(&place, (const char *)skan_buffer_data(cursor) + 1, sizeof place);
    pthread_mutex_lock(&records->mutex);
    next = put_page(records, place, 1000, keys);
    char text[sizeof next + 1] = "#";
    memcpy(text + 1, &next, sizeof next);
    skan_buffer_set(cursor, text, next < records->count ? sizeof text : 0);
    pthread_mutex_unlock(&records->mutex);
    return SKAN_OK;
}

/* The place is the handle's; the cursor says no more than that there is one, and another handle knows none. */
static skan_status lists_by_handle(void *context, skan_buffer *cursor, skan_buffer *keys) {
    mutant_store *handle = context;
    host_store *records = records_of(context);
    size_t size = skan_buffer_size(cursor);
    if (size > 1 || (size == 1 && (*(const char *)skan_buffer_data(cursor) != '+' || handle->number == 0)))
        return SKAN_ERROR_STORE;
    pthread_mutex_lock(&records->mutex);
    size_t place = size == 0 ? 0 : (size_t)handle->number;
    handle->number = put_page(records, place, 1000, keys);
    skan_buffer_set(cursor, "+", handle->number < records->count ? 1 : 0);
    pthread_mutex_unlock(&records->mutex);
    return SKAN_OK;
}

/* Begins anew with a cursor that it does not know. */
static skan_status lists_from_anywhere(void *handle, skan_buffer *cursor, skan_buffer *keys) {
    skan_status status = right_list(handle, cursor, keys);
    if (status == SKAN_OK) return status;
    skan_buffer_set(cursor, NULL, 0);
    return right_list(handle, cursor, keys);
}

/* Goes through the records by their number without keeping them as they are. */
static skan_status lists_without_a_lock(void *handle, skan_buffer *cursor, skan_buffer *keys) {
    host_store *records = records_of(handle);
    pthread_mutex_lock(&records->mutex);
    size_t place = place_after(records, cursor), count = records->count;
    pthread_mutex_unlock(&records->mutex);
    if (place == SIZE_MAX || count > 1000) return right_list(handle, cursor, keys);
    char *page = malloc(1001 * 129);
    if (!page) abort();
    size_t length = 0;
    for (bool goes_on = true; goes_on; place++) {
        if (place % 16 == 15) pause_a_moment();
        pthread_mutex_lock(&records->mutex);
        goes_on = place < records->count && place < 1000;
        if (goes_on) {
            strcpy(page + length, records->records[place].key);
            length += strlen(page + length) + 1;
        }
        pthread_mutex_unlock(&records->mutex);
    }
    skan_buffer_set(cursor, NULL, 0);
    skan_buffer_set(keys, page, length);
    free(page);
    return SKAN_OK;
}

void mutant_without_many(mutant_store *handle, skan_store *out) {
    (void)handle;
    out->size = offsetof(skan_store, load_many);
    memset((char *)out + out->size, 0x5A, sizeof *out - out->size); /* is none of the struct */
}

static void is_smaller(mutant_store *handle, skan_store *out) {
    (void)handle;
    out->size = offsetof(skan_store, finalize);
}

/* --------------------------------------------------------------------------------------------------- right stores */

static uint64_t version_at_random(mutant_data *shared, const host_record *before, const void *data, size_t length) {
    (void)before, (void)data, (void)length;
    uint64_t number = shared->number += 0x9E3779B97F4A7C15; /* SplitMix64, from 0: no number comes twice */
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9;
    number = (number ^ number >> 27) * 0x94D049BB133111EB;
    number ^= number >> 31;
    return number ? number : 1;
}

SAVES_WITH(draws_versions, version_at_random)

/* What is written where the answer is not SKAN_OK means nothing. */
static skan_status loads_with_noise(void *handle, const char *key, skan_buffer *out, uint64_t *version) {
    *version = 42;
    skan_buffer_set(out, "noise", 5);
    return right_load(handle, key, out, version);
}

static skan_status saves_with_noise(void *handle, const char *key, const void *data, size_t length, uint64_t expected,
                                    uint64_t *version) {
    *version = 42;
    return right_save(handle, key, data, length, expected, version);
}

const mutant right_stores[] = {
    {.flaw = "the right store passes"},
    {.flaw = "versions at random pass", .save = draws_versions},
    {.flaw = "noise in what means nothing passes", .load = loads_with_noise, .save = saves_with_noise},
    {0},
};

/* ---------------------------------------------------------------------------------------------------------- table */

const mutant mutants[] = {
    {"there is no remove", "open gives a handle with every hook", .opened = has_no_remove},
    {"the struct ends before finalize", "open gives a handle with every hook", .opened = is_smaller},

    {"a missing record is an empty one", "a missing record is not found", .load = empty_for_missing},
    {"loads change a letter", "load gives what was saved, with its version", .load = loads_in_lower_case},
    {"records of 1 byte are refused", "records of 1 byte are kept", .save = refuses_one_byte},
    {"records are cut to 32767 bytes", "records of 32768 bytes are kept", .save = keeps_32767_bytes},
    {"records end at a NUL", "records with NUL bytes are kept", .save = cuts_at_nul},
    {"line ends are translated", "records with every byte value are kept", .save = translates_lines},
    {"records are padded to words", "records of many lengths are kept", .save = pads_to_eight},
    {"the tail of a longer record stays", "a shorter record leaves nothing of a longer one", .save = keeps_the_tail},
    {"a buffer of the same length is not set", "load replaces what the buffer held", .load = spares_the_buffer},
    {"the pointer to the record is kept", "save copies the record", .load = loads_from_the_pointer,
     .save = keeps_the_record_pointer},
    {"the pointer to the key is kept", "save copies the key", .load = compares_the_pointed_key,
     .save = keeps_the_key_pointer},

    {"versions start at 0", "a version is never 0", .save = shows_versions_from_0},
    {"load gives another version than save", "load gives the version that save gave", .load = loads_the_next_version},
    {"a version lasts until the remove", "every save changes the version", .save = keeps_the_version},
    {"equal bytes keep the version", "a save of equal bytes changes the version",
     .save = keeps_the_version_of_equal_bytes},
    {"versions wrap at 200", "no version comes twice for a key", .save = wraps_versions},
    {"versions start anew after a remove", "no version comes twice for a key across removes",
     .save = counts_for_each_record},

    {"inserting equal bytes twice is fine", "a second insert conflicts", .save = inserts_equal_twice},
    {"an insert that conflicts writes", "an insert over a record conflicts and changes nothing",
     .save = writes_then_compares},
    {"a stale save is applied", "a stale save conflicts and changes nothing", .save = saves_stale},
    {"a save of a missing record inserts", "a save of a missing record conflicts and inserts nothing",
     .save = inserts_for_any_version},
    {"32 bits of versions are compared", "a save with a version never given conflicts and changes nothing",
     .save = compares_32_bits},
    {"a save with a greater version is applied", "a save with a version never given conflicts and changes nothing",
     .save = saves_from_the_future},
    {"remove removes nothing", "a remove takes the record away", .remove = removes_nothing},
    {"remove ignores the version", "a stale remove conflicts and changes nothing", .remove = removes_anything},
    {"a stale remove is applied", "a stale remove conflicts and changes nothing", .remove = removes_stale},
    {"a missing record is removed with success", "a remove of a missing record conflicts",
     .remove = removes_missing_gladly},
    {"a remove with a greater version is applied", "a remove with a version never given conflicts and changes nothing",
     .remove = removes_from_the_future},
    {"any version that the store gave is fine", "the version of another key conflicts and changes nothing",
     .save = saves_what_the_store_gave},
    {"the version of the removed record is still fine",
     "a version from before a remove conflicts and changes nothing", .save = saves_as_before_the_remove,
     .remove = remembers_removed},

    {"keys are cut to 64 bytes", "keys of which one begins the other are apart", HOOKS(cut_to_64)},
    {"remove removes longer keys too", "keys of which one begins the other are apart", .remove = removes_longer_keys},
    {"keys are cut to 127 bytes", "keys of 128 bytes are apart in each byte", HOOKS(cut_to_127)},
    {"a quote at the end of a key is refused", "keys of one printable character are apart", .save = save_quoted},
    {"keys are folded to lower case", "keys in upper and lower case are apart", HOOKS(fold_case)},
    {"spaces at the end of keys are dropped", "keys with other spaces are apart", HOOKS(strip)},
    {"keys are composed", "keys in other Unicode forms are apart", HOOKS(compose)},
    {"characters of four bytes become question marks", "keys in other Unicode forms are apart",
     HOOKS(three_bytes_at_most)},
    {"keys are patterns", "keys like patterns match themselves only", .load = load_like},
    {"keys are percent-decoded", "keys like parts of query languages and paths are apart", HOOKS(unescape_percent)},
    {"doubled quotes are one", "keys like parts of query languages and paths are apart", HOOKS(double_quotes)},
    {"backslashes are slashes", "keys like parts of query languages and paths are apart", HOOKS(no_slash)},
    {"what is in braces is the key", "keys with braces are apart", HOOKS(in_braces)},
    {"keys that are numbers are kept as numbers", "keys like numbers are apart", HOOKS(as_number)},
    {"versions lie beside, among the keys", "keys like a store's own names are apart", .save = save_beside,
     .remove = remove_beside},

    {"each handle has a cache of its own", "two handles see each other's writes", .load = load_cached,
     .save = save_cached, .remove = remove_cached},
    {"only the first handle compares", "a version that is stale through another handle conflicts",
     .save = first_compares, .remove = first_compares_removes, .opened = notes_number},
    {"each handle counts versions", "no version comes twice for a key through two handles",
     .save = saves_with_own_counter},
    {"closing a handle drops the records", "closing a handle leaves the others at work", .closed = drops_all},
    {"the end of the process drops the records", "reopening keeps records and their versions", .reopened = drop_all},
    {"versions go on from the stored records", "no version comes twice for a key across reopening",
     .reopened = counts_from_the_stored},

    {"compare, then set", "parallel writers on one handle lose nothing", .save = saves_after_comparing},
    {"being busy is a failure", "parallel writers on one handle lose nothing", .save = fails_when_busy},
    {"a lock for each handle", "parallel writers on a handle each lose nothing", .save = saves_under_own_lock},
    {"look, then insert", "of parallel inserts exactly one wins", .save = inserts_after_looking},
    {"compare, then set", "of parallel saves exactly one wins", .save = saves_after_comparing},
    {"compare, then remove", "of parallel removes exactly one wins", .remove = removes_after_comparing},
    {"compare, then remove", "of parallel saves and removes exactly one wins", .remove = removes_after_comparing},
    {"load takes bytes, then the version", "a load gives bytes and version of one save", .load = loads_in_two_steps},
    {"threads share a statement", "parallel work on different keys does not mix", .load = loads_with_one_statement},

    {"a missing key hides the next", "load_many answers as load does, for 1 to 1024 keys",
     .load_many = loads_until_missing},
    {"load_many has a cache", "load_many sees every change", .load_many = loads_many_from_cache},
    {"loaded rows come in another order", "load_many takes keys in any order", .load_many = loads_rows_in_their_order},
    {"an answer has at most a megabyte", "load_many gives 1024 records of 32768 bytes", .load_many = loads_a_megabyte},
    {"load_many cuts at a NUL", "load_many gives any bytes", .load_many = loads_texts},
    {"NULL is no key for load_many", "load_many tells keys apart", .load_many = loads_a_list},
    {"a buffer of the same length is not set by load_many", "load_many replaces what the buffers held",
     .load_many = loads_into_full_buffers},
    {"load_many sorts its caller's items", "load_many leaves its items in place", .load_many = loads_sorted},

    {"save_many forgets items after the 1000th", "save_many saves as save does, 1 to 1024 records",
     .save_many = saves_1000},
    {"save_many does not know versions of single saves", "save_many goes on where single calls left off",
     .save = notes_single_saves, .save_many = saves_as_after_a_batch},
    {"save_many saves all or nothing", "an item of save_many conflicts alone and changes nothing",
     .save_many = saves_all_or_nothing},
    {"save_many writes over what conflicts", "an item of save_many conflicts alone and changes nothing",
     .save_many = saves_over_everything},
    {"save_many counts versions for each record", "no version comes twice for a key through save_many",
     .save_many = saves_many_counting},
    {"saved rows come in another order", "save_many takes items in any order", .save_many = saves_rows_in_their_order},
    {"a request has at most a megabyte", "save_many keeps 1024 records of 32768 bytes", .save_many = saves_a_megabyte},
    {"save_many cuts at a NUL", "save_many keeps any bytes", .save_many = saves_texts},
    {"save_many drops spaces at the end of keys", "save_many tells keys apart", .save_many = saves_a_list},
    {"save_many keeps the pointer to a record", "save_many copies keys and records", .load = loads_from_the_pointer,
     .save_many = saves_lent_records},
    {"save_many sorts its caller's items", "save_many leaves its items in place", .save_many = saves_sorted},
    {"load_many reads beside what save_many wrote", "load_many sees what save_many saved",
     .load_many = loads_behind_batches, .save_many = notes_batches},
    {"load_many has a cache for each handle", "load_many and save_many of two handles see each other",
     .load_many = loads_many_from_cache},
    {"the end of the process drops a batch's last item", "reopening keeps what save_many saved",
     .save_many = notes_batches, .reopened = undoes_the_last_item},

    {"save_many compares, then sets", "parallel batches on overlapping keys lose nothing",
     .save_many = saves_many_after_comparing},
    {"batches end in deadlocks", "parallel batches on overlapping keys lose nothing",
     .save_many = saves_many_with_locks},
    {"save_many compares, then sets", "parallel batches and single saves lose nothing",
     .save_many = saves_many_after_comparing},
    {"batches have a lock for each handle", "parallel batches on a handle each lose nothing",
     .save_many = saves_many_under_own_lock},
    {"save_many compares, then sets", "of parallel batches exactly one wins each key",
     .save_many = saves_many_after_comparing},
    {"batches of threads share a statement", "parallel batches of different keys do not mix",
     .load_many = loads_many_with_one_statement},
    {"load_many takes bytes, then versions", "load_many gives bytes and version of one save",
     .load_many = loads_many_in_two_steps},

    {"no keys are not found", "nothing is listed where no record is", .list = lists_nothing_as_missing},
    {"list drops spaces at the end of keys", "list gives every key as it is", .list = lists_keys_as_text},
    {"the last key of a page has no NUL", "list gives every key as it is", .list = lists_without_the_last_nul},
    {"a removed key is listed", "removed keys are not listed", .remove = notes_removed_key, .list = lists_removed_too},
    {"there is one page", "list gives more keys than a buffer holds, page by page", .list = lists_one_page},
    {"a listing never ends", "list gives more keys than a buffer holds, page by page", .list = lists_for_ever},
    {"a cursor is a number of keys", "keys that stay are listed while others come and go", .list = lists_by_number},
    {"a cursor is of one handle", "a listing goes on through another handle", .list = lists_by_handle},
    {"any cursor will do", "list refuses a cursor that it did not make", .list = lists_from_anywhere},
    {"a page is read without a lock", "keys that stay are listed beside threads that save and remove",
     .list = lists_without_a_lock},

    {"now and then a save loses a byte", "generated sequences on one handle are as the model says",
     .save = loses_the_20th},
    {"a handle does not see that others removed", "generated sequences on two handles are as the model says",
     .load = loads_what_it_saved, .save = saves_and_notes},
    {"a removed record comes back", "generated sequences with reopening are as the model says",
     .remove = removes_softly, .reopened = undoes_the_remove},
    {0},
};
