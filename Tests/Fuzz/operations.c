/*
 * Whole sequences of operations on a few installs, by a program that the input is: on the in-memory store, or on a
 * host's store that fails where the input says. Beside them a model counts the revenue of one currency, in millionths,
 * and what is remembered of event ids: the totals in the details must be the model's.
 */
#include "fuzz.h"

#include <json-c/json.h>
#include <math.h>
#include <strings.h>

enum { INSTALLS = 3, IDS = 40, STEPS = 120 };
static const char *const installs[INSTALLS] = {"a", "b", "\xC3\xA4"};

/* ------------------------------------------------------------------------------------------------------ the store */

typedef struct record {
    uint8_t *bytes;
    size_t length;
    uint64_t version;
} record;

typedef struct world {
    input input;
    int64_t now;
    skan *engine;
    uint32_t protocol;
    bool fails;
    uint64_t last_version;
    record records[INSTALLS];
    uint64_t ticket;
    /* The model: what is certain of each install's lifetime revenue in USD, in millionths. */
    struct {
        bool is_uncertain;
        int64_t iap, ad;
        unsigned id_count;
        unsigned ids[64];
    } models[INSTALLS];
} world;

static record *record_of(world *world, const char *key) {
    for (int i = 0; i < INSTALLS; i++) {
        if (strcmp(key, installs[i]) == 0) return &world->records[i];
    }
    abort();
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    world *world = context;
    record *record = record_of(world, key);
    uint8_t fault = world->fails ? take_byte(&world->input) : 0;
    if (fault == 255) return SKAN_ERROR_STORE;
    if (fault == 254) return -77;
    if (record->version == 0) return SKAN_NOT_FOUND;
    *version = record->version;
    return skan_buffer_set(out, record->bytes, record->length);
}

static void write_record(world *world, record *record, const void *data, size_t length) {
    free(record->bytes);
    record->bytes = malloc(length);
    REQUIRE(record->bytes != NULL && length <= SKAN_RECORD_MAX);
    memcpy(record->bytes, data, length);
    record->length = length;
    record->version = ++world->last_version;
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                        uint64_t *version) {
    world *world = context;
    record *record = record_of(world, key);
    uint8_t fault = world->fails ? take_byte(&world->input) : 0;
    if (fault == 255) return SKAN_ERROR_STORE;
    if (fault == 254 || expected != record->version) return SKAN_ERROR_STORE_CONFLICT;
    if (fault == 253) return SKAN_ERROR_STORE_UNKNOWN;
    write_record(world, record, data, length);
    *version = record->version;
    if (fault == 252) return SKAN_ERROR_STORE_UNKNOWN;
    return fault == 251 ? 4711 : SKAN_OK;
}

static skan_status drop(void *context, const char *key, uint64_t expected) {
    world *world = context;
    record *record = record_of(world, key);
    uint8_t fault = world->fails ? take_byte(&world->input) : 0;
    if (fault == 255) return SKAN_ERROR_STORE;
    if (fault == 254 || expected != record->version || expected == 0) return SKAN_ERROR_STORE_CONFLICT;
    if (fault == 253) return SKAN_ERROR_STORE_UNKNOWN;
    record->version = 0;
    return fault == 252 ? SKAN_ERROR_STORE_UNKNOWN : SKAN_OK;
}

static void load_many(void *context, skan_load_item *items, size_t count) {
    REQUIRE(count >= 1 && count <= INSTALLS);
    for (size_t i = 0; i < count; i++) {
        skan_status status = load(context, items[i].key, items[i].out, &items[i].version);
        if (status != SKAN_ERROR_STORE) items[i].status = status;
    }
}

static void save_many(void *context, skan_save_item *items, size_t count) {
    REQUIRE(count >= 1 && count <= INSTALLS);
    for (size_t i = 0; i < count; i++) {
        skan_status status = save(context, items[i].key, items[i].data, items[i].length, items[i].expected_version,
                                  &items[i].new_version);
        if (status != SKAN_ERROR_STORE_UNKNOWN) items[i].status = status;
    }
}

/* The endpoint: answers what the input says. */
static skan_status get(void *context, const char *url, skan_buffer *body) {
    world *world = context;
    REQUIRE(strncmp(url, "https://sdk-api-v1.singular.net/api/v", 37) == 0);
    skan_error *error = NULL;
    char *details = NULL;
    REQUIRE(settled(skan_details(world->engine, installs[0], &details, &error), error) == SKAN_ERROR_MISUSE);
    if (take_byte(&world->input) == 255) return SKAN_ERROR_TRANSPORT;
    char *text = take_text(&world->input, 200);
    skan_status status = skan_buffer_set(body, text, strlen(text));
    free(text);
    return status;
}

/* --------------------------------------------------------------------------------------------------- the operations */

/* Statuses after which the store may hold the change or not. */
static bool is_unknown(skan_status status) { return status == SKAN_ERROR_STORE_UNKNOWN; }

/* An amount that the input says, of an install. */
typedef struct amount {
    int install;
    int64_t millionths;
    unsigned id; /* 0 = no event id */
    char event[16];
    skan_revenue item;
} amount;

static void take_amount(world *world, int install, amount *amount) {
    static const char *const currencies[] = {"USD", "usd", "EUR", "JP", "US$", ""};
    amount->install = install;
    amount->item = (skan_revenue){.size = sizeof amount->item, .install_id = installs[install]};
    amount->item.currency = currencies[take_number(&world->input, 6)];
    amount->millionths = (int64_t)take_number(&world->input, 1u << 24) - (1 << 23);
    amount->item.amount = (double)amount->millionths / 1e6;
    amount->item.ad_monetization = take_byte(&world->input) % 4 == 0;
    amount->id = take_number(&world->input, IDS);
    snprintf(amount->event, sizeof amount->event, "order-%u", amount->id);
    if (amount->id != 0) amount->item.event_id = amount->event;
}

/* Holds what came of an amount against the model. */
static void account(world *world, const amount *amount, skan_status status) {
    int install = amount->install;
    const char *currency = amount->item.currency;
    bool is_ad = amount->item.ad_monetization, is_known = false;
    for (unsigned i = 0; amount->id != 0 && i < world->models[install].id_count; i++) {
        if (world->models[install].ids[i] == amount->id) is_known = true;
    }
    if (is_unknown(status)) world->models[install].is_uncertain = true;
    if (world->models[install].is_uncertain) return;
    if (status == SKAN_OK) {
        REQUIRE(!is_known && strlen(currency) == 3 && currency[2] != '$' && !(is_ad && world->protocol == 3));
        if (strcasecmp(currency, "USD") == 0)
            *(is_ad ? &world->models[install].ad : &world->models[install].iap) += amount->millionths;
        if (amount->id != 0) world->models[install].ids[world->models[install].id_count++] = amount->id;
    } else {
        REQUIRE(status != SKAN_DUPLICATE_EVENT || is_known);
    }
}

static void revenue(world *world, int install) {
    amount amount;
    take_amount(world, install, &amount);
    skan_error *error = NULL;
    const skan_revenue *item = &amount.item;
    skan_status status = skan_update_revenue(world->engine, item->install_id, item->amount, item->currency,
                                             item->ad_monetization, item->event_id, &error);
    settled(status, error);
    account(world, &amount, status);
}

static void revenue_many(world *world) {
    enum { MOST = 12 };
    amount amounts[MOST];
    skan_revenue items[MOST];
    skan_status statuses[MOST], first = SKAN_OK;
    size_t count = take_number(&world->input, MOST + 1);
    for (size_t i = 0; i < count; i++) {
        /* The event's text stays where it is drawn. */
        take_amount(world, (int)take_number(&world->input, INSTALLS), &amounts[i]);
        items[i] = amounts[i].item;
        statuses[i] = -1;
    }
    skan_error *error = NULL;
    skan_status status = settled(skan_update_revenue_many(world->engine, items, count, statuses, &error), error);
    /* An install whose save ended unknown is uncertain before its other items are looked at. */
    for (size_t i = 0; i < count; i++)
        if (is_unknown(statuses[i])) world->models[amounts[i].install].is_uncertain = true;
    for (size_t i = 0; i < count; i++) {
        account(world, &amounts[i], statuses[i]);
        if (first == SKAN_OK && statuses[i] >= 100) first = statuses[i];
    }
    REQUIRE(status == first);
}

static void apply(world *world, int install) {
    static const char *const bodies[] = {"{\"conversion_value\":%u}",
                                         "{\"conversion_value\":%u,\"skan_updated_coarse_value\":1}",
                                         "{\"status\":\"ok\",\"skan_updated_coarse_value\":%u}",
                                         "{\"conversion_value\":%u,\"skan_updated_lock_window_value\":true}"};
    char body[256];
    unsigned form = take_number(&world->input, 5);
    if (form == 4) {
        char *text = take_text(&world->input, 255);
        snprintf(body, sizeof body, "%s", text);
        free(text);
    } else {
        snprintf(body, sizeof body, bodies[form], take_byte(&world->input));
    }
    uint64_t ticket = take_byte(&world->input) % 2 == 0 ? 0 : world->ticket;
    skan_update update = {.size = sizeof update};
    skan_error *error = NULL;
    skan_status status =
        skan_apply_response(world->engine, installs[install], ticket, body, strlen(body), &update, &error);
    settled(status, error);
    REQUIRE((status == SKAN_OK) == (update.id != 0));
}

static void request(world *world, int install) {
    char *event = take_text(&world->input, 34), *idfv = take_text(&world->input, 10), *url = NULL;
    skan_device device = {.size = sizeof device, .idfv = idfv};
    skan_error *error = NULL;
    uint64_t ticket = 0;
    skan_status status =
        skan_conversion_request(world->engine, installs[install], event, &device, &url, &ticket, &error);
    settled(status, error);
    REQUIRE((status == SKAN_OK) == (url != NULL));
    if (status == SKAN_OK) {
        REQUIRE(ticket > world->ticket);
        world->ticket = ticket;
    }
    skan_free(url);
    free(event);
    free(idfv);
}

static void update_conversion_values(world *world, int install) {
    char *event = take_text(&world->input, 33), *id = take_text(&world->input, 3);
    skan_update update = {.size = sizeof update};
    skan_error *error = NULL;
    skan_status status = skan_update_conversion_values(world->engine, installs[install], event, id[0] ? id : NULL, NULL,
                                                       &update, &error);
    settled(status, error);
    REQUIRE((status == SKAN_OK) == (update.id != 0));
    free(event);
    free(id);
}

static void forget_install(world *world, int install) {
    skan_error *error = NULL;
    skan_status status = settled(skan_forget(world->engine, installs[install], &error), error);
    if (status == SKAN_OK) memset(&world->models[install], 0, sizeof world->models[install]);
    if (is_unknown(status)) world->models[install].is_uncertain = true;
}

static void import(world *world, int install) {
    char *text = take_text(&world->input, 200);
    skan_error *error = NULL;
    skan_status status = skan_import_details(world->engine, installs[install], text, strlen(text), &error);
    if (settled(status, error) == SKAN_OK || is_unknown(status)) world->models[install].is_uncertain = true;
    free(text);
}

static void simple_operation(world *world, int install, unsigned which) {
    skan_error *error = NULL;
    skan_update update = {.size = sizeof update};
    char *text = NULL;
    switch (which) {
    case 0: settled(skan_register(world->engine, installs[install], &update, &error), error); break;
    case 1: settled(skan_pending_update(world->engine, installs[install], &update, &error), error); break;
    case 2:
        settled(skan_acknowledge_update(world->engine, installs[install], take_byte(&world->input) % 8,
                                        take_byte(&world->input) % 2, &error), error);
        break;
    default: settled(skan_metadata(world->engine, installs[install], &text, &error), error); break;
    }
    skan_free(text);
}

/* ------------------------------------------------------------------------------------------------------- the checks */

/* A total in millionths: the details write it exactly. */
static int64_t total(struct json_object *details, const char *table) {
    struct json_object *amounts = NULL, *amount = NULL;
    if (!json_object_object_get_ex(details, table, &amounts) || !amounts) return 0;
    if (!json_object_object_get_ex(amounts, "USD", &amount)) return 0;
    return llround(json_object_get_double(amount) * 1e6);
}

static void check(world *world, int install) {
    bool fails = world->fails;
    world->fails = false;
    char *text = details_of(world->engine, installs[install]);
    world->fails = fails;
    require_imports_again(world->protocol, text);
    const record *record = &world->records[install];
    if (record->version != 0) {
        char *read = NULL;
        REQUIRE(skan_record_read(record->bytes, record->length, NULL, &read, NULL) == SKAN_OK);
        REQUIRE(strcmp(read, text) == 0);
        skan_free(read);
    }
    if (!world->models[install].is_uncertain) {
        struct json_object *details = json_tokener_parse(text);
        REQUIRE(total(details, "skan_total_revenue_by_currency") == world->models[install].iap);
        REQUIRE(total(details, "skan_total_admon_revenue_by_currency") == world->models[install].ad);
        json_object_put(details);
    }
    skan_free(text);
}

static void open_engine(world *world, bool in_memory, bool has_many) {
    skan_store store = {.size = sizeof store, .context = world, .load = load, .save = save, .remove = drop};
    if (has_many) {
        store.load_many = load_many;
        store.save_many = save_many;
    }
    skan_clock clock = told_clock(&world->now);
    skan_transport transport = {.size = sizeof transport, .context = world, .get = get};
    skan_options options = {.size = sizeof options,
                            .protocol = world->protocol,
                            .store = in_memory ? NULL : &store,
                            .clock = &clock,
                            .transport = &transport};
    REQUIRE(skan_create(&options, &world->engine, NULL) == SKAN_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    world world = {.input = {data, size}, .now = 1700000000000000};
    uint8_t kind = take_byte(&world.input);
    world.protocol = kind % 2 ? 3 : 4;
    world.fails = kind & 4;
    open_engine(&world, kind & 2, kind & 8);
    for (int step = 0; step < STEPS && world.input.size > 0; step++) {
        int install = (int)take_number(&world.input, INSTALLS);
        switch (take_number(&world.input, 16)) {
        case 0: world.now += (int64_t)take_number(&world.input, 1u << 24) * 1000000; break;
        case 1: world.now -= (int64_t)take_number(&world.input, 1u << 16) * 1000000; break;
        case 2: case 3: case 4: case 5: revenue(&world, install); break;
        case 6: case 7: apply(&world, install); break;
        case 8: request(&world, install); break;
        case 9: case 10: update_conversion_values(&world, install); break;
        case 11: forget_install(&world, install); break;
        case 12: import(&world, install); break;
        case 13: revenue_many(&world); break;
        default: simple_operation(&world, install, take_byte(&world.input) % 4); break;
        }
        check(&world, install);
    }
    skan_destroy(world.engine);
    for (int i = 0; i < INSTALLS; i++) free(world.records[i].bytes);
    return 0;
}
