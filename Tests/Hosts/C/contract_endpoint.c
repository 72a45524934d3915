/* skan_answer_request and skan_explanation: arguments, outcomes and hooks. What is decided is proven in Tests/Core. */
#define _GNU_SOURCE
#include "contract.h"

#include <skan/model.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char model_json[] =
    "{\"schema\":1,\"id\":\"counting\",\"windows\":["
    "{\"rules\":[{\"fine\":4,\"coarse\":0,\"when\":{\"sessions\":{\"min\":3}}}]},{\"rules\":[]},{\"rules\":[]}]}";

static const char request4[] =
    "/api/v2/conversion_value?a=" SDK_KEY "&v=17.2&i=com.example.game&app_v=1&n=__SESSION__&p=iOS&idfv=user"
    "&skan_current_conversion_value=0&p0_coarse=0&skan_first_call_to_skadnetwork_timestamp=1700000000";
static const char request3[] = "/api/v1/conversion_value?i=com.example.game&app_v=1&n=purchase&p=iOS&idfv=user"
                               "&first_call_to_skadnetwork_timestamp=1700000000";

/* A host with an engine that answers by the model. */
static host *endpoint(void) {
    host *host = host_make();
    host->options.transport = NULL;
    ANSWER(SKAN_OK, skan_model_create(model_json, sizeof model_json - 1, &host->model, &failure));
    host->options.models = &host->model;
    host->options.model_count = 1;
    host_open(host);
    return host;
}

static void expect_answer(skan_engine *engine, const char *target, skan_status expected, const char *text) {
    char *json = NULL;
    ANSWER(expected, skan_answer_request(engine, target, &json, &failure));
    EXPECT_TEXT(text, json);
    skan_free(json);
}

/* A call that ends in another error than a refusal gives nothing. */
static void expect_error(skan_status expected, skan_engine *engine, const char *target) {
    char nothing, *json = &nothing;
    ANSWER(expected, skan_answer_request(engine, target, &json, &failure));
    EXPECT(json == NULL, "a failed call gives an answer");
}

CASE(arguments_are_checked) {
    host *host = endpoint();
    char *json = NULL;
    expect_error(SKAN_ERROR_INVALID_ARGUMENT, NULL, request4);
    expect_error(SKAN_ERROR_INVALID_ARGUMENT, host->engine, NULL);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_answer_request(host->engine, request4, NULL, &failure));
    static const char *const paths[] = {"", "?", request3, "/api/v2/conversion_value/", "/api/v2/conversion_valu"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        in_round("%s", paths[i]);
        expect_error(SKAN_ERROR_INVALID_ARGUMENT, host->engine, paths[i]);
    }
    in_round("%s", "");
    EXPECT_STATUS(SKAN_NO_NEW_VALUE, skan_answer_request(host->engine, request4, &json, NULL));
    skan_free(json);
    EXPECT(host_store_find(&host->store, "v2/com.example.game/user") != NULL, "no record under the key");
    EXPECT_STATUS(SKAN_ERROR_INVALID_ARGUMENT, skan_answer_request(NULL, request4, &json, NULL));
    expect_answer(host->engine, "/api/v2/conversion_value", SKAN_ERROR_REJECTED,
                  "{\"status\":\"error\",\"reason\":\"Conversion Management: Invalid parameter a given\"}");
    EXPECT_TEXT("Conversion Management: Invalid parameter a given", failure_message());

    char *filling = repeated("y", SKAN_REQUEST_MAX - sizeof request4 - 2);
    char *longest = text_of("%s&x=%s", request4, filling);
    EXPECT_NUMBER(SKAN_REQUEST_MAX, strlen(longest));
    expect_answer(host->engine, longest, SKAN_NO_NEW_VALUE, "{\"status\":\"ok\"}");
    char *longer = text_of("%sy", longest);
    expect_error(SKAN_ERROR_INVALID_ARGUMENT, host->engine, longer);
}

CASE(an_engine_with_a_transport_is_no_endpoint) {
    host *host = host_with_engine();
    expect_error(SKAN_ERROR_MISUSE, host->engine, request4);
    expect_error(SKAN_ERROR_INVALID_ARGUMENT, host->engine, request3);
}

/* ---------------------------------------------------------------------------------------------------------- hooks */

static const char *failing_hook;
static skan_status failing_status;

static skan_status call_back_and_fail(host *host, const char *hook) {
    char *json = NULL;
    ANSWER(SKAN_ERROR_MISUSE, skan_answer_request(host->engine, request4, &json, &failure));
    ANSWER(SKAN_ERROR_MISUSE, skan_explanation(host->engine, "a", 0, &json, &failure));
    return failing_hook && strcmp(hook, failing_hook) == 0 ? failing_status : SKAN_OK;
}

CASE(a_failing_store_is_told) {
    host *host = endpoint();
    char *json = NULL;
    ANSWER(SKAN_OK, skan_register(host->engine, "a", NULL, NULL, &failure));
    host->before = call_back_and_fail;
    host->hooks = 0;
    expect_answer(host->engine, request4, SKAN_NO_NEW_VALUE, "{\"status\":\"ok\"}");
    EXPECT_NUMBER(3, host->hooks);
    ANSWER(SKAN_OK, skan_explanation(host->engine, "a", 0, &json, &failure));
    EXPECT_NUMBER(5, host->hooks);
    skan_free(json);

    failing_hook = "load";
    failing_status = SKAN_ERROR_STORE;
    expect_error(SKAN_ERROR_STORE, host->engine, request4);
    ANSWER(SKAN_ERROR_STORE, skan_explanation(host->engine, "a", 0, &json, &failure));
    EXPECT(json == NULL, "a failed call gives a document");
    failing_hook = "save";
    expect_error(SKAN_ERROR_STORE, host->engine, request4);
    failing_status = SKAN_ERROR_STORE_CONFLICT;
    expect_error(SKAN_ERROR_STORE_CONFLICT, host->engine, request4);
    failing_hook = NULL;
    host_store_put(&host->store, "v2/com.example.game/user", "\xFFxyz", 4);
    expect_error(SKAN_ERROR_RECORD_TOO_NEW, host->engine, request4);
    host->clock.microseconds = -1;
    expect_error(SKAN_ERROR_CLOCK, host->engine, request4);
    ANSWER(SKAN_ERROR_CLOCK, skan_explanation(host->engine, "a", 0, &json, &failure));
}
