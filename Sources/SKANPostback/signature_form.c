#include "signature_form.h"

#include <string.h>

typedef struct reading {
    const unsigned char *next, *end;
} reading;

/* Begins a value of this tag: `content` is what it holds. Lengths must be in their shortest form. */
static bool begin(reading *outer, unsigned char tag, reading *content) {
    if (outer->end - outer->next < 2 || outer->next[0] != tag) return false;
    size_t length = outer->next[1];
    outer->next += 2;
    if (length >= 0x80) {
        size_t count = length - 0x80;
        if (count < 1 || count > 4 || (size_t)(outer->end - outer->next) < count || outer->next[0] == 0) return false;
        length = 0;
        for (size_t i = 0; i < count; i++) length = length << 8 | *outer->next++;
        if (length < 0x80) return false;
    }
    if ((size_t)(outer->end - outer->next) < length) return false;
    *content = (reading){outer->next, outer->next + length};
    outer->next += length;
    return true;
}

static bool is_number(reading content) {
    size_t length = (size_t)(content.end - content.next);
    if (length == 0 || content.next[0] >= 0x80) return false;
    return length == 1 || content.next[0] != 0 || content.next[1] >= 0x80;
}

bool signature_is_der(const unsigned char *bytes, size_t length) {
    reading whole = {bytes, bytes + length}, sequence, r, s;
    return begin(&whole, 0x30, &sequence) && whole.next == whole.end && begin(&sequence, 0x02, &r) &&
           begin(&sequence, 0x02, &s) && sequence.next == sequence.end && is_number(r) && is_number(s);
}

/* Writes an INTEGER of 32 bytes in its shortest form; its length. */
static size_t write_number(const unsigned char *number, unsigned char *der) {
    size_t count = SIGNATURE_JWS_BYTES / 2;
    while (count > 1 && number[0] == 0) number++, count--;
    size_t zero = number[0] >= 0x80 ? 1 : 0;
    der[0] = 0x02;
    der[1] = (unsigned char)(count + zero);
    der[2] = 0;
    memcpy(der + 2 + zero, number, count);
    return 2 + zero + count;
}

size_t signature_to_der(const unsigned char jws[SIGNATURE_JWS_BYTES], unsigned char der[SIGNATURE_DER_MAX]) {
    size_t length = 2;
    length += write_number(jws, der + length);
    length += write_number(jws + SIGNATURE_JWS_BYTES / 2, der + length);
    der[0] = 0x30;
    der[1] = (unsigned char)(length - 2);
    return length;
}
