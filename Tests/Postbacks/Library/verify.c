/* skan_postback_verify as C sees it: fields and texts, names, sizes, arguments. Rules are proven in Swift, in
 * Tests/Postbacks/Verify; postbacks.json runs through this library in Tests/Hosts/Cpp/postback.cpp. */
#include "signer.h"
#include "support.h"

#include <skan/companion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void end_postback(void *postback) {
    skan_postback_destroy(postback);
}

/* It ends with its case. */
static skan_postback *verified_with(const skan_postback_keys *keys, const char *body) {
    const skan_postback_options options = {sizeof options, keys};
    skan_postback *postback = NULL;
    ANSWER(SKAN_OK, skan_postback_verify(body, strlen(body), &options, &postback, &failure));
    at_end(end_postback, postback);
    return postback;
}

static const char *result_with(const skan_postback_keys *keys, const char *body) {
    return skan_postback_result_name(skan_postback_result(verified_with(keys, body)));
}

/* --------------------------------------------------------------------------------------------------------- fields */

CASE(fields_are_read) {
    char *body = signed_postback("4.0", 7, "com.example", ",\"conversion-value\":20,\"country-code\":\"DE\"");
    skan_postback *postback = verified_with(test_keys(), body);
    skan_postback_fields fields;
    memset(&fields, 0xA5, sizeof fields);
    fields.size = sizeof fields;
    ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
    EXPECT_NUMBER(SKAN_SKADNETWORK, fields.framework);
    EXPECT_TEXT("4.0", fields.version);
    EXPECT_TEXT("com.example", fields.ad_network_id);
    EXPECT_TEXT("transaction-7", fields.transaction_id);
    EXPECT_TEXT("5239", fields.source_identifier);
    EXPECT_TEXT("DE", fields.country_code);
    EXPECT(!fields.campaign_id && !fields.source_app_id && !fields.source_domain && !fields.key_id, "absent fields");
    EXPECT_NUMBER(525463029, *fields.app_id);
    EXPECT_NUMBER(1, *fields.fidelity_type);
    EXPECT_NUMBER(1, fields.did_win);
    EXPECT_NUMBER(0, fields.redownload);
    EXPECT_NUMBER(20, fields.conversion_value);
    EXPECT_NUMBER(-1, fields.coarse_conversion_value);
    EXPECT_NUMBER(0, strncmp("postback/", skan_postback_record_key(postback), 9));
    EXPECT_NUMBER(73, strlen(skan_postback_record_key(postback)));
    size_t length;
    EXPECT(memcmp(skan_postback_body(postback, &length), body, strlen(body)) == 0, "the body");
    EXPECT_NUMBER(strlen(body), length);
    char *json = NULL;
    ANSWER(SKAN_OK, skan_postback_json(postback, &json, &failure));
    char *expected = text_of(
        "{\"framework\":\"SKAdNetwork\",\"result\":\"valid\",\"version\":\"4.0\",\"key\":\"%s\","
        "\"respelled\":false,\"problem\":null,\"signed\":{"
        "\"version\":\"4.0\",\"ad-network-id\":\"com.example\",\"source-identifier\":\"5239\",\"app-id\":525463029,"
        "\"transaction-id\":\"transaction-7\",\"redownload\":false,\"fidelity-type\":1,\"did-win\":true,"
        "\"postback-sequence-index\":0},\"unsigned\":{\"conversion-value\":20,\"country-code\":\"DE\"},\"illegal\":[]}",
        skan_postback_record_key(postback));
    EXPECT_TEXT(expected, json);
    skan_free(json);
}

CASE(a_jws_is_read) {
    char *body = signed_jws_postback("test\\/0", "download",
                                     ",\"coarse-conversion-value\":\"high\",\"ad-interaction-type\":\"view\"");
    skan_postback *postback = verified_with(test_keys(), body);
    skan_postback_fields fields = {.size = sizeof fields};
    ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
    EXPECT_TEXT("valid", skan_postback_result_name(skan_postback_result(postback)));
    EXPECT_NUMBER(SKAN_ADATTRIBUTIONKIT, fields.framework);
    EXPECT_TEXT("test/0", fields.key_id);
    EXPECT_TEXT("postback-1", fields.transaction_id);
    EXPECT_TEXT("view", fields.ad_interaction_type);
    EXPECT_NUMBER(SKAN_CONVERSION_DOWNLOAD, fields.conversion_type);
    EXPECT_NUMBER(2, fields.coarse_conversion_value);
    EXPECT_NUMBER(-1, fields.conversion_value);
    size_t count;
    const char *const *names = skan_postback_signed_fields(postback, &count);
    EXPECT_NUMBER(7, count);
    EXPECT_TEXT("postback-identifier", names[0]);
    EXPECT(names[count] == NULL, "the list has no end");
    body = signed_jws_postback("test-development/0", "download", "");
    EXPECT_TEXT("development", result_with(test_keys(), body));
    EXPECT_TEXT("unverifiable", result_with(NULL, body));
}

CASE(numbers_have_names) {
    static const char *const types[] = {"unknown", "download", "redownload", "re-engagement", "unknown"};
    for (int32_t type = 0; type < 5; type++) EXPECT_TEXT(types[type], skan_postback_conversion_type_name(type));
    EXPECT_TEXT("unknown", skan_postback_conversion_type_name(-1));
    EXPECT_TEXT("unknown", skan_postback_result_name(5));
}

/* A problem is never NULL, the field that has it may be. */
CASE(a_problem_is_told) {
    static const struct { const char *body, *result, *field; } bodies[] = {
        {"[]", "malformed", NULL},
        {"{\"version\":\"4.0\"}", "malformed", "ad-network-id"},
        {"{\"version\":\"5.0\"}", "unverifiable", "version"},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        in_round("%s", bodies[i].body);
        skan_postback *postback = verified_with(NULL, bodies[i].body);
        const char *field = skan_postback_problem_field(postback);
        size_t count;
        EXPECT_TEXT(bodies[i].result, skan_postback_result_name(skan_postback_result(postback)));
        EXPECT_TEXT(bodies[i].field ? bodies[i].field : "none", field ? field : "none");
        EXPECT(skan_postback_problem(postback)[0] != '\0', "there is no problem");
        EXPECT(skan_postback_signed_fields(postback, &count)[0] == NULL && count == 0, "something is proven");
    }
    char *body = signed_postback("4.0", 1, "n", "");
    skan_postback *postback = verified_with(test_keys(), body);
    EXPECT_TEXT("", skan_postback_problem(postback));
    EXPECT(!skan_postback_problem_field(postback), "a valid one has a problem");
}

/* What it does not know it makes zero, and nothing is written behind it. */
CASE(newer_callers_are_served) {
    char *body = signed_postback("4.0", 1, "n", ",\"coarse-conversion-value\":\"high\"");
    skan_postback *postback = verified_with(test_keys(), body);
    skan_postback_fields fields = {.size = sizeof fields - 1};
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_read(postback, &fields, &failure));
    struct { skan_postback_fields fields; char more[8]; } newer;
    memset(&newer, 0xA5, sizeof newer);
    newer.fields.size = sizeof newer;
    ANSWER(SKAN_OK, skan_postback_read(postback, &newer.fields, &failure));
    EXPECT_NUMBER(sizeof newer, newer.fields.size);
    EXPECT_NUMBER(SKAN_CONVERSION_DOWNLOAD, newer.fields.conversion_type);
    EXPECT(memcmp(newer.more, "\0\0\0\0\0\0\0", sizeof newer.more) == 0, "the tail is not zero");
}

/* ---------------------------------------------------------------------------------------------------- the contract */

CASE(arguments_are_checked) {
    skan_postback *postback = NULL;
    skan_postback_options options = {.size = sizeof options - 1};
    char *large = repeated(" ", SKAN_RESPONSE_MAX + 1);
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_verify("{}", 2, NULL, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_verify(NULL, 2, NULL, &postback, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_verify("{}", 2, &options, &postback, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_postback_verify(large, SKAN_RESPONSE_MAX + 1, NULL, &postback, &failure));
    EXPECT(!postback, "there is a postback");
    ANSWER(SKAN_OK, skan_postback_verify(NULL, 0, NULL, &postback, &failure));
    EXPECT_NUMBER(SKAN_POSTBACK_MALFORMED, skan_postback_result(postback));
    skan_postback_fields fields = {.size = 3};
    char *json = NULL;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_read(postback, &fields, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_read(postback, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_json(postback, NULL, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_json(NULL, &json, &failure));
    skan_postback_destroy(postback);
    skan_postback_destroy(NULL);
    skan_postback_keys_destroy(NULL);
    EXPECT_NUMBER(-1, skan_postback_result(NULL));
    EXPECT_TEXT("", skan_postback_problem(NULL));
}

/* A newer caller's options are taken if what is unknown in them is zero. */
CASE(options_have_a_legal_size) {
    union {
        skan_postback_options options;
        unsigned char bytes[1032];
    } given = {.options = {.keys = test_keys()}};
    char *body = signed_postback("4.0", 1, "n", "");
    for (size_t size = 0; size <= 1025; size++) {
        const bool is_legal = size >= sizeof(skan_postback_options) && size <= 1024;
        skan_postback *postback = NULL;
        in_round("size %zu", size);
        given.options.size = size;
        given.bytes[size > sizeof(skan_postback_options) ? size : sizeof given - 1] = 1; /* no part of them */
        ANSWER(is_legal ? SKAN_OK : SKAN_ERROR_INVALID_ARGUMENT,
               skan_postback_verify(body, strlen(body), &given.options, &postback, &failure));
        EXPECT_NUMBER(is_legal ? SKAN_POSTBACK_VALID : -1, skan_postback_result(postback));
        skan_postback_destroy(postback);
        memset(given.bytes + sizeof given.options, 0, sizeof given - sizeof given.options);
        if (size <= sizeof(skan_postback_options)) continue;
        given.bytes[size - 1] = 1;
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT,
               skan_postback_verify(body, strlen(body), &given.options, &postback, &failure));
        EXPECT(!postback, "there is a postback");
        given.bytes[size - 1] = 0;
    }
}

CASE(keys_are_checked) {
    skan_postback_keys *keys = NULL;
    const char *const p384 = "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE";
    const skan_postback_key wrong[] = {{NULL, NULL, 0}, {"", NULL, 0}, {"4.0", "no base64", 0}, {"4.0", "", 0},
                                       {"4.0", "e30=", 0}, {"4.0", p384, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_keys_create(&wrong[i], 1, &keys, &failure));
        EXPECT(!keys, "there are keys");
    }
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_keys_create(NULL, 1, &keys, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_keys_create(NULL, 0, NULL, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_postback_keys_create(wrong, SKAN_POSTBACK_KEYS_MAX + 1, &keys, &failure));
    const skan_postback_key none = {"4.0", NULL, 0};
    ANSWER(SKAN_OK, skan_postback_keys_create(&none, 1, &keys, &failure));
    char *body = signed_postback("4.0", 1, "n", "");
    EXPECT_TEXT("unverifiable", result_with(keys, body));
    EXPECT_TEXT("malformed", result_with(keys, "{\"version\":\"3.0\"}"));
    skan_postback_keys_destroy(keys);
}

static void visit(void *context, const skan_json_member *member) {
    char **told = context;
    char *more = text_of("%s%.*s=%d:%zu;", *told, (int)member->key_length, member->key, (int)member->kind,
                         member->text_length);
    free(*told);
    *told = more;
}

/* skan_json_read tells the members of the outermost object, in their order. */
CASE(json_is_read) {
    static const char json[] = "{\"\\u0061\":\"x\\u0000\\ud800\",\"n\":null,\"t\":true,\"f\":false,\"i\":-1.5e3,"
                               "\"l\":[1, {}],"
                               "\"o\":{\"a\":1}} ";
    char *told = text_of("%s", "");
    ANSWER(SKAN_OK, skan_json_read(json, sizeof json - 1, visit, &told, &failure));
    EXPECT_TEXT("a=4:5;n=0:4;t=2:4;f=1:5;i=3:6;l=5:7;o=6:7;", told);
    ANSWER(SKAN_ERROR_MALFORMED_RESPONSE, skan_json_read("{\"a\":1", 6, visit, &told, &failure));
    EXPECT_TEXT("the text ends early at byte 6 (line 1, column 7)", failure_message());
    ANSWER(SKAN_ERROR_MALFORMED_RESPONSE, skan_json_read(NULL, 0, visit, &told, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_json_read(NULL, 1, visit, &told, &failure));
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_json_read("{}", 2, NULL, &told, &failure));
    ANSWER(SKAN_ERROR_LIMIT_EXCEEDED, skan_json_read(json, SKAN_RESPONSE_MAX + 1, visit, &told, &failure));
    EXPECT_TEXT("a=4:5;n=0:4;t=2:4;f=1:5;i=3:6;l=5:7;o=6:7;", told);
    free(told);
}

int main(void) {
    return run_cases();
}
