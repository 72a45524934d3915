#include "base64.h"

#include <stdint.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(const void *data, size_t length, char *out) {
    const unsigned char *bytes = data;
    for (size_t place = 0; place < length; place += 3) {
        size_t left = length - place;
        uint32_t group = (uint32_t)bytes[place] << 16 | (left > 1 ? (uint32_t)bytes[place + 1] << 8 : 0) |
                         (left > 2 ? bytes[place + 2] : 0u);
        *out++ = digits[group >> 18];
        *out++ = digits[group >> 12 & 63];
        *out++ = left > 1 ? digits[group >> 6 & 63] : '=';
        *out++ = left > 2 ? digits[group & 63] : '=';
    }
    *out = 0;
}

static int digit_value(char digit) {
    const char *found = digit ? strchr(digits, digit) : NULL;
    return found ? (int)(found - digits) : -1;
}

bool base64_read(const char *text, size_t text_length, unsigned char *out, size_t *length) {
    *length = 0;
    if (text_length % 4 != 0) return false;
    for (size_t place = 0; place < text_length; place += 4) {
        bool is_last = place + 4 == text_length;
        int padding = is_last && text[place + 3] == '=' ? (text[place + 2] == '=' ? 2 : 1) : 0;
        uint32_t group = 0;
        for (int index = 0; index < 4; index++) {
            int value = index < 4 - padding ? digit_value(text[place + (size_t)index]) : 0;
            if (value < 0) return false;
            group = group << 6 | (uint32_t)value;
        }
        /* What padding leaves unused is zero, else two texts would mean the same bytes. */
        if (group & (padding == 2 ? 0xFFFFu : padding == 1 ? 0xFFu : 0)) return false;
        for (int index = 0; index < 3 - padding; index++) out[(*length)++] = (unsigned char)(group >> (16 - 8 * index));
    }
    return true;
}
