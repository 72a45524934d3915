/*
 * Sequences of operations beside a model that knows how each must end: every status, update, ticket, URL, query and
 * details document is the model's, exactly.
 *
 * The engine works on the in-memory store or on a host's store. That one fails where the input says, applies what it
 * reports as unknown or lets it arrive late, and lets a second engine change the same install in between. The model
 * makes a change at the moment when it comes into the store, so that it knows at any time what is true.
 */
#define _GNU_SOURCE
#include "fuzz.h"
#include "install_model.h"

enum { INSTALLS = 3, STEPS = 60, FAULTS_A_CALL = 6, MICROSECONDS = 1000000 };
static const char *const installs[INSTALLS] = {"a", "b", "\xC3\xA4"};

/* What went wrong in the store during a call. */
enum {
    LOAD_FAILED = 1,
    RECORD_DAMAGED = 2,
    WRITE_FAILED = 4,
    WRITE_UNKNOWN = 8,
    OTHERS_CAME = 16,
    OTHERS_FORGOT = 32,
    CONFLICTED = 64
};

typedef struct record {
    uint8_t *bytes;
    size_t length;
    uint64_t version; /* 0 = none */
} record;

typedef struct world {
    input input;
    uint32_t protocol;
    bool in_memory;
    int64_t now; /* microseconds */
    skan *engine, *other;
    uint64_t last_ticket; /* of the engine */
    uint64_t tickets[8];
    record records[INSTALLS];
    uint64_t last_version;
    install_model models[INSTALLS];

    /* The call that the engine is in. */
    int install;
    const operation *operation;
    bool fails;
    int hooks, faults; /* how many */
    unsigned troubles;
    int landings; /* how often its change came into the store, and how it ended then */
    ending landed;
    struct {
        bool is_there;
        uint8_t *bytes;
        size_t length;
        uint64_t expected;
    } late;
    /* Of UPDATE_CONVERSION_VALUES: what the endpoint answers, and the operation that goes on with it. */
    operation *asking;
    const char *body;
} world;

static int64_t seconds_of(const world *world) {
    return world->now >= 0 ? world->now / MICROSECONDS : -((-world->now + MICROSECONDS - 1) / MICROSECONDS);
}

/* The second before 1970 says that a clock failed, and before the year 1 there is no time. */
static void set_time(world *world, int64_t microseconds) {
    int64_t first = -62135596800 * MICROSECONDS, last = 9000000000000 * MICROSECONDS;
    if (microseconds < 0 && microseconds > -MICROSECONDS) microseconds = 0;
    world->now = microseconds < first ? first : microseconds > last ? last : microseconds;
}

/* Rules, "Tickets": the smallest one allowed. */
static uint64_t smallest_ticket(const world *world, int install) {
    uint64_t ticket = world->now > 0 ? (uint64_t)world->now : 0;
    if (ticket <= world->last_ticket) ticket = world->last_ticket + 1;
    if (ticket <= world->models[install].newest_ticket) ticket = world->models[install].newest_ticket + 1;
    return ticket;
}

static void require_same_update(const skan_update *left, const skan_update *right) {
    REQUIRE(left->id == right->id && left->window == right->window && left->fine_value == right->fine_value);
    REQUIRE(left->coarse_value == right->coarse_value && left->lock_window == right->lock_window);
    REQUIRE(left->timestamp == right->timestamp);
}

/* ------------------------------------------------------------------------------------------------------ the store */

static int install_of(const char *key) {
    for (int i = 0; i < INSTALLS; i++) {
        if (strcmp(key, installs[i]) == 0) return i;
    }
    abort();
}

static void set_record(world *world, int install, const void *data, size_t length) {
    record *record = &world->records[install];
    REQUIRE(length > 0 && length <= SKAN_RECORD_MAX);
    free(record->bytes);
    record->bytes = malloc(length);
    REQUIRE(record->bytes != NULL);
    memcpy(record->bytes, data, length);
    record->length = length;
    record->version = ++world->last_version;
}

/* The engine's change comes into the store: the model makes it too. */
static void land(world *world) {
    world->landed =
        run_operation(&world->models[world->install], world->operation, world->protocol, seconds_of(world));
    REQUIRE(world->landed.is_changed);
    world->landings++;
}

static bool write_record(world *world, const void *data, size_t length, uint64_t expected) {
    if (world->records[world->install].version != expected) return false;
    if (data) {
        set_record(world, world->install, data, length);
    } else {
        if (expected == 0) return false;
        world->records[world->install].version = 0;
    }
    land(world);
    return true;
}

/* A write that was reported as unknown arrives, if its version still fits. */
static void let_late_write_arrive(world *world) {
    if (!world->late.is_there) return;
    write_record(world, world->late.bytes, world->late.length, world->late.expected);
    free(world->late.bytes);
    memset(&world->late, 0, sizeof world->late);
}

static void let_others_come(world *world);

static uint8_t next_fault(world *world) {
    if (!world->fails || world->faults == FAULTS_A_CALL) return 0;
    uint8_t fault = take_byte(&world->input);
    if (fault < 0xC0) return 0;
    world->faults++;
    return (fault & 15) + 1;
}

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    world *world = context;
    REQUIRE(install_of(key) == world->install);
    world->hooks++;
    uint8_t fault = next_fault(world);
    if (fault == 1 || fault == 2 || fault == 3) {
        world->troubles |= LOAD_FAILED;
        if (fault == 3) *version = 77;
        return fault == 1 ? SKAN_ERROR_STORE : fault == 2 ? -77 : SKAN_ERROR_STORE_CONFLICT;
    }
    if (fault > 5) let_others_come(world);
    record *record = &world->records[world->install];
    if (record->version == 0) return SKAN_NOT_FOUND;
    *version = record->version;
    if (fault == 4) {
        *version = 0;
        world->troubles |= LOAD_FAILED;
    }
    if (fault != 5) return skan_buffer_set(out, record->bytes, record->length);

    world->troubles |= RECORD_DAMAGED;
    uint8_t *damaged = malloc(record->length);
    REQUIRE(damaged != NULL);
    memcpy(damaged, record->bytes, record->length);
    damaged[take_number(&world->input, (uint32_t)record->length)] ^= (uint8_t)(1 << take_byte(&world->input) % 8);
    skan_status status = skan_buffer_set(out, damaged, record->length);
    free(damaged);
    return status;
}

/* A save, or a removal where there are no data. */
static skan_status change(world *world, const char *key, const void *data, size_t length, uint64_t expected,
                          uint64_t *version) {
    REQUIRE(install_of(key) == world->install);
    let_late_write_arrive(world);
    uint8_t fault = next_fault(world);
    if (fault == 1) {
        world->troubles |= WRITE_FAILED;
        return SKAN_ERROR_STORE;
    }
    if (fault == 2) {
        world->troubles |= CONFLICTED;
        return SKAN_ERROR_STORE_CONFLICT;
    }
    if (fault == 3 || fault == 4) {
        world->troubles |= WRITE_UNKNOWN;
        if (fault == 4) let_others_come(world);
        return SKAN_ERROR_STORE_UNKNOWN;
    }
    if (fault == 5 || fault == 6) {
        world->troubles |= WRITE_UNKNOWN;
        if (fault == 6 && !data) return 4711;
        world->late.is_there = true;
        world->late.bytes = NULL;
        if (data) {
            world->late.bytes = malloc(length);
            REQUIRE(world->late.bytes != NULL);
            memcpy(world->late.bytes, data, length);
        }
        world->late.length = length;
        world->late.expected = expected;
        return SKAN_ERROR_STORE_UNKNOWN;
    }
    if (fault >= 12) let_others_come(world);
    if (!write_record(world, data, length, expected)) {
        world->troubles |= CONFLICTED;
        return SKAN_ERROR_STORE_CONFLICT;
    }
    if (data) *version = world->records[world->install].version;
    if (fault < 7 || fault >= 12) return SKAN_OK;
    if (fault == 11 && !data) return SKAN_OK;
    world->troubles |= WRITE_UNKNOWN;
    if (fault == 8 || fault == 9) let_others_come(world);
    if (fault == 10) return INT32_MIN;
    if (fault == 11) {
        *version = take_byte(&world->input) % 2 ? 0 : expected; /* a version that is none */
        return SKAN_OK;
    }
    return SKAN_ERROR_STORE_UNKNOWN;
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                        uint64_t *version) {
    REQUIRE(data != NULL);
    return change(context, key, data, length, expected, version);
}

static skan_status drop(void *context, const char *key, uint64_t expected) {
    return change(context, key, NULL, 0, expected, NULL);
}

/* The second engine's hooks on the same records do as told; its model runs beside each call. */
static skan_status other_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    world *world = context;
    record *record = &world->records[install_of(key)];
    if (record->version == 0) return SKAN_NOT_FOUND;
    *version = record->version;
    return skan_buffer_set(out, record->bytes, record->length);
}

static skan_status other_save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                              uint64_t *version) {
    world *world = context;
    REQUIRE(world->records[install_of(key)].version == expected);
    set_record(world, install_of(key), data, length);
    *version = world->last_version;
    return SKAN_OK;
}

static skan_status other_drop(void *context, const char *key, uint64_t expected) {
    world *world = context;
    REQUIRE(expected != 0 && world->records[install_of(key)].version == expected);
    world->records[install_of(key)].version = 0;
    return SKAN_OK;
}

/* The endpoint: answers what was decided before, late, while others change the install. */
static skan_status get(void *context, const char *url, skan_buffer *body) {
    world *world = context;
    (void)url;
    world->asking->is_answered = true;
    world->asking->ticket = world->last_ticket = smallest_ticket(world, world->install);
    if (world->fails && take_byte(&world->input) % 8 == 7) let_others_come(world);
    set_time(world, world->now + (int64_t)(take_byte(&world->input) % 4) * 43200 * MICROSECONDS);
    skan_error *error = NULL;
    REQUIRE(settled(skan_forget(world->engine, installs[0], &error), error) == SKAN_ERROR_MISUSE);
    if (world->asking->answer.error == SKAN_ERROR_TRANSPORT) return SKAN_ERROR_STORE;
    if (world->asking->answer.error == SKAN_ERROR_LIMIT_EXCEEDED) return SKAN_ERROR_LIMIT_EXCEEDED;
    return skan_buffer_set(body, world->body, strlen(world->body));
}

/* -------------------------------------------------------------------------------------- operations from the input */

/* An id of 1...128 bytes that tells its number. */
static const char *event_id(unsigned number, char text[SKAN_EVENT_ID_MAX + 1]) {
    size_t length = 4 + number * 29 % 125;
    snprintf(text, SKAN_EVENT_ID_MAX + 1, "%03u-", number);
    memset(text + 4, number % 2 ? '\xE9' : 'x', length - 4);
    text[length] = '\0';
    return text;
}

static const char *take_event_id(input *input, char text[SKAN_EVENT_ID_MAX + 1]) {
    uint8_t byte = take_byte(input);
    return byte >= 128 ? NULL : event_id(byte, text);
}

static double take_amount(input *input) {
    static const double amounts[] = {0, -0.0, 0.1, 0.2, 4.99, -4.99, 1e-12, 5e-13, 1.5e-12, 2.5e-12, 1e-13, 5e-324,
                                     999999999999.9999, -999999999999.9999, 0.30000000000000004, 1e11};
    uint8_t form = take_byte(input);
    if (form < 16) return amounts[form];
    double whole = (double)take_number(input, 1u << 24) - (1 << 23);
    static const double scales[] = {1, 100, 1e3, 1e6, 1e9, 1e12, 1e15, 7};
    return whole / scales[form % 8];
}

/* The answer's text, and what it says. */
static char *take_answer(input *input, uint32_t protocol, answer *answer) {
    static const struct {
        const char *text;
        skan_status on_4, on_3;
    } others[] = {
        {"", SKAN_OK, SKAN_OK},
        {" \t\r\n", SKAN_OK, SKAN_OK},
        {"{", SKAN_ERROR_MALFORMED_RESPONSE, SKAN_ERROR_MALFORMED_RESPONSE},
        {"{\"a\":1,\"\\u0061\":1}", SKAN_ERROR_MALFORMED_RESPONSE, SKAN_ERROR_MALFORMED_RESPONSE},
        {"{\"conversion_value\":64}", SKAN_ERROR_ILLEGAL_VALUE, SKAN_ERROR_ILLEGAL_VALUE},
        {"{\"conversion_value\":\"\"}", SKAN_ERROR_ILLEGAL_VALUE, SKAN_OK},
        {"{\"status\":1}", SKAN_ERROR_ILLEGAL_VALUE, SKAN_ERROR_ILLEGAL_VALUE},
        {"{\"postback_sequence_index\":3,\"status\":\"ok\"}", SKAN_ERROR_ILLEGAL_VALUE, SKAN_OK},
    };
    *answer = (struct answer){.fine = NONE, .coarse = NONE, .window = NONE};
    char *text = calloc(1, 512);
    REQUIRE(text != NULL);
    uint8_t form = take_byte(input);
    if (form >= 0xE0) {
        int which = form % 8;
        answer->error = protocol == 4 ? others[which].on_4 : others[which].on_3;
        return strcpy(text, others[which].text);
    }
    int length = snprintf(text, 512, "{");
    if (form & 1) {
        static const char *const spellings[] = {"\"conversion_value\":%d,", "\"conversion_value\":%d.0,",
                                                "\"conversion_value\":%de0,", "\"c\\u006fnversion_value\":%de-1,"};
        int spelling = form >> 1 & 3;
        answer->fine = take_byte(input) % 64;
        length += snprintf(text + length, 128, spellings[spelling], spelling == 3 ? 10 * answer->fine : answer->fine);
    }
    uint8_t rest = take_byte(input);
    if (rest & 1) {
        answer->coarse = rest >> 1 & 1;
        length += snprintf(text + length, 128, "\"skan_updated_coarse_value\":%d,", answer->coarse);
    }
    if (rest & 4) {
        static const char *const flags[] = {"true", "1", "false", "null"};
        answer->locks = (rest >> 3 & 3) < 2;
        length += snprintf(text + length, 128, "\"skan_updated_lock_window_value\":%s,", flags[rest >> 3 & 3]);
    }
    if (rest & 32) {
        answer->window = rest >> 6;
        if (answer->window == 3) answer->window = 0;
        length += snprintf(text + length, 128, "\"postback_sequence_index\":%d,", answer->window);
    }
    bool is_ok = (form >> 3 & 3) != 0;
    snprintf(text + length, 128, is_ok ? "\"status\":\"ok\"}" : "\"reason\":\"no\",\"status\":\"error\"}");
    if (protocol == 3) answer->coarse = answer->window = NONE, answer->locks = false;
    if (answer->fine == NONE && !is_ok) answer->error = SKAN_ERROR_REJECTED;
    answer->has_value = answer->fine != NONE || answer->coarse != NONE;
    return text;
}

/* ------------------------------------------------------------------------------------------ calls beside the model */

/* How the call of an engine must end. Called when it has ended. */
static void judge(world *world, skan_status status, const skan_update *update) {
    let_late_write_arrive(world);
    ending expected = world->landed;
    if (world->landings == 0) {
        install_model now = world->models[world->install];
        expected = run_operation(&now, world->operation, world->protocol, seconds_of(world));
        if (world->in_memory) world->models[world->install] = now;
    }
    /* Counted once; but a record that was made, forgotten unseen and made again counts in each of its lives. */
    REQUIRE(world->landings <= 1 || (world->troubles & OTHERS_FORGOT));
    switch (status) {
    case SKAN_ERROR_STORE_UNKNOWN: REQUIRE(world->troubles & WRITE_UNKNOWN); break;
    case SKAN_ERROR_STORE: REQUIRE((world->troubles & (LOAD_FAILED | WRITE_FAILED)) && world->landings == 0); break;
    case SKAN_ERROR_CORRUPT_RECORD:
    case SKAN_ERROR_RECORD_TOO_NEW: REQUIRE((world->troubles & RECORD_DAMAGED) && world->landings == 0); break;
    default:
        if (status != expected.status)
            fprintf(stderr, "operation %d: %s, expected %s\n", (int)world->operation->kind, skan_status_name(status),
                    skan_status_name(expected.status));
        REQUIRE(status == expected.status);
        bool asks = world->operation->kind == UPDATE_CONVERSION_VALUES;
        REQUIRE(status != SKAN_OK || !asks || world->operation->is_answered);
        REQUIRE(world->landings > 0 || world->in_memory || !expected.is_changed);
        if (update) require_same_update(update, &expected.update);
        return;
    }
    if (update) REQUIRE(update->id == 0);
}

static void check_details(world *world, skan *engine, int install) {
    char *details = details_of(engine, installs[install]);
    char *expected = model_details(&world->models[install], world->protocol);
    if (strcmp(details, expected) != 0) fprintf(stderr, "details: %s\nexpected: %s\n", details, expected);
    REQUIRE(strcmp(details, expected) == 0);
    skan_free(details);
    free(expected);
}

static void begin_call(world *world, int install, const operation *operation) {
    world->install = install;
    world->operation = operation;
    world->faults = world->hooks = 0;
    world->troubles = 0;
    world->landings = 0;
}

/* What one operation needs besides what the model knows of it. */
typedef struct call {
    operation operation;
    double amount;
    char id[SKAN_EVENT_ID_MAX + 1];
    char *body, *document;
    install_model imported;
} call;

static void take_call(world *world, call *call, operation_kind kind) {
    input *input = &world->input;
    operation *operation = &call->operation;
    *operation = (struct operation){.kind = kind};
    call->body = call->document = NULL;
    switch (kind) {
    case UPDATE_REVENUE:
        call->amount = take_amount(input);
        operation->amount = money_of(call->amount);
        operation->currency = take_byte(input) % CURRENCIES;
        operation->is_ad = take_byte(input) % 4 == 0 && world->protocol == 4;
        operation->event_id = take_event_id(input, call->id);
        break;
    case UPDATE_CONVERSION_VALUES: operation->event_id = take_event_id(input, call->id); /* fall through */
    case APPLY_RESPONSE:
        operation->ticket = world->tickets[take_byte(input) % 8];
        call->body = take_answer(input, world->protocol, &operation->answer);
        break;
    case ACKNOWLEDGE: {
        uint8_t byte = take_byte(input);
        operation->update_id = byte % 4 == 0 ? (uint64_t)(byte >> 4) : world->models[world->install].last_update.id;
        operation->is_delivered = byte & 4;
        break;
    }
    case IMPORT_DETAILS:
        call->imported = world->models[take_number(input, INSTALLS)];
        call->document = model_details(&call->imported, world->protocol);
        operation->imported = &call->imported;
        break;
    default: break;
    }
}

static void end_call(call *call) {
    free(call->body);
    free(call->document);
}

static skan_status make_call(skan *engine, int install, call *call, skan_update *update) {
    const operation *operation = &call->operation;
    const char *id = installs[install];
    skan_error *error = NULL;
    char currency[4];
    skan_status status;
    switch (operation->kind) {
    case REGISTER: status = skan_register(engine, id, update, &error); break;
    case UPDATE_REVENUE:
        currency_name(operation->currency, currency);
        status = skan_update_revenue(engine, id, call->amount, currency, operation->is_ad, operation->event_id, &error);
        break;
    case APPLY_RESPONSE:
        status = skan_apply_response(engine, id, operation->ticket, call->body, strlen(call->body), update, &error);
        break;
    case UPDATE_CONVERSION_VALUES:
        status = skan_update_conversion_values(engine, id, "purchase", operation->event_id, NULL, update, &error);
        break;
    case ACKNOWLEDGE:
        status = skan_acknowledge_update(engine, id, operation->update_id, operation->is_delivered, &error);
        break;
    case IMPORT_DETAILS:
        status = skan_import_details(engine, id, call->document, strlen(call->document), &error);
        break;
    default: status = skan_forget(engine, id, &error); break;
    }
    if (status == SKAN_ERROR_REJECTED) REQUIRE(strcmp(skan_error_message(error), "no") == 0);
    return settled(status, error);
}

/* Others change the install that the engine is at, by an engine of their own, once or often. */
static void let_others_come(world *world) {
    static const operation_kind kinds[] = {REGISTER,       UPDATE_REVENUE, UPDATE_REVENUE, APPLY_RESPONSE,
                                           APPLY_RESPONSE, ACKNOWLEDGE,    FORGET,         IMPORT_DETAILS};
    uint8_t byte = take_byte(&world->input);
    int times = byte % 4 == 3 ? byte >> 4 : 1;
    world->troubles |= OTHERS_CAME;
    for (int i = 0; i < times; i++) {
        static call call;
        take_call(world, &call, kinds[byte >> 2 & 7]);
        if (call.operation.kind == FORGET) world->troubles |= OTHERS_FORGOT;
        skan_update update = {.size = sizeof update};
        skan_status status = make_call(world->other, world->install, &call, &update);
        ending expected = run_operation(&world->models[world->install], &call.operation, world->protocol,
                                        seconds_of(world));
        REQUIRE(status == expected.status);
        require_same_update(&update, &expected.update);
        end_call(&call);
    }
}

static void operate(world *world, int install, operation_kind kind) {
    static call call;
    world->install = install;
    take_call(world, &call, kind);
    begin_call(world, install, &call.operation);
    if (kind == UPDATE_CONVERSION_VALUES) {
        uint8_t byte = take_byte(&world->input);
        if (byte == 255) call.operation.answer.error = SKAN_ERROR_TRANSPORT;
        if (byte == 254) call.operation.answer.error = SKAN_ERROR_LIMIT_EXCEEDED;
        world->asking = &call.operation;
        world->body = call.body;
    }
    skan_update update = {.size = sizeof update};
    skan_status status = make_call(world->engine, install, &call, &update);
    judge(world, status, &update);
    end_call(&call);
}

/* The functions that change nothing. */
static void look(world *world, int install, uint8_t which) {
    static const operation reading = {.kind = ACKNOWLEDGE};
    begin_call(world, install, &reading);
    skan_error *error = NULL;
    skan_update update = {.size = sizeof update};
    char *text = NULL, *expected = NULL;
    skan_status status, good = SKAN_OK;
    const char *id = installs[install];
    if (which == 0) {
        status = settled(skan_pending_update(world->engine, id, &update, &error), error);
        skan_update waiting = waiting_update(&world->models[install], world->protocol, seconds_of(world));
        good = waiting.id == 0 ? SKAN_NOTHING_PENDING : SKAN_OK;
        if (status == good) require_same_update(&update, &waiting);
    } else if (which == 1) {
        status = settled(skan_metadata(world->engine, id, &text, &error), error);
        expected = model_metadata(&world->models[install], world->protocol);
    } else {
        status = settled(skan_details(world->engine, id, &text, &error), error);
        expected = model_details(&world->models[install], world->protocol);
    }
    if (status == good) {
        REQUIRE(expected == NULL || strcmp(text, expected) == 0);
    } else {
        REQUIRE(text == NULL && update.id == 0);
        if (status == SKAN_ERROR_STORE) {
            REQUIRE(world->troubles & LOAD_FAILED);
        } else {
            REQUIRE(status == SKAN_ERROR_CORRUPT_RECORD || status == SKAN_ERROR_RECORD_TOO_NEW);
            REQUIRE(world->troubles & RECORD_DAMAGED);
        }
    }
    skan_free(text);
    free(expected);
}

static void request(world *world, int install) {
    static const operation reading = {.kind = ACKNOWLEDGE};
    static const char *const events[] = {NULL, "purchase", "a b+c&d=~", "12345678901234567890123456789012"};
    static const char *const texts[] = {NULL, "", "16.1", "DFC5A647-9043", "\xC3\xA9/?"};
    begin_call(world, install, &reading);
    const char *event = events[take_byte(&world->input) % 4];
    skan_device device = {.size = sizeof device, .os_version = texts[take_byte(&world->input) % 5]};
    device.idfv = texts[take_byte(&world->input) % 5], device.idfa = texts[take_byte(&world->input) % 5];
    skan_error *error = NULL;
    char *url = NULL;
    uint64_t ticket = 0;
    skan_status status =
        skan_conversion_request(world->engine, installs[install], event, &device, &url, &ticket, &error);
    settled(status, error);
    const install_model *model = &world->models[install];
    skan_status good = !model->is_registered ? SKAN_NOT_REGISTERED
                       : open_window(model, world->protocol, seconds_of(world)) == NONE ? SKAN_WINDOW_CLOSED
                                                                                      : SKAN_OK;
    if (status == SKAN_OK) {
        REQUIRE(ticket >= smallest_ticket(world, install) && ticket <= INT64_MAX);
        world->last_ticket = ticket;
        world->tickets[1 + ticket % 7] = ticket;
        char *expected, *items = model_request_items(model, world->protocol);
        size_t length;
        FILE *out = open_memstream(&expected, &length);
        fprintf(out, "https://a.example/v/api/v%d/conversion_value?a=k%%2By%%3D", world->protocol == 4 ? 2 : 1);
        const char *const keys[] = {world->protocol == 4 ? "v" : NULL, "app_v", "n", "p", "idfv", "idfa"};
        const char *const values[] = {device.os_version, "1.2", event ? event : "__SESSION__", "iOS", device.idfv,
                                      device.idfa};
        for (int i = 0; i < 6; i++) {
            if (!keys[i] || !values[i] || !values[i][0]) continue;
            char *encoded = percent_encoded(values[i]);
            fprintf(out, "&%s=%s", keys[i], encoded);
            free(encoded);
        }
        fputs(items, out);
        fclose(out);
        if (strcmp(url, expected) != 0) fprintf(stderr, "url: %s\nexpected: %s\n", url, expected);
        REQUIRE(strcmp(url, expected) == 0);
        free(items);
        free(expected);
    } else {
        REQUIRE(url == NULL && ticket == 0);
    }
    if (status == good) {
    } else if (status == SKAN_ERROR_STORE) {
        REQUIRE(world->troubles & LOAD_FAILED);
    } else {
        REQUIRE((status == SKAN_ERROR_CORRUPT_RECORD || status == SKAN_ERROR_RECORD_TOO_NEW) &&
                (world->troubles & RECORD_DAMAGED));
    }
    skan_free(url);
}

/* Arguments that are refused, whatever the install: no hook is called. */
static void misuse(world *world, int install) {
    static const operation none = {.kind = ACKNOWLEDGE};
    begin_call(world, install, &none);
    char long_text[SKAN_EVENT_ID_MAX + 2];
    memset(long_text, 'x', sizeof long_text);
    long_text[SKAN_EVENT_ID_MAX + 1] = '\0';
    skan_error *error = NULL;
    skan_update update = {.size = sizeof update};
    const char *id = installs[install];
    char *url = NULL;
    skan_status status;
    switch (take_byte(&world->input) % 10) {
    case 0: status = skan_update_revenue(world->engine, id, 1e12, "USD", false, NULL, &error); break;
    case 1: status = skan_update_revenue(world->engine, id, 0.0 / 0.0, "USD", false, NULL, &error); break;
    case 2: status = skan_update_revenue(world->engine, id, 1, "USDX", false, NULL, &error); break;
    case 3: status = skan_update_revenue(world->engine, id, 1, "USD", false, long_text, &error); break;
    case 4: status = skan_update_revenue(world->engine, id, 1, "USD", false, "", &error); break;
    case 5: status = skan_register(world->engine, long_text, &update, &error); break;
    case 6: status = skan_conversion_request(world->engine, id, "\xC3\xA9", NULL, &url, NULL, &error); break;
    case 7: status = skan_update_conversion_values(world->engine, id, "", NULL, NULL, &update, &error); break;
    case 8: status = skan_apply_response(world->engine, id, UINT64_MAX, "{}", 2, &update, &error); break;
    default: status = skan_import_details(world->engine, "a\nb", "{}", 2, &error); break;
    }
    REQUIRE(settled(status, error) == SKAN_ERROR_INVALID_ARGUMENT && url == NULL && update.id == 0);
    REQUIRE(world->hooks == 0);
}

/* Many at once, for what has a limit: currencies and event ids. */
static void repeat(world *world, int install) {
    static call call;
    uint8_t byte = take_byte(&world->input);
    int times = byte % 72, first = take_byte(&world->input);
    for (int i = 0; i < times; i++) {
        call.operation = (operation){.kind = UPDATE_REVENUE, .currency = (first + i) % CURRENCIES};
        call.body = call.document = NULL;
        call.amount = 1;
        call.operation.amount = money_of(1);
        if (byte >= 128) call.operation.event_id = event_id((unsigned)(first + i) % 128, call.id);
        begin_call(world, install, &call.operation);
        skan_update update = {.size = sizeof update};
        judge(world, make_call(world->engine, install, &call, &update), &update);
    }
}

/* ------------------------------------------------------------------------------------------------------- the clock */

static void move_clock(world *world, int install) {
    static const int64_t boundaries[] = {0, 86400, 2 * 86400, 7 * 86400, 35 * 86400};
    uint8_t byte = take_byte(&world->input);
    const install_model *model = &world->models[install];
    switch (byte % 8) {
    case 0:
    case 1:
        if (!model->is_registered) break;
        int64_t call = byte % 8 == 0 ? model->first : model->last;
        set_time(world, (call + boundaries[(byte >> 4) % 5] - (byte >> 3 & 1)) * MICROSECONDS);
        break;
    case 2: set_time(world, world->now - 1000 * (int64_t)take_number(&world->input, 1u << 24)); break;
    case 3: set_time(world, INT64_MIN); break;
    case 4: set_time(world, 1643393464123456); break;
    default: set_time(world, world->now + (int64_t)take_number(&world->input, 1u << 20) * MICROSECONDS / 4); break;
    }
}

/* ---------------------------------------------------------------------------------------------------------- a run */

static skan *open_engine(world *world, bool is_other) {
    skan_store store = {.size = sizeof store, .context = world};
    store.load = is_other ? other_load : load;
    store.save = is_other ? other_save : save;
    store.remove = is_other ? other_drop : drop;
    skan_clock clock = told_clock(&world->now);
    skan_transport transport = {.size = sizeof transport, .context = world, .get = get};
    skan_options options = {.size = sizeof options,
                            .protocol = world->protocol,
                            .store = world->in_memory ? NULL : &store,
                            .clock = &clock,
                            .transport = &transport,
                            .endpoint_url = "https://a.example/v/",
                            .sdk_key = "k+y=",
                            .app_version = "1.2"};
    skan *engine = NULL;
    skan_error *error = NULL;
    REQUIRE(settled(skan_create(&options, &engine, &error), error) == SKAN_OK);
    return engine;
}

static void step(world *world, int install) {
    uint8_t byte = take_byte(&world->input);
    switch (byte % 16) {
    case 0: operate(world, install, REGISTER); break;
    case 1:
    case 2:
    case 3: operate(world, install, UPDATE_REVENUE); break;
    case 4:
    case 5: operate(world, install, APPLY_RESPONSE); break;
    case 6:
    case 7: operate(world, install, UPDATE_CONVERSION_VALUES); break;
    case 8: operate(world, install, ACKNOWLEDGE); break;
    case 9: operate(world, install, IMPORT_DETAILS); break;
    case 10: operate(world, install, FORGET); break;
    case 11: move_clock(world, install); break;
    case 12: request(world, install); break;
    case 13: look(world, install, (byte >> 4) % 3); break;
    case 14: byte >= 0x80 ? misuse(world, install) : repeat(world, install); break;
    default:
        if (world->in_memory) break;
        skan_destroy(world->engine);
        world->engine = open_engine(world, false);
        world->last_ticket = 0;
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static world world;
    memset(&world, 0, sizeof world);
    world.input = (input){data, size};
    world.now = 1643393464000000;
    uint8_t kind = take_byte(&world.input);
    world.protocol = kind % 4 == 3 ? 3 : 4;
    world.in_memory = (kind >> 2) % 4 == 3;
    world.fails = !world.in_memory && kind >= 64;
    for (int i = 0; i < INSTALLS; i++) world.models[i] = empty_install;
    world.engine = open_engine(&world, false);
    world.other = world.in_memory ? NULL : open_engine(&world, true);
    for (int i = 0; i < STEPS && world.input.size > 0; i++) {
        int install = (int)take_number(&world.input, INSTALLS);
        step(&world, install);
        check_details(&world, world.in_memory ? world.engine : world.other, install);
        REQUIRE(world.in_memory || world.models[install].is_stored == (world.records[install].version != 0));
    }
    for (int i = 0; i < INSTALLS; i++) {
        char *details = model_details(&world.models[i], world.protocol);
        require_imports_again(world.protocol, details);
        free(details);
        free(world.records[i].bytes);
    }
    skan_destroy(world.engine);
    skan_destroy(world.other);
    return 0;
}
