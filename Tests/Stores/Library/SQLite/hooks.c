#include "hooks.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

skan_status skan_buffer_set(skan_buffer *buffer, const void *data, size_t length) {
    if (length > sizeof buffer->bytes) return SKAN_ERROR_LIMIT_EXCEEDED;
    if (length) memcpy(buffer->bytes, data, length);
    buffer->length = length;
    return SKAN_OK;
}

const void *skan_buffer_data(const skan_buffer *buffer) {
    return buffer->bytes;
}

size_t skan_buffer_size(const skan_buffer *buffer) {
    return buffer->length;
}

const loaded *load(const skan_store *store, const char *key) {
    static _Thread_local loaded result;
    result.version = 0;
    result.buffer.length = 0;
    result.status = store->load(store->context, key, &result.buffer, &result.version);
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
    return found->status == SKAN_OK && found->buffer.length == strlen(text) &&
           memcmp(found->buffer.bytes, text, strlen(text)) == 0;
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
