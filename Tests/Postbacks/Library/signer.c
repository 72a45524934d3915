#include "signer.h"
#include "support.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATOR "\xE2\x81\xA3"

static EVP_PKEY *keys[2];
static skan_postback_keys *set;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static char *base64(const unsigned char *bytes, size_t length) {
    char *text = malloc(length / 3 * 4 + 5);
    if (!text) abort();
    EVP_EncodeBlock((unsigned char *)text, bytes, (int)length);
    return text;
}

static char *base64url(const void *bytes, size_t length) {
    char *text = base64(bytes, length);
    text[strcspn(text, "=")] = '\0';
    for (char *each = text; *each; each++) *each = *each == '+' ? '-' : *each == '/' ? '_' : *each;
    return text;
}

static char *spki_of(EVP_PKEY *key) {
    unsigned char *der = NULL;
    int length = i2d_PUBKEY(key, &der);
    if (length <= 0) abort();
    char *text = base64(der, (size_t)length);
    OPENSSL_free(der);
    return text;
}

static void make_keys(void) {
    keys[0] = EVP_EC_gen("prime256v1");
    keys[1] = EVP_EC_gen("prime192v1");
    if (!keys[0] || !keys[1]) abort();
    char *p256 = spki_of(keys[0]), *p192 = spki_of(keys[1]);
    const skan_postback_key given[] = {
        {"4.0", p256, 0}, {"2.0", p192, 0}, {"test/0", p256, 0}, {"test-development/0", p256, 1}};
    if (skan_postback_keys_create(given, sizeof given / sizeof *given, &set, NULL) != SKAN_OK) abort();
    free(p256);
    free(p192);
}

const skan_postback_keys *test_keys(void) {
    pthread_once(&once, make_keys);
    return set;
}

EVP_PKEY *signing_key(bool is_p192) {
    pthread_once(&once, make_keys);
    return keys[is_p192];
}

bare_signature sign_text(bool is_p192, const char *text, size_t length) {
    bare_signature made = {.length = sizeof made.bytes};
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (!context || EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, signing_key(is_p192)) != 1 ||
        EVP_DigestSign(context, made.bytes, &made.length, (const unsigned char *)text, length) != 1)
        abort();
    EVP_MD_CTX_free(context);
    return made;
}

char *signed_postback(const char *version, long long number, const char *network, const char *more) {
    bool is_p192 = strcmp(version, "2.0") == 0;
    char *text, *members;
    if (is_p192) {
        text = text_of("2.0" SEPARATOR "%s" SEPARATOR "42" SEPARATOR "525463029" SEPARATOR "transaction-%lld" SEPARATOR
                       "true" SEPARATOR "1234567891", network, number);
        members = text_of("\"version\":\"2.0\",\"ad-network-id\":\"%s\",\"campaign-id\":42,\"app-id\":525463029,"
                          "\"transaction-id\":\"transaction-%lld\",\"redownload\":true,"
                          "\"source-app-id\":1234567891", network, number);
    } else {
        text = text_of("4.0" SEPARATOR "%s" SEPARATOR "5239" SEPARATOR "525463029" SEPARATOR "transaction-%lld"
                       SEPARATOR "false" SEPARATOR "1" SEPARATOR "true" SEPARATOR "0", network, number);
        members = text_of("\"version\":\"4.0\",\"ad-network-id\":\"%s\",\"source-identifier\":\"5239\","
                          "\"app-id\":525463029,"
                          "\"transaction-id\":\"transaction-%lld\",\"redownload\":false,\"fidelity-type\":1,"
                          "\"did-win\":true,\"postback-sequence-index\":0", network, number);
    }
    bare_signature signature = sign_text(is_p192, text, strlen(text));
    char *signature_text = base64(signature.bytes, signature.length);
    char *postback = text_of("{%s%s,\"attribution-signature\":\"%s\"}", members, more, signature_text);
    free(text);
    free(members);
    free(signature_text);
    return postback;
}

/* A number of 32 bytes, filled up in front. */
static void put_number(const BIGNUM *number, unsigned char *bytes) {
    if (BN_bn2binpad(number, bytes, 32) != 32) abort();
}

static char *jws_of(const char *header, const char *payload) {
    char *first = base64url(header, strlen(header)), *second = base64url(payload, strlen(payload));
    char *text = text_of("%s.%s", first, second);
    bare_signature der = sign_text(false, text, strlen(text));
    const unsigned char *next = der.bytes;
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &next, (long)der.length);
    unsigned char bytes[64];
    put_number(ECDSA_SIG_get0_r(signature), bytes);
    put_number(ECDSA_SIG_get0_s(signature), bytes + 32);
    ECDSA_SIG_free(signature);
    char *third = base64url(bytes, sizeof bytes);
    char *jws = text_of("%s.%s", text, third);
    free(first);
    free(second);
    free(third);
    free(text);
    return jws;
}

char *signed_jws_postback(const char *kid, const char *type, const char *more) {
    char *header = text_of("{\"kid\":\"%s\",\"alg\":\"ES256\"}", kid);
    char *payload = text_of("{\"postback-identifier\":\"postback-1\",\"ad-network-identifier\":\"n\","
                            "\"advertised-item-identifier\":525463029,\"source-identifier\":\"1234\",\"did-win\":true,"
                            "\"postback-sequence-index\":0,\"conversion-type\":\"%s\"}", type);
    char *jws = jws_of(header, payload);
    char *postback = text_of("{\"jws-string\":\"%s\"%s}", jws, more);
    free(header);
    free(payload);
    free(jws);
    return postback;
}
