/* Rules, "Unsigned fields": what no signature covers. One out of range is reported, and counts as absent. */
#include "postback.h"

#include <string.h>

static const char *const coarse_names[] = {"low", "medium", "high"};

static bool is_conversion_value(skan_postback *postback, const member *member) {
    int64_t *value = &postback->integers[FIELD_CONVERSION_VALUE];
    return !value_fault(member, TYPE_INTEGER, value) && *value >= 0 && *value <= 63;
}

static bool is_coarse_value(skan_postback *postback, const member *member) {
    if (member->kind != SKAN_JSON_STRING) return false;
    for (int i = 0; i < 3; i++) {
        postback->integers[FIELD_COARSE_VALUE] = i;
        if (span_is(member->text, coarse_names[i])) return true;
    }
    return false;
}

static bool is_country(skan_postback *postback, const member *member) {
    (void)postback;
    if (member->kind != SKAN_JSON_STRING || member->text.length != 2) return false;
    const char *letters = member->text.start;
    return letters[0] >= 'A' && letters[0] <= 'Z' && letters[1] >= 'A' && letters[1] <= 'Z';
}

static bool is_interaction(skan_postback *postback, const member *member) {
    (void)postback;
    return member->kind == SKAN_JSON_STRING && (span_is(member->text, "click") || span_is(member->text, "view"));
}

static const struct {
    field field;
    bool (*is_legal)(skan_postback *postback, const member *member);
    bool is_number;
} rules[] = {
    {FIELD_CONVERSION_VALUE, is_conversion_value, true},
    {FIELD_COARSE_VALUE, is_coarse_value, true},
    {FIELD_COUNTRY_CODE, is_country, false},
    {FIELD_INTERACTION_TYPE, is_interaction, false},
};
enum { RULES = sizeof rules / sizeof *rules };

bool unsigned_fields_read(skan_postback *postback) {
    postback->illegal_fields = arena_take(&postback->memory, (RULES + 1) * sizeof(char *));
    if (!postback->illegal_fields) return false;
    for (int i = 0; i < RULES; i++) {
        const member *member = postback->fields[rules[i].field];
        if (!member || member->kind == SKAN_JSON_NULL) continue;
        if (!rules[i].is_legal(postback, member))
            postback->illegal_fields[postback->illegal_count++] = member->name.start;
        else if (rules[i].is_number)
            postback->has_integer |= FIELD_BIT(rules[i].field);
        else
            postback->has_text |= FIELD_BIT(rules[i].field);
    }
    postback->illegal_fields[postback->illegal_count] = NULL;
    return true;
}
