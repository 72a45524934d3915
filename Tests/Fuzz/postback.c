/* Postbacks: any bytes as a body, as a record, and, cut at a line end, as header and payload of a JWS. */
#include "fuzz.h"

#include <json-c/json.h>
#include <skan/postback.h>

/* What a postback says of itself is JSON, and the same as its accessors say. */
static void require_consistent(const skan_postback *postback) {
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
    REQUIRE(fields.window >= 0 && fields.window <= 2);
    REQUIRE(fields.conversion_value >= -1 && fields.conversion_value <= 63);
    REQUIRE(fields.coarse_value >= -1 && fields.coarse_value <= 2);
    REQUIRE(fields.conversion_type >= SKAN_POSTBACK_CONVERSION_UNKNOWN &&
            fields.conversion_type <= SKAN_POSTBACK_REENGAGEMENT);
    bool is_kit = fields.framework == SKAN_POSTBACK_ADATTRIBUTIONKIT;
    if (!is_kit) REQUIRE(fields.conversion_type == fields.redownload + 1);
    int32_t outcome = skan_postback_result(postback);
    bool is_proven = outcome == SKAN_POSTBACK_VALID || outcome == SKAN_POSTBACK_DEVELOPMENT;
    size_t count = 0;
    const char *const *names = skan_postback_signed_fields(postback, &count);
    REQUIRE(names[count] == NULL && (count > 0) == is_proven);
    bool is_refused = outcome == SKAN_POSTBACK_MALFORMED || outcome == SKAN_POSTBACK_UNVERIFIABLE;
    REQUIRE((skan_postback_problem(postback)[0] != '\0') == is_refused);
    if (outcome == SKAN_POSTBACK_MALFORMED) REQUIRE(skan_postback_key_of(postback) == NULL);
    if (is_proven || outcome == SKAN_POSTBACK_INVALID) REQUIRE(skan_postback_key_of(postback) != NULL);
}

static void verify(const void *body, size_t length) {
    skan_postback *postback = NULL, *again = NULL;
    skan_error *error = NULL;
    skan_status status = settled(skan_postback_verify(body, length, NULL, &postback, &error), error);
    REQUIRE(status == (length > SKAN_RESPONSE_MAX ? SKAN_ERROR_LIMIT_EXCEEDED : SKAN_OK));
    if (status != SKAN_OK) return;
    require_consistent(postback);
    REQUIRE(settled(skan_postback_verify(body, length, NULL, &again, &error), error) == SKAN_OK);
    REQUIRE(skan_postback_result(postback) == skan_postback_result(again));
    skan_postback_destroy(postback);
    skan_postback_destroy(again);
}

static size_t put_base64url(char *text, const uint8_t *bytes, size_t size) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t length = 0;
    for (size_t i = 0; i < size * 8; i += 6) {
        unsigned pair = (unsigned)bytes[i / 8] << 8 | (i / 8 + 1 < size ? bytes[i / 8 + 1] : 0u);
        text[length++] = letters[pair >> (10 - i % 8) & 63];
    }
    return length;
}

static void verify_jws(const uint8_t *data, size_t size) {
    const uint8_t *cut = memchr(data, '\n', size), signature[64] = {1, [63] = 1};
    if (!cut) return;
    size_t header = (size_t)(cut - data);
    char *body = malloc(size * 2 + 200), *next = body;
    REQUIRE(body != NULL);
    next += sprintf(next, "{\"jws-string\":\"");
    next += put_base64url(next, data, header);
    *next++ = '.';
    next += put_base64url(next, cut + 1, size - header - 1);
    *next++ = '.';
    next += put_base64url(next, signature, sizeof signature);
    next += sprintf(next, "\"}");
    verify(body, (size_t)(next - body));
    free(body);
}

/* ---------------------------------------------------------------------------------------------------------- receive */

/* A store for one record. */
typedef struct place {
    char key[160];
    unsigned char bytes[SKAN_RECORD_MAX];
    size_t length;
} place;

static skan_status load(void *context, const char *key, skan_buffer *out, uint64_t *version) {
    const place *place = context;
    if (strcmp(place->key, key) != 0) return SKAN_NOT_FOUND;
    *version = 1;
    return skan_buffer_set(out, place->bytes, place->length);
}

static skan_status save(void *context, const char *key, const void *data, size_t length, uint64_t expected,
                        uint64_t *version) {
    place *place = context;
    REQUIRE(expected == 0 && length <= sizeof place->bytes && strlen(key) < SKAN_INSTALL_ID_MAX);
    if (strcmp(place->key, key) == 0) return SKAN_ERROR_STORE_CONFLICT;
    strcpy(place->key, key);
    memcpy(place->bytes, data, length);
    place->length = length;
    *version = 1;
    return SKAN_OK;
}

static skan_status remove_record(void *context, const char *key, uint64_t expected) {
    (void)context, (void)key, (void)expected;
    return SKAN_ERROR_STORE;
}

/* One range of dates at most is told, that of what it is; none where it is not counted. */
static void require_dates(const skan_postback_record *record, const skan_postback *postback) {
    skan_postback_fields fields = {.size = sizeof fields};
    skan_error *error = NULL;
    REQUIRE(settled(skan_postback_read(postback, &fields, &error), error) == SKAN_OK);
    bool is_counted = record->outcome == SKAN_POSTBACK_COUNTED;
    bool is_reengagement = fields.conversion_type == SKAN_POSTBACK_REENGAGEMENT;
    REQUIRE((record->installed_until > record->installed_from) == (is_counted && !is_reengagement));
    REQUIRE((record->reengaged_until > record->reengaged_from) == (is_counted && is_reengagement));
}

/* What is received is in the record, and read again as it was. */
static void receive(const uint8_t *data, size_t size) {
    static place place;
    static skan_postback_receiver *receiver;
    skan_error *error = NULL;
    if (!receiver) {
        const skan_store store = {.size = sizeof store, .context = &place, .load = load, .save = save,
                                  .remove = remove_record};
        const skan_postback_receiver_options options = {.size = sizeof options, .store = &store,
                                                        .refused_per_hour = UINT32_MAX};
        REQUIRE(settled(skan_postback_receiver_create(&options, &receiver, &error), error) == SKAN_OK);
    }
    place.key[0] = '\0';
    skan_postback_receipt receipt = {.size = sizeof receipt};
    skan_status status = settled(skan_postback_receive(receiver, NULL, data, size, &receipt, &error), error);
    REQUIRE(status == (size > SKAN_POSTBACK_MAX ? SKAN_ERROR_LIMIT_EXCEEDED : SKAN_OK));
    if (status != SKAN_OK) return;
    REQUIRE(receipt.is_kept == 1 && strcmp(place.key, receipt.key) == 0);
    REQUIRE((receipt.outcome == SKAN_POSTBACK_COUNTED) == (receipt.result == SKAN_POSTBACK_VALID));
    skan_postback *postback = NULL;
    skan_postback_record record = {.size = sizeof record};
    status = settled(skan_postback_record_read(place.bytes, place.length, &record, &postback, &error), error);
    REQUIRE(status == SKAN_OK);
    require_dates(&record, postback);
    REQUIRE(skan_postback_result(postback) == receipt.result);
    require_consistent(postback);
    skan_postback_destroy(postback);
    status = settled(skan_postback_receive(receiver, NULL, data, size, &receipt, &error), error);
    REQUIRE(status == SKAN_OK && receipt.outcome != SKAN_POSTBACK_COUNTED);
}

static void read_record(const uint8_t *data, size_t size) {
    skan_postback *postback = NULL;
    skan_postback_record record = {.size = sizeof record};
    skan_error *error = NULL;
    skan_status status = settled(skan_postback_record_read(data, size, &record, &postback, &error), error);
    REQUIRE(status == SKAN_OK || status == SKAN_ERROR_CORRUPT_RECORD || status == SKAN_ERROR_RECORD_TOO_NEW);
    skan_postback_destroy(postback);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    verify(data, size);
    verify_jws(data, size);
    receive(data, size);
    read_record(data, size);
    return 0;
}
