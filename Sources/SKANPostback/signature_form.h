/* The two forms of an ECDSA signature: DER in SKAdNetwork, two numbers of 32 bytes in a JWS. */
#ifndef SIGNATURE_FORM_H
#define SIGNATURE_FORM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the bytes are the DER of a SEQUENCE of two INTEGERs that are not negative, and nothing else. */
bool signature_is_der(const unsigned char *bytes, size_t length);

enum { SIGNATURE_JWS_BYTES = 64, SIGNATURE_DER_MAX = 72 };

/* Writes the DER of a JWS's signature; its length. */
size_t signature_to_der(const unsigned char jws[SIGNATURE_JWS_BYTES], unsigned char der[SIGNATURE_DER_MAX]);

#endif
