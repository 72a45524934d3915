/* skan_answer_request: what skan.h promises of it, and that an engine that asks it ends as one that has the models. */
#define _GNU_SOURCE
#include "contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char counting[] =
    "{\"schema\":1,\"id\":\"counting\",\"currency\":\"USD\",\"rates\":{\"EUR\":\"1.09\"},"
    "\"raise_only\":true,\"windows\":["
    "{\"rules\":[{\"fine\":0,\"coarse\":0,\"when\":{}},"
    "{\"fine\":4,\"coarse\":0,\"when\":{\"sessions\":{\"min\":3}}},"
    "{\"fine\":9,\"coarse\":1,\"when\":{\"events\":[{\"name\":\"win\",\"min_count\":2}]}},"
    "{\"fine\":20,\"coarse\":2,\"when\":{\"revenue\":{\"kind\":\"all\",\"scope\":\"window\",\"min\":5}}},"
    "{\"fine\":63,\"coarse\":2,\"lock\":true,"
    "\"when\":{\"revenue\":{\"kind\":\"iap\",\"scope\":\"lifetime\",\"min\":90}}}]},"
    "{\"rules\":[{\"coarse\":0,\"when\":{\"sessions\":{\"min\":2}}},"
    "{\"coarse\":2,\"lock\":true,\"when\":{\"events\":[{\"name\":\"win\"}],\"day\":{\"min\":4}}}]},"
    "{\"rules\":[{\"coarse\":1,\"when\":{}},"
    "{\"coarse\":2,\"when\":{\"revenue\":{\"kind\":\"ad\",\"scope\":\"window\",\"min\":1}}}]}]}";
/* Lowers too, and gives no coarse value. */
static const char lowering[] =
    "{\"schema\":1,\"id\":\"lowering\",\"raise_only\":false,\"windows\":["
    "{\"rules\":[{\"fine\":30,\"when\":{}},{\"fine\":12,\"when\":{\"sessions\":{\"min\":2}}},"
    "{\"fine\":40,\"coarse\":1,\"when\":{\"events\":[{\"name\":\"win\"}]}}]},"
    "{\"rules\":[{\"coarse\":2,\"when\":{}},{\"coarse\":0,\"when\":{\"sessions\":{\"min\":2}}}]},{\"rules\":[]}]}";
static const char three[] =
    "{\"schema\":1,\"id\":\"three\",\"protocol\":3,\"currency\":\"USD\",\"windows\":[{\"rules\":["
    "{\"fine\":3,\"when\":{\"sessions\":{\"min\":2}}},{\"fine\":8,\"when\":{\"events\":[{\"name\":\"win\"}]}},"
    "{\"fine\":33,\"when\":{\"revenue\":{\"kind\":\"iap\",\"scope\":\"lifetime\",\"min\":10}}}]}]}";

#define QUERY4                                                                                                     \
    "a=" SDK_KEY "&v=17.2&i=com.example.game&app_v=1&n=__SESSION__&p=iOS&idfv=user&skan_current_conversion_value=0" \
    "&p0_coarse=0&skan_first_call_to_skadnetwork_timestamp=1700000000"
#define QUERY3 \
    "i=com.example.game&app_v=1&n=purchase&p=iOS&idfv=user&first_call_to_skadnetwork_timestamp=1700000000"
static const char request4[] = "/api/v2/conversion_value?" QUERY4;
static const char request3[] = "/api/v1/conversion_value?" QUERY3;

/* A host with an engine that answers: by the model, or as the test endpoint where there is none. */
static host *endpoint(const char *json, uint32_t protocol, skan_model **model) {
    host *host = host_make();
    host->clock.microseconds = INT64_C(1700000000000000);
    host->options.protocol = protocol;
    host->options.transport = NULL;
    *model = NULL;
    if (json) {
        ANSWER(SKAN_OK, skan_model_create(json, strlen(json), model, &failure));
        host->options.models = model;
        host->options.model_count = 1;
    }
    host_open(host);
    return host;
}

static void end_endpoint(host *host, skan_model *model) {
    host_end(host);
    skan_model_destroy(model);
}

/* What is answered; freed by the caller. */
static char *answer_of(skan *engine, const char *target, skan_status expected) {
    skan_status outcome = -1;
    char *json = NULL;
    ANSWER(SKAN_OK, skan_answer_request(engine, target, &outcome, &json, &failure));
    EXPECT_STATUS(expected, outcome);
    return json;
}

static void expect_answer(skan *engine, const char *target, skan_status outcome, const char *expected) {
    char *json = answer_of(engine, target, outcome);
    EXPECT_TEXT(expected, json);
    skan_free(json);
}

/* A call that ends in an error gives nothing. */
static void expect_error(skan_status expected, skan *engine, const char *target) {
    char nothing, *json = &nothing;
    skan_status outcome = SKAN_ERROR_REJECTED;
    ANSWER(expected, skan_answer_request(engine, target, &outcome, &json, &failure));
    EXPECT(json == NULL && outcome == SKAN_OK, "a failed call gives an answer");
}

static void arguments_are_checked(const void *subject) {
    (void)subject;
    skan_model *model;
    host *host = endpoint(counting, 4, &model);
    char *json = NULL;
    expect_error(SKAN_ERROR_INVALID_ARGUMENT, NULL, request4);
    expect_error(SKAN_ERROR_INVALID_ARGUMENT, host->engine, NULL);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_answer_request(host->engine, request4, NULL, NULL, &failure));
    static const char *const paths[] = {"", "?", request3, "/api/v2/conversion_value/", "api/v2/conversion_value?a=1",
                                        "/api/v2/conversion_valu", "/api/v2/conversion_value&a=1"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        in_round("%s", paths[i]);
        expect_error(SKAN_ERROR_INVALID_ARGUMENT, host->engine, paths[i]);
    }
    in_round("%s", "");
    EXPECT_STATUS(SKAN_OK, skan_answer_request(host->engine, request4, NULL, &json, NULL));
    skan_free(json);
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_answer_request(NULL, request4, NULL, &json, NULL));
    expect_answer(host->engine, "/api/v2/conversion_value", SKAN_ERROR_REJECTED,
                  "{\"status\":\"error\",\"reason\":\"Conversion Management: Invalid parameter a given\"}");

    char *filling = repeated("y", SKAN_REQUEST_MAX - sizeof request4 - 2);
    char *longest = text_of("%s&x=%s", request4, filling);
    free(filling);
    EXPECT_NUMBER(SKAN_REQUEST_MAX, strlen(longest));
    skan_free(answer_of(host->engine, longest, SKAN_NO_NEW_VALUE));
    char *longer = text_of("%sy", longest);
    expect_error(SKAN_ERROR_INVALID_ARGUMENT, host->engine, longer);
    free(longest);
    free(longer);
    end_endpoint(host, model);
}

static void an_engine_with_a_transport_is_no_endpoint(const void *subject) {
    (void)subject;
    host *host = host_with_engine();
    expect_error(SKAN_ERROR_MISUSE, host->engine, request4);
    expect_error(SKAN_ERROR_INVALID_ARGUMENT, host->engine, request3);
    host_end(host);
}

static void a_key_is_of_path_app_and_user(const void *subject) {
    (void)subject;
    skan_model *model;
    host *host = endpoint(counting, 4, &model);
    skan_free(answer_of(host->engine, request4, SKAN_NO_NEW_VALUE));
    EXPECT(host_store_find(&host->store, "v2/com.example.game/user") != NULL, "no record under the key");
    EXPECT_NUMBER(1, host->store.count);
    skan_free(answer_of(host->engine, "/api/v2/conversion_value?" QUERY4 "&idfa=other", SKAN_NO_NEW_VALUE));
    EXPECT_NUMBER(1, host->store.count);
    /* Whose idfa has this idfv's text is another user: two sessions are there, and the third one is not that user's. */
    char *by_idfa = strdup("/api/v2/conversion_value?" QUERY4);
    char *id = strstr(by_idfa, "idfv=");
    if (EXPECT(id != NULL, "%s", by_idfa)) id[3] = 'a';
    skan_free(answer_of(host->engine, by_idfa, SKAN_NO_NEW_VALUE));
    free(by_idfa);
    EXPECT(host_store_find(&host->store, "v2-idfa/com.example.game/user") != NULL, "no record under the key");
    EXPECT_NUMBER(2, host->store.count);
    skan_free(answer_of(host->engine, request4, SKAN_OK));
    EXPECT_NUMBER(2, host->store.count);
    /* What is refused leaves nothing. */
    skan_free(answer_of(host->engine, "/api/v2/conversion_value?" QUERY4 "&n=twice", SKAN_ERROR_REJECTED));
    EXPECT_NUMBER(2, host->store.count);
    end_endpoint(host, model);
}

static void the_test_endpoint_counts_to_two(const void *subject) {
    (void)subject;
    skan_model *model;
    host *host = endpoint(NULL, 3, &model);
    expect_answer(host->engine, request3, SKAN_OK, "{\"conversion_value\":0,\"status\":\"ok\"}");
    expect_answer(host->engine, request3, SKAN_OK, "{\"conversion_value\":1,\"status\":\"ok\"}");
    expect_answer(host->engine, request3, SKAN_OK, "{\"conversion_value\":2,\"status\":\"ok\"}");
    for (int i = 0; i < 3; i++)
        expect_answer(host->engine, request3, SKAN_NO_NEW_VALUE, "{\"conversion_value\":\"\",\"status\":\"ok\"}");
    end_endpoint(host, model);
    host = endpoint(NULL, 4, &model);
    expect_answer(host->engine, request4, SKAN_ERROR_REJECTED,
                  "{\"status\":\"error\",\"reason\":\"Conversion Management: Conversion Model not found for app: "
                  "com.example.game\"}");
    end_endpoint(host, model);
}

static void reasons_are_json(const void *subject) {
    (void)subject;
    skan_model *model;
    host *host = endpoint(NULL, 4, &model);
    char *target = text_of("/api/v2/conversion_value?%s", "a=1&v=1&i=%22%5C%C3%A9%F0%9F%8E%AE&app_v=1&n=x&p=iOS&idfv=u"
                           "&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=1700000000");
    expect_answer(host->engine, target, SKAN_ERROR_REJECTED,
                  "{\"status\":\"error\",\"reason\":\"Conversion Management: Conversion Model not found for app: "
                  "\\\"\\\\\xC3\xA9\xF0\x9F\x8E\xAE\"}");
    free(target);
    end_endpoint(host, model);
}

/* ---------------------------------------------------------------------------------------------------------- hooks */

typedef struct faulty {
    host *host;
    skan *engine;
    int conflicts;                  /* left to be answered */
    skan_status load, save;         /* what is answered instead; 0 = what the store does */
    bool in_doubt; /* saves are applied, and nobody knows */
    int loads, saves, nested;
} faulty;

static void call_back(faulty *faulty) {
    if (!faulty->engine) return;
    skan_error *outer = failure;
    char *json = NULL;
    ANSWER(SKAN_ERROR_MISUSE, skan_answer_request(faulty->engine, request4, NULL, &json, &failure));
    ANSWER(SKAN_ERROR_MISUSE, skan_explain(faulty->engine, "a", &json, &failure));
    failure = outer;
    faulty->nested++;
}

static skan_status faulty_load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    faulty *faulty = context;
    call_back(faulty);
    faulty->loads++;
    return faulty->load ? faulty->load : host_store_load(&faulty->host->store, key, out, version);
}

static skan_status faulty_save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                               uint64_t *version) {
    faulty *faulty = context;
    call_back(faulty);
    faulty->saves++;
    if (faulty->conflicts > 0) {
        faulty->conflicts--;
        return SKAN_ERROR_STORE_CONFLICT;
    }
    if (faulty->save) return faulty->save;
    skan_status status = host_store_save(&faulty->host->store, key, data, length, expected, version);
    return faulty->in_doubt ? SKAN_ERROR_STORE_UNKNOWN : status;
}

static skan_status faulty_remove(void *context, const char *key, uint64_t expected) {
    return host_store_remove(&((faulty *)context)->host->store, key, expected);
}

static void a_failing_store_is_told(const void *subject) {
    (void)subject;
    skan_model *model;
    host *host = endpoint(counting, 4, &model);
    faulty faulty = {.host = host};
    host->store_hooks = (skan_store){
        .size = sizeof(skan_store), .context = &faulty, .load = faulty_load, .save = faulty_save,
        .remove = faulty_remove};
    skan *engine = NULL;
    ANSWER(SKAN_OK, skan_create(&host->options, &engine, &failure));
    faulty.engine = engine;
    skan_free(answer_of(engine, request4, SKAN_NO_NEW_VALUE));
    EXPECT(faulty.nested >= 2, "no hook was called");
    ANSWER(SKAN_OK, skan_register(engine, "a", NULL, &failure));
    char *json = NULL;
    faulty.nested = 0;
    ANSWER(SKAN_OK, skan_explain(engine, "a", &json, &failure));
    EXPECT(faulty.nested > 0, "no hook was called");
    skan_free(json);
    faulty.engine = NULL;

    faulty.load = SKAN_ERROR_STORE;
    expect_error(SKAN_ERROR_STORE, engine, request4);
    ANSWER(SKAN_ERROR_STORE, skan_explain(engine, "a", &json, &failure));
    EXPECT(json == NULL, "a failed call gives a document");
    faulty.load = 0;
    faulty.save = SKAN_ERROR_STORE;
    expect_error(SKAN_ERROR_STORE, engine, request4);
    faulty.save = 0;
    faulty.conflicts = 3;
    int saves = faulty.saves;
    skan_free(answer_of(engine, request4, SKAN_NO_NEW_VALUE));
    EXPECT_NUMBER(saves + 4, faulty.saves);
    /* Nothing of the failed ones was counted, and what is in doubt counts once: the third session gives the value. */
    faulty.in_doubt = true;
    expect_answer(engine, request4, SKAN_OK,
                  "{\"conversion_value\":4,\"skan_updated_coarse_value\":0,\"postback_sequence_index\":0,"
                  "\"status\":\"ok\"}");
    faulty.in_doubt = false;
    host->clock.microseconds = -1;
    expect_error(SKAN_ERROR_CLOCK, engine, request4);
    ANSWER(SKAN_ERROR_CLOCK, skan_explain(engine, "a", &json, &failure));
    skan_destroy(engine);
    end_endpoint(host, model);
}

static void a_record_it_cannot_use_is_told(const void *subject) {
    (void)subject;
    static const char key[] = "v2/com.example.game/user";
    skan_model *model, *other;
    host *host = endpoint(counting, 4, &model);
    skan_free(answer_of(host->engine, request4, SKAN_NO_NEW_VALUE));
    skan *engine = NULL;
    ANSWER(SKAN_OK, skan_model_create(lowering, strlen(lowering), &other, &failure));
    skan_options options = host->options;
    options.models = &other;
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    expect_error(SKAN_ERROR_MODEL_UNKNOWN, engine, request4);
    /* Whoever installs the app again has the first model. */
    skan_free(answer_of(engine, "/api/v2/conversion_value?a=1&v=1&i=com.example.game&app_v=1&n=win&p=iOS&idfv=user"
                                "&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=1699999999",
                        SKAN_OK));
    expect_error(SKAN_ERROR_MODEL_UNKNOWN, host->engine, "/api/v2/conversion_value?a=1&v=1&i=com.example.game&app_v=1"
                 "&n=win&p=iOS&idfv=user&skan_current_conversion_value=0"
                 "&skan_first_call_to_skadnetwork_timestamp=1699999999");
    skan_destroy(engine);
    skan_model_destroy(other);
    host_store_put(&host->store, key, "\xFFxyz", 4);
    expect_error(SKAN_ERROR_RECORD_TOO_NEW, host->engine, request4);
    ANSWER(SKAN_OK, skan_forget(host->engine, key, &failure));
    skan_free(answer_of(host->engine, request4, SKAN_NO_NEW_VALUE));
    end_endpoint(host, model);
}

/* --------------------------------------------------------------------------------------------------- there and back */

/* GETs from the other engine. */
static skan_status get_from(void *context, const char *url, skan_buffer *body) {
    host *from = context;
    char *json = NULL;
    skan_error *error = NULL;
    const char *path = strstr(url, "/api/");
    EXPECT_STATUS(SKAN_OK, skan_answer_request(from->engine, path, NULL, &json, &error));
    skan_error_free(error);
    if (!json) return SKAN_ERROR_TRANSPORT;
    skan_status status = skan_buffer_set(body, json, strlen(json));
    skan_free(json);
    return status;
}

static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* The same history with models of one's own, and with an endpoint that has them: the same details at each step. */
static int live(uint32_t protocol, const char *json, uint64_t seed) {
    skan_model *model, *unused;
    host *decides = endpoint(json, protocol, &model), *answers = endpoint(NULL, protocol, &unused), *asks = host_make();
    answers->options.models = &model;
    answers->options.model_count = 1;
    skan_destroy(answers->engine);
    host_open(answers);
    asks->options.protocol = protocol;
    asks->transport_hooks = (skan_transport){sizeof(skan_transport), answers, get_from, NULL};
    asks->options.endpoint_url = "https://example.com";
    host_open(asks);
    const skan_device device = {.size = sizeof device, .os_version = "17.2", .idfv = "user +&=%"};
    host *const all[] = {decides, answers, asks};
    host *const both[] = {decides, asks};
    int64_t now = INT64_C(1700000000000000);
    for (int i = 0; i < 3; i++) all[i]->clock.microseconds = now;
    for (int i = 0; i < 2; i++) ANSWER(SKAN_OK, skan_register(both[i]->engine, "a", NULL, &failure));
    int values = 0;
    for (int step = 0; step < 60; step++) {
        uint64_t number = draw(&seed);
        in_round("protocol %u, step %d of seed %llx", protocol, step, (unsigned long long)seed);
        static const int64_t pauses[] = {0, 1, 60, 3600, 30000, 86399, 90000, 200000};
        now += pauses[number % (protocol == 4 ? 8 : 5)] * 1000000;
        for (int i = 0; i < 3; i++) all[i]->clock.microseconds = now;
        static const char *const names[] = {NULL, "win", "lose", "__SESSION__"};
        const char *name = names[number >> 8 & 3];
        double amount = (double)(int)(number >> 16 & 1023) / 100 - 2;
        const char *currency = number >> 32 & 1 ? "USD" : number >> 33 & 1 ? "EUR" : "XTS";
        bool is_ad = protocol == 4 && (number >> 34 & 1);
        skan_status statuses[2];
        for (int i = 0; i < 2; i++) {
            if (number >> 40 & 1)
                ANSWER(SKAN_OK, skan_update_revenue(both[i]->engine, "a", amount, currency, is_ad, NULL, &failure));
            statuses[i] = SETTLE(
                skan_update_conversion_values(both[i]->engine, "a", name, NULL, &device, NULL, &failure));
        }
        values += statuses[0] == SKAN_OK;
        /* An endpoint has no word for a locked window: there is no value. */
        if (statuses[0] == SKAN_WINDOW_LOCKED) statuses[0] = SKAN_NO_NEW_VALUE;
        EXPECT_STATUS(statuses[0], statuses[1]);
        char *details = details_of(decides->engine, "a");
        EXPECT_DETAILS(details, asks->engine, "a");
        free(details);
    }
    host_end(asks);
    host_end(answers);
    end_endpoint(decides, model);
    return values;
}

static void an_endpoint_decides_as_models_do(const void *subject) {
    (void)subject;
    uint64_t seed = 20260101;
    int values[3] = {0};
    for (int round = 0; round < 100; round++) {
        values[0] += live(4, counting, draw(&seed));
        values[1] += live(4, lowering, draw(&seed));
        values[2] += live(3, three, draw(&seed));
    }
    EXPECT(values[0] > 100 && values[1] > 100 && values[2] > 100, "%d, %d, %d", values[0], values[1], values[2]);
}

const contract_case endpoint_cases[] = {
    {"arguments of a request are checked", arguments_are_checked},
    {"an engine with a transport is no endpoint", an_engine_with_a_transport_is_no_endpoint},
    {"a key is of path, app and user", a_key_is_of_path_app_and_user},
    {"the test endpoint counts to two", the_test_endpoint_counts_to_two},
    {"reasons are JSON", reasons_are_json},
    {"a failing store is told", a_failing_store_is_told},
    {"a record it cannot use is told", a_record_it_cannot_use_is_told},
    {"an endpoint decides as models do", an_endpoint_decides_as_models_do},
    {NULL, NULL}};
