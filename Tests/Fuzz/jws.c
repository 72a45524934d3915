/* The JWS of an AdAttributionKit postback: any text as a whole one; and, cut at line ends, header, payload and
 * signature. */
#include "fuzz.h"
#include "postback_truth.h"

static char *put_text(char *next, const char *text) {
    size_t length = strlen(text);
    return (char *)memcpy(next, text, length) + length;
}

/* As it stands in JSON; what is no ASCII would be no JSON. */
static char *put_escaped(char *next, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) next += sprintf(next, "\\u%04x", bytes[i]);
    return next;
}

static char *put_base64url(char *next, const uint8_t *bytes, size_t size) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (size_t i = 0; i < size * 8; i += 6) {
        unsigned pair = (unsigned)bytes[i / 8] << 8 | (i / 8 + 1 < size ? bytes[i / 8 + 1] : 0u);
        *next++ = letters[pair >> (10 - i % 8) & 63];
    }
    return next;
}

static void verify_whole(const uint8_t *data, size_t size) {
    char *body = malloc(size * 6 + 32), *next = body;
    size_t dots = 0;
    REQUIRE(body != NULL);
    next = put_text(next, "{\"jws-string\":\"");
    next = put_escaped(next, data, size);
    next = put_text(next, "\"}");
    for (size_t i = 0; i < size; i++) dots += data[i] == '.';
    int32_t result = require_verified(body, (size_t)(next - body), NULL);
    if (dots != 2 && result >= 0) REQUIRE(result == SKAN_POSTBACK_MALFORMED);
    free(body);
}

static void verify_parts(const uint8_t *data, size_t size) {
    static const uint8_t ones[64] = {1, [63] = 1};
    const uint8_t *end = data + size, *cut = memchr(data, '\n', size);
    if (!cut) return;
    const uint8_t *payload = cut + 1, *second = memchr(payload, '\n', (size_t)(end - payload));
    size_t signature_size = second ? (size_t)(end - second - 1) : sizeof ones;
    char *body = malloc(size * 2 + 200), *next = body;
    REQUIRE(body != NULL);
    next = put_text(next, "{\"jws-string\":\"");
    next = put_base64url(next, data, (size_t)(cut - data));
    *next++ = '.';
    next = put_base64url(next, payload, (size_t)((second ? second : end) - payload));
    *next++ = '.';
    next = put_base64url(next, second ? second + 1 : ones, signature_size);
    next = put_text(next, "\"}");
    int32_t result = require_verified(body, (size_t)(next - body), NULL);
    /* Nobody can sign as Apple, and what is not 64 bytes is no signature. */
    if (result >= 0) REQUIRE(result != SKAN_POSTBACK_VALID);
    if (result >= 0 && signature_size != 64) REQUIRE(result == SKAN_POSTBACK_MALFORMED);
    free(body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    verify_whole(data, size);
    verify_parts(data, size);
    return 0;
}
