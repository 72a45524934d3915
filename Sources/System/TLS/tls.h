/* What Swift uses of OpenSSL's libssl: its declarations, and its macros, which Swift cannot call. */
#ifndef SKAN_TLS_H
#define SKAN_TLS_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

/* TLS 1.2 or newer, no renegotiation; writes may be whole records of what they are given, and go on from another place.
 * OpenSSL reads ahead: one system call receives a whole record, instead of one for its header and one for the rest. */
static inline int tls_prepare(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline long tls_set_server_name(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, name);
}

/* What a BIO's function says of a call that would have waited. */
static inline void tls_begin_bio(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline void tls_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void tls_retry_write(BIO *bio) { BIO_set_retry_write(bio); }

/* The oldest error of this thread in words; NULL: there is none. */
static inline const char *tls_error_words(void) {
    unsigned long error = ERR_peek_error();
    if (error == 0) return NULL;
    return ERR_SYSTEM_ERROR(error) ? strerror(ERR_GET_REASON(error)) : ERR_reason_error_string(error);
}

#endif
