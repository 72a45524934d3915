/*
 * Sequences of calls on an engine whose store fails, beside the same calls on one whose store never does: every status,
 * update, URL, query and details document is the same. What the rules make of a call is told by the vectors.
 *
 * The engine works on the in-memory store or on a host's store. That one fails where the input says, applies what it
 * reports as unknown or lets it arrive late, and lets another engine change the same install in between. At the moment
 * when a change comes into it, the true engine makes that call too, so that it knows at any time what is true.
 */
#define _GNU_SOURCE
#include "fuzz.h"
#include "host.h"

#include <skan/companion.h>
#include <skan/model.h>
#include <skan/reengagement.h>

enum { INSTALLS = 3, ITEMS = 12, RESULTS = 3, STEPS = 120, FAULTS_A_CALL = 6, MICROSECONDS = 1000000, ALL = -1 };
static const char *const installs[INSTALLS] = {"a", "b", "\xC3\xA4"};

typedef enum kind {
    REGISTER, UPDATE_REVENUE, UPDATE_REVENUE_MANY, CONVERSION_REQUEST, APPLY_RESPONSE, UPDATE_CONVERSION_VALUES,
    ACKNOWLEDGE, METADATA, DETAILS, IMPORT_DETAILS, FORGET,
    REENGAGE, UPDATE_CONVERSIONS, PENDING_CALLS, ACKNOWLEDGE_CALLS, END_REENGAGEMENT
} kind;

/* A call, of which all but UPDATE_REVENUE_MANY has one item. */
typedef struct call {
    kind kind;
    size_t count;
    int of[ITEMS]; /* the install of each item */
    skan_revenue items[ITEMS];
    char ids[ITEMS][SKAN_EVENT_ID_MAX + 1], currencies[ITEMS][4];
    char *text;  /* an answer of the endpoint, or a document to import */
    char *event; /* NULL = a purchase */
    skan_device device;
    skan_status no_answer; /* what the transport ends in, where it does not answer */
    uint64_t ticket;
    skan_reengagement_report report;
    uint32_t number; /* of a re-engagement */
    skan_acknowledgement results[RESULTS], true_results[RESULTS];
    size_t result_count;
} call;

/* What comes of a call; the caller frees the text. */
typedef struct ending {
    skan_status status, statuses[ITEMS];
    skan_update update;
    uint64_t ticket;
    uint32_t number; /* of the re-engagement that was taken, or is known */
    char *text;
} ending;

/* What went wrong in the store during a call. */
enum { LOAD_FAILED = 1, RECORD_DAMAGED = 2, WRITE_FAILED = 4, WRITE_UNKNOWN = 8, OTHERS_FORGOT = 16 };

typedef struct world {
    input input;
    uint32_t protocol;
    bool in_memory, fails, has_many;
    int64_t now, true_now; /* microseconds */
    skan_engine *engine, *other, *truth;
    skan_model *returns; /* of re-engagements; NULL in SKAN 3 */
    host_store store, true_store; /* the engine's and the other one's; that of the truth */
    uint64_t last_ticket, tickets[INSTALLS][8]; /* of requests for each install */
    /* The newest update of each install, and its number in the truth; 0: none was given in this life. An engine's first
     * number of a life is above those of the lives that it ended itself, which each engine knows of its own calls only
     * (Rules, "Update numbers"). So numbers are equal in memory alone, where nobody else ends a life. */
    uint64_t newest[INSTALLS], true_newest[INSTALLS];

    /* The call that the engine is in. */
    const call *call;
    bool is_asked; /* the endpoint was */
    int64_t asked_at;
    int faults;
    /* For each install: what went wrong, how often the change came into the store, and what the truth said then. */
    struct {
        unsigned troubles;
        int landings;
        ending landed;
    } of[INSTALLS];
    struct {
        bool is_there, removes;
        int install;
        uint8_t bytes[SKAN_RECORD_MAX];
        size_t length;
        uint64_t expected;
    } late;
} world;

/* The second before 1970 says that a clock failed, and before the year 1 there is no time. */
static void set_time(world *world, int64_t microseconds) {
    int64_t first = -62135596800 * MICROSECONDS, last = 9000000000000 * MICROSECONDS;
    if (microseconds < 0 && microseconds > -MICROSECONDS) microseconds = 0;
    world->now = microseconds < first ? first : microseconds > last ? last : microseconds;
    world->true_now = world->now;
}

/* --------------------------------------------------------------------------------------------------- making a call */

/* The items of one install, or ALL. */
static skan_status buy_many(skan_engine *engine, const call *call, int only, ending *ending, skan_error **error) {
    skan_revenue items[ITEMS];
    skan_status statuses[ITEMS], first = SKAN_OK;
    size_t places[ITEMS], count = 0;
    for (size_t i = 0; i < call->count; i++) {
        if (only != ALL && only != call->of[i]) continue;
        places[count] = i;
        items[count++] = call->items[i];
    }
    skan_status status = skan_update_revenue_many(engine, items, count, statuses, error);
    for (size_t i = 0; i < count; i++) {
        ending->statuses[places[i]] = statuses[i];
        if (first == SKAN_OK && statuses[i] >= SKAN_ERROR_INVALID_ARGUMENT) first = statuses[i];
    }
    REQUIRE(status == first);
    return status;
}

static ending make_call(skan_engine *engine, const call *call, const skan_acknowledgement *results, int only) {
    ending ending = {.update.size = sizeof ending.update};
    const char *id = installs[call->of[0]];
    const skan_revenue *item = &call->items[0];
    const skan_event request = {.size = sizeof request, .name = call->event, .device = &call->device};
    const skan_event event = {.size = sizeof event,
                              .name = call->event ? call->event : "purchase",
                              .event_id = item->event_id,
                              .reengagement = call->number};
    skan_update *update = &ending.update;
    skan_error *error = NULL;
    skan_status status = SKAN_OK;
    switch (call->kind) {
    case REGISTER: status = skan_register(engine, id, NULL, update, &error); break;
    case UPDATE_REVENUE:
        status = skan_update_revenue(engine, id, item->amount, item->currency, item->kind, item->event_id, &error);
        break;
    case UPDATE_REVENUE_MANY: status = buy_many(engine, call, only, &ending, &error); break;
    case CONVERSION_REQUEST:
        status = skan_conversion_request(engine, id, &request, &ending.text, &ending.ticket, &error);
        break;
    case APPLY_RESPONSE:
        status = skan_apply_response(engine, id, &event, call->ticket, call->text, strlen(call->text), update, &error);
        break;
    case UPDATE_CONVERSION_VALUES:
    case UPDATE_CONVERSIONS: status = skan_update_conversion_values(engine, id, &event, update, &error); break;
    case METADATA: status = skan_metadata(engine, id, &ending.text, &error); break;
    case DETAILS: status = skan_details(engine, id, &ending.text, &error); break;
    case IMPORT_DETAILS: status = skan_import_details(engine, id, call->text, strlen(call->text), &error); break;
    case FORGET: status = skan_forget(engine, id, &error); break;
    case REENGAGE: status = skan_reengage(engine, id, &call->report, &ending.number, &error); break;
    case PENDING_CALLS: status = skan_pending_calls_json(engine, id, &call->device, &ending.text, &error); break;
    case ACKNOWLEDGE:
    case ACKNOWLEDGE_CALLS:
        status = skan_acknowledge_calls(engine, id, results, call->result_count, &error);
        break;
    case END_REENGAGEMENT: status = skan_end_reengagement(engine, id, call->number, &error); break;
    }
    if (call->kind != UPDATE_REVENUE_MANY) ending.statuses[0] = status;
    ending.status = settled(status, error);
    bool may_have_text = status == SKAN_OK || (call->kind == PENDING_CALLS && status == SKAN_NOTHING_PENDING);
    REQUIRE(status == SKAN_OK || (update->id == 0 && ending.ticket == 0));
    REQUIRE(may_have_text || ending.text == NULL);
    return ending;
}

/* The texts are the same, but for the numbers of updates where they need not be equal. */
static bool is_same_text(const world *world, const char *left, const char *right) {
    static const char number[] = "\"id\":";
    while (!world->in_memory) {
        const char *one = strstr(left, number), *other = strstr(right, number);
        if (!one || !other || one - left != other - right || memcmp(left, right, (size_t)(one - left)) != 0) break;
        left = one + sizeof number - 1, right = other + sizeof number - 1;
        left += strspn(left, "0123456789"), right += strspn(right, "0123456789");
    }
    return strcmp(left, right) == 0;
}

static void require_same(const world *world, const ending *left, const ending *right) {
    skan_update update = right->update;
    REQUIRE((left->update.id == 0) == (update.id == 0));
    if (!world->in_memory) update.id = left->update.id;
    REQUIRE(memcmp(&left->update, &update, sizeof update) == 0);
    REQUIRE(left->number == right->number);
    REQUIRE((left->text == NULL) == (right->text == NULL));
    REQUIRE(left->text == NULL || is_same_text(world, left->text, right->text));
}

/* Two updates of a life are as far apart in the truth. One may be told after a newer one of others. */
static void note_update(world *world, int install, uint64_t number, uint64_t true_number) {
    uint64_t *newest = &world->newest[install], *true_newest = &world->true_newest[install];
    if (number == 0) return;
    REQUIRE(*newest == 0 || number - *newest == true_number - *true_newest);
    if (number > *newest) *newest = number, *true_newest = true_number;
}

static void end_life(world *world, int install) {
    world->newest[install] = world->true_newest[install] = 0;
}

/* The call, or its items of one install, once more where nothing fails. The endpoint is asked when it was, and answers
 * now. */
static ending true_ending(world *world, int install) {
    if (world->is_asked) world->true_now = world->asked_at;
    ending ending = make_call(world->truth, world->call, world->call->true_results, install);
    world->true_now = world->now;
    return ending;
}

/* ---------------------------------------------------------------------------------------------- a store that fails */

static int install_of(const char *key) {
    int install = 0;
    while (strcmp(key, installs[install]) != 0) REQUIRE(++install < INSTALLS);
    return install;
}

static void let_others_come(world *world, int install);

static uint8_t next_fault(world *world) {
    if (!world->fails || world->faults == FAULTS_A_CALL) return 0;
    uint8_t fault = take_byte(&world->input);
    if (fault < 0xC0) return 0;
    world->faults++;
    return (fault & 15) + 1;
}

static skan_status failing_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    world *world = context;
    int install = install_of(key);
    uint8_t fault = next_fault(world);
    if (fault >= 1 && fault <= 4) world->of[install].troubles |= LOAD_FAILED;
    if (fault == 3) *version = 77;
    if (fault >= 1 && fault <= 3)
        return fault == 1 ? SKAN_ERROR_STORE : fault == 2 ? -77 : SKAN_ERROR_STORE_CONFLICT;
    if (fault > 5) let_others_come(world, install);
    skan_status status = host_store_load(&world->store, key, out, version);
    if (status == SKAN_OK && fault == 4) *version = 0;
    if (status != SKAN_OK || fault != 5) return status;

    world->of[install].troubles |= RECORD_DAMAGED;
    size_t length = skan_buffer_size(out);
    uint8_t damaged[SKAN_RECORD_MAX];
    memcpy(damaged, skan_buffer_data(out), length);
    damaged[take_number(&world->input, (uint32_t)length)] ^= (uint8_t)(1 << take_byte(&world->input) % 8);
    return skan_buffer_set(out, damaged, length);
}

/* The engine's change comes into the store, if its version fits: the truth makes it too. */
static skan_status land(world *world, int install, const void *data, size_t length, uint64_t expected) {
    uint64_t version;
    skan_status status = data ? host_store_save(&world->store, installs[install], data, length, expected, &version)
                              : host_store_remove(&world->store, installs[install], expected);
    if (status != SKAN_OK) return status;
    uint64_t changes = world->true_store.changes;
    skan_free(world->of[install].landed.text);
    world->of[install].landed = true_ending(world, install);
    world->of[install].landings++;
    if (!data) end_life(world, install);
    REQUIRE(world->true_store.changes == changes + 1);
    return SKAN_OK;
}

/* A write that was reported as unknown. */
static void let_late_write_arrive(world *world) {
    if (!world->late.is_there) return;
    const uint8_t *bytes = world->late.removes ? NULL : world->late.bytes;
    land(world, world->late.install, bytes, world->late.length, world->late.expected);
    world->late.is_there = false;
}

static void keep_for_later(world *world, int install, const void *data, size_t length, uint64_t expected) {
    world->late.is_there = true;
    world->late.removes = data == NULL;
    world->late.install = install;
    world->late.length = length;
    world->late.expected = expected;
    if (data) memcpy(world->late.bytes, data, length);
}

/* A save, or a removal where there are no data; a new version only where one is given. */
static skan_status failing_change(world *world, const char *key, const void *data, size_t length, uint64_t expected,
                                  uint64_t *version) {
    int install = install_of(key);
    REQUIRE(data == NULL || (length > 0 && length <= SKAN_RECORD_MAX));
    unsigned *troubles = &world->of[install].troubles;
    let_late_write_arrive(world);
    uint8_t fault = next_fault(world);
    if (fault == 1) *troubles |= WRITE_FAILED;
    if (fault == 1 || fault == 2) return fault == 1 ? SKAN_ERROR_STORE : SKAN_ERROR_STORE_CONFLICT;
    if (fault >= 3 && fault <= 6) {
        *troubles |= WRITE_UNKNOWN;
        if (fault == 4) let_others_come(world, install);
        if (fault >= 5) keep_for_later(world, install, data, length, expected);
        return fault == 6 ? 4711 : SKAN_ERROR_STORE_UNKNOWN;
    }
    if (fault >= 12) let_others_come(world, install);
    skan_status status = land(world, install, data, length, expected);
    const host_record *record = host_store_find(&world->store, key);
    if (data) *version = record ? record->version : 0;
    if (status != SKAN_OK || fault < 7 || fault >= 12 || (fault == 11 && !data)) return status;
    *troubles |= WRITE_UNKNOWN;
    if (fault == 8 || fault == 9) let_others_come(world, install);
    if (fault == 11) *version = take_byte(&world->input) % 2 ? 0 : expected; /* a version that is none */
    return fault == 10 ? INT32_MIN : fault == 11 ? SKAN_OK : SKAN_ERROR_STORE_UNKNOWN;
}

static skan_status failing_save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                                uint64_t *version) {
    REQUIRE(data != NULL);
    return failing_change(context, key, data, length, expected, version);
}

static skan_status failing_drop(void *context, const char *key, uint64_t expected) {
    return failing_change(context, key, NULL, 0, expected, NULL);
}

/* An item whose status is left as it was failed to load, or was saved with an unknown end. */
static void failing_load_many(void *context, skan_load_item *items, size_t count) {
    REQUIRE(count >= 1 && count <= INSTALLS);
    for (size_t i = 0; i < count; i++) {
        skan_status status = failing_load(context, items[i].key, items[i].out, &items[i].version);
        if (status != SKAN_ERROR_STORE) items[i].status = status;
    }
}

static void failing_save_many(void *context, skan_save_item *items, size_t count) {
    REQUIRE(count >= 1 && count <= INSTALLS);
    for (size_t i = 0; i < count; i++) {
        skan_status status = failing_save(context, items[i].key, items[i].data, items[i].length,
                                          items[i].expected_version, &items[i].new_version);
        if (status != SKAN_ERROR_STORE_UNKNOWN) items[i].status = status;
    }
}

/* The endpoint: answers late, while others change the install. */
static skan_status get(void *context, const char *url, skan_buffer *body) {
    world *world = context;
    REQUIRE(strncmp(url, "https://a.example/v/api/v", 25) == 0);
    world->is_asked = true;
    world->asked_at = world->now;
    if (world->fails && take_byte(&world->input) % 8 == 7) let_others_come(world, world->call->of[0]);
    set_time(world, world->now + (int64_t)(take_byte(&world->input) % 4) * 43200 * MICROSECONDS);
    skan_error *error = NULL;
    REQUIRE(settled(skan_forget(world->engine, installs[0], &error), error) == SKAN_ERROR_MISUSE);
    if (world->call->no_answer != SKAN_OK) return world->call->no_answer;
    return skan_buffer_set(body, world->call->text, strlen(world->call->text));
}

static skan_status true_get(void *context, const char *url, skan_buffer *body) {
    world *world = context;
    REQUIRE(world->is_asked && url != NULL);
    world->true_now = world->now;
    return skan_buffer_set(body, world->call->text, strlen(world->call->text));
}

/* -------------------------------------------------------------------------------------------- calls from the input */

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
    if (byte == 255) return "";
    return byte >= 128 ? NULL : event_id(byte, text);
}

static double take_amount(input *input) {
    static const double amounts[] = {0, -0.0, 0.1, 0.2, 4.99, -4.99, 1e-12, 5e-13, 1.5e-12, 2.5e-12, 1e-13, 5e-324,
                                     999999999999.9999, -999999999999.9999, 0.30000000000000004, 1e11, 1e12, 0.0 / 0.0};
    uint8_t form = take_byte(input);
    if (form < sizeof amounts / sizeof *amounts) return amounts[form];
    double whole = (double)take_number(input, 1u << 24) - (1 << 23);
    static const double scales[] = {1, 100, 1e3, 1e6, 1e9, 1e12, 1e15, 7};
    return whole / scales[form % 8];
}

/* More than an install can hold, in either case; and some that are none. */
enum { CURRENCIES = 66 };
static const char *currency_of(int number, char name[4]) {
    static const char *const others[] = {"aaa", "abc", "JP", "US$", ""};
    if (number >= CURRENCIES) return others[number - CURRENCIES];
    name[0] = 'A', name[1] = (char)('A' + number / 26), name[2] = (char)('A' + number % 26), name[3] = '\0';
    return name;
}

static void take_purchase(input *input, call *call, size_t place) {
    skan_revenue *item = &call->items[place];
    item->amount.number = take_amount(input);
    item->currency = currency_of(take_byte(input) % (CURRENCIES + 5), call->currencies[place]);
    item->kind = take_byte(input) % 4 == 0 ? SKAN_AD : SKAN_IAP;
    item->event_id = take_event_id(input, call->ids[place]);
}

/* The answer's text: one that has values, or any. */
static char *take_answer(input *input) {
    static const char *const others[] = {
        "", " \t\r\n", "{", "{\"a\":1,\"\\u0061\":1}", "{\"conversion_value\":64}", "{\"conversion_value\":\"\"}",
        "{\"status\":1}", "{\"postback_sequence_index\":3,\"status\":\"ok\"}"};
    static const char *const spellings[] = {"\"conversion_value\":%d,", "\"conversion_value\":%d.0,",
                                            "\"conversion_value\":%de0,", "\"c\\u006fnversion_value\":%d0e-1,"};
    static const char *const flags[] = {"true", "1", "false", "null"};
    uint8_t form = take_byte(input);
    if (form >= 0xF0) return take_text(input, 255);
    if (form >= 0xE0) return strdup(others[form % 8]);
    char *text = calloc(1, 512);
    REQUIRE(text != NULL);
    int length = snprintf(text, 512, "{");
    if (form & 1) length += snprintf(text + length, 128, spellings[form >> 1 & 3], take_byte(input) % 64);
    uint8_t rest = take_byte(input);
    if (rest & 1) length += snprintf(text + length, 128, "\"skan_updated_coarse_value\":%d,", rest >> 1 & 1);
    if (rest & 4)
        length += snprintf(text + length, 128, "\"skan_updated_lock_window_value\":%s,", flags[rest >> 3 & 3]);
    if (rest & 32) length += snprintf(text + length, 128, "\"postback_sequence_index\":%d,", (rest >> 6) % 3);
    bool is_ok = (form >> 3 & 3) != 0;
    snprintf(text + length, 128, is_ok ? "\"status\":\"ok\"}" : "\"reason\":\"no\",\"status\":\"error\"}");
    return text;
}

static void take_request(input *input, call *call) {
    static const char *const events[] = {NULL, "purchase", "a b+c&d=~", "12345678901234567890123456789012", "\xC3\xA4"};
    static const char *const texts[] = {NULL, "", "16.1", "DFC5A647-9043", "\xC3\xA9/?"};
    const char *event = events[take_byte(input) % 5];
    call->event = event ? strdup(event) : NULL;
    call->device = (skan_device){.size = sizeof call->device, .os_version = texts[take_byte(input) % 5]};
    call->device.idfv = texts[take_byte(input) % 5], call->device.idfa = texts[take_byte(input) % 5];
}

/* A system that a call may be for: all of the rules' borders, and one that is not known. */
static const char *take_system(input *input) {
    static const char *const systems[] = {NULL, "13.7", "15.0", "16.1", "17.4", "18.0", "18.4", "26.2"};
    return systems[take_byte(input) % 8];
}

/* A report of an open, of few ids and tags, so that some are known; now, some days ago, or without a time. */
static void take_report(world *world, call *call) {
    static const char *const ids[] = {NULL, "1", "2", "3"}, *const tags[] = {NULL, "", "one", "two", "three", "four", "five", "six"};
    uint8_t byte = take_byte(&world->input), day = take_byte(&world->input);
    call->device = (skan_device){.size = sizeof call->device, .os_version = take_system(&world->input)};
    call->report = (skan_reengagement_report){.size = sizeof call->report,
                                              .open_id = ids[byte & 3],
                                              .tag = tags[byte >> 2 & 7],
                                              .reference = byte & 32 ? "spring" : NULL,
                                              .is_started = byte >> 6 & 1,
                                              .is_overlapping = byte >> 7,
                                              .device = &call->device};
    if (day < 64 && world->now > 0) call->report.opened_at = world->now / MICROSECONDS - (int64_t)day * 43200;
    if (call->report.opened_at < 0) call->report.opened_at = 0;
}

/* A result for the update that is so far from the newest one. In the truth it is as far from the newest there: the same
 * number would be another update. Where no update of this life is known, it is above all numbers. */
static void add_result(const world *world, call *call, int install, uint64_t distance, int32_t result) {
    size_t place = call->result_count++;
    if (!world->in_memory && world->newest[install] == 0) distance += UINT64_C(1) << 54;
    call->results[place] = call->true_results[place] = (skan_acknowledgement){sizeof *call->results, .result = result};
    call->results[place].id = world->newest[install] + distance;
    call->true_results[place].id = world->true_newest[install] + distance;
}

/* Of one of the newest updates, of one to come, or of none. */
static void take_results(world *world, call *call, int install) {
    for (int i = 0; i < RESULTS; i++) {
        uint8_t byte = take_byte(&world->input);
        add_result(world, call, install, (uint64_t)(byte & 31) - 24, byte >> 5 & 3);
    }
}

/* What the truth tells of an install, or any text. */
static char *take_document(world *world) {
    uint8_t byte = take_byte(&world->input);
    if (byte >= 192) return take_text(&world->input, 200);
    char *details = details_of(world->truth, installs[byte % INSTALLS]), *document = strdup(details);
    skan_free(details);
    return document;
}

/* Of the newest update, or any. */
static void take_acknowledgement(world *world, call *call, int install) {
    uint8_t byte = take_byte(&world->input);
    uint64_t distance = byte % 4 != 0 ? 0 : (uint64_t)(byte >> 4) - world->newest[install];
    add_result(world, call, install, distance, byte & 4 ? SKAN_CALL_DELIVERED : SKAN_CALL_FAILED);
}

static void take_call(world *world, call *call, int install, kind kind) {
    input *input = &world->input;
    memset(call, 0, sizeof *call);
    call->kind = kind;
    call->count = 1;
    if (kind == UPDATE_REVENUE_MANY) call->count = take_number(input, ITEMS + 1);
    for (size_t i = 0; i < call->count || i == 0; i++) {
        call->of[i] = kind == UPDATE_REVENUE_MANY ? (int)take_number(input, INSTALLS) : install;
        call->items[i] = (skan_revenue){.size = sizeof *call->items, .install_id = installs[call->of[i]]};
        if (kind == UPDATE_REVENUE || kind == UPDATE_REVENUE_MANY) take_purchase(input, call, i);
    }
    uint8_t byte;
    switch (kind) {
    case UPDATE_CONVERSION_VALUES:
        call->items[0].event_id = take_event_id(input, call->ids[0]);
        call->text = take_answer(input);
        byte = take_byte(input);
        if (byte == 255) call->no_answer = SKAN_ERROR_TRANSPORT;
        if (byte == 252) call->no_answer = SKAN_ERROR_TRANSPORT_UNKNOWN;
        if (byte == 254) call->no_answer = SKAN_ERROR_LIMIT_EXCEEDED;
        if (byte == 253) call->event = take_text(input, 33);
        call->number = SKAN_INSTALL_ALONE;
        break;
    case APPLY_RESPONSE:
        call->ticket = world->tickets[install][take_byte(input) % 8];
        call->text = take_answer(input);
        call->items[0].event_id = take_event_id(input, call->ids[0]);
        break;
    case ACKNOWLEDGE: take_acknowledgement(world, call, install); break;
    case IMPORT_DETAILS: call->text = take_document(world); break;
    case CONVERSION_REQUEST: take_request(input, call); break;
    case REENGAGE: take_report(world, call); break;
    case UPDATE_CONVERSIONS:
        call->items[0].event_id = take_event_id(input, call->ids[0]);
        call->number = take_byte(input) % 4;
        call->text = take_answer(input);
        break;
    case PENDING_CALLS:
        call->device = (skan_device){.size = sizeof call->device, .os_version = take_system(input)};
        break;
    case ACKNOWLEDGE_CALLS: take_results(world, call, install); break;
    case END_REENGAGEMENT: call->number = take_byte(input) % 9; break;
    default: break;
    }
}

static void end_call(call *call) {
    free(call->text);
    free(call->event);
}

/* ------------------------------------------------------------------------------------------ calls beside the truth */

/* Others change an install, by an engine of their own, once or often. */
static void let_others_come(world *world, int install) {
    static const kind kinds[] = {REGISTER,       UPDATE_REVENUE, UPDATE_REVENUE, APPLY_RESPONSE,
                                 APPLY_RESPONSE, ACKNOWLEDGE,    FORGET,         IMPORT_DETAILS};
    uint8_t byte = take_byte(&world->input);
    int times = byte % 4 == 3 ? byte >> 4 : 1;
    for (int i = 0; i < times; i++) {
        static call call;
        take_call(world, &call, install, kinds[byte >> 2 & 7]);
        if (call.kind == FORGET) world->of[install].troubles |= OTHERS_FORGOT;
        ending came = make_call(world->other, &call, call.results, install);
        ending expected = make_call(world->truth, &call, call.true_results, install);
        REQUIRE(came.status == expected.status);
        require_same(world, &came, &expected);
        note_update(world, install, came.update.id, expected.update.id);
        if (call.kind == FORGET) end_life(world, install);
        end_call(&call);
    }
}

/* Whether a status tells of the store, which must have given cause. */
static bool tells_of_the_store(const world *world, int install, skan_status status) {
    unsigned troubles = world->of[install].troubles;
    int landings = world->of[install].landings;
    switch (status) {
    case SKAN_ERROR_STORE_UNKNOWN: REQUIRE(troubles & WRITE_UNKNOWN); return true;
    case SKAN_ERROR_STORE: REQUIRE((troubles & (LOAD_FAILED | WRITE_FAILED)) && landings == 0); return true;
    case SKAN_ERROR_CORRUPT_RECORD:
    case SKAN_ERROR_RECORD_TOO_NEW: REQUIRE((troubles & RECORD_DAMAGED) && landings == 0); return true;
    default: return false;
    }
}

/* What the endpoint's answer comes to, whatever the install; SKAN_OK for one that may be applied. */
static skan_status refusal(const world *world) {
    if (world->call->no_answer != SKAN_OK) return world->call->no_answer;
    int64_t *now;
    skan_engine *engine = lasting_engine(world->protocol, MAIN_ENGINE, &now);
    const char *body = world->call->text;
    skan_error *error = NULL;
    REQUIRE(settled(skan_register(engine, "refusal", NULL, NULL, &error), error) == SKAN_OK);
    skan_status status =
        settled(skan_apply_response(engine, "refusal", NULL, 0, body, strlen(body), NULL, &error), error);
    forget(engine, "refusal");
    return status >= SKAN_ERROR_INVALID_ARGUMENT ? status : SKAN_OK;
}

/* How the call must have ended for one of its installs. */
static void judge(world *world, int install, const ending *came) {
    const call *call = world->call;
    ending *expected = &world->of[install].landed;
    bool is_lost = false;
    for (size_t i = 0; i < call->count; i++)
        if (call->of[i] == install && tells_of_the_store(world, install, came->statuses[i])) is_lost = true;
    /* Counted once; but a record that was made, forgotten unseen and made again counts in each of its lives. */
    REQUIRE(world->of[install].landings <= 1 || (world->of[install].troubles & OTHERS_FORGOT));
    if (is_lost) return;
    if (world->is_asked && refusal(world) != SKAN_OK) {
        REQUIRE(came->status == refusal(world) && world->of[install].landings == 0);
        return;
    }
    if (world->of[install].landings == 0) {
        uint64_t changes = world->true_store.changes;
        *expected = true_ending(world, install);
        REQUIRE(world->in_memory || world->true_store.changes == changes);
    }
    for (size_t i = 0; i < call->count; i++) {
        skan_status status = came->statuses[i], good = expected->statuses[i];
        if (call->of[i] != install || status == good) continue;
        fprintf(stderr, "call %d: %s, expected %s\n", (int)call->kind, skan_status_name(status),
                skan_status_name(good));
        abort();
    }
    require_same(world, came, expected);
}

/* What is stored, whatever the engine in between: the details are the truth's, a record is there where it has one. */
static void require_same_state(world *world, int install) {
    char *expected = details_of(world->truth, installs[install]);
    char *details = details_of(world->in_memory ? world->engine : world->other, installs[install]);
    bool is_same = is_same_text(world, details, expected);
    if (!is_same) fprintf(stderr, "details: %s\nexpected: %s\n", details, expected);
    REQUIRE(is_same);
    skan_free(details);
    const host_record *record = host_store_find(&world->store, installs[install]);
    bool is_stored = host_store_find(&world->true_store, installs[install]) != NULL;
    REQUIRE(world->in_memory || is_stored == (record != NULL));
    if (record && !world->in_memory) {
        char *read = NULL;
        REQUIRE(skan_record_read(record->data, record->length, NULL, &read, NULL) == SKAN_OK);
        REQUIRE(is_same_text(world, read, expected));
        skan_free(read);
    }
    skan_free(expected);
}

static void run(world *world, call *call) {
    world->call = call;
    world->is_asked = false;
    world->faults = 0;
    memset(world->of, 0, sizeof world->of);
    ending came = make_call(world->engine, call, call->results, ALL);
    let_late_write_arrive(world);
    for (int install = 0; install < INSTALLS; install++) {
        bool is_of_it = false;
        for (size_t i = 0; i < call->count; i++) is_of_it = is_of_it || call->of[i] == install;
        if (is_of_it) judge(world, install, &came);
        skan_free(world->of[install].landed.text);
        require_same_state(world, install);
    }
    note_update(world, call->of[0], came.update.id, world->of[call->of[0]].landed.update.id);
    if (came.ticket != 0) {
        REQUIRE(came.ticket > world->last_ticket && came.ticket <= INT64_MAX && (int64_t)came.ticket >= world->now);
        world->last_ticket = world->tickets[call->of[0]][1 + came.ticket % 7] = came.ticket;
    }
    /* The truth's is another one, between those given before and after. */
    if (world->is_asked) memset(world->tickets, 0, sizeof world->tickets);
    skan_free(came.text);
    end_call(call);
}

static void operate(world *world, int install, kind kind) {
    static call call;
    take_call(world, &call, install, kind);
    run(world, &call);
}

/* Many at once, for what has a limit: currencies and event ids. */
static void repeat(world *world, int install) {
    uint8_t byte = take_byte(&world->input);
    int times = byte % 72, first = take_byte(&world->input);
    for (int i = 0; i < times; i++) {
        static call call;
        call = (struct call){.kind = UPDATE_REVENUE, .count = 1, .of = {install}};
        call.items[0] = (skan_revenue){.amount = {.number = 1}, .install_id = installs[install]};
        call.items[0].currency = currency_of((first + i) % CURRENCIES, call.currencies[0]);
        if (byte >= 128) call.items[0].event_id = event_id((unsigned)(first + i) % 128, call.ids[0]);
        run(world, &call);
    }
}

/* ---------------------------------------------------------------------------------------------------------- a run */

/* To a moment of the install's life, or anywhere. */
static void move_clock(world *world, int install) {
    static const char *const calls[] = {"\"skan_first_call_to_skadnetwork_timestamp\":",
                                        "\"skan_last_call_to_skadnetwork_timestamp\":"};
    static const int64_t boundaries[] = {0, 86400, 2 * 86400, 7 * 86400, 35 * 86400};
    uint8_t byte = take_byte(&world->input);
    char *details = details_of(world->truth, installs[install]);
    const char *call = strstr(details, calls[byte % 2]) + strlen(calls[byte % 2]);
    switch (byte % 8) {
    case 0:
    case 1:
        if (strncmp(call, "null", 4) != 0)
            set_time(world, (strtoll(call, NULL, 10) + boundaries[(byte >> 4) % 5] - (byte >> 3 & 1)) * MICROSECONDS);
        break;
    case 2: set_time(world, world->now - 1000 * (int64_t)take_number(&world->input, 1u << 24)); break;
    case 3: set_time(world, INT64_MIN); break;
    case 4: set_time(world, 1643393464123456); break;
    default: set_time(world, world->now + (int64_t)take_number(&world->input, 1u << 20) * MICROSECONDS / 4); break;
    }
    skan_free(details);
}

static skan_engine *open_engine(world *world, const skan_store *store, int64_t *now,
                         skan_status (*get)(void *, const char *, skan_buffer *)) {
    skan_clock clock = told_clock(now);
    skan_transport transport = {.size = sizeof transport, .context = world, .get = get};
    skan_options options = {.size = sizeof options,
                            .protocol = world->protocol,
                            .store = store,
                            .clock = &clock,
                            .transport = &transport,
                            .endpoint_url = "https://a.example/v/",
                            .sdk_key = "k+y=",
                            .app_version = "1.2",
                            .reengagement_models = &world->returns,
                            .reengagement_model_count = world->returns ? 1 : 0};
    return engine_with(&options);
}

/* The engine and the truth anew, on what is stored; tickets of before order nothing any more. */
static void open_engines(world *world) {
    skan_store failing = {.size = sizeof failing, .context = world, .load = failing_load};
    failing.save = failing_save, failing.remove = failing_drop;
    if (world->has_many) failing.load_many = failing_load_many, failing.save_many = failing_save_many;
    skan_store store = host_store_hooks(&world->true_store);
    skan_destroy(world->engine);
    skan_destroy(world->truth);
    world->engine = open_engine(world, world->in_memory ? NULL : &failing, &world->now, get);
    world->truth = open_engine(world, &store, &world->true_now, true_get);
    world->last_ticket = 0;
    memset(world->tickets, 0, sizeof world->tickets);
    if (world->other) return;
    store = host_store_hooks(&world->store);
    world->other = open_engine(world, &store, &world->now, true_get);
}

static void step(world *world, int install) {
    static const kind kinds[] = {REGISTER,       UPDATE_REVENUE, UPDATE_REVENUE,           UPDATE_REVENUE,
                                 APPLY_RESPONSE, APPLY_RESPONSE, UPDATE_CONVERSION_VALUES, UPDATE_CONVERSION_VALUES,
                                 ACKNOWLEDGE,    IMPORT_DETAILS, FORGET};
    static const kind reading[] = {PENDING_CALLS, METADATA, DETAILS};
    static const kind conversions[] = {REENGAGE,      REENGAGE,      UPDATE_CONVERSIONS, UPDATE_CONVERSIONS,
                                       PENDING_CALLS, PENDING_CALLS, ACKNOWLEDGE_CALLS,  END_REENGAGEMENT};
    uint8_t byte = take_byte(&world->input);
    switch (byte % 16) {
    case 11: move_clock(world, install); break;
    case 12: operate(world, install, byte < 0x80 ? CONVERSION_REQUEST : conversions[byte >> 4 & 7]); break;
    case 13: operate(world, install, reading[(byte >> 4) % 3]); break;
    case 14: byte >= 0x80 ? operate(world, install, UPDATE_REVENUE_MANY) : repeat(world, install); break;
    case 15: if (!world->in_memory) open_engines(world); break;
    default: operate(world, install, kinds[byte % 16]); break;
    }
}

/* Values of two events, with a lock, and of revenue, in every window. */
static skan_model *returns_model(void) {
    static const char document[] =
        "{\"schema\":1,\"id\":\"returns\",\"conversion\":\"re-engagement\",\"windows\":["
        "{\"rules\":[{\"fine\":0,\"coarse\":0},{\"fine\":1,\"coarse\":1,\"when\":{\"events\":[{\"name\":\"purchase\"}]}},"
        "{\"fine\":2,\"coarse\":1,\"when\":{\"revenue\":{\"kind\":\"all\",\"scope\":\"conversion\",\"min\":1}}},"
        "{\"fine\":3,\"coarse\":2,\"lock\":true,\"when\":{\"events\":[{\"name\":\"purchase\",\"min_count\":3}]}}]},"
        "{\"rules\":[{\"coarse\":0},{\"coarse\":2,\"when\":{\"events\":[{\"name\":\"purchase\"}]}}]},"
        "{\"rules\":[{\"coarse\":0},{\"coarse\":1,\"when\":{\"events\":[{\"name\":\"purchase\"}]}}]}]}";
    skan_model *model = NULL;
    skan_error *error = NULL;
    REQUIRE(settled(skan_model_create(document, sizeof document - 1, &model, &error), error) == SKAN_OK);
    return model;
}

/* Import takes no re-engagements, which are the last member. */
static void leave_out_reengagements(char *details) {
    char *member = strstr(details, ",\"reengagements\":");
    if (member) strcpy(member, "}");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static world world;
    memset(&world, 0, sizeof world);
    world.input = (input){data, size};
    host_store_init(&world.store);
    host_store_init(&world.true_store);
    set_time(&world, 1643393464000000);
    uint8_t kind = take_byte(&world.input);
    world.protocol = kind % 4 == 3 ? 3 : 4;
    world.in_memory = (kind >> 2) % 4 == 3;
    world.has_many = kind >> 4 & 1;
    world.fails = !world.in_memory && kind >= 64;
    world.returns = world.protocol == 4 ? returns_model() : NULL;
    open_engines(&world);
    for (int i = 0; i < STEPS && world.input.size > 0; i++) step(&world, (int)take_number(&world.input, INSTALLS));
    for (int i = 0; i < INSTALLS; i++) {
        char *details = details_of(world.truth, installs[i]);
        leave_out_reengagements(details);
        require_imports_again(world.protocol, details);
        skan_free(details);
    }
    skan_destroy(world.engine);
    skan_destroy(world.other);
    skan_destroy(world.truth);
    skan_model_destroy(world.returns);
    host_store_end(&world.store);
    host_store_end(&world.true_store);
    return 0;
}
