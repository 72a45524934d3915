/* Base64 of RFC 4648 with padding. */
#ifndef BASE64_H
#define BASE64_H

#include <stdbool.h>
#include <stddef.h>

#define BASE64_LENGTH(length) (((length) + 2) / 3 * 4)

/* Writes BASE64_LENGTH(length) characters and a NUL. */
void base64_write(const void *data, size_t length, char *out);

/* Reads into `out`, which has room for text_length / 4 * 3 bytes; false where base64_write would not give the text. */
bool base64_read(const char *text, size_t text_length, unsigned char *out, size_t *length);

#endif
