/*
 * Calls that refuse, on the libraries as they are installed: memory stays as it was. Sanitizers see plain Swift alone,
 * and the libraries are Embedded Swift, which frees other things by itself.
 *
 *     refusals [CALLS]     so many calls of each function
 */
#define _GNU_SOURCE
#include "Hosts/C/support.h"

#include <skan/http.h>
#include <skan/postback.h>
#include <skan/sqlite.h>

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define INVALID SKAN_ERROR_INVALID_ARGUMENT

static long calls = 1000;

/* What the calls work on. */
static skan *engine;
static skan_http_client *client;

static void make_engine(void) {
    static const char returns[] =
        "{\"schema\":1,\"id\":\"return\",\"conversion\":\"re-engagement\",\"windows\":[{\"rules\":[{\"fine\":0,"
        "\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]}]}";
    skan_model *model = NULL;
    ANSWER(SKAN_OK, skan_model_create(returns, sizeof returns - 1, &model, &failure));
    skan_model *const models[] = {model};
    const skan_options options = {
        .size = sizeof options, .reengagement_models = models, .reengagement_model_count = 1};
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    skan_model_destroy(model);
}

static skan_status create(skan_options options) {
    skan *made = NULL;
    options.size = sizeof options;
    return skan_create(&options, &made, &failure);
}

static skan_status wrong_protocol(void) { return create((skan_options){.protocol = 7}); }

static skan_status wrong_endpoint(void) { return create((skan_options){.endpoint_url = "nowhere"}); }

static skan_status long_cooldown(void) { return create((skan_options){.reengagement_cooldown_hours = 721}); }

static skan_status no_model(void) {
    skan_model *model = NULL;
    return skan_model_create("{\"schema\":1}", 12, &model, &failure);
}

static skan_status wrong_path(void) {
    skan_status outcome;
    char *json;
    return skan_answer_request(engine, "/api/v9/nothing?a=1&i=com.example.game", &outcome, &json, &failure);
}

static skan_status no_number(void) { return skan_end_reengagement(engine, "a", 0, &failure); }

static skan_status no_number_to_explain(void) {
    char *json;
    return skan_explain_reengagement(engine, "a", 0, &json, &failure);
}

static skan_status no_open(void) {
    const skan_reengagement report = {.size = sizeof report, .is_started = 2};
    uint32_t number;
    return skan_reengage(engine, "a", &report, &number, &failure);
}

static skan_status no_currency(void) { return skan_update_revenue(engine, "a", 1, "DOLLAR", false, NULL, &failure); }

static skan_status a_bad_item(void) {
    const skan_revenue item = {.size = sizeof item, .install_id = "a", .amount = 1, .currency = "DOLLAR"};
    skan_status status;
    return skan_update_revenue_many(engine, &item, 1, &status, &failure);
}

static skan_status no_details(void) { return skan_import_details(engine, "a", "[]", 2, &failure); }

static skan_status no_answer(void) {
    skan_update update = {.size = sizeof update};
    return skan_apply_response(engine, "a", 0, "[]", 2, &update, &failure);
}

static skan_status a_refused_url(void) {
    uint64_t request;
    return skan_http_request_start(client, "ftp://example.com/", NULL, NULL, &request, &failure);
}

static skan_status no_ca_file(void) {
    const skan_http_options options = {.size = sizeof options, .ca_file = "/nowhere/ca.pem"};
    skan_http_client *made = NULL;
    return skan_http_client_create(&options, &made, &failure);
}

static skan_status no_key(void) {
    const skan_postback_key key = {.name = "4.0", .spki = "AAAA"};
    skan_postback_keys *keys = NULL;
    return skan_postback_keys_create(&key, 1, &keys, &failure);
}

static skan_status no_file(void) {
    skan_store store = {0};
    return skan_sqlite_store_open("/nowhere/store.db", NULL, &store, &failure);
}

static const struct {
    const char *name;
    skan_status (*call)(void);
    skan_status status;
} refusals[] = {
    {"skan_create: protocol", wrong_protocol, INVALID},
    {"skan_create: endpoint_url", wrong_endpoint, INVALID},
    {"skan_create: reengagement_cooldown_hours", long_cooldown, INVALID},
    {"skan_model_create", no_model, SKAN_ERROR_INVALID_DOCUMENT},
    {"skan_answer_request", wrong_path, INVALID},
    {"skan_end_reengagement", no_number, INVALID},
    {"skan_explain_reengagement", no_number_to_explain, INVALID},
    {"skan_reengage", no_open, INVALID},
    {"skan_update_revenue", no_currency, INVALID},
    {"skan_update_revenue_many", a_bad_item, INVALID},
    {"skan_import_details", no_details, SKAN_ERROR_INVALID_DOCUMENT},
    {"skan_apply_response", no_answer, SKAN_ERROR_MALFORMED_RESPONSE},
    {"skan_http_request_start", a_refused_url, INVALID},
    {"skan_http_client_create", no_ca_file, SKAN_ERROR_TRANSPORT},
    {"skan_postback_keys_create", no_key, INVALID},
    {"skan_sqlite_store_open", no_file, SKAN_ERROR_STORE},
};

/* What the first calls make once stays, as the caches of OpenSSL do. The smallest object has 32 bytes. */
static void keeps_its_memory(const void *subject) {
    skan_status (*const *call)(void) = subject;
    make_engine();
    const skan_http_options options = {.size = sizeof options};
    ANSWER(SKAN_OK, skan_http_client_create(&options, &client, &failure));
    for (long i = 0; i < calls; i++) SETTLE((*call)());
    const size_t before = mallinfo2().uordblks;
    for (long i = 0; i < calls; i++) SETTLE((*call)());
    const size_t after = mallinfo2().uordblks;
    EXPECT(after < before + 16 * (size_t)calls, "%ld calls kept %zu bytes", calls, after - before);
    skan_http_client_destroy(client);
    skan_destroy(engine);
}

static void answers_as_expected(const void *subject) {
    const size_t which = *(const size_t *)subject;
    make_engine();
    const skan_http_options options = {.size = sizeof options};
    ANSWER(SKAN_OK, skan_http_client_create(&options, &client, &failure));
    ANSWER(refusals[which].status, refusals[which].call());
    skan_http_client_destroy(client);
    skan_destroy(engine);
}

int main(int argc, char **argv) {
    if (argc > 1) calls = strtol(argv[1], NULL, 10);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        in_round("%s", refusals[i].name);
        run_case("answers_as_expected", answers_as_expected, &i);
        run_case("keeps_its_memory", keeps_its_memory, &refusals[i].call);
    }
    return finish_cases();
}
