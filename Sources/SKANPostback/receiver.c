/* Rules, "Receiving postbacks", "Duplicate postbacks": each postback is counted once, and stored before it is
 * answered. */
#define _GNU_SOURCE
#include "../StoreSupport/group_saver.h"
#include "../StoreSupport/options.h"
#include "decoding.h"
#include "out_struct.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { ATTEMPTS = 100, KEPT_PER_HOUR = 100000 };
#define MICROSECONDS_PER_HOUR INT64_C(3600000000)

struct skan_postback_receiver {
    skan_store store;
    skan_clock clock; /* `now` is NULL: the system's */
    skan_postback_keys *keys;
    group_saver *saver;
    model_list models, reengagement_models;
    uint32_t refused_per_hour;
    _Atomic uint64_t refused; /* the hour since 1970 in the upper half, how many were kept in it in the lower one */
};

/* ---------------------------------------------------------------------------------------------------------- making */

/* A struct of a caller that is older than this library may end before any member that came since the first version. */
static skan_status read_grown(const char *name, const void *given, void *read, size_t first, size_t known,
                              trouble *trouble) {
    size_t size = known;
    if (given) memcpy(&size, given, sizeof size);
    if (size >= known) return options_read(given, read, known, trouble);
    if (size < first || size % sizeof(void *) != 0)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "%s.size: expected %zu or more, got %zu", name, first,
                           size);
    memset(read, 0, known);
    memcpy(read, given, size);
    return SKAN_OK;
}

/* The sizes of all structs; where one is illegal, hooks stay the caller's. */
static skan_status read_structs(const skan_postback_receiver_options *given, skan_postback_receiver_options *options,
                                skan_store *store, skan_clock *clock, trouble *trouble) {
    memset(store, 0, sizeof *store);
    memset(clock, 0, sizeof *clock);
    skan_status status = read_grown("options", given, options,
                                    offsetof(skan_postback_receiver_options, reengagement_models), sizeof *options,
                                    trouble);
    if (status == SKAN_OK && options->store)
        status = read_grown("store", options->store, store, offsetof(skan_store, load_many), sizeof *store, trouble);
    if (status == SKAN_OK && options->clock) status = options_read(options->clock, clock, sizeof *clock, trouble);
    if (status != SKAN_OK) {
        memset(store, 0, sizeof *store);
        memset(clock, 0, sizeof *clock);
    }
    return status;
}

static skan_status check_models(const char *name, const skan_postback_model *models, size_t count, trouble *trouble) {
    const skan_status invalid = SKAN_ERROR_INVALID_ARGUMENT;
    if (count > SKAN_MODELS_MAX)
        return trouble_set(trouble, invalid, "%s_count: expected at most %d, got %zu", name, SKAN_MODELS_MAX, count);
    if (!models && count > 0) return trouble_set(trouble, invalid, "%ss: expected a pointer, got NULL", name);
    for (size_t i = 0; i < count; i++) {
        if (!models[i].model)
            return trouble_set(trouble, invalid, "%ss[%zu].model: expected a pointer, got NULL", name, i);
        if (i > 0 && models[i].from <= models[i - 1].from)
            return trouble_set(trouble, invalid, "%ss[%zu].from: expected a later moment than that before", name, i);
    }
    return SKAN_OK;
}

static skan_status check(const skan_postback_receiver_options *options, const skan_store *store,
                         const skan_clock *clock, trouble *trouble) {
    const skan_status invalid = SKAN_ERROR_INVALID_ARGUMENT;
    if (!options->store) return trouble_set(trouble, invalid, "store: expected a pointer, got NULL");
    if (!store->load || !store->save || !store->remove)
        return trouble_set(trouble, invalid, "store: load, save or remove is NULL");
    if (options->clock && !clock->now) return trouble_set(trouble, invalid, "clock: now is NULL");
    if (options->reserved != 0) return trouble_set(trouble, invalid, "options.reserved: expected 0");
    skan_status status = check_models("model", options->models, options->model_count, trouble);
    if (status != SKAN_OK) return status;
    return check_models("reengagement_model", options->reengagement_models, options->reengagement_model_count, trouble);
}

static bool copy_models(const skan_postback_model *models, size_t count, model_list *list) {
    list->models = calloc(count + 1, sizeof *list->models);
    if (!list->models) return false;
    if (count > 0) memcpy(list->models, models, count * sizeof *models);
    list->count = count;
    return true;
}

static skan_status fill(skan_postback_receiver *receiver, const skan_postback_receiver_options *options,
                        trouble *trouble) {
    receiver->keys = keys_share(options->keys, trouble);
    if (!receiver->keys) return trouble->status;
    receiver->saver = group_saver_create(&receiver->store);
    if (!receiver->saver || !copy_models(options->models, options->model_count, &receiver->models) ||
        !copy_models(options->reengagement_models, options->reengagement_model_count, &receiver->reengagement_models))
        return trouble_set(trouble, SKAN_ERROR_LIMIT_EXCEEDED, "no memory for a receiver");
    receiver->refused_per_hour = options->refused_per_hour ? options->refused_per_hour : KEPT_PER_HOUR;
    return SKAN_OK;
}

skan_status skan_postback_receiver_create(const skan_postback_receiver_options *given, skan_postback_receiver **out,
                                          skan_error **error) {
    trouble trouble;
    skan_postback_receiver_options options;
    skan_store store;
    skan_clock clock;
    skan_postback_receiver *made = NULL;
    if (out) *out = NULL;
    skan_status status = read_structs(given, &options, &store, &clock, &trouble);
    if (status == SKAN_OK && !out)
        status = trouble_set(&trouble, SKAN_ERROR_INVALID_ARGUMENT, "out: expected a pointer, got NULL");
    if (status == SKAN_OK) status = check(&options, &store, &clock, &trouble);
    if (status == SKAN_OK) {
        made = calloc(1, sizeof *made);
        if (!made) status = trouble_set(&trouble, SKAN_ERROR_LIMIT_EXCEEDED, "no memory for a receiver");
    }
    if (made) {
        made->store = store;
        made->clock = clock;
        status = fill(made, &options, &trouble);
    }
    if (status == SKAN_OK) {
        *out = made;
    } else if (made) {
        skan_postback_receiver_destroy(made);
    } else {
        if (store.finalize) store.finalize(store.context);
        if (clock.finalize) clock.finalize(clock.context);
    }
    return trouble_given(error, status, &trouble);
}

void skan_postback_receiver_destroy(skan_postback_receiver *receiver) {
    if (!receiver) return;
    group_saver_destroy(receiver->saver);
    if (receiver->store.finalize) receiver->store.finalize(receiver->store.context);
    if (receiver->clock.finalize) receiver->clock.finalize(receiver->clock.context);
    skan_postback_keys_destroy(receiver->keys);
    free(receiver->models.models);
    free(receiver->reengagement_models.models);
    free(receiver);
}

/* -------------------------------------------------------------------------------------------------------- counting */

static skan_status store_failed(skan_status status, const char *key, trouble *trouble) {
    return trouble_set(trouble, status, "store: %s of \"%s\" answered %s",
                       status == SKAN_ERROR_STORE_UNKNOWN ? "save" : "a hook", key, skan_status_name(status));
}

static bool is_same_text(const char *one, const char *other) {
    return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool is_same_number(const int64_t *one, const int64_t *other) {
    return one && other ? *one == *other : one == other;
}

/* Whether two copies of a postback have the same values, signed and unsigned. */
static bool is_same(const skan_postback *one, const skan_postback *other) {
    skan_postback_fields a = {.size = sizeof a}, b = {.size = sizeof b};
    skan_postback_read(one, &a, NULL);
    skan_postback_read(other, &b, NULL);
    return a.framework == b.framework && a.window == b.window && is_same_text(a.version, b.version) &&
           is_same_text(a.source_identifier, b.source_identifier) && is_same_text(a.source_domain, b.source_domain) &&
           is_same_text(a.country_code, b.country_code) && is_same_text(a.interaction_type, b.interaction_type) &&
           is_same_number(a.campaign_id, b.campaign_id) && is_same_number(a.app_id, b.app_id) &&
           is_same_number(a.source_app_id, b.source_app_id) && is_same_number(a.fidelity_type, b.fidelity_type) &&
           a.did_win == b.did_win && a.redownload == b.redownload && a.conversion_value == b.conversion_value &&
           a.coarse_value == b.coarse_value && a.conversion_type == b.conversion_type;
}

enum found { FOUND_NONE, FOUND_OWN, FOUND_SAME, FOUND_OTHER };

/* What is stored under a postback's key. */
static skan_status look(skan_postback_receiver *receiver, const char *key, const skan_postback *postback,
                        const record *own, enum found *found, trouble *trouble) {
    skan_buffer *buffer = skan_buffer_create();
    uint64_t version = 0;
    skan_status status = receiver->store.load(receiver->store.context, key, buffer, &version);
    *found = FOUND_NONE;
    if (status == SKAN_OK && version != 0) {
        record record;
        skan_postback *first = NULL;
        status = record_read(skan_buffer_data(buffer), skan_buffer_size(buffer), receiver->keys, &record, trouble);
        if (status == SKAN_OK)
            status = postback_make(record.body.start, record.body.length, receiver->keys, &record.verdict, &first,
                                   trouble);
        if (status == SKAN_OK) {
            bool is_own = memcmp(record.write_id, own->write_id, WRITE_ID_BYTES) == 0;
            *found = is_own ? FOUND_OWN : is_same(first, postback) ? FOUND_SAME : FOUND_OTHER;
        }
        skan_postback_destroy(first);
    } else if (status == SKAN_NOT_FOUND) {
        status = SKAN_OK;
    } else {
        status = store_failed(SKAN_ERROR_STORE, key, trouble);
    }
    skan_buffer_destroy(buffer);
    return status;
}

/* Saves a record where there is none; answers as an engine takes what a store answers. */
static skan_status save_new(skan_postback_receiver *receiver, const char *key, const void *bytes, size_t length) {
    skan_save_item item = {.key = key, .data = bytes, .length = length};
    group_saver_save(receiver->saver, &item, 1);
    if (item.status == SKAN_OK) return item.new_version != 0 ? SKAN_OK : SKAN_ERROR_STORE_UNKNOWN;
    return item.status == SKAN_ERROR_STORE_CONFLICT || item.status == SKAN_ERROR_STORE ? item.status
                                                                                       : SKAN_ERROR_STORE_UNKNOWN;
}

/* Saves the record unless there is one; what there was. After an answer that leaves it open it is looked up: the write
 * id tells whether it was this call's. A save that comes late meets the one that was made since. */
static skan_status save_first(skan_postback_receiver *receiver, const char *key, const skan_postback *postback,
                              const record *own, enum found *found, trouble *trouble) {
    unsigned char bytes[RECORD_BYTES_MAX];
    size_t length = record_write(own, receiver->keys, bytes);
    if (length == 0) return trouble_set(trouble, SKAN_ERROR_LIMIT_EXCEEDED, "no memory for a record");
    bool is_unknown = false;
    for (int i = 0; i < ATTEMPTS; i++) {
        skan_status status = save_new(receiver, key, bytes, length);
        *found = FOUND_OWN;
        if (status == SKAN_OK) return SKAN_OK;
        /* An earlier attempt may still have been made. */
        if (status == SKAN_ERROR_STORE)
            return store_failed(is_unknown ? SKAN_ERROR_STORE_UNKNOWN : SKAN_ERROR_STORE, key, trouble);
        is_unknown |= status == SKAN_ERROR_STORE_UNKNOWN;
        status = look(receiver, key, postback, own, found, trouble);
        if (status == SKAN_ERROR_STORE && is_unknown) return store_failed(SKAN_ERROR_STORE_UNKNOWN, key, trouble);
        if (status != SKAN_OK || *found != FOUND_NONE) return status;
    }
    return store_failed(is_unknown ? SKAN_ERROR_STORE_UNKNOWN : SKAN_ERROR_STORE_CONFLICT, key, trouble);
}

/* ------------------------------------------------------------------------------------------------------ kept apart */

/* Whether one more may be kept in the hour of this moment. */
static bool may_keep(skan_postback_receiver *receiver, int64_t now) {
    if (receiver->refused_per_hour == UINT32_MAX) return true;
    uint64_t hour = (uint64_t)(now / MICROSECONDS_PER_HOUR) << 32;
    uint64_t seen = atomic_load(&receiver->refused), next;
    do {
        uint64_t count = (seen ^ hour) >> 32 == 0 ? seen & UINT32_MAX : 0;
        if (count >= receiver->refused_per_hour) return false;
        next = hour | (count + 1);
    } while (!atomic_compare_exchange_weak(&receiver->refused, &seen, next));
    return true;
}

/* For one that was kept before. */
static void give_back(skan_postback_receiver *receiver, int64_t now) {
    uint64_t hour = (uint64_t)(now / MICROSECONDS_PER_HOUR) << 32, seen = atomic_load(&receiver->refused);
    while ((seen ^ hour) >> 32 == 0 && (seen & UINT32_MAX) > 0)
        if (atomic_compare_exchange_weak(&receiver->refused, &seen, seen - 1)) return;
}

/* Under the hash of its body: what comes again is kept once. */
static skan_status keep_apart(skan_postback_receiver *receiver, const record *record, char key[80], bool *is_kept,
                              trouble *trouble) {
    unsigned char bytes[RECORD_BYTES_MAX], hash[SHA256_BYTES];
    size_t length = record_write(record, receiver->keys, bytes);
    if (length == 0 || !sha256(receiver->keys, record->body.start, record->body.length, hash))
        return trouble_set(trouble, SKAN_ERROR_LIMIT_EXCEEDED, "no memory for a record");
    char *next = key + sprintf(key, "refused/");
    for (int i = 0; i < SHA256_BYTES; i++) next += sprintf(next, "%02x", hash[i]);
    *is_kept = may_keep(receiver, record->received);
    if (!*is_kept) return SKAN_OK;
    skan_status status = SKAN_ERROR_STORE_UNKNOWN;
    for (int i = 0; i < ATTEMPTS && status == SKAN_ERROR_STORE_UNKNOWN; i++)
        status = save_new(receiver, key, bytes, length);
    if (status == SKAN_OK) return SKAN_OK;
    give_back(receiver, record->received);
    return status == SKAN_ERROR_STORE_CONFLICT ? SKAN_OK : store_failed(status, key, trouble);
}

/* --------------------------------------------------------------------------------------------------------- receive */

static skan_status check_call(const skan_postback_receiver *receiver, const char *network, const void *body,
                              size_t length, trouble *trouble) {
    const skan_status invalid = SKAN_ERROR_INVALID_ARGUMENT;
    if (!receiver || (!body && length > 0))
        return trouble_set(trouble, invalid, "%s: expected a pointer, got NULL", receiver ? "body" : "receiver");
    if (network) {
        size_t bytes = strnlen(network, SKAN_POSTBACK_NETWORK_MAX + 1);
        if (bytes == 0 || bytes > SKAN_POSTBACK_NETWORK_MAX)
            return trouble_set(trouble, invalid, "network: expected 1 to %d bytes, got %s", SKAN_POSTBACK_NETWORK_MAX,
                               bytes == 0 ? "none" : "more");
    }
    if (length > SKAN_POSTBACK_MAX)
        return trouble_set(trouble, SKAN_ERROR_LIMIT_EXCEEDED, "body: %zu bytes, the limit is %d", length,
                           SKAN_POSTBACK_MAX);
    return SKAN_OK;
}

static skan_status read_clock(const skan_postback_receiver *receiver, int64_t *now, trouble *trouble) {
    struct timespec time;
    if (receiver->clock.now) {
        *now = receiver->clock.now(receiver->clock.context);
    } else {
        clock_gettime(CLOCK_REALTIME, &time);
        *now = (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
    }
    if (*now >= 0) return SKAN_OK;
    return trouble_set(trouble, SKAN_ERROR_CLOCK, "clock: answered %lld", (long long)*now);
}

static skan_status draw_write_id(record *record, trouble *trouble) {
    ssize_t got;
    do {
        got = getrandom(record->write_id, WRITE_ID_BYTES, 0);
    } while (got < 0 && errno == EINTR);
    if (got == WRITE_ID_BYTES) return SKAN_OK;
    return trouble_set(trouble, SKAN_ERROR_STORE, "no random number: %s", strerror(errno));
}

static bool is_of_network(const skan_postback *postback, const char *network) {
    return !network || span_is(postback->fields[FIELD_AD_NETWORK_ID]->text, network);
}

static skan_status settle(skan_postback_receiver *receiver, const char *network, const skan_postback *postback,
                          record *record, skan_postback_receipt *receipt, trouble *trouble) {
    record->outcome = postback->result != SKAN_POSTBACK_VALID    ? SKAN_POSTBACK_REFUSED
                      : is_of_network(postback, network) ? SKAN_POSTBACK_COUNTED
                                                         : SKAN_POSTBACK_OTHER_NETWORK;
    bool is_kept = true;
    if (record->outcome == SKAN_POSTBACK_COUNTED) {
        enum found found;
        decode(postback, &receiver->models, &receiver->reengagement_models, record);
        memcpy(receipt->key, postback->key, sizeof receipt->key);
        skan_status status = save_first(receiver, receipt->key, postback, record, &found, trouble);
        if (status != SKAN_OK) return status;
        if (found == FOUND_SAME) record->outcome = SKAN_POSTBACK_DUPLICATE, is_kept = false;
        if (found == FOUND_OTHER) record->outcome = SKAN_POSTBACK_CONFLICT;
    }
    if (record->outcome != SKAN_POSTBACK_COUNTED) {
        record->decoding = SKAN_POSTBACK_NOT_DECODED;
        record->has_model = false;
        record->from = record->until = 0;
        record->is_reengagement = false;
    }
    if (record->outcome != SKAN_POSTBACK_COUNTED && record->outcome != SKAN_POSTBACK_DUPLICATE) {
        skan_status status = keep_apart(receiver, record, receipt->key, &is_kept, trouble);
        if (status != SKAN_OK) return status;
    }
    receipt->is_kept = is_kept;
    return SKAN_OK;
}

static void fill_receipt(const skan_postback *postback, const record *record, skan_postback_receipt *receipt) {
    receipt->outcome = record->outcome;
    receipt->result = postback->result;
    receipt->decoding = record->decoding;
    receipt->received = record->received;
    record_model_text(record, receipt->model);
    if (postback->problem_field)
        snprintf(receipt->problem_field, sizeof receipt->problem_field, "%s", postback->problem_field);
}

/* The time is that of the arrival. */
static skan_status receive(skan_postback_receiver *receiver, const char *network, const void *body, size_t length,
                           skan_postback_receipt *receipt, trouble *trouble) {
    record record = {.network = {network ? network : "", network ? strlen(network) : 0}};
    skan_postback *postback = NULL;
    skan_status status = read_clock(receiver, &record.received, trouble);
    if (status == SKAN_OK) status = draw_write_id(&record, trouble);
    if (status == SKAN_OK) status = postback_make(body, length, receiver->keys, NULL, &postback, trouble);
    if (status == SKAN_OK) {
        record.body = postback->body;
        record.verdict = (verdict){postback->result, postback->omits_source_app};
        status = settle(receiver, network, postback, &record, receipt, trouble);
    }
    if (status == SKAN_OK) fill_receipt(postback, &record, receipt);
    skan_postback_destroy(postback);
    return status;
}

skan_status skan_postback_receive(skan_postback_receiver *receiver, const char *network, const void *body,
                                  size_t length, skan_postback_receipt *out, skan_error **error) {
    trouble trouble;
    skan_postback_receipt receipt = {.size = sizeof receipt};
    skan_status status = out ? out_begin(out, sizeof *out, &trouble) : SKAN_OK;
    if (status == SKAN_OK) status = check_call(receiver, network, body, length, &trouble);
    if (status == SKAN_OK) status = receive(receiver, network, body, length, &receipt, &trouble);
    if (status == SKAN_OK && out) {
        receipt.size = out->size;
        memcpy(out, &receipt, sizeof receipt);
    }
    return trouble_given(error, status, &trouble);
}
