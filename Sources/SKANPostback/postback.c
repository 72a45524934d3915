#include "postback.h"

#include "../StoreSupport/options.h"
#include "out_struct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static skan_status no_memory(trouble *trouble) {
    return trouble_set(trouble, SKAN_ERROR_LIMIT_EXCEEDED, "no memory for a postback");
}

static skan_status is_null(const char *name, trouble *trouble) {
    return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "%s: expected a pointer, got NULL", name);
}

/* --------------------------------------------------------------------------------------------------------- reading */

/* Unpaired surrogates, three bytes each, become U+FFFD. No signature of Apple's is on them. */
static void mend(const member *member) {
    if (!member || member->kind != SKAN_JSON_STRING) return;
    unsigned char *bytes = (unsigned char *)member->text.start;
    for (size_t i = 0; i + 2 < member->text.length; i++)
        if (bytes[i] == 0xED && bytes[i + 1] >= 0xA0) memcpy(bytes + i, "\xEF\xBF\xBD", 3);
}

/* Rules, "Duplicate postbacks". Lengths stand before texts, so that no two keys have one text. */
static bool make_key(skan_postback *postback, const skan_postback_keys *keys) {
    if (postback->result == SKAN_POSTBACK_MALFORMED) return true;
    const uint32_t needed = FIELD_BIT(FIELD_AD_NETWORK_ID) | FIELD_BIT(FIELD_TRANSACTION_ID);
    if ((postback->has_text & needed) != needed) return true;
    span network = postback->fields[FIELD_AD_NETWORK_ID]->text, id = postback->fields[FIELD_TRANSACTION_ID]->text;
    int window = postback->has_integer & FIELD_BIT(FIELD_SEQUENCE_INDEX)
                     ? (int)postback->integers[FIELD_SEQUENCE_INDEX]
                     : 0;
    size_t size = 64 + network.length + id.length;
    char *text = arena_take(&postback->memory, size);
    if (!text) return false;
    size_t length = (size_t)snprintf(text, 64, "%d %d %zu %zu ", (int)postback->framework, window, network.length,
                                     id.length);
    memcpy(text + length, network.start, network.length);
    memcpy(text + length + network.length, id.start, id.length);
    unsigned char hash[SHA256_BYTES];
    if (!sha256(keys, text, length + network.length + id.length, hash)) return false;
    char *key = postback->key;
    key += sprintf(key, "postback/");
    for (int i = 0; i < SHA256_BYTES; i++) key += sprintf(key, "%02x", hash[i]);
    return true;
}

/* Rules, "Postback verification": what has a JWS is AdAttributionKit's, but for a key of that name that SKAdNetwork
 * ignores. */
static int32_t framework_of(const member *members) {
    bool has_jws = false, has_signature = false;
    for (const member *each = members; each; each = each->next) {
        has_jws |= span_is(each->name, "jws-string");
        has_signature |= span_is(each->name, "attribution-signature");
    }
    return has_jws && !has_signature ? SKAN_POSTBACK_ADATTRIBUTIONKIT : SKAN_POSTBACK_SKADNETWORK;
}

/* False where there is no memory. */
static bool read(skan_postback *postback, const skan_postback_keys *keys, const skan_postback_keys *hashes) {
    member_list members;
    skan_error *fault = NULL;
    member_list_begin(&members, &postback->memory);
    skan_status status =
        skan_json_read(postback->body.start, postback->body.length, member_list_add, &members, &fault);
    if (status != SKAN_OK) {
        const char *words = skan_error_message(fault);
        span problem = arena_copy(&postback->memory, words, strlen(words));
        skan_error_free(fault);
        postback_refuse(postback, SKAN_POSTBACK_MALFORMED, NULL, problem.start);
        return problem.start != NULL;
    }
    if (members.is_out_of_memory) return false;
    postback->framework = framework_of(members.first);
    bool is_read = postback->framework == SKAN_POSTBACK_SKADNETWORK
                       ? skadnetwork_verify(postback, members.first, keys)
                       : attribution_kit_verify(postback, members.first, keys);
    if (!is_read) return false;
    for (int i = 0; i < FIELD_COUNT; i++) mend(postback->fields[i]);
    for (const member *each = postback->proven; each; each = each->next) mend(each);
    return make_key(postback, hashes);
}

/* The result that it had, whatever the rules of this library say. */
static void restore(skan_postback *postback, int32_t result) {
    bool is_refused = result == SKAN_POSTBACK_MALFORMED || result == SKAN_POSTBACK_UNVERIFIABLE;
    postback->result = result;
    if (!is_refused) {
        postback->problem = postback->problem_field = NULL;
    } else if (!postback->problem) {
        bool is_kit = postback->framework == SKAN_POSTBACK_ADATTRIBUTIONKIT;
        postback->problem = "was so when it was received";
        postback->problem_field = is_kit ? "kid" : "version";
    }
    if (result == SKAN_POSTBACK_MALFORMED) postback->key[0] = '\0';
}

skan_status postback_make(const void *body, size_t length, const skan_postback_keys *keys, const verdict *earlier,
                          skan_postback **out, trouble *trouble) {
    skan_postback_keys *shared = keys_share(keys, trouble);
    if (!shared) return trouble->status;
    skan_postback *made = calloc(1, sizeof *made);
    skan_status status = made ? SKAN_OK : no_memory(trouble);
    if (made) {
        made->body = arena_copy(&made->memory, body, length);
        if (earlier) made->result = earlier->result, made->omits_source_app = earlier->omits_source_app;
        if (!made->body.start || !read(made, earlier ? NULL : shared, shared)) status = no_memory(trouble);
        if (earlier) restore(made, earlier->result);
    }
    skan_postback_keys_destroy(shared);
    if (status == SKAN_OK)
        *out = made;
    else
        skan_postback_destroy(made);
    return status;
}

skan_status skan_postback_verify(const void *body, size_t length, const skan_postback_options *options,
                                 skan_postback **out, skan_error **error) {
    trouble trouble;
    skan_postback_options read = {0};
    if (out) *out = NULL;
    skan_status status = options_read(options, &read, sizeof read, &trouble);
    if (status == SKAN_OK && !out) status = is_null("out", &trouble);
    if (status == SKAN_OK && !body && length > 0) status = is_null("body", &trouble);
    if (status == SKAN_OK && length > SKAN_RESPONSE_MAX)
        status = trouble_set(&trouble, SKAN_ERROR_LIMIT_EXCEEDED, "body: %zu bytes, the limit is %d", length,
                             SKAN_RESPONSE_MAX);
    if (status == SKAN_OK) status = postback_make(body, length, read.keys, NULL, out, &trouble);
    return trouble_given(error, status, &trouble);
}

void skan_postback_destroy(skan_postback *postback) {
    if (!postback) return;
    arena_end(&postback->memory);
    free(postback);
}

/* ------------------------------------------------------------------------------------------------------- accessors */

int32_t skan_postback_result(const skan_postback *postback) {
    return postback ? postback->result : -1;
}

const char *skan_postback_result_name(int32_t result) {
    static const char *const names[] = {"valid", "invalid", "unverifiable", "development", "malformed"};
    return result >= 0 && result < (int32_t)(sizeof names / sizeof *names) ? names[result] : "unknown";
}

const char *skan_postback_problem(const skan_postback *postback) {
    return postback && postback->problem ? postback->problem : "";
}

const char *skan_postback_problem_field(const skan_postback *postback) {
    return postback ? postback->problem_field : NULL;
}

static const char *const *list(const char **fields, size_t length, size_t *count) {
    static const char *const empty[] = {NULL};
    if (count) *count = length;
    return fields ? (const char *const *)fields : empty;
}

const char *const *skan_postback_signed_fields(const skan_postback *postback, size_t *count) {
    if (!postback) return list(NULL, 0, count);
    return list(postback->signed_fields, postback->signed_count, count);
}

const char *const *skan_postback_illegal_fields(const skan_postback *postback, size_t *count) {
    if (!postback) return list(NULL, 0, count);
    return list(postback->illegal_fields, postback->illegal_count, count);
}

static const char *text_of(const skan_postback *postback, field field) {
    return postback->has_text & FIELD_BIT(field) ? postback->fields[field]->text.start : NULL;
}

static const int64_t *integer_of(const skan_postback *postback, field field) {
    return postback->has_integer & FIELD_BIT(field) ? &postback->integers[field] : NULL;
}

static int32_t small_of(const skan_postback *postback, field field, int32_t absent) {
    const int64_t *integer = integer_of(postback, field);
    return integer ? (int32_t)*integer : absent;
}

/* Rules, "Re-engagements": by conversion-type, of SKAdNetwork by redownload. */
int32_t postback_conversion_type(const skan_postback *postback) {
    static const struct {
        const char *word;
        int32_t type;
    } words[] = {{"download", SKAN_POSTBACK_DOWNLOAD},
                 {"redownload", SKAN_POSTBACK_REDOWNLOAD},
                 {"re-engagement", SKAN_POSTBACK_REENGAGEMENT},
                 {"reengagement", SKAN_POSTBACK_REENGAGEMENT}};
    const char *told = text_of(postback, FIELD_CONVERSION_TYPE);
    for (size_t i = 0; told && i < sizeof words / sizeof *words; i++)
        if (span_is(postback->fields[FIELD_CONVERSION_TYPE]->text, words[i].word)) return words[i].type;
    switch (small_of(postback, FIELD_REDOWNLOAD, -1)) {
    case 0: return SKAN_POSTBACK_DOWNLOAD;
    case 1: return SKAN_POSTBACK_REDOWNLOAD;
    default: return SKAN_POSTBACK_CONVERSION_UNKNOWN;
    }
}

const char *skan_postback_conversion_type_name(int32_t conversion_type) {
    static const char *const names[] = {"unknown", "download", "redownload", "re-engagement"};
    bool is_known = conversion_type >= 0 && conversion_type < (int32_t)(sizeof names / sizeof *names);
    return names[is_known ? conversion_type : SKAN_POSTBACK_CONVERSION_UNKNOWN];
}

static void fill(skan_postback_fields *fields, const skan_postback *postback) {
    fields->framework = postback->framework;
    fields->window = small_of(postback, FIELD_SEQUENCE_INDEX, 0);
    fields->version = postback->version;
    fields->ad_network_id = text_of(postback, FIELD_AD_NETWORK_ID);
    fields->transaction_id = text_of(postback, FIELD_TRANSACTION_ID);
    fields->source_identifier = text_of(postback, FIELD_SOURCE_IDENTIFIER);
    fields->source_domain = text_of(postback, FIELD_SOURCE_DOMAIN);
    fields->country_code = text_of(postback, FIELD_COUNTRY_CODE);
    fields->interaction_type = text_of(postback, FIELD_INTERACTION_TYPE);
    fields->key_id = text_of(postback, FIELD_KEY_ID);
    fields->campaign_id = integer_of(postback, FIELD_CAMPAIGN_ID);
    fields->app_id = integer_of(postback, FIELD_APP_ID);
    fields->source_app_id = integer_of(postback, FIELD_SOURCE_APP_ID);
    fields->fidelity_type = integer_of(postback, FIELD_FIDELITY_TYPE);
    fields->did_win = small_of(postback, FIELD_DID_WIN, -1);
    fields->redownload = small_of(postback, FIELD_REDOWNLOAD, -1);
    fields->conversion_value = small_of(postback, FIELD_CONVERSION_VALUE, -1);
    fields->coarse_value = small_of(postback, FIELD_COARSE_VALUE, -1);
    fields->conversion_type = postback_conversion_type(postback);
}

skan_status skan_postback_read(const skan_postback *postback, skan_postback_fields *out, skan_error **error) {
    trouble trouble;
    skan_postback_fields fields = {0};
    skan_status status = SKAN_OK;
    if (!out)
        status = is_null("out", &trouble);
    else
        status = out_begin(out, offsetof(skan_postback_fields, conversion_type), &trouble);
    if (status == SKAN_OK && !postback) status = is_null("postback", &trouble);
    if (status == SKAN_OK) {
        fill(&fields, postback);
        out_give(out, &fields, sizeof fields);
    }
    return trouble_given(error, status, &trouble);
}

const char *skan_postback_key_of(const skan_postback *postback) {
    return postback && postback->key[0] ? postback->key : NULL;
}

const void *skan_postback_body(const skan_postback *postback, size_t *length) {
    if (length) *length = postback ? postback->body.length : 0;
    return postback ? postback->body.start : NULL;
}
