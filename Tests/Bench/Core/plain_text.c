/* plain_text.c - the endpoint's answer and the details, both with json-c, and the URL that asks for the next value. */
#include <json-c/json.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

/* --------------------------------------------------------------------------------------------------------- answer */

/* A tokener per thread: making one costs as much as a short answer. */
static json_tokener *thread_tokener(void) {
    static _Thread_local json_tokener *tokener;
    if (tokener == NULL) tokener = json_tokener_new();
    if (tokener == NULL) abort();
    json_tokener_reset(tokener);
    return tokener;
}

/* An integer member 0...limit; -1 where absent or null. */
static bool read_small(json_object *root, const char *key, int64_t limit, int8_t *out) {
    json_object *member;
    *out = PLAIN_NONE;
    if (!json_object_object_get_ex(root, key, &member) || member == NULL) return true;
    if (!json_object_is_type(member, json_type_int)) return false;
    int64_t value = json_object_get_int64(member);
    if (value < 0 || value > limit) return false;
    *out = (int8_t)value;
    return true;
}

static bool read_lock(json_object *root, bool *out) {
    json_object *member;
    int8_t number;
    const char *key = "skan_updated_lock_window_value";
    if (json_object_object_get_ex(root, key, &member) && json_object_is_type(member, json_type_boolean)) {
        *out = json_object_get_boolean(member);
        return true;
    }
    bool is_read = read_small(root, key, 1, &number);
    *out = number == 1;
    return is_read;
}

static bool read_text(json_object *root, const char *key, const char **out) {
    json_object *member;
    *out = NULL;
    if (!json_object_object_get_ex(root, key, &member) || member == NULL) return true;
    if (!json_object_is_type(member, json_type_string)) return false;
    *out = json_object_get_string(member);
    return true;
}

static skan_status read_members(json_object *root, plain_answer *out) {
    if (!read_small(root, "conversion_value", 63, &out->fine) ||
        !read_small(root, "skan_updated_coarse_value", 2, &out->coarse) ||
        !read_small(root, "postback_sequence_index", 2, &out->window) || !read_lock(root, &out->lock)) {
        return SKAN_ERROR_ILLEGAL_VALUE;
    }
    out->has_value = out->fine != PLAIN_NONE || out->coarse != PLAIN_NONE;
    if (out->fine == PLAIN_NONE) {
        const char *status, *reason;
        if (!read_text(root, "status", &status) || !read_text(root, "reason", &reason)) return SKAN_ERROR_ILLEGAL_VALUE;
        if (status == NULL || strcmp(status, "ok") != 0) return SKAN_ERROR_REJECTED;
    }
    return SKAN_OK;
}

skan_status plain_read_answer(const char *body, size_t length, plain_answer *out) {
    *out = (plain_answer){.fine = PLAIN_NONE, .coarse = PLAIN_NONE, .window = PLAIN_NONE};
    if (length > SKAN_RESPONSE_MAX) return SKAN_ERROR_LIMIT_EXCEEDED;
    while (length > 0 && strchr(" \t\r\n", body[length - 1]) != NULL && body[length - 1] != '\0') length--;
    if (length == 0) return SKAN_OK;
    json_tokener *tokener = thread_tokener();
    json_object *root = json_tokener_parse_ex(tokener, body, (int)length);
    skan_status status = SKAN_ERROR_MALFORMED_RESPONSE;
    if (json_object_is_type(root, json_type_object) && json_tokener_get_parse_end(tokener) == length) {
        status = read_members(root, out);
    }
    json_object_put(root);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- details */

/* The members of the details, and items of a request, in their order; and where an install has them. */
static const struct member {
    const char *key;
    enum { VALUE, TIME, REVENUE } kind;
    size_t at;
} members[] = {
    {"skan_current_conversion_value", VALUE, offsetof(plain_install, fine)},
    {"prev_fine_value", VALUE, offsetof(plain_install, previous_fine)},
    {"skan_first_call_to_skadnetwork_timestamp", TIME, offsetof(plain_install, first_call)},
    {"skan_last_call_to_skadnetwork_timestamp", TIME, offsetof(plain_install, last_call)},
    {"skan_total_revenue_by_currency", REVENUE, offsetof(plain_install, lifetime[0])},
    {"skan_total_admon_revenue_by_currency", REVENUE, offsetof(plain_install, lifetime[1])},
    {"p0_coarse", VALUE, offsetof(plain_install, coarse[0])},
    {"p1_coarse", VALUE, offsetof(plain_install, coarse[1])},
    {"p2_coarse", VALUE, offsetof(plain_install, coarse[2])},
    {"p0_window_lock", TIME, offsetof(plain_install, lock[0])},
    {"p1_window_lock", TIME, offsetof(plain_install, lock[1])},
    {"p2_window_lock", TIME, offsetof(plain_install, lock[2])},
    {"p0_prev_coarse_value", VALUE, offsetof(plain_install, previous_coarse[0])},
    {"p1_prev_coarse_value", VALUE, offsetof(plain_install, previous_coarse[1])},
    {"p2_prev_coarse_value", VALUE, offsetof(plain_install, previous_coarse[2])},
    {"p0_total_iap_revenue", REVENUE, offsetof(plain_install, window[0][0])},
    {"p1_total_iap_revenue", REVENUE, offsetof(plain_install, window[0][1])},
    {"p2_total_iap_revenue", REVENUE, offsetof(plain_install, window[0][2])},
    {"p0_total_admon_revenue", REVENUE, offsetof(plain_install, window[1][0])},
    {"p1_total_admon_revenue", REVENUE, offsetof(plain_install, window[1][1])},
    {"p2_total_admon_revenue", REVENUE, offsetof(plain_install, window[1][2])},
};
#define MEMBERS (sizeof members / sizeof *members)

static int64_t integer_of(const plain_install *install, const struct member *member) {
    const char *at = (const char *)install + member->at;
    return member->kind == VALUE ? *(const int8_t *)at : *(const int64_t *)at;
}

static const plain_revenue *revenue_of(const plain_install *install, const struct member *member) {
    return (const plain_revenue *)((const char *)install + member->at);
}

#define NUMBER_TEXT 24 /* room for an integer or an amount */

static size_t integer_text(int64_t value, char text[NUMBER_TEXT]) {
    char digits[20];
    size_t count = 0, length = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) text[length++] = '-';
    while (count > 0) text[length++] = digits[--count];
    text[length] = '\0';
    return length;
}

/* A decimal without trailing zeros. */
static size_t amount_text(int64_t micros, char text[NUMBER_TEXT]) {
    size_t length = 0;
    uint64_t rest = micros < 0 ? 0 - (uint64_t)micros : (uint64_t)micros;
    if (micros < 0) text[length++] = '-';
    length += integer_text((int64_t)(rest / 1000000), text + length);
    uint32_t fraction = (uint32_t)(rest % 1000000);
    if (fraction != 0) {
        text[length++] = '.';
        for (uint32_t unit = 100000; fraction != 0; fraction %= unit, unit /= 10) {
            text[length++] = (char)('0' + fraction / unit);
        }
        text[length] = '\0';
    }
    return length;
}

/* An amount keeps its exact text: json-c would print the double 4.99 as 4.9900000000000002. */
static json_object *revenue_json(const plain_revenue *revenue) {
    if (revenue->count == 0) return NULL;
    json_object *table = json_object_new_object();
    for (uint16_t i = 0; i < revenue->count; i++) {
        char text[NUMBER_TEXT];
        amount_text(revenue->amounts[i].micros, text);
        json_object_object_add(table, revenue->amounts[i].currency,
                               json_object_new_double_s((double)revenue->amounts[i].micros / 1e6, text));
    }
    return table;
}

static json_object *integer_json(int64_t value) {
    return value == PLAIN_NONE ? NULL : json_object_new_int64(value);
}

char *plain_write_details(const plain_install *install, bool constant_keys) {
    json_object *root = json_object_new_object();
    for (const struct member *member = members; member < members + MEMBERS; member++) {
        json_object *value = member->kind == REVENUE ? revenue_json(revenue_of(install, member))
                                                     : integer_json(integer_of(install, member));
        if (constant_keys) {
            json_object_object_add_ex(root, member->key, value,
                                      JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY);
        } else {
            json_object_object_add(root, member->key, value);
        }
    }
    char *json = strdup(json_object_to_json_string_ext(root, JSON_C_TO_STRING_PLAIN));
    if (json == NULL) abort();
    json_object_put(root);
    return json;
}

/* ------------------------------------------------------------------------------------------------------------- URL */

typedef struct url {
    char *text;
    size_t length, capacity;
} url;

static void reserve(url *out, size_t more) {
    if (out->capacity - out->length >= more) return;
    while (out->capacity - out->length < more) out->capacity *= 2;
    out->text = realloc(out->text, out->capacity);
    if (out->text == NULL) abort();
}

static void append(url *out, const char *text, size_t length) {
    reserve(out, length);
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

/* RFC 3986, 2.3. */
static bool is_unreserved(unsigned char byte) {
    unsigned letter = (byte | 32u) - 'a', digit = byte - (unsigned)'0';
    return letter < 26 || digit < 10 || byte == '-' || byte == '.' || byte == '_' || byte == '~';
}

static void append_encoded(url *out, const char *text, size_t length) {
    reserve(out, 3 * length);
    char *end = out->text + out->length;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (is_unreserved(byte)) {
            *end++ = (char)byte;
        } else {
            *end++ = '%';
            *end++ = "0123456789ABCDEF"[byte >> 4];
            *end++ = "0123456789ABCDEF"[byte & 15];
        }
    }
    out->length = (size_t)(end - out->text);
}

/* "&name=": every item but the first starts so. */
static void append_name(url *out, const char *name) {
    append(out, "&", 1);
    append(out, name, strlen(name));
    append(out, "=", 1);
}

static void append_item(url *out, const char *name, const char *value) {
    if (value == NULL || *value == '\0') return;
    append_name(out, name);
    append_encoded(out, value, strlen(value));
}

static void append_integer(url *out, const char *name, int64_t value) {
    if (value == PLAIN_NONE) return;
    char text[NUMBER_TEXT];
    append_name(out, name);
    append(out, text, integer_text(value, text));
}

/* {"EUR":1.99,"USD":4.99} */
static void append_revenue(url *out, const char *name, const plain_revenue *revenue) {
    if (revenue->count == 0) return;
    append_name(out, name);
    for (uint16_t i = 0; i < revenue->count; i++) {
        char text[NUMBER_TEXT + 8] = {i == 0 ? '{' : ',', '"'};
        memcpy(text + 2, revenue->amounts[i].currency, 3);
        memcpy(text + 5, "\":", 2);
        append_encoded(out, text, 7 + amount_text(revenue->amounts[i].micros, text + 7));
    }
    append_encoded(out, "}", 1);
}

char *plain_write_url(const plain_install *install, const char *event_name, const skan_device *device) {
    static const char path[] = BENCH_ENDPOINT "/api/v2/conversion_value";
    url out = {.text = malloc(1024), .capacity = 1024};
    if (out.text == NULL) abort();
    append(&out, path, sizeof path - 1);
    append_item(&out, "a", BENCH_SDK_KEY);
    append_item(&out, "v", device->os_version);
    append_item(&out, "i", BENCH_BUNDLE_ID);
    append_item(&out, "app_v", BENCH_APP_VERSION);
    append_item(&out, "n", event_name);
    append_item(&out, "p", "iOS");
    append_item(&out, "idfv", device->idfv);
    append_item(&out, "idfa", device->idfa);
    for (const struct member *member = members; member < members + MEMBERS; member++) {
        if (member->kind == REVENUE) {
            append_revenue(&out, member->key, revenue_of(install, member));
        } else {
            append_integer(&out, member->key, integer_of(install, member));
        }
    }
    out.text[sizeof path - 1] = '?';
    append(&out, "", 1);
    return out.text;
}
