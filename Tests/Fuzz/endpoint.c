/*
 * A request to a conversion-value endpoint: any bytes as path and query, to engines of both protocols with and without
 * models. Behind the first NUL is a second request, which may be of the same user.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <skan/model.h>

#include <json-c/json.h>

static const char model4[] =
    "{\"schema\":1,\"id\":\"four\",\"currency\":\"USD\",\"windows\":[{\"rules\":[{\"fine\":0,\"when\":{}},"
    "{\"fine\":5,\"coarse\":1,\"when\":{\"sessions\":{\"min\":2}}},"
    "{\"fine\":9,\"coarse\":2,\"lock\":true,\"when\":"
    "{\"revenue\":{\"kind\":\"all\",\"scope\":\"window\",\"min\":5}}}]},"
    "{\"rules\":[{\"coarse\":1,\"when\":{}}]},{\"rules\":[{\"coarse\":2,\"lock\":true,\"when\":{}}]}]}";
static const char model3[] =
    "{\"schema\":1,\"id\":\"three\",\"protocol\":3,\"windows\":[{\"rules\":[{\"fine\":7,\"when\":{}},"
    "{\"fine\":9,\"when\":{\"events\":[{\"name\":\"win\"}]}}]}]}";

static struct json_object *member(struct json_object *json, const char *key) {
    struct json_object *value = NULL;
    json_object_object_get_ex(json, key, &value);
    return value;
}

/* What is answered is what the library itself takes of an endpoint. */
static void require_applies(uint32_t protocol, skan_status outcome, const char *body) {
    struct json_object *json = json_tokener_parse(body);
    REQUIRE(json != NULL && json_object_is_type(json, json_type_object));
    const char *status = json_object_get_string(member(json, "status"));
    REQUIRE(status != NULL && strcmp(status, outcome == SKAN_ERROR_REJECTED ? "error" : "ok") == 0);
    REQUIRE((member(json, "reason") != NULL) == (outcome == SKAN_ERROR_REJECTED));
    json_object_put(json);

    skan_error *error = NULL;
    const skan_options options = {
        .size = sizeof options, .protocol = protocol, .endpoint_url = "https://skan.example.com"};
    skan_engine *engine = engine_with(&options);
    REQUIRE(settled(skan_register(engine, "install", NULL, NULL, &error), error) == SKAN_OK);
    skan_status applied =
        settled(skan_apply_response(engine, "install", NULL, 0, body, strlen(body), NULL, &error), error);
    if (outcome == SKAN_ERROR_REJECTED)
        REQUIRE(applied == SKAN_ERROR_REJECTED);
    else
        REQUIRE(applied == SKAN_OK || applied == SKAN_NO_NEW_VALUE || applied == SKAN_STALE_RESPONSE);
    if (outcome != SKAN_OK) REQUIRE(applied != SKAN_OK);
    skan_destroy(engine);
}

static void ask(skan_engine *engine, uint32_t protocol, const char *target) {
    skan_error *error = NULL;
    char *json = NULL;
    skan_status status = settled(skan_answer_request(engine, target, &json, &error), error);
    REQUIRE((json != NULL) == (status != SKAN_ERROR_INVALID_ARGUMENT));
    if (json == NULL) return;
    REQUIRE(status == SKAN_OK || status == SKAN_NO_NEW_VALUE || status == SKAN_WINDOW_LOCKED ||
            status == SKAN_ERROR_REJECTED);
    require_applies(protocol, status, json);
    skan_free(json);
}

static void ask_engine(uint32_t protocol, const char *model_json, const char *first, const char *second) {
    skan_model *model = NULL;
    skan_error *error = NULL;
    int64_t now = INT64_C(1700000000000000);
    skan_clock clock = told_clock(&now);
    skan_options options = {.size = sizeof options,
                            .protocol = protocol,
                            .clock = &clock,
                            .endpoint_url = "https://skan.example.com"};
    if (model_json != NULL) {
        REQUIRE(settled(skan_model_create(model_json, strlen(model_json), &model, &error), error) == SKAN_OK);
        options.models = &model;
        options.model_count = 1;
    }
    skan_engine *engine = engine_with(&options);
    ask(engine, protocol, first);
    ask(engine, protocol, second);
    now += INT64_C(200000000000);
    ask(engine, protocol, first);
    skan_destroy(engine);
    skan_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = memchr(data, 0, size);
    size_t length = end == NULL ? size : (size_t)(end - data);
    char *first = strndup((const char *)data, length);
    char *second = end == NULL ? strdup(first) : strndup((const char *)end + 1, size - length - 1);
    ask_engine(4, model4, first, second);
    ask_engine(4, NULL, first, second);
    ask_engine(3, model3, first, second);
    ask_engine(3, NULL, first, second);
    free(first);
    free(second);
    return 0;
}
