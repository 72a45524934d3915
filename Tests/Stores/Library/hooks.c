#define _GNU_SOURCE
#include "hooks.h"

#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void end_with(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(2);
}

skan_store opened(const char *place, const void *options) {
    skan_store store;
    skan_error *error = NULL;
    if (kind.open(place, options, &store, &error) != SKAN_OK) end_with(place, skan_error_message(error));
    return store;
}

const loaded *load(const skan_store *store, const char *key) {
    static _Thread_local loaded result;
    skan_buffer *buffer = skan_buffer_create();
    result.version = 0;
    result.status = store->load(store->context, key, buffer, &result.version);
    result.length = skan_buffer_size(buffer);
    if (result.length < sizeof result.bytes) memcpy(result.bytes, skan_buffer_data(buffer), result.length);
    result.bytes[result.length < sizeof result.bytes ? result.length : 0] = '\0';
    skan_buffer_destroy(buffer);
    return &result;
}

skan_status save(const skan_store *store, const char *key, const void *data, size_t length, uint64_t expected,
                 uint64_t *version) {
    uint64_t given = 0;
    skan_status status = store->save(store->context, key, data, length, expected, &given);
    if (version) *version = given;
    return status;
}

skan_status save_text(const skan_store *store, const char *key, const char *text, uint64_t expected,
                      uint64_t *version) {
    return save(store, key, text, strlen(text), expected, version);
}

skan_status remove_key(const skan_store *store, const char *key, uint64_t expected) {
    return store->remove(store->context, key, expected);
}

bool holds_text(const skan_store *store, const char *key, const char *text) {
    const loaded *found = load(store, key);
    if (!text) return found->status == SKAN_NOT_FOUND;
    return found->status == SKAN_OK && found->length == strlen(text) &&
           memcmp(found->bytes, text, strlen(text)) == 0;
}

/* ----------------------------------------------------------------------------------------------------- many at once */

enum { MOST_TOGETHER = 16 };

static const char *names_of(const skan_status *statuses, size_t count) {
    static _Thread_local char names[MOST_TOGETHER * 40];
    names[0] = '\0';
    for (size_t i = 0; i < count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? " " : "",
                 skan_status_name(statuses[i]));
    return names;
}

const char *load_many(const skan_store *store, const char *keys) {
    skan_load_item items[MOST_TOGETHER];
    skan_status statuses[MOST_TOGETHER];
    char *rest = text_of("%s", keys);
    size_t count = 0;
    for (char *key; (key = strtok_r(rest, " ", &rest)) && count < MOST_TOGETHER; count++)
        items[count] = (skan_load_item){key, skan_buffer_create(), 0, -1};
    store->load_many(store->context, items, count);
    for (size_t i = 0; i < count; i++) {
        statuses[i] = items[i].status;
        if (items[i].status == SKAN_OK) {
            const loaded *single = load(store, items[i].key);
            EXPECT(items[i].version == single->version && skan_buffer_size(items[i].out) == single->length &&
                       memcmp(skan_buffer_data(items[i].out), single->bytes, single->length) == 0,
                   "%s is not as a single load gives it", items[i].key);
        }
        skan_buffer_destroy(items[i].out);
    }
    return names_of(statuses, count);
}

const char *save_many(const skan_store *store, skan_save_item *items, size_t count) {
    skan_status statuses[MOST_TOGETHER];
    store->save_many(store->context, items, count);
    for (size_t i = 0; i < count; i++) statuses[i] = items[i].status;
    return names_of(statuses, count);
}

const listed *list(const skan_store *store, const char *cursor) {
    static listed page;
    skan_buffer *place = skan_buffer_create(), *keys = skan_buffer_create();
    skan_buffer_set(place, cursor, strlen(cursor));
    page.status = store->list(store->context, place, keys);
    snprintf(page.cursor, sizeof page.cursor, "%.*s", (int)skan_buffer_size(place),
             (const char *)skan_buffer_data(place));
    const char *bytes = skan_buffer_data(keys);
    size_t length = skan_buffer_size(keys);
    for (size_t i = 0; i < length; i++) page.keys[i] = bytes[i] ? bytes[i] : ' ';
    page.keys[length] = '\0';
    skan_buffer_destroy(place);
    skan_buffer_destroy(keys);
    return &page;
}
