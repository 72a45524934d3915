#include "fields.h"

bool read_integer(span text, int64_t *integer) {
    size_t i = 0;
    bool is_negative = text.length > 0 && text.start[0] == '-';
    int64_t value = 0;
    if (is_negative) i++;
    if (i == text.length) return false;
    for (; i < text.length; i++) {
        int digit = text.start[i] - '0';
        if (digit < 0 || digit > 9) return false;
        if (__builtin_mul_overflow(value, 10, &value)) return false;
        if (is_negative ? __builtin_sub_overflow(value, digit, &value) : __builtin_add_overflow(value, digit, &value))
            return false;
    }
    *integer = value;
    return true;
}

const char *value_fault(const member *member, field_type type, int64_t *integer) {
    switch (type) {
    case TYPE_TEXT:
        return member->kind == SKAN_JSON_STRING ? NULL : "expected a text";
    case TYPE_BOOLEAN:
        if (member->kind != SKAN_JSON_TRUE && member->kind != SKAN_JSON_FALSE) return "expected true or false";
        *integer = member->kind == SKAN_JSON_TRUE;
        return NULL;
    default:
        if (member->kind != SKAN_JSON_NUMBER || !read_integer(member->text, integer))
            return "expected an integer of 64 bits, without fraction or exponent";
        return type == TYPE_WINDOW && (*integer < 0 || *integer > 2) ? "expected 0, 1 or 2" : NULL;
    }
}
