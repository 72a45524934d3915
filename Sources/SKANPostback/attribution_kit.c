/* Rules, "AdAttributionKit signatures", "Postback verification": postbacks of AdAttributionKit, a compact JWS (RFC
 * 7515) beside unsigned fields. */
#include "base64.h"
#include "postback.h"
#include "signature_form.h"

#include <string.h>

static const named_field outer_names[] = {
    {"jws-string", FIELD_JWS},
    {"conversion-value", FIELD_CONVERSION_VALUE},
    {"coarse-conversion-value", FIELD_COARSE_VALUE},
    {"country-code", FIELD_COUNTRY_CODE},
    {"ad-interaction-type", FIELD_INTERACTION_TYPE},
};
static const named_field header_names[] = {
    {"alg", FIELD_ALGORITHM}, {"kid", FIELD_KEY_ID}, {"crit", FIELD_CRITICAL}};
static const named_field payload_names[] = {
    {"postback-identifier", FIELD_TRANSACTION_ID},
    {"ad-network-identifier", FIELD_AD_NETWORK_ID},
    {"advertised-item-identifier", FIELD_APP_ID},
    {"source-identifier", FIELD_SOURCE_IDENTIFIER},
    {"did-win", FIELD_DID_WIN},
    {"postback-sequence-index", FIELD_SEQUENCE_INDEX},
    {"publisher-item-identifier", FIELD_SOURCE_APP_ID},
    {"conversion-type", FIELD_CONVERSION_TYPE},
};
#define COUNT(names) (sizeof(names) / sizeof *(names))

/* The first six of the payload's, in the order in which they are checked. */
static const field_type required_types[] = {TYPE_TEXT, TYPE_TEXT, TYPE_INTEGER, TYPE_TEXT, TYPE_BOOLEAN, TYPE_WINDOW};

enum { HEADER, PAYLOAD, SIGNATURE, PARTS };
static const char *const part_names[PARTS] = {"header", "payload", "signature"};

typedef struct jws {
    span signed_text;  /* header and payload as they came */
    span parts[PARTS]; /* decoded */
} jws;

static bool is_malformed(skan_postback *postback, const char *field, const char *problem) {
    postback_refuse(postback, SKAN_POSTBACK_MALFORMED, field, problem);
    return true;
}

/* Cuts the text at its dots and decodes the parts; false where there is no memory. */
static bool split(skan_postback *postback, span text, jws *jws) {
    const char *next = text.start, *end = text.start + text.length;
    span letters[PARTS];
    int count = 0;
    for (const char *at = text.start; at <= end; at++) {
        if (at < end && *at != '.') continue;
        if (count < PARTS) letters[count] = (span){next, (size_t)(at - next)};
        count++;
        next = at + 1;
    }
    if (count != PARTS) return is_malformed(postback, "jws-string", "expected a compact JWS, of three parts");
    jws->signed_text = (span){text.start, (size_t)(letters[SIGNATURE].start - 1 - text.start)};
    for (int i = 0; i < PARTS; i++) {
        unsigned char *bytes = arena_take(&postback->memory, BASE64_DECODED_MAX(letters[i].length));
        if (!bytes) return false;
        jws->parts[i].start = (const char *)bytes;
        if (!base64url_decode(letters[i], bytes, &jws->parts[i].length))
            return is_malformed(postback, part_names[i], "expected base64url without padding");
    }
    return true;
}

/* The members of a part, which must be JSON; false where there is no memory. */
static bool members_of(skan_postback *postback, const jws *jws, int part, const member **members) {
    member_list list;
    member_list_begin(&list, &postback->memory);
    skan_status status = skan_json_read(jws->parts[part].start, jws->parts[part].length, member_list_add, &list, NULL);
    *members = list.first;
    if (status != SKAN_OK) return is_malformed(postback, part_names[part], "expected a JSON object");
    return !list.is_out_of_memory;
}

static void read_header(skan_postback *postback, const member *members, const jws *jws) {
    postback_find(postback, members, header_names, COUNT(header_names));
    const member *algorithm = postback->fields[FIELD_ALGORITHM], *key_id = postback->fields[FIELD_KEY_ID];
    if (key_id && key_id->kind == SKAN_JSON_STRING) postback->has_text |= FIELD_BIT(FIELD_KEY_ID);
    if (!algorithm || algorithm->kind != SKAN_JSON_STRING || !span_is(algorithm->text, "ES256"))
        postback_refuse(postback, SKAN_POSTBACK_MALFORMED, "alg", "expected ES256");
    else if (jws->parts[SIGNATURE].length != SIGNATURE_JWS_BYTES)
        postback_refuse(postback, SKAN_POSTBACK_MALFORMED, "signature", "expected 64 bytes");
    else if (postback->fields[FIELD_CRITICAL])
        postback_refuse(postback, SKAN_POSTBACK_UNVERIFIABLE, "crit", "asks for extensions that are not known");
}

/* The keys of SKAdNetwork's versions have names too, which are no key ids. */
static const key *key_of(skan_postback *postback, const skan_postback_keys *keys) {
    bool has_id = postback->has_text & FIELD_BIT(FIELD_KEY_ID);
    if (has_id && skadnetwork_knows(postback->fields[FIELD_KEY_ID]->text)) has_id = false;
    const key *key = has_id ? keys_find(keys, postback->fields[FIELD_KEY_ID]->text) : NULL;
    if (key && key_is_p256(key)) return key;
    postback_refuse(postback, SKAN_POSTBACK_UNVERIFIABLE, "kid", "no key is known by this name");
    return NULL;
}

static bool require_payload(skan_postback *postback, const member *members) {
    postback_find(postback, members, payload_names, COUNT(payload_names));
    for (size_t i = 0; i < COUNT(required_types); i++) {
        const named_field *named = &payload_names[i];
        if (!postback_require(postback, named->field, named->name, required_types[i], true)) return false;
    }
    const member *publisher = postback->fields[FIELD_SOURCE_APP_ID];
    if (publisher && !value_fault(publisher, TYPE_INTEGER, &postback->integers[FIELD_SOURCE_APP_ID]))
        postback->has_integer |= FIELD_BIT(FIELD_SOURCE_APP_ID);
    const member *type = postback->fields[FIELD_CONVERSION_TYPE];
    if (type && type->kind == SKAN_JSON_STRING) postback->has_text |= FIELD_BIT(FIELD_CONVERSION_TYPE);
    return true;
}

static bool list_signed(skan_postback *postback) {
    size_t count = 0;
    for (const member *each = postback->proven; each; each = each->next) count++;
    postback->signed_fields = arena_take(&postback->memory, (count + 1) * sizeof(char *));
    if (!postback->signed_fields) return false;
    for (const member *each = postback->proven; each; each = each->next)
        postback->signed_fields[postback->signed_count++] = each->name.start;
    postback->signed_fields[postback->signed_count] = NULL;
    return true;
}

static bool verify(skan_postback *postback, const jws *jws, const skan_postback_keys *keys, const key *key) {
    unsigned char der[SIGNATURE_DER_MAX];
    size_t length = signature_to_der((const unsigned char *)jws->parts[SIGNATURE].start, der);
    int answer = key_verify(keys, key, der, length, jws->signed_text.start, jws->signed_text.length);
    if (answer < 0) return false;
    postback->result = answer == 0                ? SKAN_POSTBACK_INVALID
                       : key_is_development(key) ? SKAN_POSTBACK_DEVELOPMENT
                                                 : SKAN_POSTBACK_VALID;
    return true;
}

bool attribution_kit_verify(skan_postback *postback, const member *members, const skan_postback_keys *keys) {
    jws jws;
    const member *header, *payload;
    postback_find(postback, members, outer_names, COUNT(outer_names));
    if (!unsigned_fields_read(postback)) return false;
    if (!postback_require(postback, FIELD_JWS, "jws-string", TYPE_TEXT, true)) return true;
    if (!split(postback, postback->fields[FIELD_JWS]->text, &jws)) return false;
    if (postback->problem) return true;
    if (!members_of(postback, &jws, HEADER, &header)) return false;
    if (postback->problem) return true;
    read_header(postback, header, &jws);
    if (postback->problem) return true;
    const key *key = keys ? key_of(postback, keys) : NULL;
    if (postback->problem) return true;
    if (!members_of(postback, &jws, PAYLOAD, &payload)) return false;
    if (postback->problem) return true;
    if (!require_payload(postback, payload)) return true;
    postback->proven = payload;
    if (keys && !verify(postback, &jws, keys, key)) return false;
    return !postback_is_proven(postback) || list_signed(postback);
}
