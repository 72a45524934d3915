#define _GNU_SOURCE
#include "keys.h"

#include "base64.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct key {
    span name;
    EVP_PKEY *parsed;    /* NULL: there is none */
    EVP_PKEY_CTX *ready; /* begun for a verification, which is done on a copy */
    bool is_development, is_p256;
};

struct skan_postback_keys {
    atomic_size_t shares;
    arena memory;
    EVP_MD *sha256;
    size_t count;
    key keys[];
};

/* Rules, "Postback keys". P-256 from version 2.1 on, P-192 before. */
#define APPLE_P256                                                                                                  \
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWdp8GPcGqmhgzEFj9Z2nSpQVddayaPe4FMzqM9wib1+aHaaIzoHoLN9zW4K8y4SPykE3YVK3sVqW" \
    "6Af0lfx3gg=="
#define APPLE_P192 \
    "MEkwEwYHKoZIzj0CAQYIKoZIzj0DAQEDMgAEMyHD625uvsmGq4C43cQ9BnfN2xslVT5V1nOmAMP6qaRRUll3PB1JYmgSm+62sosG"
#define APPLE_DEVELOPMENT_0                                                                                         \
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELeEDzpJEP+/qRSE5hJVC1p1J0ssUnQGMzBBbvnACBok8OVGGLgxL0myrKiy6lvRtSlLRsWit87i+" \
    "vftD8AEqeQ=="
#define APPLE_DEVELOPMENT_1                                                                                         \
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YzdO7eM97s/IJ25kdW5CZ3A14USE5IJ5Ha/vhWaxI6UBI1ZxCEvjrKxVluVGe6qWwF1BDFq+QHq" \
    "KfH5u+wxHQ=="

static const skan_postback_key apple[] = {
    {"4.0", APPLE_P256, 0},
    {"3.0", APPLE_P256, 0},
    {"2.2", APPLE_P256, 0},
    {"2.1", APPLE_P256, 0},
    {"2.0", APPLE_P192, 0},
    {"1.0", APPLE_P192, 0},
    {"apple-cas-identifier/0", APPLE_P256, 0},
    {"apple-development-identifier/0", APPLE_DEVELOPMENT_0, 1},
    {"apple-development-identifier/1", APPLE_DEVELOPMENT_1, 1},
};
enum { APPLE_COUNT = sizeof apple / sizeof *apple, NAME_MAX_BYTES = 128, SPKI_LETTERS_MAX = 1024 };

static OSSL_LIB_CTX *library;
static skan_postback_keys *apple_keys;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static skan_status no_memory(trouble *trouble) {
    return trouble_set(trouble, SKAN_ERROR_LIMIT_EXCEEDED, "no memory for keys");
}

/* ---------------------------------------------------------------------------------------------------- making a set */

static bool curve_is(EVP_PKEY *parsed, const char *name) {
    char curve[64] = "";
    return EVP_PKEY_get_utf8_string_param(parsed, OSSL_PKEY_PARAM_GROUP_NAME, curve, sizeof curve, NULL) == 1 &&
           strcmp(curve, name) == 0;
}

/* `name` is where it stands, for messages. */
static skan_status parse(const char *spki, const char *name, key *key, trouble *trouble) {
    unsigned char der[BASE64_DECODED_MAX(SPKI_LETTERS_MAX)];
    size_t length = 0;
    span text = {spki, strnlen(spki, SPKI_LETTERS_MAX + 1)};
    if (text.length > SPKI_LETTERS_MAX || !base64_decode(text, der, &length))
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                           "%s.spki: expected padded base64 of at most %d letters", name, SPKI_LETTERS_MAX);
    const unsigned char *next = der;
    ERR_set_mark();
    key->parsed = d2i_PUBKEY_ex(NULL, &next, (long)length, library, NULL);
    key->is_p256 = key->parsed && curve_is(key->parsed, "prime256v1");
    bool is_ours = key->is_p256 || (key->parsed && curve_is(key->parsed, "prime192v1"));
    ERR_pop_to_mark();
    if (!is_ours || next != der + length)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT,
                           "%s.spki: expected the SubjectPublicKeyInfo of a key of curve P-256 or P-192", name);
    key->ready = EVP_PKEY_CTX_new_from_pkey(library, key->parsed, NULL);
    if (!key->ready || EVP_PKEY_verify_init(key->ready) != 1) return no_memory(trouble);
    return SKAN_OK;
}

static key *key_named(skan_postback_keys *keys, span name) {
    for (size_t i = 0; i < keys->count; i++)
        if (keys->keys[i].name.length == name.length && memcmp(keys->keys[i].name.start, name.start, name.length) == 0)
            return &keys->keys[i];
    return NULL;
}

static void forget(key *key) {
    EVP_PKEY_CTX_free(key->ready);
    EVP_PKEY_free(key->parsed);
    key->ready = NULL;
    key->parsed = NULL;
}

static skan_status add(skan_postback_keys *keys, const skan_postback_key *given, size_t index, trouble *trouble) {
    char place[32];
    snprintf(place, sizeof place, "keys[%zu]", index);
    size_t length = given->name ? strnlen(given->name, NAME_MAX_BYTES + 1) : 0;
    if (length == 0 || length > NAME_MAX_BYTES)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "%s.name: expected 1 to %d bytes, got %s", place,
                           NAME_MAX_BYTES, given->name ? length == 0 ? "none" : "more" : "NULL");
    key *key = key_named(keys, (span){given->name, length});
    if (!key) {
        key = &keys->keys[keys->count];
        key->name = arena_copy(&keys->memory, given->name, length);
        if (!key->name.start) return no_memory(trouble);
        keys->count++;
    }
    forget(key);
    key->is_development = given->is_development != 0;
    return given->spki ? parse(given->spki, place, key, trouble) : SKAN_OK;
}

static void end(skan_postback_keys *keys) {
    for (size_t i = 0; i < keys->count; i++) forget(&keys->keys[i]);
    EVP_MD_free(keys->sha256);
    arena_end(&keys->memory);
    free(keys);
}

static skan_status make(const skan_postback_key *given, size_t count, skan_postback_keys **out, trouble *trouble) {
    if (!library) return no_memory(trouble);
    skan_postback_keys *keys = calloc(1, sizeof *keys + (APPLE_COUNT + count) * sizeof(key));
    if (!keys) return no_memory(trouble);
    atomic_init(&keys->shares, 1);
    keys->sha256 = EVP_MD_fetch(library, "SHA256", NULL);
    skan_status status = keys->sha256 ? SKAN_OK : no_memory(trouble);
    for (size_t i = 0; i < APPLE_COUNT && status == SKAN_OK; i++) status = add(keys, &apple[i], i, trouble);
    for (size_t i = 0; i < count && status == SKAN_OK; i++) status = add(keys, &given[i], i, trouble);
    if (status != SKAN_OK) {
        end(keys);
        return status;
    }
    *out = keys;
    return SKAN_OK;
}

/* The host's configuration of OpenSSL may forbid P-192: the context is the library's own. It is never given up, as
 * threads may be in it when the process ends. */
static void begin(void) {
    trouble trouble;
    library = OSSL_LIB_CTX_new();
    make(NULL, 0, &apple_keys, &trouble);
}

/* ------------------------------------------------------------------------------------------------------------ sets */

skan_status skan_postback_keys_create(const skan_postback_key *given, size_t count, skan_postback_keys **out,
                                      skan_error **error) {
    trouble trouble;
    skan_status status;
    if (out) *out = NULL;
    pthread_once(&once, begin);
    if (!out || (!given && count > 0))
        status = trouble_set(&trouble, SKAN_ERROR_INVALID_ARGUMENT, "%s: expected a pointer, got NULL",
                             out ? "keys" : "out");
    else if (count > SKAN_POSTBACK_KEYS_MAX)
        status = trouble_set(&trouble, SKAN_ERROR_LIMIT_EXCEEDED, "count: expected at most %d, got %zu",
                             SKAN_POSTBACK_KEYS_MAX, count);
    else
        status = make(given, count, out, &trouble);
    return trouble_given(error, status, &trouble);
}

void skan_postback_keys_destroy(skan_postback_keys *keys) {
    if (keys && atomic_fetch_sub(&keys->shares, 1) == 1) end(keys);
}

skan_postback_keys *keys_share(const skan_postback_keys *keys, trouble *trouble) {
    pthread_once(&once, begin);
    skan_postback_keys *shared = keys ? (skan_postback_keys *)keys : apple_keys;
    if (shared)
        atomic_fetch_add(&shared->shares, 1);
    else
        no_memory(trouble);
    return shared;
}

const key *keys_find(const skan_postback_keys *keys, span name) {
    for (size_t i = 0; i < keys->count; i++) {
        const key *key = &keys->keys[i];
        if (key->parsed && key->name.length == name.length && memcmp(key->name.start, name.start, name.length) == 0)
            return key;
    }
    return NULL;
}

bool key_is_development(const key *key) {
    return key->is_development;
}

bool key_is_p256(const key *key) {
    return key->is_p256;
}

bool sha256(const skan_postback_keys *keys, const void *text, size_t length, unsigned char hash[SHA256_BYTES]) {
    return EVP_Digest(text, length, hash, NULL, keys->sha256, NULL) == 1;
}

int key_verify(const skan_postback_keys *keys, const key *key, const unsigned char *signature, size_t signature_length,
               const void *text, size_t length) {
    unsigned char hash[SHA256_BYTES];
    if (!sha256(keys, text, length, hash)) return -1;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_dup(key->ready);
    if (!context) return -1;
    /* What a signature that does not fit leaves in the thread's queue of errors is nobody's. */
    ERR_set_mark();
    int fits = EVP_PKEY_verify(context, signature, signature_length, hash, sizeof hash) == 1;
    if (!fits && ERR_GET_REASON(ERR_peek_last_error()) == ERR_R_MALLOC_FAILURE) fits = -1;
    ERR_pop_to_mark();
    EVP_PKEY_CTX_free(context);
    return fits;
}
