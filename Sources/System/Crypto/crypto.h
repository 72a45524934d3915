/* What Swift uses of OpenSSL's libcrypto: its declarations, and its macros, which Swift cannot call. */
#ifndef SKAN_CRYPTO_H
#define SKAN_CRYPTO_H

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

/* The name of a key's parameter that names its curve. */
static inline const char *crypto_curve_parameter(void) { return OSSL_PKEY_PARAM_GROUP_NAME; }

/* Whether the newest error in this thread's queue is that there was no memory. */
static inline int crypto_is_out_of_memory(void) {
    return ERR_GET_REASON(ERR_peek_last_error()) == ERR_R_MALLOC_FAILURE;
}

#endif
