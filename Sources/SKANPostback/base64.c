#include "base64.h"

/* The 6 bits of a letter, -1 of another byte. */
static int bits_of(char letter, char letter62, char letter63) {
    if (letter >= 'A' && letter <= 'Z') return letter - 'A';
    if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9') return letter - '0' + 52;
    return letter == letter62 ? 62 : letter == letter63 ? 63 : -1;
}

static bool decode(span text, char letter62, char letter63, unsigned char *bytes, size_t *length) {
    size_t count = 0;
    uint32_t bits = 0;
    *length = 0;
    if (text.length % 4 == 1) return false;
    for (size_t i = 0; i < text.length; i++) {
        int next = bits_of(text.start[i], letter62, letter63);
        if (next < 0) return false;
        bits = bits << 6 | (uint32_t)next;
        if (i % 4 > 0) bytes[count++] = (unsigned char)(bits >> (6 - i % 4 * 2));
    }
    *length = count;
    return true;
}

bool base64_decode(span text, unsigned char *bytes, size_t *length) {
    *length = 0;
    if (text.length % 4 != 0) return false;
    for (int i = 0; i < 2 && text.length > 0 && text.start[text.length - 1] == '='; i++) text.length--;
    return decode(text, '+', '/', bytes, length);
}

bool base64url_decode(span text, unsigned char *bytes, size_t *length) {
    return decode(text, '-', '_', bytes, length);
}
