/* plain_json.c - the endpoint's answer and the details, both with json-c. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "plain_install.h"

/* --------------------------------------------------------------------------------------------------------- answer */

/* A tokener per thread: making one costs as much as a short answer. */
static json_tokener *thread_tokener(void)
{
    static _Thread_local json_tokener *tokener;
    if (tokener == NULL) tokener = json_tokener_new();
    if (tokener == NULL) abort();
    json_tokener_reset(tokener);
    return tokener;
}

/* An integer member 0...limit; -1 where absent or null. */
static bool read_small(json_object *root, const char *key, int64_t limit, int8_t *out)
{
    json_object *member;
    *out = PLAIN_NONE;
    if (!json_object_object_get_ex(root, key, &member) || member == NULL) return true;
    if (!json_object_is_type(member, json_type_int)) return false;
    int64_t value = json_object_get_int64(member);
    if (value < 0 || value > limit) return false;
    *out = (int8_t)value;
    return true;
}

static bool read_lock(json_object *root, bool *out)
{
    json_object *member;
    *out = false;
    if (!json_object_object_get_ex(root, "skan_updated_lock_window_value", &member) || member == NULL) return true;
    if (json_object_is_type(member, json_type_boolean)) {
        *out = json_object_get_boolean(member);
        return true;
    }
    if (!json_object_is_type(member, json_type_int)) return false;
    int64_t value = json_object_get_int64(member);
    *out = value == 1;
    return value == 0 || value == 1;
}

static bool read_text(json_object *root, const char *key, const char **out)
{
    json_object *member;
    *out = NULL;
    if (!json_object_object_get_ex(root, key, &member) || member == NULL) return true;
    if (!json_object_is_type(member, json_type_string)) return false;
    *out = json_object_get_string(member);
    return true;
}

static plain_status read_members(json_object *root, plain_answer *out)
{
    if (!read_small(root, "conversion_value", 63, &out->fine) ||
        !read_small(root, "skan_updated_coarse_value", 2, &out->coarse) ||
        !read_small(root, "postback_sequence_index", 2, &out->window) || !read_lock(root, &out->lock)) {
        return PLAIN_ILLEGAL_VALUE;
    }
    out->has_value = out->fine != PLAIN_NONE || out->coarse != PLAIN_NONE;
    if (out->fine == PLAIN_NONE) {
        const char *status, *reason;
        if (!read_text(root, "status", &status) || !read_text(root, "reason", &reason)) return PLAIN_ILLEGAL_VALUE;
        if (status == NULL || strcmp(status, "ok") != 0) return PLAIN_REJECTED;
    }
    return PLAIN_OK;
}

plain_status plain_read_answer(const char *body, size_t length, plain_answer *out)
{
    *out = (plain_answer){.fine = PLAIN_NONE, .coarse = PLAIN_NONE, .window = PLAIN_NONE};
    if (length > 65536) return PLAIN_LIMIT_EXCEEDED;
    while (length > 0 && strchr(" \t\r\n", body[length - 1]) != NULL && body[length - 1] != '\0') length--;
    if (length == 0) return PLAIN_OK;
    json_tokener *tokener = thread_tokener();
    json_object *root = json_tokener_parse_ex(tokener, body, (int)length);
    plain_status status = PLAIN_MALFORMED_RESPONSE;
    if (json_object_is_type(root, json_type_object) && json_tokener_get_parse_end(tokener) == length) {
        status = read_members(root, out);
    }
    json_object_put(root);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- details */

typedef struct document {
    json_object *root;
    unsigned options; /* of json_object_object_add_ex; 0 = add plainly */
} document;

static void add(const document *out, const char *key, json_object *value)
{
    if (out->options == 0) {
        json_object_object_add(out->root, key, value);
    } else {
        json_object_object_add_ex(out->root, key, value, out->options);
    }
}

static void add_integer(const document *out, const char *key, int64_t value)
{
    add(out, key, value == PLAIN_NONE ? NULL : json_object_new_int64(value));
}

/* An amount keeps its exact text: json-c would print the double 4.99 as 4.9900000000000002. */
static void add_revenue(const document *out, const char *key, const plain_revenue *revenue)
{
    if (revenue->count == 0) {
        add(out, key, NULL);
        return;
    }
    json_object *table = json_object_new_object();
    for (uint16_t i = 0; i < revenue->count; i++) {
        char text[PLAIN_AMOUNT_TEXT];
        plain_amount_text(revenue->amounts[i].micros, text);
        json_object_object_add(table, revenue->amounts[i].currency,
                               json_object_new_double_s((double)revenue->amounts[i].micros / 1e6, text));
    }
    add(out, key, table);
}

char *plain_write_details(const plain_install *install, bool constant_keys)
{
    document out = {.root = json_object_new_object(),
                    .options = constant_keys ? JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY : 0};
    add_integer(&out, "skan_current_conversion_value", install->fine);
    add_integer(&out, "prev_fine_value", install->previous_fine);
    add_integer(&out, "skan_first_call_to_skadnetwork_timestamp", install->first_call);
    add_integer(&out, "skan_last_call_to_skadnetwork_timestamp", install->last_call);
    add_revenue(&out, "skan_total_revenue_by_currency", &install->lifetime[0]);
    add_revenue(&out, "skan_total_admon_revenue_by_currency", &install->lifetime[1]);
    add_integer(&out, "p0_coarse", install->coarse[0]);
    add_integer(&out, "p1_coarse", install->coarse[1]);
    add_integer(&out, "p2_coarse", install->coarse[2]);
    add_integer(&out, "p0_window_lock", install->lock[0]);
    add_integer(&out, "p1_window_lock", install->lock[1]);
    add_integer(&out, "p2_window_lock", install->lock[2]);
    add_integer(&out, "p0_prev_coarse_value", install->previous_coarse[0]);
    add_integer(&out, "p1_prev_coarse_value", install->previous_coarse[1]);
    add_integer(&out, "p2_prev_coarse_value", install->previous_coarse[2]);
    add_revenue(&out, "p0_total_iap_revenue", &install->window[0][0]);
    add_revenue(&out, "p1_total_iap_revenue", &install->window[0][1]);
    add_revenue(&out, "p2_total_iap_revenue", &install->window[0][2]);
    add_revenue(&out, "p0_total_admon_revenue", &install->window[1][0]);
    add_revenue(&out, "p1_total_admon_revenue", &install->window[1][1]);
    add_revenue(&out, "p2_total_admon_revenue", &install->window[1][2]);
    char *json = strdup(json_object_to_json_string_ext(out.root, JSON_C_TO_STRING_PLAIN));
    if (json == NULL) abort();
    json_object_put(out.root);
    return json;
}
