#include "sha1.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotated(uint32_t word, int bits) {
    return word << bits | word >> (32 - bits);
}

static void add_block(uint32_t state[5], const unsigned char block[64]) {
    uint32_t words[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
                   block[4 * i + 3];
    for (int i = 16; i < 80; i++) words[i] = rotated(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t mixed, constant;
        if (i < 20)
            mixed = (b & c) | (~b & d), constant = 0x5A827999;
        else if (i < 40)
            mixed = b ^ c ^ d, constant = 0x6ED9EBA1;
        else if (i < 60)
            mixed = (b & c) | (b & d) | (c & d), constant = 0x8F1BBCDC;
        else
            mixed = b ^ c ^ d, constant = 0xCA62C1D6;
        uint32_t next = rotated(a, 5) + mixed + e + constant + words[i];
        e = d, d = c, c = rotated(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

void sha1_text(const void *data, size_t length, char digits[41]) {
    uint32_t state[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    const unsigned char *bytes = data;
    size_t left = length;
    for (; left >= 64; left -= 64, bytes += 64) add_block(state, bytes);
    unsigned char end[128] = {0};
    size_t size = left < 56 ? 64 : 128;
    memcpy(end, bytes, left);
    end[left] = 0x80;
    for (int i = 0; i < 8; i++) end[size - 1 - (size_t)i] = (unsigned char)((uint64_t)length * 8 >> (8 * i));
    add_block(state, end);
    if (size == 128) add_block(state, end + 64);
    for (int i = 0; i < 5; i++) snprintf(digits + 8 * i, 9, "%08x", (unsigned)state[i]);
}
