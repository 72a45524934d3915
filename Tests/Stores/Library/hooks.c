#include "hooks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

skan_store opened(const char *place, const void *options) {
    skan_store store;
    skan_error *error = NULL;
    if (kind.open(place, options, &store, &error) == SKAN_OK) return store;
    fprintf(stderr, "%s: %s\n", place, skan_error_message(error));
    exit(2);
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

void note_report(void *context, skan_status status, const char *message) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    reports *reports = context;
    pthread_mutex_lock(&mutex);
    reports->count++;
    reports->status = status;
    snprintf(reports->message, sizeof reports->message, "%s", message);
    pthread_mutex_unlock(&mutex);
}
