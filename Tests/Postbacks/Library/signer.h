/* Signs postbacks with keys of the test's own. */
#ifndef SIGNER_H
#define SIGNER_H

#include <skan/postback.h>

/* The set with the test's keys for versions 4.0 and 2.0, and the kids "test/0" and "test-development/0"; made once. */
const skan_postback_keys *test_keys(void);

/* A postback of version 4.0 or 2.0, with a transaction id "transaction-<number>", signed; `unsigned_members` is JSON to
 * stand at the end, ",\"conversion-value\":5", or "". The caller frees it with free(). */
char *signed_postback(const char *version, long long number, const char *network, const char *unsigned_members);
/* The same of AdAttributionKit, of a conversion type, signed for this kid. */
char *signed_jws_postback(const char *kid, const char *type, const char *unsigned_members);

/* The key and signature of a text for a bare verification. */
typedef struct bare_signature {
    unsigned char bytes[80];
    size_t length;
} bare_signature;
bare_signature sign_text(bool is_p192, const char *text, size_t length);
struct evp_pkey_st *signing_key(bool is_p192);

#endif
