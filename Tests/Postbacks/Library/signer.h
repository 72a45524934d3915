/* Signs postbacks with keys of the test's own. */
#ifndef SIGNER_H
#define SIGNER_H

#include <skan/postback.h>

/* The set with the test's keys for every version, and the kids "test/0" and "test-development/0"; made once. */
const skan_postback_keys *test_keys(void);

/* A postback of a version, with a transaction id "transaction-<number>", signed; `unsigned_members` is JSON to stand at
 * the end, ",\"conversion-value\":5", or "". The caller frees it with free(). */
char *signed_postback(const char *version, long long number, const char *network, const char *unsigned_members);
/* The same of AdAttributionKit, of a download, signed for this kid. */
char *signed_jws_postback(const char *kid, long long number, const char *network, const char *unsigned_members);
/* The same with this JSON as its conversion-type, NULL for none, signed for "test/0". */
char *signed_conversion(const char *type, long long number, const char *network, const char *unsigned_members);

/* Any fields as they stand in a SKAdNetwork postback, behind the text that is signed for them. */
char *signed_fields(const char *version, const char *signed_text, const char *members);
/* A JWS of any header and payload. */
char *jws_of(const char *header, const char *payload);

/* The key and signature of a text for a bare verification. */
typedef struct bare_signature {
    unsigned char bytes[80];
    size_t length;
} bare_signature;
bare_signature sign_text(bool is_p192, const char *text, size_t length);
struct evp_pkey_st *signing_key(bool is_p192);

#endif
