/* Rules, "SKAdNetwork signatures", "Postback verification": postbacks of SKAdNetwork 1.0 to 4.0. */
#include "base64.h"
#include "postback.h"
#include "signature_form.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const named_field names[] = {
    {"version", FIELD_VERSION},
    {"ad-network-id", FIELD_AD_NETWORK_ID},
    {"campaign-id", FIELD_CAMPAIGN_ID},
    {"source-identifier", FIELD_SOURCE_IDENTIFIER},
    {"app-id", FIELD_APP_ID},
    {"transaction-id", FIELD_TRANSACTION_ID},
    {"redownload", FIELD_REDOWNLOAD},
    {"source-app-id", FIELD_SOURCE_APP_ID},
    {"source-domain", FIELD_SOURCE_DOMAIN},
    {"fidelity-type", FIELD_FIDELITY_TYPE},
    {"did-win", FIELD_DID_WIN},
    {"postback-sequence-index", FIELD_SEQUENCE_INDEX},
    {"attribution-signature", FIELD_SIGNATURE},
    {"conversion-value", FIELD_CONVERSION_VALUE},
    {"coarse-conversion-value", FIELD_COARSE_VALUE},
    {"country-code", FIELD_COUNTRY_CODE},
};
enum { NAMES = sizeof names / sizeof *names, SIGNED_MAX = 12 };

/* The fields of a version in the order of the signed text. */
typedef struct format {
    const char *version;
    int count;
    field fields[SIGNED_MAX];
} format;

#define FIELDS_2                                                                                      \
    FIELD_VERSION, FIELD_AD_NETWORK_ID, FIELD_CAMPAIGN_ID, FIELD_APP_ID, FIELD_TRANSACTION_ID, FIELD_REDOWNLOAD, \
        FIELD_SOURCE_APP_ID

static const format formats[] = {
    {"4.0", 11, {FIELD_VERSION, FIELD_AD_NETWORK_ID, FIELD_SOURCE_IDENTIFIER, FIELD_APP_ID, FIELD_TRANSACTION_ID,
                 FIELD_REDOWNLOAD, FIELD_SOURCE_APP_ID, FIELD_SOURCE_DOMAIN, FIELD_FIDELITY_TYPE, FIELD_DID_WIN,
                 FIELD_SEQUENCE_INDEX}},
    {"3.0", 9, {FIELDS_2, FIELD_FIDELITY_TYPE, FIELD_DID_WIN}},
    {"2.2", 8, {FIELDS_2, FIELD_FIDELITY_TYPE}},
    {"2.1", 7, {FIELDS_2}},
    {"2.0", 7, {FIELDS_2}},
    {"1.0", 4, {FIELD_AD_NETWORK_ID, FIELD_CAMPAIGN_ID, FIELD_APP_ID, FIELD_TRANSACTION_ID}},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const char separator_bytes[] = "\xE2\x81\xA3"; /* U+2063 */
static const span separator = {separator_bytes, 3};

static const char *name_of(field field) {
    for (int i = 0; i < NAMES; i++)
        if (names[i].field == field) return names[i].name;
    return "";
}

static field_type type_of(field field) {
    switch (field) {
    case FIELD_CAMPAIGN_ID:
    case FIELD_APP_ID:
    case FIELD_SOURCE_APP_ID:
    case FIELD_FIDELITY_TYPE:
        return TYPE_INTEGER;
    case FIELD_REDOWNLOAD:
    case FIELD_DID_WIN:
        return TYPE_BOOLEAN;
    case FIELD_SEQUENCE_INDEX:
        return TYPE_WINDOW;
    default:
        return TYPE_TEXT;
    }
}

static bool is_optional(field field) {
    return field == FIELD_SOURCE_APP_ID || field == FIELD_SOURCE_DOMAIN;
}

static const format *format_named(span version) {
    for (int i = 0; i < FORMATS; i++)
        if (span_is(version, formats[i].version)) return &formats[i];
    return NULL;
}

bool skadnetwork_knows(span version) {
    return format_named(version) != NULL;
}

/* The format of the postback's version; NULL, and its result, where there is none. */
static const format *format_of(skan_postback *postback) {
    if (postback->fields[FIELD_VERSION] &&
        !postback_require(postback, FIELD_VERSION, "version", TYPE_TEXT, true))
        return NULL;
    span version = postback->fields[FIELD_VERSION] ? postback->fields[FIELD_VERSION]->text : (span){"1.0", 3};
    const format *found = format_named(version);
    if (found) return found;
    postback->version = version.start;
    postback_refuse(postback, SKAN_POSTBACK_UNVERIFIABLE, "version", "a version that is not known");
    return NULL;
}

/* Fields of other versions are unknown keys. */
static void drop_unknown(skan_postback *postback, const format *format) {
    bool knows[FIELD_COUNT] = {[FIELD_VERSION] = true, [FIELD_SIGNATURE] = true, [FIELD_CONVERSION_VALUE] = true,
                               [FIELD_COARSE_VALUE] = true, [FIELD_COUNTRY_CODE] = true};
    for (int i = 0; i < format->count; i++) knows[format->fields[i]] = true;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (!knows[i]) postback->fields[i] = NULL;
}

static bool is_digits(span text) {
    size_t count = 0;
    while (count < text.length && text.start[count] >= '0' && text.start[count] <= '9') count++;
    return text.length > 0 && count == text.length;
}

/* `was_taken`: it was found to be well-formed before, maybe by a version of this library with fewer rules. */
static bool require_fields(skan_postback *postback, const format *format, bool was_taken) {
    for (int i = 0; i < format->count; i++) {
        field field = format->fields[i];
        if (!postback_require(postback, field, name_of(field), type_of(field), !is_optional(field))) return false;
        const member *value = postback->fields[field];
        if (value && value->kind == SKAN_JSON_STRING && span_holds(value->text, separator)) {
            postback->has_text &= ~FIELD_BIT(field);
            postback_refuse(postback, SKAN_POSTBACK_MALFORMED, name_of(field), "has U+2063, which separates fields");
            return false;
        }
        if (field == FIELD_SOURCE_DOMAIN && value && postback->fields[FIELD_SOURCE_APP_ID]) {
            postback_refuse(postback, SKAN_POSTBACK_MALFORMED, "source-domain", "stands beside source-app-id");
            return false;
        }
        /* Both are signed in one place, without their name: an app id would verify as a domain. */
        if (field == FIELD_SOURCE_DOMAIN && value && is_digits(value->text) && !was_taken) {
            postback->has_text &= ~FIELD_BIT(field);
            postback_refuse(postback, SKAN_POSTBACK_MALFORMED, "source-domain", "expected a domain, got digits only");
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------------- signature */

static span form_of_signature(skan_postback *postback) {
    const span none = {NULL, 0};
    const char *name = "attribution-signature";
    if (!postback_require(postback, FIELD_SIGNATURE, name, TYPE_TEXT, true)) return none;
    span text = postback->fields[FIELD_SIGNATURE]->text;
    unsigned char *bytes = arena_take(&postback->memory, BASE64_DECODED_MAX(text.length));
    if (!bytes) return none;
    span der = {(const char *)bytes, 0};
    if (!base64_decode(text, bytes, &der.length)) {
        postback_refuse(postback, SKAN_POSTBACK_MALFORMED, name, "expected padded base64");
        return none;
    }
    if (!signature_is_der(bytes, der.length)) {
        postback_refuse(postback, SKAN_POSTBACK_MALFORMED, name, "expected the DER of an ECDSA signature");
        return none;
    }
    return der;
}

/* The text of a value as it is signed; `number` has room for any. */
static span signed_value(const skan_postback *postback, field field, char number[24]) {
    const member *value = postback->fields[field];
    if (value->kind == SKAN_JSON_STRING) return value->text;
    if (value->kind == SKAN_JSON_TRUE) return (span){"true", 4};
    if (value->kind == SKAN_JSON_FALSE) return (span){"false", 5};
    int length = snprintf(number, 24, "%" PRId64, postback->integers[field]);
    return (span){number, (size_t)length};
}

/* The signed text, without a source-app-id where that is asked for. No start where there is no memory. */
static span signed_text(skan_postback *postback, const format *format, bool has_source_app) {
    char number[24];
    size_t size = 0;
    for (int i = 0; i < format->count; i++)
        if (postback->fields[format->fields[i]])
            size += signed_value(postback, format->fields[i], number).length + separator.length;
    char *text = arena_take(&postback->memory, size);
    if (!text) return (span){NULL, 0};
    char *next = text;
    for (int i = 0; i < format->count; i++) {
        field field = format->fields[i];
        if (!postback->fields[field] || (field == FIELD_SOURCE_APP_ID && !has_source_app)) continue;
        if (i > 0) next = (char *)memcpy(next, separator.start, separator.length) + separator.length;
        span value = signed_value(postback, field, number);
        next = (char *)memcpy(next, value.start, value.length) + value.length;
    }
    return (span){text, (size_t)(next - text)};
}

/* As key_verify. */
static int fits(skan_postback *postback, const format *format, bool has_source_app, span signature,
                const skan_postback_keys *keys, const key *key) {
    span text = signed_text(postback, format, has_source_app);
    if (!text.start) return -1;
    return key_verify(keys, key, (const unsigned char *)signature.start, signature.length, text.start, text.length);
}

static bool list_signed(skan_postback *postback, const format *format, bool has_source_app) {
    postback->signed_fields = arena_take(&postback->memory, (SIGNED_MAX + 1) * sizeof(char *));
    if (!postback->signed_fields) return false;
    for (int i = 0; i < format->count; i++) {
        field field = format->fields[i];
        if (!postback->fields[field] || (field == FIELD_SOURCE_APP_ID && !has_source_app)) continue;
        postback->signed_fields[postback->signed_count++] = name_of(field);
    }
    postback->signed_fields[postback->signed_count] = NULL;
    return true;
}

static bool verify(skan_postback *postback, const format *format, span signature, const skan_postback_keys *keys,
                   const key *key) {
    const member *source_app = postback->fields[FIELD_SOURCE_APP_ID];
    bool has_source_app = source_app != NULL;
    int answer = fits(postback, format, has_source_app, signature, keys, key);
    /* A source-app-id of 0 may have been left out of the signature. */
    if (answer == 0 && has_source_app && postback->integers[FIELD_SOURCE_APP_ID] == 0) {
        has_source_app = false;
        answer = fits(postback, format, has_source_app, signature, keys, key);
    }
    if (answer < 0) return false;
    postback->result = answer == 0                ? SKAN_POSTBACK_INVALID
                       : key_is_development(key) ? SKAN_POSTBACK_DEVELOPMENT
                                                 : SKAN_POSTBACK_VALID;
    postback->omits_source_app = postback->fields[FIELD_SOURCE_APP_ID] && !has_source_app;
    return answer == 0 || list_signed(postback, format, has_source_app);
}

bool skadnetwork_verify(skan_postback *postback, const member *members, const skan_postback_keys *keys) {
    postback_find(postback, members, names, NAMES);
    const format *format = format_of(postback);
    if (!format) return true;
    postback->version = format->version;
    drop_unknown(postback, format);
    if (!unsigned_fields_read(postback)) return false;
    const key *key = keys ? keys_find(keys, (span){format->version, strlen(format->version)}) : NULL;
    if (keys && !key) {
        postback_refuse(postback, SKAN_POSTBACK_UNVERIFIABLE, "version", "no key is known for this version");
        return true;
    }
    bool was_taken = !keys && postback->result != SKAN_POSTBACK_MALFORMED;
    if (!require_fields(postback, format, was_taken)) return true;
    span signature = form_of_signature(postback);
    if (!signature.start) return postback->problem != NULL;
    if (keys) return verify(postback, format, signature, keys, key);
    return !postback_is_proven(postback) || list_signed(postback, format, !postback->omits_source_app);
}
