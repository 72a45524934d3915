/*
 * skan_postback_verify: postbacks of Apple and of the test's keys, what each field's change makes of them, and what the
 * call promises:
 *   verify postbacks.json
 */
#include "signer.h"
#include "support.h"

#include <json-c/json.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATOR "\xE2\x81\xA3"

static struct json_object *document;

static struct json_object *member(struct json_object *object, const char *name) {
    struct json_object *value = NULL;
    json_object_object_get_ex(object, name, &value);
    return value;
}

static const char *text(struct json_object *object, const char *name) {
    return json_object_get_string(member(object, name));
}

static skan_postback *verified_with(const skan_postback_keys *keys, const char *body) {
    const skan_postback_options options = {sizeof options, keys};
    skan_postback *postback = NULL;
    ANSWER(SKAN_OK, skan_postback_verify(body, strlen(body), &options, &postback, &failure));
    return postback;
}

static const char *result_with(const skan_postback_keys *keys, const char *body) {
    skan_postback *postback = verified_with(keys, body);
    const char *name = skan_postback_result_name(skan_postback_result(postback));
    skan_postback_destroy(postback);
    return name;
}

/* The document's test keys in place of Apple's. */
static skan_postback_keys *keys_of_document(void) {
    struct json_object *all = member(document, "keys_spki_base64");
    const char *p256 = text(all, "test-p256"), *p192 = text(all, "test-p192");
    const skan_postback_key given[] = {{"4.0", p256, 0}, {"3.0", p256, 0}, {"2.2", p256, 0},
                                       {"2.1", p256, 0}, {"2.0", p192, 0}, {"1.0", p192, 0}};
    skan_postback_keys *keys = NULL;
    ANSWER(SKAN_OK, skan_postback_keys_create(given, 6, &keys, &failure));
    return keys;
}

static skan_postback_keys *keys_of(struct json_object *vector) {
    return strncmp(text(vector, "key"), "test-", 5) == 0 ? keys_of_document() : NULL;
}

/* ------------------------------------------------------------------------------------------------ postbacks.json */

static void has_the_stated_result(const void *subject) {
    struct json_object *vector = (struct json_object *)subject, *fields = member(vector, "signed");
    skan_postback_keys *keys = keys_of(vector);
    skan_postback *postback = verified_with(keys, text(vector, "postback"));
    EXPECT_TEXT(text(vector, "result"), skan_postback_result_name(skan_postback_result(postback)));
    size_t count;
    const char *const *names = skan_postback_signed_fields(postback, &count);
    if (fields) {
        EXPECT_NUMBER(json_object_array_length(fields), count);
        for (size_t i = 0; i < count; i++)
            EXPECT_TEXT(json_object_get_string(json_object_array_get_idx(fields, i)), names[i]);
    }
    EXPECT(names[count] == NULL, "the list has no end");
    skan_postback_destroy(postback);
    skan_postback_keys_destroy(keys);
}

/* Another value of the same type. */
static struct json_object *altered(struct json_object *value, const char *name) {
    switch (json_object_get_type(value)) {
    case json_type_boolean:
        return json_object_new_boolean(!json_object_get_boolean(value));
    case json_type_int:
        if (strcmp(name, "postback-sequence-index") == 0)
            return json_object_new_int((json_object_get_int(value) + 1) % 3);
        return json_object_new_int64(json_object_get_int64(value) + 1);
    default: {
        char *longer = text_of("%s1", json_object_get_string(value));
        struct json_object *made = json_object_new_string(longer);
        free(longer);
        return made;
    }
    }
}

/* A version that is none is unverifiable; every other field makes it invalid. */
static void signed_fields_are_covered(const void *subject) {
    struct json_object *vector = (struct json_object *)subject, *fields = member(vector, "signed");
    skan_postback_keys *keys = keys_of(vector);
    for (size_t i = 0; i < json_object_array_length(fields); i++) {
        const char *name = json_object_get_string(json_object_array_get_idx(fields, i));
        struct json_object *changed = json_tokener_parse(text(vector, "postback"));
        json_object_object_add(changed, name, altered(member(changed, name), name));
        in_round("%s", name);
        EXPECT_TEXT(strcmp(name, "version") == 0 ? "unverifiable" : "invalid",
                    result_with(keys, json_object_get_string(changed)));
        json_object_put(changed);
    }
    skan_postback_keys_destroy(keys);
}

static void unsigned_fields_are_not(const void *subject) {
    struct json_object *vector = (struct json_object *)subject;
    skan_postback_keys *keys = keys_of(vector);
    static const struct { const char *name, *value; } changes[] = {
        {"conversion-value", "0"},     {"conversion-value", "63"},   {"conversion-value", "64"},
        {"conversion-value", "\"5\""}, {"conversion-value", "null"}, {"coarse-conversion-value", "\"low\""},
        {"coarse-conversion-value", "7"}, {"country-code", "\"DE\""}, {"country-code", "\"Germany\""},
        {"something-newer", "[1,{}]"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct json_object *changed = json_tokener_parse(text(vector, "postback"));
        json_object_object_add(changed, changes[i].name, json_tokener_parse(changes[i].value));
        in_round("%s %s", changes[i].name, changes[i].value);
        EXPECT_TEXT("valid", result_with(keys, json_object_get_string(changed)));
        json_object_object_del(changed, changes[i].name);
        EXPECT_TEXT("valid", result_with(keys, json_object_get_string(changed)));
        json_object_put(changed);
    }
    skan_postback_keys_destroy(keys);
}

/* --------------------------------------------------------------------------------------------------------- fields */

static void fields_are_read(const void *subject) {
    (void)subject;
    char *body = signed_postback("4.0", 7, "com.example", ",\"conversion-value\":20,\"country-code\":\"DE\"");
    skan_postback *postback = verified_with(test_keys(), body);
    skan_postback_fields fields;
    memset(&fields, 0xA5, sizeof fields);
    fields.size = sizeof fields;
    ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
    EXPECT_NUMBER(SKAN_POSTBACK_SKADNETWORK, fields.framework);
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
    EXPECT_NUMBER(-1, fields.coarse_value);
    EXPECT_NUMBER(0, strncmp("postback/", skan_postback_key_of(postback), 9));
    EXPECT_NUMBER(73, strlen(skan_postback_key_of(postback)));
    size_t length;
    EXPECT(memcmp(skan_postback_body(postback, &length), body, strlen(body)) == 0, "the body");
    EXPECT_NUMBER(strlen(body), length);
    char *json = NULL;
    ANSWER(SKAN_OK, skan_postback_json(postback, &json, &failure));
    char *expected = text_of(
        "{\"framework\":\"SKAdNetwork\",\"result\":\"valid\",\"version\":\"4.0\",\"key\":\"%s\","
        "\"problem\":null,\"signed\":{"
        "\"version\":\"4.0\",\"ad-network-id\":\"com.example\",\"source-identifier\":\"5239\",\"app-id\":525463029,"
        "\"transaction-id\":\"transaction-7\",\"redownload\":false,\"fidelity-type\":1,\"did-win\":true,"
        "\"postback-sequence-index\":0},\"unsigned\":{\"conversion-value\":20,\"country-code\":\"DE\"},\"illegal\":[]}",
        skan_postback_key_of(postback));
    EXPECT_TEXT(expected, json);
    free(expected);
    skan_free(json);
    skan_postback_destroy(postback);
    free(body);
}

static void a_jws_is_read(const void *subject) {
    (void)subject;
    char *body = signed_jws_postback("test\\/0", 7, "com.example",
                                     ",\"coarse-conversion-value\":\"high\",\"ad-interaction-type\":\"view\"");
    skan_postback *postback = verified_with(test_keys(), body);
    skan_postback_fields fields = {.size = sizeof fields};
    ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
    EXPECT_TEXT("valid", skan_postback_result_name(skan_postback_result(postback)));
    EXPECT_NUMBER(SKAN_POSTBACK_ADATTRIBUTIONKIT, fields.framework);
    EXPECT_TEXT("test/0", fields.key_id);
    EXPECT_TEXT("postback-7", fields.transaction_id);
    EXPECT_TEXT("view", fields.interaction_type);
    EXPECT_NUMBER(2, fields.coarse_value);
    EXPECT_NUMBER(-1, fields.conversion_value);
    size_t count;
    skan_postback_signed_fields(postback, &count);
    EXPECT_NUMBER(7, count);
    skan_postback_destroy(postback);
    free(body);
    body = signed_jws_postback("test-development/0", 7, "com.example", "");
    EXPECT_TEXT("development", result_with(test_keys(), body));
    EXPECT_TEXT("unverifiable", result_with(NULL, body));
    free(body);
}

static int32_t type_of(const char *body) {
    skan_postback *postback = verified_with(test_keys(), body);
    skan_postback_fields fields = {.size = sizeof fields};
    ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
    skan_postback_destroy(postback);
    return fields.conversion_type;
}

/* Rules, "Re-engagements": "download", "redownload" or "re-engagement", of SKAdNetwork by `redownload`; any other is no
 * fault. */
static void the_conversion_type_is_told(const void *subject) {
    (void)subject;
    static const struct { const char *json; int32_t type; const char *name; } told[] = {
        {"\"download\"", SKAN_POSTBACK_DOWNLOAD, "download"},
        {"\"redownload\"", SKAN_POSTBACK_REDOWNLOAD, "redownload"},
        {"\"re-engagement\"", SKAN_POSTBACK_REENGAGEMENT, "re-engagement"},
        {"\"reengagement\"", SKAN_POSTBACK_REENGAGEMENT, "re-engagement"},
        {"\"re\\u002dengagement\"", SKAN_POSTBACK_REENGAGEMENT, "re-engagement"},
        {"\"Download\"", SKAN_POSTBACK_CONVERSION_UNKNOWN, "unknown"},
        {"\"download\\u0000\"", SKAN_POSTBACK_CONVERSION_UNKNOWN, "unknown"},
        {"\"\"", SKAN_POSTBACK_CONVERSION_UNKNOWN, "unknown"},
        {"null", SKAN_POSTBACK_CONVERSION_UNKNOWN, "unknown"},
        {"true", SKAN_POSTBACK_CONVERSION_UNKNOWN, "unknown"},
        {NULL, SKAN_POSTBACK_CONVERSION_UNKNOWN, "unknown"},
    };
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        char *body = signed_conversion(told[i].json, 1, "n", "");
        in_round("%s", told[i].json ? told[i].json : "none");
        EXPECT_TEXT("valid", result_with(test_keys(), body));
        EXPECT_NUMBER(told[i].type, type_of(body));
        EXPECT_TEXT(told[i].name, skan_postback_conversion_type_name(told[i].type));
        free(body);
    }
    in_round("%s", "");
    static const struct { const char *version; int32_t type; } versions[] = {
        {"1.0", SKAN_POSTBACK_CONVERSION_UNKNOWN},
        {"2.0", SKAN_POSTBACK_REDOWNLOAD},
        {"3.0", SKAN_POSTBACK_REDOWNLOAD},
        {"4.0", SKAN_POSTBACK_DOWNLOAD},
    };
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        /* Of a version that does not know the field. */
        char *body = signed_postback(versions[i].version, 1, "n", ",\"conversion-type\":\"re-engagement\"");
        EXPECT_NUMBER(versions[i].type, type_of(body));
        free(body);
    }
    /* Of a malformed one, what comes after the fault is absent. */
    char *jws = jws_of("{\"kid\":\"test/0\",\"alg\":\"ES256\"}", "{\"conversion-type\":\"re-engagement\"}");
    char *body = text_of("{\"jws-string\":\"%s\"}", jws);
    EXPECT_NUMBER(SKAN_POSTBACK_CONVERSION_UNKNOWN, type_of(body));
    free(body);
    free(jws);
    EXPECT_TEXT("unknown", skan_postback_conversion_type_name(-1));
    EXPECT_TEXT("unknown", skan_postback_conversion_type_name(4));
}

/* The struct as it was before it told the type: nothing is written behind it. */
static void older_callers_are_served(const void *subject) {
    (void)subject;
    char *body = signed_postback("4.0", 1, "n", ",\"coarse-conversion-value\":\"high\"");
    skan_postback *postback = verified_with(test_keys(), body);
    skan_postback_fields fields;
    memset(&fields, 0xA5, sizeof fields);
    fields.size = offsetof(skan_postback_fields, conversion_type);
    ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
    EXPECT_NUMBER(offsetof(skan_postback_fields, conversion_type), fields.size);
    EXPECT_NUMBER(2, fields.coarse_value);
    EXPECT_NUMBER((int32_t)0xA5A5A5A5, fields.conversion_type);
    fields.size--;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_postback_read(postback, &fields, &failure));
    struct { skan_postback_fields fields; char more[8]; } newer;
    memset(&newer, 0xA5, sizeof newer);
    newer.fields.size = sizeof newer;
    ANSWER(SKAN_OK, skan_postback_read(postback, &newer.fields, &failure));
    EXPECT_NUMBER(sizeof newer, newer.fields.size);
    EXPECT_NUMBER(SKAN_POSTBACK_DOWNLOAD, newer.fields.conversion_type);
    EXPECT(memcmp(newer.more, "\0\0\0\0\0\0\0", sizeof newer.more) == 0, "the tail is not zero");
    skan_postback_destroy(postback);
    free(body);
}

static void every_version_verifies(const void *subject) {
    (void)subject;
    static const char *const versions[] = {"1.0", "2.0", "2.1", "2.2", "3.0", "4.0"};
    for (int i = 0; i < 6; i++) {
        char *body = signed_postback(versions[i], i, "com.example", "");
        in_round("%s", versions[i]);
        EXPECT_TEXT("valid", result_with(test_keys(), body));
        EXPECT_TEXT("invalid", result_with(NULL, body));
        free(body);
    }
}

/* A text may be empty, also the first one. */
static void empty_texts_are_signed_too(const void *subject) {
    (void)subject;
    char *body = signed_postback("1.0", 1, "", "");
    EXPECT_TEXT("valid", result_with(test_keys(), body));
    free(body);
}

/* Rules, "SKAdNetwork signatures": a source-app-id of 0 may have been left out of the signature. */
static void a_source_app_of_zero_may_be_left_out(const void *subject) {
    (void)subject;
    const char *signed_text = "2.1" SEPARATOR "n" SEPARATOR "1" SEPARATOR "2" SEPARATOR "t" SEPARATOR "true";
    char *members = text_of("\"version\":\"2.1\",\"ad-network-id\":\"n\",\"campaign-id\":1,\"app-id\":2,"
                            "\"transaction-id\":\"t\",\"redownload\":true,\"source-app-id\":%d", 0);
    char *body = signed_fields("2.1", signed_text, members);
    skan_postback *postback = verified_with(test_keys(), body);
    EXPECT_NUMBER(SKAN_POSTBACK_VALID, skan_postback_result(postback));
    size_t count;
    const char *const *names = skan_postback_signed_fields(postback, &count);
    EXPECT_NUMBER(6, count);
    EXPECT_TEXT("redownload", names[5]);
    skan_postback_destroy(postback);
    *strstr(body, "source-app-id\":0") = 'S';
    EXPECT_TEXT("valid", result_with(test_keys(), body));
    free(body);
    members[strlen(members) - 1] = '5';
    body = signed_fields("2.1", signed_text, members);
    EXPECT_TEXT("invalid", result_with(test_keys(), body));
    free(body);
    free(members);
}

/* Both are signed in one place: what is signed as an app is no domain. */
static void a_source_app_is_no_domain(const void *subject) {
    (void)subject;
    const char *signed_text = "4.0" SEPARATOR "n" SEPARATOR "1234" SEPARATOR "2" SEPARATOR "t" SEPARATOR "true"
                              SEPARATOR "1234567891" SEPARATOR "1" SEPARATOR "true" SEPARATOR "0";
    const char *members = "\"version\":\"4.0\",\"ad-network-id\":\"n\",\"source-identifier\":\"1234\","
                          "\"app-id\":2,\"transaction-id\":\"t\",\"redownload\":true,\"fidelity-type\":1,"
                          "\"did-win\":true,\"postback-sequence-index\":0,\"source-";
    static const struct { const char *member, *result; } cases[] = {{"app-id\":1234567891", "valid"},
                                                                    {"domain\":\"1234567891\"", "malformed"}};
    for (int i = 0; i < 2; i++) {
        char *all = text_of("%s%s", members, cases[i].member);
        char *body = signed_fields("4.0", signed_text, all);
        EXPECT_TEXT(cases[i].result, result_with(test_keys(), body));
        if (i == 1) {
            skan_postback *postback = verified_with(test_keys(), body);
            skan_postback_fields fields = {.size = sizeof fields};
            EXPECT_TEXT("source-domain", skan_postback_problem_field(postback));
            ANSWER(SKAN_OK, skan_postback_read(postback, &fields, &failure));
            EXPECT(!fields.source_domain, "the domain is told");
            skan_postback_destroy(postback);
        }
        free(body);
        free(all);
    }
}

/* ------------------------------------------------------------------------------------------------------- malformed */

#define BEGIN_4 "{\"version\":\"4.0\",\"ad-network-id\":\"n\",\"source-identifier\":\"12\","
#define REST_4                                                                                                      \
    "\"transaction-id\":\"t\",\"redownload\":true,\"fidelity-type\":1,\"did-win\":true,\"postback-sequence-index\":0,"
#define SIGNED "\"attribution-signature\":\"MAYCAQECAQE=\"}"
#define WITH_SIGNATURE(text) BEGIN_4 "\"app-id\":1," REST_4 "\"attribution-signature\":" text "}"

static const struct { const char *body, *result, *field; } bodies[] = {
    {BEGIN_4 "\"app-id\":1," REST_4 SIGNED, "invalid", NULL},
    {"", "malformed", NULL},
    {"[]", "malformed", NULL},
    {"{}", "malformed", "ad-network-id"},
    {"{\"version\":1}", "malformed", "version"},
    {"{\"version\":null}", "malformed", "version"},
    {"{\"version\":\"\"}", "unverifiable", "version"},
    {"{\"version\":\"4.0\\u0000\"}", "unverifiable", "version"},
    {"{\"version\":\"4.0\"}", "malformed", "ad-network-id"},
    {"{\"version\":\"4.0\",\"version\":\"4.0\"}", "malformed", NULL},
    {BEGIN_4 "\"app-id\":1.0," REST_4 SIGNED, "malformed", "app-id"},
    {BEGIN_4 "\"app-id\":1e2," REST_4 SIGNED, "malformed", "app-id"},
    {BEGIN_4 "\"app-id\":9223372036854775808," REST_4 SIGNED, "malformed", "app-id"},
    {BEGIN_4 "\"app-id\":-9223372036854775808," REST_4 SIGNED, "invalid", NULL},
    {BEGIN_4 "\"app-id\":true," REST_4 SIGNED, "malformed", "app-id"},
    {BEGIN_4 REST_4 SIGNED, "malformed", "app-id"},
    {BEGIN_4 "\"app-id\":1,\"source-app-id\":null," REST_4 SIGNED, "malformed", "source-app-id"},
    {BEGIN_4 "\"app-id\":1,\"source-domain\":null," REST_4 SIGNED, "malformed", "source-domain"},
    {BEGIN_4 "\"app-id\":1,\"source-app-id\":1,\"source-domain\":\"a\"," REST_4 SIGNED, "malformed", "source-domain"},
    {BEGIN_4 "\"app-id\":1,\"source-domain\":\"a\\u2063b\"," REST_4 SIGNED, "malformed", "source-domain"},
    {BEGIN_4 "\"app-id\":1,\"source-domain\":\"\\ud800\"," REST_4 SIGNED, "invalid", NULL},
    {BEGIN_4 "\"app-id\":1,\"source-domain\":\"1234567891\"," REST_4 SIGNED, "malformed", "source-domain"},
    {BEGIN_4 "\"app-id\":1,\"source-domain\":\"\\u0030\"," REST_4 SIGNED, "malformed", "source-domain"},
    {BEGIN_4 "\"app-id\":1,\"source-domain\":\"\"," REST_4 SIGNED, "invalid", NULL},
    {BEGIN_4 "\"app-id\":1,\"source-domain\":\"1.2\"," REST_4 SIGNED, "invalid", NULL},
    {BEGIN_4 "\"app-id\":1,\"source-domain\":\"7a\"," REST_4 SIGNED, "invalid", NULL},
    {BEGIN_4 "\"app-id\":1,\"campaign-id\":null," REST_4 SIGNED, "invalid", NULL},
    {BEGIN_4 "\"app-id\":1,\"transaction-id\":\"t\",\"redownload\":true,\"fidelity-type\":1,\"did-win\":true,"
             "\"postback-sequence-index\":3," SIGNED, "malformed", "postback-sequence-index"},
    {WITH_SIGNATURE("null"), "malformed", "attribution-signature"},
    {WITH_SIGNATURE("\"\""), "malformed", "attribution-signature"},
    {WITH_SIGNATURE("\"MAYCAQECAQE\""), "malformed", "attribution-signature"},
    {WITH_SIGNATURE("\"MAYCAQECAQE= \""), "malformed", "attribution-signature"},
    {WITH_SIGNATURE("\"MAYCAQECAQE====\""), "malformed", "attribution-signature"},
    {WITH_SIGNATURE("\"MAYCAQECAQEA\""), "malformed", "attribution-signature"}, /* a byte behind it */
    {WITH_SIGNATURE("\"MAYCAf8CAQE=\""), "malformed", "attribution-signature"}, /* a negative number */
    {WITH_SIGNATURE("\"MAcCAgABAgEB\""), "malformed", "attribution-signature"}, /* a zero too many */
    {WITH_SIGNATURE("\"MAYCAQACAQA=\""), "invalid", NULL},                     /* both are 0 */
    {"{\"jws-string\":7}", "malformed", "jws-string"},
    {"{\"jws-string\":\"\"}", "malformed", "jws-string"},
    {"{\"jws-string\":\"a.b\"}", "malformed", "jws-string"},
    {"{\"jws-string\":\"e30=.e30.\"}", "malformed", "header"},
    {"{\"jws-string\":\"e30.e30.!\"}", "malformed", "signature"},
    {"{\"jws-string\":\"e30.e30.AAAA\"}", "malformed", "alg"},
    {"{\"jws-string\":\"bnVsbA.e30.AAAA\"}", "malformed", "header"},
    {"{\"jws-string\":\"eyJhbGciOiJFUzI1NiJ9.e30.AAAA\"}", "malformed", "signature"},
};

static void malformed_ones_name_the_field(const void *subject) {
    (void)subject;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        in_round("%s", bodies[i].body);
        skan_postback *postback = verified_with(NULL, bodies[i].body);
        EXPECT_TEXT(bodies[i].result, skan_postback_result_name(skan_postback_result(postback)));
        EXPECT_TEXT(bodies[i].field ? bodies[i].field : "",
                    skan_postback_problem_field(postback) ? skan_postback_problem_field(postback) : "");
        bool has_problem = strcmp(bodies[i].result, "invalid") != 0;
        EXPECT(has_problem == (skan_postback_problem(postback)[0] != '\0'), "%s", skan_postback_problem(postback));
        size_t count;
        skan_postback_signed_fields(postback, &count);
        EXPECT_NUMBER(0, count);
        char *json = NULL;
        ANSWER(SKAN_OK, skan_postback_json(postback, &json, &failure));
        struct json_object *read = json_tokener_parse(json);
        EXPECT(read != NULL, "no JSON: %s", json);
        json_object_put(read);
        skan_free(json);
        skan_postback_destroy(postback);
    }
}

/* Half of a surrogate pair is no UTF-8, in names of the payload as in its texts. */
static void unpaired_surrogates_are_replaced(const void *subject) {
    (void)subject;
    char *jws = jws_of("{\"alg\":\"ES256\",\"kid\":\"test/0\"}",
                       "{\"postback-identifier\":\"p\\ud800\",\"ad-network-identifier\":\"n\","
                       "\"advertised-item-identifier\":1,\"source-identifier\":\"12\",\"did-win\":true,"
                       "\"postback-sequence-index\":0,\"name\\udfff\":\"\"}");
    char *body = text_of("{\"jws-string\":\"%s\"}", jws), *json = NULL;
    skan_postback *postback = verified_with(test_keys(), body);
    EXPECT_NUMBER(SKAN_POSTBACK_VALID, skan_postback_result(postback));
    ANSWER(SKAN_OK, skan_postback_json(postback, &json, &failure));
    EXPECT(strstr(json, "\"p\xEF\xBF\xBD\"") != NULL, "the text: %s", json);
    EXPECT(strstr(json, "\"name\xEF\xBF\xBD\"") != NULL, "the name: %s", json);
    skan_free(json);
    skan_postback_destroy(postback);
    free(body);
    free(jws);
}

static void a_jws_is_checked_in_order(const void *subject) {
    (void)subject;
    static const char payload[] = "{\"postback-identifier\":\"p\",\"ad-network-identifier\":\"n\","
                                  "\"advertised-item-identifier\":1,\"source-identifier\":\"12\",\"did-win\":true,"
                                  "\"postback-sequence-index\":0}";
    static const struct { const char *header, *payload, *result, *field; } cases[] = {
        {"{\"alg\":\"ES256\",\"kid\":\"test/0\"}", payload, "valid", ""},
        {"{\"alg\":\"ES384\",\"kid\":\"test/0\"}", payload, "malformed", "alg"},
        {"{\"alg\":\"none\",\"kid\":\"nobody\"}", payload, "malformed", "alg"},
        {"{\"kid\":\"test/0\"}", payload, "malformed", "alg"},
        {"{\"alg\":\"ES256\"}", payload, "unverifiable", "kid"},
        {"{\"alg\":\"ES256\",\"kid\":7}", payload, "unverifiable", "kid"},
        {"{\"alg\":\"ES256\",\"kid\":\"4.0\"}", payload, "unverifiable", "kid"}, /* of SKAdNetwork */
        {"{\"alg\":\"ES256\",\"kid\":\"test-p192/0\"}", payload, "unverifiable", "kid"},
        {"{\"alg\":\"ES256\",\"kid\":\"test/0\",\"crit\":[\"b64\"]}", payload, "unverifiable", "crit"},
        {"{\"alg\":\"ES256\",\"kid\":\"nobody\"}", "{}", "unverifiable", "kid"},
        {"{\"alg\":\"ES256\",\"kid\":\"test/0\"}", "[]", "malformed", "payload"},
        {"{\"alg\":\"ES256\",\"kid\":\"test/0\"}", "{}", "malformed", "postback-identifier"},
        {"{\"alg\":\"ES256\",\"kid\":\"test/0\"}", "{\"postback-identifier\":\"p\",\"ad-network-identifier\":null}",
         "malformed", "ad-network-identifier"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *jws = jws_of(cases[i].header, cases[i].payload);
        char *body = text_of("{\"jws-string\":\"%s\"}", jws);
        skan_postback *postback = verified_with(test_keys(), body);
        in_round("%s %s", cases[i].header, cases[i].payload);
        EXPECT_TEXT(cases[i].result, skan_postback_result_name(skan_postback_result(postback)));
        const char *field = skan_postback_problem_field(postback);
        EXPECT_TEXT(cases[i].field, field ? field : "");
        skan_postback_destroy(postback);
        /* A changed letter of what is signed. */
        if (i == 0) {
            *strchr(body, '.') = '-';
            EXPECT_TEXT("malformed", result_with(test_keys(), body));
        }
        free(body);
        free(jws);
    }
}

/* ---------------------------------------------------------------------------------------------------- the contract */

static void arguments_are_checked(const void *subject) {
    (void)subject;
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
    EXPECT_TEXT("unknown", skan_postback_result_name(5));
    free(large);
}

static void keys_are_checked(const void *subject) {
    (void)subject;
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
    free(body);
}

static void visit(void *context, const skan_json_member *member) {
    char **told = context;
    char *more = text_of("%s%.*s=%d:%zu;", *told, (int)member->key_length, member->key, (int)member->kind,
                         member->text_length);
    free(*told);
    *told = more;
}

/* skan_json_read tells the members of the outermost object, in their order. */
static void json_is_read(const void *subject) {
    (void)subject;
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

static void *verify_often(void *body) {
    const skan_postback_options options = {sizeof options, test_keys()};
    for (int i = 0; i < 200; i++) {
        skan_postback *postback = NULL;
        if (skan_postback_verify(body, strlen(body), &options, &postback, NULL) != SKAN_OK) return NULL;
        if (skan_postback_result(postback) != SKAN_POSTBACK_VALID) return NULL;
        skan_postback_destroy(postback);
    }
    return body;
}

static void threads_share_keys(const void *subject) {
    (void)subject;
    char *body = signed_postback("3.0", 1, "n", "");
    pthread_t threads[8];
    void *answer;
    for (int i = 0; i < 8; i++) pthread_create(&threads[i], NULL, verify_often, body);
    for (int i = 0; i < 8; i++) {
        pthread_join(threads[i], &answer);
        EXPECT(answer == body, "thread %d got another result", i);
    }
    free(body);
}

int main(int count, char **arguments) {
    document = json_object_from_file(count > 1 ? arguments[1] : "postbacks.json");
    if (!document) {
        fprintf(stderr, "verify: no postbacks.json\n");
        return 2;
    }
    struct json_object *vectors = member(document, "postbacks");
    for (size_t i = 0; i < json_object_array_length(vectors); i++) {
        struct json_object *vector = json_object_array_get_idx(vectors, i);
        run_case(text(vector, "name"), has_the_stated_result, vector);
        if (strcmp(text(vector, "result"), "valid") != 0) continue;
        run_case(text(vector, "name"), signed_fields_are_covered, vector);
        run_case(text(vector, "name"), unsigned_fields_are_not, vector);
    }
    run_case("fields are read", fields_are_read, NULL);
    run_case("a JWS is read", a_jws_is_read, NULL);
    run_case("the conversion type is told", the_conversion_type_is_told, NULL);
    run_case("older callers are served", older_callers_are_served, NULL);
    run_case("every version verifies", every_version_verifies, NULL);
    run_case("empty texts are signed too", empty_texts_are_signed_too, NULL);
    run_case("a source-app-id of 0 may be left out", a_source_app_of_zero_may_be_left_out, NULL);
    run_case("a source app is no domain", a_source_app_is_no_domain, NULL);
    run_case("malformed ones name the field", malformed_ones_name_the_field, NULL);
    run_case("a JWS is checked in order", a_jws_is_checked_in_order, NULL);
    run_case("unpaired surrogates are replaced", unpaired_surrogates_are_replaced, NULL);
    run_case("arguments are checked", arguments_are_checked, NULL);
    run_case("keys are checked", keys_are_checked, NULL);
    run_case("JSON is read", json_is_read, NULL);
    run_case("threads share keys", threads_share_keys, NULL);
    json_object_put(document);
    return finish_cases();
}
