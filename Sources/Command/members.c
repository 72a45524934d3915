#include "members.h"

#include <stdbool.h>
#include <string.h>

static size_t skip_space(const char *text, size_t length, size_t place) {
    while (place < length && strchr(" \t\r\n", text[place]) && text[place]) place++;
    return place;
}

/* The place after the text that begins with the quote at `place`. */
static size_t skip_text(const char *text, size_t length, size_t place) {
    for (place++; place < length && text[place] != '"'; place++)
        if (text[place] == '\\') place++;
    return place < length ? place + 1 : length;
}

/* The place of the ',' or '}' after the value at `place`. */
static size_t skip_value(const char *text, size_t length, size_t place) {
    size_t depth = 0;
    while (place < length) {
        char byte = text[place];
        if (byte == '"') {
            place = skip_text(text, length, place);
            continue;
        }
        if (depth == 0 && (byte == ',' || byte == '}')) return place;
        if (byte == '{' || byte == '[') depth++;
        if ((byte == '}' || byte == ']') && depth > 0) depth--;
        place++;
    }
    return length;
}

size_t member_find(const char *object, size_t object_length, const char *key, const char **value, size_t *length) {
    size_t found = 0;
    size_t key_length = strlen(key);
    size_t place = skip_space(object, object_length, 0) + 1;
    while ((place = skip_space(object, object_length, place)) < object_length && object[place] == '"') {
        size_t name = place + 1;
        place = skip_text(object, object_length, place);
        bool is_key = place - name == key_length + 1 && memcmp(object + name, key, key_length) == 0;
        size_t begin = skip_space(object, object_length, skip_space(object, object_length, place) + 1);
        place = skip_value(object, object_length, begin);
        if (is_key && begin <= place) {
            found++;
            *value = object + begin;
            *length = place - begin;
        }
        place++;
    }
    return found;
}
