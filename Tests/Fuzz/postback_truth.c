#include "postback_truth.h"

#include "fuzz.h"

#include <json-c/json.h>

void require_consistent(const skan_postback *postback) {
    char *json = NULL;
    skan_error *error = NULL;
    REQUIRE(settled(skan_postback_json(postback, &json, &error), error) == SKAN_OK);
    struct json_tokener *tokener = json_tokener_new_ex(64);
    struct json_object *read = json_tokener_parse_ex(tokener, json, (int)strlen(json)), *result = NULL;
    REQUIRE(read != NULL && json_tokener_get_error(tokener) == json_tokener_success);
    REQUIRE(json_object_object_get_ex(read, "result", &result));
    REQUIRE(strcmp(json_object_get_string(result), skan_postback_result_name(skan_postback_result(postback))) == 0);
    json_object_put(read);
    json_tokener_free(tokener);
    skan_free(json);

    skan_postback_fields fields = {.size = sizeof fields};
    REQUIRE(settled(skan_postback_read(postback, &fields, &error), error) == SKAN_OK);
    REQUIRE(fields.postback_sequence_index >= 0 && fields.postback_sequence_index <= 2);
    REQUIRE(fields.conversion_value >= -1 && fields.conversion_value <= 63);
    REQUIRE(fields.coarse_conversion_value >= -1 && fields.coarse_conversion_value <= 2);
    bool is_known = fields.conversion_type >= SKAN_CONVERSION_NONE &&
                    fields.conversion_type <= SKAN_CONVERSION_REENGAGEMENT;
    REQUIRE(is_known || (fields.conversion_type == SKAN_CONVERSION_OTHER && fields.unknown_type != NULL));
    bool is_kit = fields.framework == SKAN_ADATTRIBUTIONKIT;
    if (!is_kit) REQUIRE(fields.conversion_type == fields.redownload + 1);
    int32_t outcome = skan_postback_result(postback);
    bool is_proven = outcome == SKAN_POSTBACK_VALID || outcome == SKAN_POSTBACK_DEVELOPMENT;
    size_t count = 0;
    const char *const *names = skan_postback_signed_fields(postback, &count);
    REQUIRE(names[count] == NULL && (count > 0) == is_proven);
    bool is_refused = outcome == SKAN_POSTBACK_MALFORMED || outcome == SKAN_POSTBACK_UNVERIFIABLE;
    REQUIRE((skan_postback_problem(postback)[0] != '\0') == is_refused);
    if (outcome == SKAN_POSTBACK_MALFORMED) REQUIRE(skan_postback_record_key(postback) == NULL);
    if (is_proven) REQUIRE(skan_postback_record_key(postback) != NULL);
}

int32_t require_verified(const void *body, size_t length, const skan_postback_keys *keys) {
    const skan_postback_options options = {sizeof options, keys};
    skan_postback *postback = NULL, *again = NULL;
    skan_error *error = NULL;
    skan_status status = settled(skan_postback_verify(body, length, &options, &postback, &error), error);
    REQUIRE(status == (length > SKAN_RESPONSE_MAX ? SKAN_ERROR_LIMIT_EXCEEDED : SKAN_OK));
    if (status != SKAN_OK) return -1;
    require_consistent(postback);
    int32_t result = skan_postback_result(postback);
    if (result == SKAN_POSTBACK_INVALID) REQUIRE(skan_postback_record_key(postback) != NULL);
    size_t canonical = 0;
    const void *form = skan_postback_canonical_body(postback, &canonical);
    if (skan_postback_is_respelled(postback)) {
        skan_postback *strict = NULL;
        REQUIRE(settled(skan_postback_verify(form, canonical, &options, &strict, &error), error) == SKAN_OK);
        REQUIRE(skan_postback_result(strict) == result && !skan_postback_is_respelled(strict));
        skan_postback_destroy(strict);
    }
    REQUIRE(settled(skan_postback_verify(body, length, &options, &again, &error), error) == SKAN_OK);
    REQUIRE(result == skan_postback_result(again));
    skan_postback_destroy(postback);
    skan_postback_destroy(again);
    return result;
}
