/*
 * Calls that refuse, on the libraries as they are installed: memory stays as it was. Sanitizers see plain Swift alone,
 * and the libraries are Embedded Swift, which frees other things by itself.
 *
 *     refusals [CALLS]     so many calls of each function; from 20000 on, the resident memory is printed and judged too.
 *                          1, for valgrind, makes all of them in one process
 *
 * Nothing here reads a file or speaks to a server: functions that do are refused by a path that does not exist.
 */
#define _GNU_SOURCE
#include "Hosts/C/functions.h"
#include "Hosts/C/host.h"
#include "Hosts/C/support.h"

#include <skan/companion.h>
#include <skan/http.h>
#include <skan/postback.h>
#include <skan/postgres.h>
#include <skan/redis.h>
#include <skan/reengagement.h>
#include <skan/sqlite.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INVALID SKAN_ERROR_INVALID_ARGUMENT
#define LIMIT SKAN_ERROR_LIMIT_EXCEEDED
#define DOCUMENT SKAN_ERROR_INVALID_DOCUMENT

/* What the calls that come first allocate for ever, as the caches of OpenSSL do, is there by then. */
enum { WARM_UP = 10000, DAY = 86400, LONG = 40000, MOST_SUBJECTS = 512 };

static long calls = 1000;

/* ----------------------------------------------------------------------------------------------- what calls work on */

/* One engine of each kind, over a store, a clock and a transport of this test's, which fail in the way that a case
 * sets. */
static skan_engine *engine;   /* has models for re-engagements */
static skan_engine *deciding; /* has models for installs, too */
static skan_engine *asking;   /* has a transport */
static skan_engine *skan3;
static skan_http_client *client; /* made when it is needed, as it takes its time */
static skan_postback_receiver *receiver;
static skan_model *model;
static host_store records;
static host_clock its_clock = {.microseconds = INT64_C(1700000000000000)};
static char long_text[LONG + 1];

typedef struct trouble {
    skan_status load, save, remove, transport; /* SKAN_OK: the hook works */
    bool has_no_time;
    enum { AS_IT_WAS, DAMAGED, TOO_NEW } record;
    const char *answer;
} trouble;

static trouble now_failing;

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    return now_failing.load ? now_failing.load : host_store_load(context, key, out, version);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected_version,
                        uint64_t *new_version) {
    if (now_failing.save) return now_failing.save;
    return host_store_save(context, key, data, length, expected_version, new_version);
}

static skan_status drop(void *context, const char *key, uint64_t expected_version) {
    return now_failing.remove ? now_failing.remove : host_store_remove(context, key, expected_version);
}

static int64_t its_now(void *context) { return now_failing.has_no_time ? -1 : ((host_clock *)context)->microseconds; }

static skan_status get(void *context, const char *url, skan_buffer *body) {
    (void)context, (void)url;
    const char *answer = now_failing.answer ? now_failing.answer : "{\"conversion_value\":7}";
    return now_failing.transport ? now_failing.transport : skan_buffer_set(body, answer, strlen(answer));
}

static skan_model *model_of(const char *json) {
    skan_model *made = NULL;
    ANSWER(SKAN_OK, skan_model_create(json, strlen(json), &made, &failure));
    return made;
}

static skan_engine *engine_of(skan_options options) {
    const skan_store store = {.size = sizeof store, .context = &records, .load = load, .save = save, .remove = drop};
    const skan_clock clock = {.size = sizeof clock, .context = &its_clock, .now = its_now};
    skan_engine *made = NULL;
    options.size = sizeof options, options.store = &store, options.clock = &clock;
    options.endpoint_url = "https://skan.example.com";
    ANSWER(SKAN_OK, skan_create(&options, &made, &failure));
    return made;
}

static const char *const of_returns =
    "{\"schema\":1,\"id\":\"return\",\"conversion\":\"re-engagement\",\"windows\":[{\"rules\":[{\"fine\":0,"
    "\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]}]}";
/* Its only value is that of the first session. */
static const char *const of_installs =
    "{\"schema\":1,\"id\":\"install\",\"windows\":[{\"rules\":[{\"fine\":1,\"when\":{\"sessions\":{\"min\":1}}}]},"
    "{\"rules\":[]},{\"rules\":[]}]}";

static void update(skan_engine *of, const char *install_id) {
    ANSWER(SKAN_OK, skan_update_conversion_values(of, install_id, NULL, NULL, &failure));
}

static void apply(const char *install_id, uint64_t ticket, const char *body) {
    ANSWER(SKAN_OK, skan_apply_response(engine, install_id, NULL, ticket, body, strlen(body), NULL, &failure));
}

/* Installs: "modelled" has a model, "reengaged" a re-engagement that has ended, "taken" an answer that is newer than a
 * ticket of 1, "counted" an amount of the event
 * id "one" and an event "two"; the windows of "locked" and "closed" are that. */
static void make_installs(void) {
    static const char *const plain[] = {"registered", "reengaged", "locked", "taken", "counted"};
    its_clock.microseconds -= INT64_C(100) * DAY * 1000000;
    ANSWER(SKAN_OK, skan_register(engine, "closed", NULL, NULL, &failure));
    its_clock.microseconds += INT64_C(100) * DAY * 1000000;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        ANSWER(SKAN_OK, skan_register(engine, plain[i], NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_register(deciding, "modelled", NULL, NULL, &failure));
    update(deciding, "modelled");
    apply("locked", 0, "{\"conversion_value\":7,\"skan_updated_coarse_value\":1,\"skan_updated_lock_window_value\":true}");
    apply("taken", 9, "{\"conversion_value\":7}");
    ANSWER(SKAN_OK, skan_update_revenue(engine, "counted", AMOUNT(1), "USD", SKAN_IAP, "one", &failure));
    const char body[] = "{\"conversion_value\":7}";
    ANSWER(SKAN_OK,
           skan_apply_response(engine, "counted", EVENT(.event_id = "two"), 0, body, strlen(body), NULL, &failure));
    const skan_reengagement_report report = {.size = sizeof report, .open_id = "one", .is_started = true};
    uint32_t number = 0;
    ANSWER(SKAN_OK, skan_reengage(engine, "reengaged", &report, &number, &failure));
    ANSWER(SKAN_OK, skan_end_reengagement(engine, "reengaged", number, &failure));
    ANSWER(SKAN_OK, skan_register(skan3, "of skan 3", NULL, NULL, &failure));
}

static void spoil_records(void) {
    static const char *const spoiled[] = {"registered", "modelled"};
    for (size_t i = 0; i < 2 && now_failing.record != AS_IT_WAS; i++) {
        host_record *record = host_store_find(&records, spoiled[i]);
        char *bytes = malloc(record->length);
        const size_t length = record->length;
        memcpy(bytes, record->data, length);
        bytes[now_failing.record == DAMAGED ? length - 1 : 0] ^= (char)0xff;
        host_store_put(&records, spoiled[i], bytes, length);
        free(bytes);
    }
}

static void make_world(const trouble *trouble) {
    host_store_init(&records);
    memset(long_text, 'x', LONG);
    model = model_of(of_installs);
    skan_model *returning = model_of(of_returns);
    skan_model *const models[] = {model}, *const of_reengagements[] = {returning};
    const skan_transport transport = {.size = sizeof transport, .get = get};
    engine = engine_of((skan_options){.reengagement_models = of_reengagements, .reengagement_model_count = 1});
    deciding = engine_of((skan_options){.models = models, .model_count = 1});
    asking = engine_of((skan_options){.transport = &transport});
    skan3 = engine_of((skan_options){.protocol = 3});
    skan_model_destroy(returning);
    static const int64_t app_ids[] = {525463029};
    const skan_store store = {.size = sizeof store, .context = &records, .load = load, .save = save, .remove = drop};
    const skan_clock clock = {.size = sizeof clock, .context = &its_clock, .now = its_now};
    const skan_postback_receiver_options receiving = {
        .size = sizeof receiving, .store = &store, .clock = &clock, .app_ids = app_ids, .app_id_count = 1};
    ANSWER(SKAN_OK, skan_postback_receiver_create(&receiving, &receiver, &failure));
    make_installs();
    now_failing = *trouble;
    spoil_records();
}

static void end_world(void) {
    now_failing = (trouble){0};
    skan_postback_receiver_destroy(receiver);
    skan_http_client_destroy(client);
    client = NULL;
    skan_destroy(engine), skan_destroy(deciding), skan_destroy(asking), skan_destroy(skan3);
    skan_model_destroy(model);
    host_store_end(&records);
}

/* ------------------------------------------------------------------------------------------------ calls that refuse */

/* Out parameters, none of which is written by a call that refuses. */
static char *text;
static uint64_t ticket;
static uint32_t number;
static size_t count;
static skan_status one_status;

static skan_status create(skan_options options) {
    skan_engine *made = NULL;
    options.size = sizeof options;
    if (!options.endpoint_url) options.endpoint_url = "https://skan.example.com";
    return skan_create(&options, &made, &failure);
}

static skan_status model_create(const char *json) {
    skan_model *made = NULL;
    return skan_model_create(json, strlen(json), &made, &failure);
}

static skan_status answer_request(skan_engine *of, const char *target) {
    return skan_answer_request(of, target, &text, &failure);
}

/* A refusal of the endpoint has a text, too. */
static skan_status rejected(void) {
    const skan_status status = answer_request(deciding, "/api/v2/conversion_value?i=com.example.game");
    skan_free(text);
    return status;
}

static skan_status reengage(skan_engine *of, const char *id, skan_reengagement_report report) {
    report.size = sizeof report;
    return skan_reengage(of, id, &report, &number, &failure);
}

static skan_status update_with(skan_engine *of, const char *id, skan_event event) {
    skan_update out = {.size = sizeof out};
    event.size = sizeof event;
    return skan_update_conversion_values(of, id, &event, &out, &failure);
}

static skan_status revenue_many(skan_revenue item, size_t items) {
    item.size = sizeof item;
    return skan_update_revenue_many(engine, &item, items, &one_status, &failure);
}

static skan_status revenue(double amount, const char *currency, const char *event_id) {
    return skan_update_revenue(engine, "counted", AMOUNT(amount), currency, SKAN_IAP, event_id, &failure);
}

static skan_status request(skan_engine *of, const char *event_name) {
    return skan_conversion_request(of, "registered", EVENT(.name = event_name), &text, &ticket, &failure);
}

static skan_status response(const char *id, uint64_t of_ticket, const char *body) {
    const skan_event *event = EVENT(.reengagement = SKAN_INSTALL_ALONE); /* its outcome is the install's */
    skan_update out = {.size = sizeof out};
    return skan_apply_response(engine, id, event, of_ticket, body, strlen(body), &out, &failure);
}

static skan_status acknowledge(int32_t result, size_t results) {
    const skan_acknowledgement one = {.size = sizeof one, .id = 1, .result = result};
    return skan_acknowledge_calls(engine, "registered", &one, results, &failure);
}

static skan_status import(const char *json) {
    return skan_import_details(engine, "new", json, strlen(json), &failure);
}

static skan_status pending_calls(size_t room) {
    skan_call call = {.size = sizeof call};
    return skan_pending_calls(engine, "registered", NULL, &call, room, &count, &failure);
}

static skan_status record_read(const char *bytes, size_t length) {
    skan_record out = {.size = sizeof out};
    return skan_record_read(bytes, length, &out, &text, &failure);
}

static void see(void *context, const skan_json_member *member) { (void)context, (void)member; }

static skan_status http_client(skan_http_options options) {
    skan_http_client *made = NULL;
    options.size = sizeof options;
    return skan_http_client_create(&options, &made, &failure);
}

static skan_status transport_open(skan_http_options options) {
    skan_transport made = {0};
    options.size = sizeof options;
    return skan_http_transport_open(&options, &made, &failure);
}

static skan_status http_start(const char *url) {
    const skan_http_options options = {.size = sizeof options};
    if (!client) ANSWER(SKAN_OK, skan_http_client_create(&options, &client, &failure));
    uint64_t started;
    return skan_http_request_start(client, url, NULL, NULL, &started, &failure);
}

static skan_status postback_keys(const char *name, const char *spki) {
    const skan_postback_key key = {.name = name, .spki = spki};
    skan_postback_keys *keys = NULL;
    return skan_postback_keys_create(&key, 1, &keys, &failure);
}

static skan_status verify(const char *body, size_t length) {
    skan_postback *postback = NULL;
    return skan_postback_verify(body, length, NULL, &postback, &failure);
}

static skan_status receive(const char *network, const char *body, size_t length) {
    skan_postback_receipt receipt = {.size = sizeof receipt};
    return skan_postback_receive(receiver, network, body, length, &receipt, &failure);
}

/* A body that is not a postback is stored as a refused one, so the hook or the clock that fails is called. */
static skan_status receive_while(trouble trouble) {
    now_failing = trouble;
    const skan_status status = receive(NULL, "{}", 2);
    now_failing = (struct trouble){0};
    return status;
}

static skan_status receiver_create(skan_postback_receiver_options options) {
    skan_postback_receiver *made = NULL;
    options.size = sizeof options;
    return skan_postback_receiver_create(&options, &made, &failure);
}

static skan_status postback_record(const char *bytes, size_t length) {
    skan_postback_record out = {.size = sizeof out};
    skan_postback *postback = NULL;
    return skan_postback_record_read(bytes, length, &out, &postback, &failure);
}

static skan_status sqlite_open(const char *path, skan_sqlite_options options) {
    skan_store store = {0};
    options.size = sizeof options;
    return skan_sqlite_store_open(path, &options, &store, &failure);
}

static skan_status postgres_open(const char *url, skan_postgres_options options) {
    skan_store store = {0};
    options.size = sizeof options;
    return skan_postgres_store_open(url, &options, &store, &failure);
}

static skan_status redis_open(const char *url, skan_redis_options options) {
    skan_store store = {0};
    options.size = sizeof options;
    return skan_redis_store_open(url, &options, &store, &failure);
}

/* The function and why it refuses; the status; the call. */
#define REFUSALS(X) \
    X(create_protocol, INVALID, create((skan_options){.protocol = 7})) \
    X(create_no_endpoint_url, INVALID, \
      skan_create(&(skan_options){.size = sizeof(skan_options)}, &(skan_engine *){NULL}, &failure)) \
    X(create_endpoint_url, INVALID, create((skan_options){.endpoint_url = "nowhere"})) \
    X(create_sdk_key, INVALID, create((skan_options){.sdk_key = long_text})) \
    X(create_a_missing_hook, INVALID, create((skan_options){.store = &(skan_store){.size = sizeof(skan_store)}})) \
    X(create_a_missing_model, INVALID, create((skan_options){.models = &(skan_model *){NULL}, .model_count = 1})) \
    X(create_too_many_models, INVALID, create((skan_options){.models = &model, .model_count = 9999})) \
    X(create_reengagement_cooldown_hours, INVALID, create((skan_options){.reengagement_cooldown_hours = 721})) \
    X(model_create_no_json, DOCUMENT, model_create("{\"schema\":1")) \
    X(model_create_a_missing_member, DOCUMENT, model_create("{\"schema\":1}")) \
    X(model_create_too_long, DOCUMENT, skan_model_create(long_text, SIZE_MAX, &(skan_model *){NULL}, &failure)) \
    X(model_create_null, INVALID, skan_model_create(NULL, 1, &(skan_model *){NULL}, &failure)) \
    X(model_decode_window, INVALID, skan_model_decode(model, 3, 1, -1, &text, &failure)) \
    X(model_decode_no_value, INVALID, skan_model_decode(model, 0, -1, -1, &text, &failure)) \
    X(model_decode_not_found, SKAN_NOT_FOUND, skan_model_decode(model, 0, 9, -1, &text, &failure)) \
    X(register_again, SKAN_ALREADY_REGISTERED, skan_register(engine, "registered", NULL, NULL, &failure)) \
    X(register_too_long_an_id, INVALID, skan_register(engine, long_text, NULL, NULL, &failure)) \
    X(register_the_other_protocol_s, SKAN_ERROR_MISUSE, skan_register(engine, "of skan 3", NULL, NULL, &failure)) \
    X(update_revenue_currency, INVALID, revenue(1, "DOLLAR", NULL)) \
    X(update_revenue_amount, INVALID, revenue(1e13, "USD", NULL)) \
    X(update_revenue_kind, INVALID, \
      skan_update_revenue(engine, "counted", AMOUNT(1), "USD", 7, NULL, &failure)) \
    X(update_revenue_event_id, INVALID, revenue(1, "USD", long_text)) \
    X(update_revenue_duplicate, SKAN_DUPLICATE_EVENT, revenue(1, "USD", "one")) \
    X(update_revenue_many_currency, INVALID, revenue_many((skan_revenue){.install_id = "a", .currency = "DOLLAR"}, 1)) \
    X(update_revenue_many_amount_text, INVALID, \
      revenue_many((skan_revenue){.install_id = "a", .currency = "USD", .amount = {.text = "1,5"}}, 1)) \
    X(update_revenue_many_too_many, LIMIT, \
      revenue_many((skan_revenue){.install_id = "a", .currency = "USD"}, SIZE_MAX)) \
    X(update_revenue_many_duplicate, SKAN_OK, \
      revenue_many((skan_revenue){.install_id = "counted", .currency = "USD", .event_id = "one"}, 1)) \
    X(conversion_request_event_name, INVALID, request(engine, "")) \
    X(conversion_request_duplicate, SKAN_DUPLICATE_EVENT, \
      skan_conversion_request(engine, "counted", EVENT(.event_id = "two"), &text, &ticket, &failure)) \
    X(apply_response_duplicate, SKAN_DUPLICATE_EVENT, \
      skan_apply_response(engine, "counted", EVENT(.event_id = "two"), 0, "{\"conversion_value\":8}", 22, NULL, \
                          &failure)) \
    X(conversion_request_with_models, SKAN_ERROR_MISUSE, request(deciding, "e")) \
    X(apply_response_no_object, SKAN_ERROR_MALFORMED_RESPONSE, response("registered", 0, "[]")) \
    X(apply_response_no_json, SKAN_ERROR_MALFORMED_RESPONSE, response("registered", 0, "{\"a\":")) \
    X(apply_response_out_of_range, SKAN_ERROR_ILLEGAL_VALUE, response("registered", 0, "{\"conversion_value\":64}")) \
    X(apply_response_of_another_type, SKAN_ERROR_ILLEGAL_VALUE, \
      response("registered", 0, "{\"conversion_value\":\"7\"}")) \
    X(apply_response_rejected, SKAN_ERROR_REJECTED, \
      response("registered", 0, "{\"status\":\"error\",\"reason\":\"caf\xc3\xa9 \\u20ac\"}")) \
    X(apply_response_no_new_value, SKAN_NO_NEW_VALUE, response("taken", 0, "{\"status\":\"ok\"}")) \
    X(apply_response_stale, SKAN_STALE_RESPONSE, response("taken", 1, "{\"conversion_value\":8}")) \
    X(apply_response_closed, SKAN_WINDOW_CLOSED, response("closed", 0, "{\"conversion_value\":8}")) \
    X(apply_response_locked, SKAN_WINDOW_LOCKED, response("locked", 0, "{\"conversion_value\":8}")) \
    X(apply_response_not_registered, SKAN_NOT_REGISTERED, response("nobody", 0, "{\"conversion_value\":8}")) \
    X(update_conversion_values_no_transport, SKAN_ERROR_MISUSE, \
      skan_update_conversion_values(skan3, "of skan 3", EVENT(.name = "e"), NULL, &failure)) \
    X(update_conversion_values_the_model_s, SKAN_NO_NEW_VALUE, \
      skan_update_conversion_values(deciding, "modelled", EVENT(.name = "unknown"), NULL, &failure)) \
    X(update_conversion_values_closed, SKAN_WINDOW_CLOSED, \
      skan_update_conversion_values(asking, "closed", EVENT(.name = "e"), NULL, &failure)) \
    X(update_conversion_values_not_registered, SKAN_NOT_REGISTERED, \
      skan_update_conversion_values(asking, "nobody", EVENT(.name = "e"), NULL, &failure)) \
    X(update_conversion_values_with_event_id, INVALID, \
      update_with(asking, "registered", (skan_event){.event_id = long_text})) \
    X(update_conversion_values_with_currency, INVALID, \
      update_with(asking, "registered", (skan_event){.currency = "?"})) \
    X(explanation_no_models, SKAN_ERROR_MISUSE, skan_explanation(asking, "registered", 0, &text, &failure)) \
    X(explanation_not_registered, SKAN_NOT_REGISTERED, skan_explanation(deciding, "nobody", 0, &text, &failure)) \
    X(answer_request_path, INVALID, answer_request(engine, "/api/v9/nothing?a=1&i=com.example.game")) \
    X(answer_request_with_a_transport, SKAN_ERROR_MISUSE, answer_request(asking, "/api/v2/conversion_value?a=1")) \
    X(answer_request_rejected, SKAN_ERROR_REJECTED, rejected()) \
    X(pending_calls_nothing, SKAN_NOTHING_PENDING, \
      skan_pending_calls(engine, "nobody", NULL, NULL, 0, &count, &failure)) \
    X(details_null, INVALID, skan_details(engine, "registered", NULL, &failure)) \
    X(metadata_null, INVALID, skan_metadata(engine, "registered", NULL, &failure)) \
    X(import_details_no_object, DOCUMENT, import("[]")) \
    X(import_details_a_wrong_member, DOCUMENT, import("{\"skan_first_call_to_skadnetwork_timestamp\":\"soon\"}")) \
    X(reengage_tag, INVALID, reengage(engine, "a", (skan_reengagement_report){.tag = long_text})) \
    X(reengage_no_models, SKAN_ERROR_MISUSE, \
      reengage(deciding, "modelled", (skan_reengagement_report){.is_started = true})) \
    X(reengage_known, SKAN_DUPLICATE_EVENT, \
      reengage(engine, "reengaged", (skan_reengagement_report){.open_id = "one", .is_started = true})) \
    X(reengage_older_than_ios_18, SKAN_UNSUPPORTED, \
      reengage(engine, "registered", (skan_reengagement_report){.is_started = true, \
               .device = &(skan_device){.size = sizeof(skan_device), .os_version = "16.1"}})) \
    X(update_conversion_values_of_a_reengagement_event_id, INVALID, \
      update_with(engine, "a", (skan_event){.event_id = long_text})) \
    X(update_conversion_values_of_a_reengagement_in_skan_3, SKAN_ERROR_MISUSE, \
      update_with(skan3, "of skan 3", (skan_event){.name = "e", .reengagement = 1})) \
    X(update_conversion_values_of_a_reengagement_not_registered, SKAN_NOT_REGISTERED, \
      update_with(engine, "nobody", (skan_event){.name = "e", .reengagement = 1})) \
    X(pending_calls_too_little_room, LIMIT, pending_calls(0)) \
    X(pending_calls_json_null, INVALID, skan_pending_calls_json(engine, "registered", NULL, NULL, &failure)) \
    X(acknowledge_calls_result, INVALID, acknowledge(9, 1)) \
    X(acknowledge_calls_too_many, LIMIT, acknowledge(1, SIZE_MAX)) \
    X(end_reengagement_0, INVALID, skan_end_reengagement(engine, "a", 0, &failure)) \
    X(end_reengagement_not_found, SKAN_NOT_FOUND, skan_end_reengagement(engine, "registered", 9, &failure)) \
    X(reengagements_null, INVALID, skan_reengagements(engine, "registered", NULL, &failure)) \
    X(explanation_null, INVALID, skan_explanation(engine, "registered", 9, NULL, &failure)) \
    X(explanation_not_found, SKAN_NOT_FOUND, skan_explanation(engine, "registered", 9, &text, &failure)) \
    X(explanation_ended, SKAN_WINDOW_CLOSED, skan_explanation(engine, "reengaged", 1, &text, &failure)) \
    X(update_conversion_values_unknown_model, SKAN_ERROR_MODEL_UNKNOWN, \
      skan_update_conversion_values(asking, "modelled", EVENT(.name = "e"), NULL, &failure)) \
    X(rename_not_found, SKAN_NOT_FOUND, skan_rename(engine, "nobody", "new", &failure)) \
    X(rename_already_registered, SKAN_ALREADY_REGISTERED, skan_rename(engine, "counted", "registered", &failure)) \
    X(rename_too_long_an_id, INVALID, skan_rename(engine, "registered", long_text, &failure)) \
    X(record_read_damaged, SKAN_ERROR_CORRUPT_RECORD, record_read("\1damaged", 8)) \
    X(record_read_too_new, SKAN_ERROR_RECORD_TOO_NEW, record_read("\377new", 4)) \
    X(json_read_no_object, SKAN_ERROR_MALFORMED_RESPONSE, skan_json_read("[1]", 3, see, NULL, &failure)) \
    X(json_read_no_json, SKAN_ERROR_MALFORMED_RESPONSE, skan_json_read("{\"a\":1,}", 8, see, NULL, &failure)) \
    X(http_request_start_url, INVALID, http_start("ftp://example.com/")) \
    X(http_client_create_max_attempts, INVALID, http_client((skan_http_options){.max_attempts = 9999})) \
    X(http_client_create_ca_file, SKAN_ERROR_TRANSPORT, \
      http_client((skan_http_options){.ca_file = "/nowhere/ca.pem"})) \
    X(http_transport_open_reserved, INVALID, transport_open((skan_http_options){.reserved = 1})) \
    X(postback_keys_create_spki, INVALID, postback_keys("4.0", "AAAA")) \
    X(postback_keys_create_name, INVALID, postback_keys("", "AAAA")) \
    X(postback_verify_null, INVALID, verify(NULL, 1)) \
    X(postback_read_null, INVALID, skan_postback_read(NULL, NULL, &failure)) \
    X(postback_json_null, INVALID, skan_postback_json(NULL, &text, &failure)) \
    X(postback_receiver_create_no_store, INVALID, \
      receiver_create((skan_postback_receiver_options){.app_id_count = 0})) \
    X(postback_receive_network, INVALID, receive(long_text, "{}", 2)) \
    X(postback_receive_too_long, LIMIT, receive("network", long_text, LONG)) \
    X(postback_receive_save_fails, SKAN_ERROR_STORE, receive_while((trouble){.save = SKAN_ERROR_STORE})) \
    X(postback_receive_no_time, SKAN_ERROR_CLOCK, receive_while((trouble){.has_no_time = true})) \
    X(postback_record_read_damaged, SKAN_ERROR_CORRUPT_RECORD, postback_record("skpb", 4)) \
    X(postback_record_read_null, INVALID, postback_record(NULL, 1)) \
    X(sqlite_store_open_synchronous, INVALID, \
      sqlite_open("/nowhere/store.db", (skan_sqlite_options){.synchronous = 99})) \
    X(sqlite_store_open_no_folder, SKAN_ERROR_STORE, \
      sqlite_open("/nowhere/store.db", (skan_sqlite_options){.reserved = 0})) \
    X(postgres_store_open_url, INVALID, postgres_open("postgresql://host:port/", (skan_postgres_options){0})) \
    X(postgres_store_open_table, INVALID, postgres_open("host=/nowhere", (skan_postgres_options){.table = ""})) \
    X(postgres_store_open_no_folder, SKAN_ERROR_STORE, postgres_open("host=/nowhere", (skan_postgres_options){0})) \
    X(redis_store_open_url, INVALID, redis_open("redis://host:port", (skan_redis_options){0})) \
    X(redis_store_open_prefix, INVALID, redis_open("redis://host", (skan_redis_options){.prefix = "{"})) \
    X(redis_store_open_no_folder, SKAN_ERROR_STORE, redis_open("redis+unix:///nowhere/socket", (skan_redis_options){0})) \
    X(redis_store_open_no_authorities, SKAN_ERROR_STORE, \
      redis_open("rediss://host?cacert=/nowhere/ca.pem", (skan_redis_options){0}))

#define FUNCTION(name, status, ...) \
    static skan_status name(void) { return __VA_ARGS__; }
REFUSALS(FUNCTION)

typedef struct refusal {
    const char *name;
    skan_status status;
    skan_status (*call)(void);
} refusal;

static const refusal refusals[] = {
#define ROW(name, status, ...) {#name, status, name},
    REFUSALS(ROW)};

/* ------------------------------------------------------------------------------ functions whose hooks fail for ever */

static skan_status call_explanation(skan_engine *of, const char *id, char **given) {
    *given = NULL;
    return skan_explanation(of, id, 0, &text, &failure);
}

static skan_status call_reengage(skan_engine *of, const char *id, char **given) {
    *given = NULL;
    return reengage(of, id, (skan_reengagement_report){.is_started = true});
}

static skan_status call_update_with_reengagements(skan_engine *of, const char *id, char **given) {
    *given = NULL;
    return update_with(of, id, (skan_event){.name = "purchase", .amount = {.number = 1}, .currency = "USD"});
}

static skan_status call_end_reengagement(skan_engine *of, const char *id, char **given) {
    *given = NULL;
    return skan_end_reengagement(of, id, 1, &failure);
}

static skan_status call_reengagements(skan_engine *of, const char *id, char **given) {
    *given = NULL;
    return skan_reengagements(of, id, &text, &failure);
}

static skan_status call_explanation_of_a_reengagement(skan_engine *of, const char *id, char **given) {
    *given = NULL;
    return skan_explanation(of, id, 1, &text, &failure);
}

static skan_status call_rename(skan_engine *of, const char *id, char **given) {
    *given = NULL;
    return skan_rename(of, id, "new", &failure);
}

/* On an engine with models for re-engagements, but for the explanation of an install. */
static const function more_functions[] = {
    {"explanation", call_explanation, true},
    {"reengage", call_reengage, true},
    {"update_conversion_values of a re-engagement", call_update_with_reengagements, true},
    {"end_reengagement", call_end_reengagement, false},
    {"reengagements", call_reengagements, false},
    {"explanation of a re-engagement", call_explanation_of_a_reengagement, true},
    {"rename", call_rename, false},
};

/* The functions that a trouble concerns: by what they do on an install that is registered. */
typedef enum concerned { EVERY, NOT_FORGET, WITH_A_CLOCK, THOSE_THAT_SAVE, FORGET_ALONE, WITH_A_TRANSPORT } concerned;

/* Those that save and remove are tried again by the call, after pauses: they are called less often. */
typedef struct condition {
    const char *name;
    const char *install_id;
    skan_status status;
    trouble trouble;
    concerned concerned;
    long share;
} condition;

static const condition conditions[] = {
    {"an id of no byte", "", INVALID, {0}, EVERY, 1},
    {"load fails", "registered", SKAN_ERROR_STORE, {.load = SKAN_ERROR_STORE}, EVERY, 1},
    {"a damaged record", "registered", SKAN_ERROR_CORRUPT_RECORD, {.record = DAMAGED}, NOT_FORGET, 1},
    {"a newer record", "registered", SKAN_ERROR_RECORD_TOO_NEW, {.record = TOO_NEW}, NOT_FORGET, 1},
    {"the clock fails", "registered", SKAN_ERROR_CLOCK, {.has_no_time = true}, WITH_A_CLOCK, 1},
    {"save fails", "registered", SKAN_ERROR_STORE, {.save = SKAN_ERROR_STORE}, THOSE_THAT_SAVE, 1},
    {"save conflicts", "registered", SKAN_ERROR_STORE_CONFLICT, {.save = SKAN_ERROR_STORE_CONFLICT}, THOSE_THAT_SAVE,
     1000},
    {"save is in doubt", "registered", SKAN_ERROR_STORE_UNKNOWN, {.save = SKAN_ERROR_STORE_UNKNOWN}, THOSE_THAT_SAVE,
     1000},
    {"remove fails", "registered", SKAN_ERROR_STORE, {.remove = SKAN_ERROR_STORE}, FORGET_ALONE, 1},
    {"remove conflicts", "registered", SKAN_ERROR_STORE_CONFLICT, {.remove = SKAN_ERROR_STORE_CONFLICT}, FORGET_ALONE,
     1000},
    {"remove is in doubt", "registered", SKAN_ERROR_STORE_UNKNOWN, {.remove = SKAN_ERROR_STORE_UNKNOWN}, FORGET_ALONE,
     1000},
    {"the transport fails", "registered", SKAN_ERROR_TRANSPORT, {.transport = SKAN_ERROR_STORE}, WITH_A_TRANSPORT, 1},
    {"too long an answer", "registered", LIMIT, {.transport = LIMIT}, WITH_A_TRANSPORT, 1},
    {"no object", "registered", SKAN_ERROR_MALFORMED_RESPONSE, {.answer = "[]"}, WITH_A_TRANSPORT, 1},
    {"a value out of range", "registered", SKAN_ERROR_ILLEGAL_VALUE, {.answer = "{\"conversion_value\":64}"},
     WITH_A_TRANSPORT, 1},
    {"a rejection", "registered", SKAN_ERROR_REJECTED, {.answer = "{\"status\":\"error\",\"reason\":\"no\"}"},
     WITH_A_TRANSPORT, 1},
};

static bool is_concerned(concerned by, const function *function) {
    const bool asks =
        function == &functions[UPDATE_CONVERSION_VALUES] || function == &functions[UPDATE_WITH_AMOUNT];
    const bool saves = asks || function == &functions[UPDATE_REVENUE] || function == &functions[UPDATE_REVENUE_MANY] ||
                       function == &functions[APPLY_RESPONSE] || function->call == call_reengage ||
                       function->call == call_update_with_reengagements || function->call == call_rename;
    switch (by) {
    case NOT_FORGET: return function != &functions[FORGET];
    case WITH_A_CLOCK: return function->asks_clock;
    case THOSE_THAT_SAVE: return saves;
    case FORGET_ALONE: return function == &functions[FORGET];
    case WITH_A_TRANSPORT: return asks;
    default: return true;
    }
}

/* -------------------------------------------------------------------------------------------------------- the cases */

/* A refusal, or a function under a condition. */
typedef struct subject {
    const char *name;
    const refusal *refusal;
    const condition *condition;
    const function *function;
} subject;

static skan_engine *engine_for(const subject *subject) {
    if (subject->function >= functions && subject->function < functions + FUNCTION_COUNT) return asking;
    return subject->function->call == call_explanation ? deciding : engine;
}

static skan_status call(const subject *subject) {
    if (subject->refusal) return subject->refusal->call();
    char *given = NULL;
    const skan_status status =
        subject->function->call(engine_for(subject), subject->condition->install_id, &given);
    free(given);
    return status;
}

static skan_status expected(const subject *subject) {
    return subject->refusal ? subject->refusal->status : subject->condition->status;
}

static void make_world_of(const subject *subject) {
    static const trouble none = {0};
    make_world(subject->refusal ? &none : &subject->condition->trouble);
}

/* In bytes. */
static long resident_memory(void) {
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &size, &resident) != 2) abort();
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

/* The smallest object has 32 bytes. Few calls are for valgrind: caches of OpenSSL still grow during them. */
static void keeps_its_memory(const void *argument) {
    const subject *subject = argument;
    const long share = subject->refusal ? 1 : subject->condition->share;
    const long most = calls / share > 40 ? calls / share : 40, warm_up = most > 2 * WARM_UP ? WARM_UP : most / 2;
    make_world_of(subject);
    for (long i = 0; i < warm_up; i++) SETTLE(call(subject));
    const size_t before = mallinfo2().uordblks;
    const long resident_before = resident_memory();
    for (long i = warm_up; i < most; i++) SETTLE(call(subject));
    const size_t after = mallinfo2().uordblks;
    const long resident_after = resident_memory();
    const size_t slack = most < 1000 ? 1 << 15 : 16 * (size_t)(most - warm_up);
    EXPECT(after < before + slack, "%ld calls kept %zu bytes", most - warm_up, after - before);
    if (warm_up == WARM_UP) {
        EXPECT(resident_after < resident_before + (1 << 20), "%ld calls kept %ld bytes resident", most - warm_up,
               resident_after - resident_before);
        printf("%s: resident %ld KiB after %ld calls, %ld KiB after %ld\n", subject->name, resident_before / 1024,
               warm_up, resident_after / 1024, most);
    }
    end_world();
}

static void answers_as_expected(const void *argument) {
    make_world_of(argument);
    ANSWER(expected(argument), call(argument));
    end_world();
}

/* Each in a process of its own, so that what one keeps is not another's. */
static void judge(const subject *subject) {
    in_round("%s", subject->name);
    run_case("answers_as_expected", answers_as_expected, subject);
    run_case("keeps_its_memory", keeps_its_memory, subject);
}

/* For valgrind, which looks for what each call lost when the process ends: a search costs more than many calls. */
static void each_answers_as_expected(const void *argument) {
    for (const subject *subject = argument; subject->name; subject++) {
        in_round("%s", subject->name);
        answers_as_expected(subject);
    }
}

static size_t subject_count;
static subject subjects[MOST_SUBJECTS + 1];

static void add(subject subject) {
    if (subject_count == MOST_SUBJECTS) abort();
    subjects[subject_count++] = subject;
}

static void add_functions(const condition *condition, const function *list, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (!is_concerned(condition->concerned, &list[i])) continue;
        add((subject){text_of("%s: %s", list[i].name, condition->name), NULL, condition, &list[i]});
    }
}

int main(int argument_count, char **arguments) {
    if (argument_count > 1) calls = strtol(arguments[1], NULL, 10);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        add((subject){refusals[i].name, &refusals[i], NULL, NULL});
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        add_functions(&conditions[i], functions, FUNCTION_COUNT);
        add_functions(&conditions[i], more_functions, sizeof more_functions / sizeof *more_functions);
    }
    if (calls == 1)
        run_case("each_answers_as_expected", each_answers_as_expected, subjects);
    else
        for (size_t i = 0; i < subject_count; i++) judge(&subjects[i]);
    return finish_cases();
}
