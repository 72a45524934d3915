/* Base64 as RFC 4648 has it: only its own letters, no line ends. Unused bits at the end are not looked at. */
#ifndef BASE64_H
#define BASE64_H

#include "arena.h"

/* Bytes that `length` letters can give. */
#define BASE64_DECODED_MAX(length) ((length) / 4 * 3 + 3)

/* Padded, with + and /: as in attribution-signature. False where it is not of this form. */
bool base64_decode(span text, unsigned char *bytes, size_t *length);
/* Unpadded, with - and _: as in a JWS. */
bool base64url_decode(span text, unsigned char *bytes, size_t *length);

#endif
