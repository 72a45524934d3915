#include "postbacks.h"

#include "../Command/messages.h"
#include "../Command/model_file.h"
#include "../Command/model_time.h"
#include "../Command/stores.h"
#include "../Outbox/outbox.h"
#include "log.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_BYTES_MAX = 1 << 20 };

/* Models of files, by their time once open. */
typedef struct dated_models {
    model_file files[SKAN_MODELS_MAX];
    skan_postback_model models[SKAN_MODELS_MAX];
    size_t count;
} dated_models;

struct postbacks {
    postback_library library;
    store durable, relaxed;
    const char *url;
    bool is_open, is_relaxed_open;
    networks *networks; /* NULL = none */
    dated_models of_installs, of_reengagements;
    const char *keys_file;
    skan_postback_keys *keys;
    skan_postback_receiver *receiver;
    outbox *outbox; /* NULL where there are no partners */
    outbox_settings settings;
};

postbacks *postbacks_create(void) {
    postbacks *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->settings = (outbox_settings){
        .attempts = 20, .pause_ms = 10000, .longest_pause_ms = 21600000, .timeout_ms = 10000, .scan_seconds = 300};
    return made;
}

static void close_models(dated_models *models) {
    for (size_t i = 0; i < models->count; i++) model_file_close(&models->files[i]);
}

void postbacks_destroy(postbacks *postbacks, unsigned grace_ms) {
    if (!postbacks) return;
    outbox_stop(postbacks->outbox, grace_ms);
    if (postbacks->receiver) postbacks->library.receiver_destroy(postbacks->receiver);
    if (postbacks->keys) postbacks->library.keys_destroy(postbacks->keys);
    if (postbacks->is_relaxed_open) store_close(&postbacks->relaxed);
    if (postbacks->is_open) store_close(&postbacks->durable);
    networks_close(postbacks->networks);
    close_models(&postbacks->of_installs);
    close_models(&postbacks->of_reengagements);
    free(postbacks);
}

/* ---------------------------------------------------------------------------------------------------------- options */

/* "2026-01-31T10:00:00Z=model.json" */
static int add_model(dated_models *models, const command *self, const char *option, const char *text) {
    const char *equals = strchr(text, '=');
    char from[64], *end;
    if (!equals || equals == text || equals - text >= (ptrdiff_t)sizeof from || !equals[1])
        return usage_error(self, option, "expected FROM=FILE, got \"%s\"", text);
    if (models->count == SKAN_MODELS_MAX) return usage_error(self, option, "expected at most %d", SKAN_MODELS_MAX);
    snprintf(from, sizeof from, "%.*s", (int)(equals - text), text);
    skan_postback_model *added = &models->models[models->count];
    errno = 0;
    long long seconds = strtoll(from, &end, 10);
    if (*end == '\0' && errno == 0 && seconds >= 0 && seconds <= MODEL_TIME_MAX)
        added->from = seconds;
    else if (!model_time_read(from, &added->from))
        return usage_error(self, option, "expected 2026-01-31T10:00:00Z or Unix seconds, got \"%s\"", from);
    int code = model_file_open(equals + 1, &models->files[models->count]);
    if (code != EXIT_FINE) return code;
    added->model = models->files[models->count++].model;
    return EXIT_FINE;
}

static int set_networks(postbacks *postbacks, const char *file) {
    char trouble[NETWORKS_TROUBLE_MAX] = "out of memory";
    networks_close(postbacks->networks);
    postbacks->networks = networks_open(file, trouble);
    if (postbacks->networks) return EXIT_FINE;
    complain("--networks", "%s", trouble);
    return EXIT_FOUND;
}

int postbacks_set(postbacks *postbacks, const command *self, int option, const char *text) {
    outbox_settings *settings = &postbacks->settings;
    bool is_fine = true;
    switch (option) {
    case POSTBACKS_STORE:
        postbacks->url = text;
        break;
    case POSTBACKS_NETWORKS:
        return set_networks(postbacks, text);
    case POSTBACKS_MODEL:
        return add_model(&postbacks->of_installs, self, "--postback-model", text);
    case POSTBACKS_REENGAGEMENT_MODEL:
        return add_model(&postbacks->of_reengagements, self, "--reengagement-model", text);
    case POSTBACKS_KEYS:
        postbacks->keys_file = text;
        break;
    case POSTBACKS_ATTEMPTS:
        is_fine = argument_number(self, "--partner-attempts", text, 1, 1000, &settings->attempts);
        break;
    case POSTBACKS_PAUSE:
        is_fine = argument_number(self, "--partner-pause", text, 1, 86400000, &settings->pause_ms);
        break;
    case POSTBACKS_LONGEST_PAUSE:
        is_fine = argument_number(self, "--partner-longest-pause", text, 1, 604800000, &settings->longest_pause_ms);
        break;
    case POSTBACKS_TIMEOUT:
        is_fine = argument_number(self, "--partner-timeout", text, 1, 600000, &settings->timeout_ms);
        break;
    default:
        is_fine = argument_number(self, "--partner-search", text, 1, 86400, &settings->scan_seconds);
    }
    return is_fine ? EXIT_FINE : EXIT_USAGE;
}

bool postbacks_are_served(const postbacks *postbacks) { return postbacks->url != NULL; }

/* ---------------------------------------------------------------------------------------------------------- opening */

typedef struct json_object json;

static const char *text_of(json *object, const char *key) {
    json *found = json_object_object_get(object, key);
    return json_object_is_type(found, json_type_string) ? json_object_get_string(found) : NULL;
}

static bool make_keys(postbacks *postbacks, json *array) {
    static skan_postback_key keys[SKAN_POSTBACK_KEYS_MAX];
    const char *file = postbacks->keys_file;
    size_t count = json_object_is_type(array, json_type_array) ? json_object_array_length(array) : SIZE_MAX;
    if (count > SKAN_POSTBACK_KEYS_MAX) {
        complain(file, "expected {\"keys\": [...]} with at most %d keys", SKAN_POSTBACK_KEYS_MAX);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        json *each = json_object_array_get_idx(array, i);
        keys[i] = (skan_postback_key){text_of(each, "name"), text_of(each, "spki"),
                                      json_object_get_boolean(json_object_object_get(each, "development"))};
    }
    skan_error *error = NULL;
    bool is_made = postbacks->library.keys_create(keys, count, &postbacks->keys, &error) == SKAN_OK;
    if (!is_made) complain(file, "%s", skan_error_message(error));
    skan_error_free(error);
    return is_made;
}

static bool open_keys(postbacks *postbacks) {
    if (!postbacks->keys_file) return true;
    json *document = json_object_from_file(postbacks->keys_file);
    if (!document) complain(postbacks->keys_file, "%s", json_util_get_last_err());
    bool is_fine = document && make_keys(postbacks, json_object_object_get(document, "keys"));
    json_object_put(document);
    return is_fine;
}

static int compare_models(const void *one, const void *other) {
    const skan_postback_model *a = one, *b = other;
    return a->from < b->from ? -1 : a->from > b->from;
}

static void sort_models(dated_models *models) {
    qsort(models->models, models->count, sizeof *models->models, compare_models);
}

static void report_store(void *context, skan_status status, const char *message) {
    (void)context;
    (void)status;
    log_event("store", message);
}

static bool open_receiver(postbacks *postbacks, const skan_clock *clock) {
    /* Both stay where they are. */
    skan_store borrowed_store = postbacks->durable.hooks;
    skan_clock borrowed_clock = *clock;
    borrowed_store.finalize = NULL;
    borrowed_clock.finalize = NULL;
    const skan_postback_receiver_options options = {.size = sizeof options,
                                                    .store = &borrowed_store,
                                                    .clock = clock->now ? &borrowed_clock : NULL,
                                                    .keys = postbacks->keys,
                                                    .models = postbacks->of_installs.models,
                                                    .model_count = postbacks->of_installs.count,
                                                    .reengagement_models = postbacks->of_reengagements.models,
                                                    .reengagement_model_count = postbacks->of_reengagements.count};
    skan_error *error = NULL;
    bool is_made = postbacks->library.receiver_create(&options, &postbacks->receiver, &error) == SKAN_OK;
    if (!is_made) complain("--postbacks", "%s", skan_error_message(error));
    skan_error_free(error);
    return is_made;
}

static bool open_outbox(postbacks *postbacks) {
    char trouble[OUTBOX_TROUBLE_MAX];
    if (!postbacks->networks || networks_partner_count(postbacks->networks) == 0) return true;
    if (store_open_reporting(postbacks->url, STORE_REMOVES, report_store, NULL, &postbacks->relaxed) != EXIT_FINE)
        return false;
    postbacks->is_relaxed_open = true;
    postbacks->settings.durable = &postbacks->durable.hooks;
    postbacks->settings.relaxed = &postbacks->relaxed.hooks;
    postbacks->settings.networks = postbacks->networks;
    postbacks->settings.postbacks = &postbacks->library;
    postbacks->settings.models =
        (message_models){postbacks->of_installs.models, postbacks->of_installs.count,
                         postbacks->of_reengagements.models, postbacks->of_reengagements.count};
    postbacks->outbox = outbox_start(&postbacks->settings, trouble);
    if (!postbacks->outbox) complain("--networks", "%s", trouble);
    return postbacks->outbox != NULL;
}

int postbacks_open(postbacks *postbacks, const skan_clock *clock) {
    if (!postbacks->url) return EXIT_FINE;
    sort_models(&postbacks->of_installs);
    sort_models(&postbacks->of_reengagements);
    if (!postback_library_open(&postbacks->library) || !open_keys(postbacks)) return EXIT_FOUND;
    int code = store_open_reporting(postbacks->url, STORE_FILLS, report_store, NULL, &postbacks->durable);
    postbacks->is_open = code == EXIT_FINE;
    if (code != EXIT_FINE) return code;
    return open_receiver(postbacks, clock) && open_outbox(postbacks) ? EXIT_FINE : EXIT_FOUND;
}

bool postbacks_are_healthy(const postbacks *postbacks) {
    if (!postbacks->is_open) return true;
    const skan_store *hooks = &postbacks->durable.hooks;
    skan_buffer *buffer = skan_buffer_create();
    uint64_t version;
    skan_status status = hooks->load(hooks->context, "healthz", buffer, &version);
    skan_buffer_destroy(buffer);
    return status == SKAN_OK || status == SKAN_NOT_FOUND;
}

void postbacks_write_metrics(const postbacks *postbacks, FILE *out) {
    if (postbacks->outbox) outbox_write_metrics(postbacks->outbox, out);
}

/* -------------------------------------------------------------------------------------------------------- answering */

static void give(http_answer *answer, unsigned status, const char *outcome) {
    answer->status = status;
    answer->type = "application/json";
    answer->outcome = outcome;
    if (asprintf(&answer->body, "{\"outcome\":\"%s\"}\n", outcome) < 0) answer->body = NULL;
    answer->length = answer->body ? strlen(answer->body) : 0;
}

static void give_failure(http_answer *answer, skan_status status, const skan_error *error) {
    switch (status) {
    case SKAN_ERROR_CORRUPT_RECORD:
    case SKAN_ERROR_RECORD_TOO_NEW:
        log_event("record", skan_error_message(error));
        give(answer, 500, "record");
        break;
    case SKAN_ERROR_LIMIT_EXCEEDED:
        give(answer, 503, "memory");
        break;
    case SKAN_ERROR_CLOCK:
        log_event("clock", skan_error_message(error));
        give(answer, 503, "clock");
        break;
    default:
        log_event("store", error ? skan_error_message(error) : "entries of the outbox could not be written");
        give(answer, 503, "store");
    }
}

/* What became of a postback, and of a refused one why. */
static const char *outcome_name(const skan_postback_receipt *receipt) {
    static const char *const outcomes[] = {"counted", "duplicate", "conflict", "refused", "other_network"};
    static const char *const refusals[] = {"valid", "invalid", "unverifiable", "development", "malformed"};
    if (receipt->outcome == SKAN_POSTBACK_REFUSED && receipt->result >= 0 && receipt->result < 5)
        return refusals[receipt->result];
    return outcomes[receipt->outcome];
}

static void give_receipt(http_answer *answer, const skan_postback_receipt *receipt) {
    /* It is nowhere: whoever sends it may do so later. */
    if (!receipt->is_kept && receipt->outcome != SKAN_POSTBACK_DUPLICATE)
        give(answer, 429, "not_kept");
    else
        give(answer, 200, outcome_name(receipt));
}

/* What is known of a postback before it is received. */
typedef struct arrival {
    const network *network; /* whose it is, NULL = of none that is known */
    char sender[SKAN_POSTBACK_NETWORK_MAX + 1]; /* the ad network id that it must have; "" = any */
    char key[80];           /* of one that may be counted, else "" */
} arrival;

/* From Apple's devices (`from` NULL) or from a network. */
static skan_status examine(const postbacks *postbacks, const network *from, const http_request *request,
                           arrival *arrival) {
    skan_postback *postback = NULL;
    skan_postback_fields fields = {.size = sizeof fields};
    const skan_postback_options options = {.size = sizeof options, .keys = postbacks->keys};
    const postback_library *library = &postbacks->library;
    memset(arrival, 0, sizeof *arrival);
    skan_status status = library->verify(request->body, request->length, &options, &postback, NULL);
    if (status == SKAN_OK) status = library->read(postback, &fields, NULL);
    if (status == SKAN_OK) {
        const char *id = fields.ad_network_id ? fields.ad_network_id : "", *key = library->key_of(postback);
        arrival->network = from ? from : postbacks->networks ? networks_of(postbacks->networks, id) : NULL;
        bool is_its_own = !from || network_has(from, id);
        if (from) snprintf(arrival->sender, sizeof arrival->sender, "%s", is_its_own ? id : from->ad_networks[0]);
        if (is_its_own && key && library->result(postback) == SKAN_POSTBACK_VALID)
            snprintf(arrival->key, sizeof arrival->key, "%s", key);
    }
    library->destroy(postback);
    return status;
}

static void take(postbacks *postbacks, const network *from, const http_request *request, http_answer *answer) {
    if (request->length == 0) {
        give(answer, 400, "empty");
        return;
    }
    if (request->length > SKAN_POSTBACK_MAX) {
        give(answer, 413, "too_long");
        return;
    }
    arrival arrival;
    skan_postback_receipt receipt = {.size = sizeof receipt};
    skan_error *error = NULL;
    bool is_prepared = false;
    int64_t prepared_at = outbox_now();
    skan_status status = examine(postbacks, from, request, &arrival);
    if (status == SKAN_OK && postbacks->outbox && arrival.network && arrival.key[0])
        status = outbox_prepare(postbacks->outbox, arrival.key, arrival.network, &is_prepared);
    if (status == SKAN_OK)
        status = postbacks->library.receive(postbacks->receiver, from ? arrival.sender : NULL, request->body,
                                            request->length, &receipt, &error);
    /* Also where another copy was counted meanwhile: it relies on the same entries. */
    if (status == SKAN_OK && is_prepared)
        status = outbox_activate(postbacks->outbox, arrival.key, arrival.network, prepared_at);
    if (status == SKAN_OK)
        give_receipt(answer, &receipt);
    else
        give_failure(answer, status, error);
    skan_error_free(error);
}

void postbacks_answer_apple(void *context, const http_request *request, http_answer *answer) {
    take(context, NULL, request, answer);
}

void postbacks_answer_forwarded(void *context, const http_request *request, http_answer *answer) {
    postbacks *postbacks = context;
    char token[TOKEN_BYTES_MAX + 2];
    const network *network = NULL;
    if (!http_item(request, "token", token, sizeof token)) token[0] = '\0';
    if (postbacks->networks)
        network = networks_admit(postbacks->networks, request->path + strlen(POSTBACKS_FORWARDED), token);
    if (network)
        take(postbacks, network, request, answer);
    else
        give(answer, 403, "forbidden");
}
