/* Public keys: Apple's and the host's, parsed once. */
#ifndef KEYS_H
#define KEYS_H

#include "../StoreSupport/trouble.h"
#include "arena.h"
#include <skan/postback.h>

typedef struct key key;

/* A set with one more share in it; NULL is Apple's. NULL, and trouble, where that cannot be made. */
skan_postback_keys *keys_share(const skan_postback_keys *keys, trouble *trouble);

/* The key of this name; NULL where there is none. Valid as long as the set. */
const key *keys_find(const skan_postback_keys *keys, span name);

bool key_is_development(const key *key);
/* Whether it is of the curve P-256. */
bool key_is_p256(const key *key);

/* Whether this is the key's ECDSA signature, in DER, of the text's SHA-256: 1 yes, 0 no, -1 no memory. */
int key_verify(const skan_postback_keys *keys, const key *key, const unsigned char *signature, size_t signature_length,
               const void *text, size_t length);

#define SHA256_BYTES 32

/* False where there is no memory. */
bool sha256(const skan_postback_keys *keys, const void *text, size_t length, unsigned char hash[SHA256_BYTES]);

#endif
