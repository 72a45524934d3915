#include "details_record.h"

#include "memory.h"

#include <string.h>

/* A store that has nothing and keeps what is saved, for one call. */
typedef struct catcher {
    unsigned char *record;
    size_t length;
} catcher;

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    (void)context, (void)key, (void)out, (void)version;
    return SKAN_NOT_FOUND;
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version) {
    (void)key;
    catcher *caught = context;
    if (expected_version != 0 || caught->record) return SKAN_ERROR_STORE;
    caught->record = memory_take(length);
    memcpy(caught->record, data, length);
    caught->length = length;
    *new_version = 1;
    return SKAN_OK;
}

static skan_status remove_record(void *context, const char *key, uint64_t expected_version) {
    (void)context, (void)key, (void)expected_version;
    return SKAN_ERROR_STORE;
}

bool details_record(const char *id, const char *json, size_t json_length, uint32_t protocol, unsigned char **record,
                    size_t *length, skan_error **error) {
    catcher caught = {0};
    skan_store store = {
        .size = sizeof store, .context = &caught, .load = load, .save = save, .remove = remove_record};
    skan_options options = {.size = sizeof options, .protocol = protocol, .store = &store};
    skan *engine = NULL;
    skan_status status = skan_create(&options, &engine, error);
    if (status == SKAN_OK) status = skan_import_details(engine, id, json, json_length, error);
    skan_destroy(engine);
    *record = caught.record;
    *length = caught.length;
    return status == SKAN_OK;
}
