#include "plain_text.h"

#include <string.h>

/* RFC 3629: what a character of each length begins with, and what may follow there. */
static const struct {
    unsigned char first, last, second_least, second_most;
    size_t length;
} forms[] = {
    {0x01, 0x7F, 0x00, 0x00, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
    {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
    {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

size_t text_character(const char *text) {
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (bytes[0] < forms[i].first || bytes[0] > forms[i].last) continue;
        if (forms[i].length > 1 && (bytes[1] < forms[i].second_least || bytes[1] > forms[i].second_most)) return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((bytes[k] & 0xC0) != 0x80) return 0;
        return forms[i].length;
    }
    return 0;
}

bool text_is_plain(const char *text, size_t longest) {
    if (strlen(text) > longest) return false;
    while (*text) {
        size_t length = text_character(text);
        if (length == 0 || (unsigned char)*text < 0x20 || *text == 0x7F) return false;
        text += length;
    }
    return true;
}
