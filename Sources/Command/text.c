#include "text.h"

#include <skan/skan.h>

#include <string.h>

size_t text_scalar(const unsigned char *text, size_t left, uint32_t *scalar) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] < 0x80 ? 1 : text[0] >> 5 == 6 ? 2 : text[0] >> 4 == 14 ? 3 : text[0] >> 3 == 30 ? 4 : 0;
    if (length == 0 || length > left) return 0;
    *scalar = length == 1 ? text[0] : text[0] & (0xFFu >> (length + 1));
    for (size_t index = 1; index < length; index++) {
        if (text[index] >> 6 != 2) return 0;
        *scalar = *scalar << 6 | (text[index] & 0x3F);
    }
    bool is_surrogate = *scalar >= 0xD800 && *scalar <= 0xDFFF;
    return *scalar < least[length] || *scalar > 0x10FFFF || is_surrogate ? 0 : length;
}

bool text_is_obeyed(uint32_t scalar) {
    return scalar < 0x20 || (scalar >= 0x7F && scalar <= 0x9F) || scalar == 0x61C || scalar == 0x200E ||
           scalar == 0x200F || (scalar >= 0x2028 && scalar <= 0x202E) || (scalar >= 0x2066 && scalar <= 0x2069);
}

void text_print(FILE *file, const char *text) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t left = strlen(text);
    while (left > 0) {
        uint32_t scalar = 0;
        size_t length = text_scalar(bytes, left, &scalar);
        bool is_plain = length > 0 && !text_is_obeyed(scalar);
        if (length == 0) length = 1;
        for (size_t index = 0; index < length; index++)
            if (is_plain)
                putc(bytes[index], file);
            else
                fprintf(file, "\\x%02X", bytes[index]);
        bytes += length;
        left -= length;
    }
}

const char *install_id_problem(const char *id, size_t length) {
    if (length == 0) return "an install id is not empty";
    if (length > SKAN_INSTALL_ID_MAX) return "an install id has at most 128 bytes";
    for (size_t place = 0; place < length;) {
        uint32_t scalar = 0;
        size_t step = text_scalar((const unsigned char *)id + place, length - place, &scalar);
        if (step == 0) return "an install id is UTF-8";
        if (scalar < 0x20 || scalar == 0x7F) return "an install id has no control characters";
        place += step;
    }
    return NULL;
}
