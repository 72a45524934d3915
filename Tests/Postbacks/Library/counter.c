/* Stands in front of libcrypto, to count how many signatures a test has had checked. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

static int checks;

int counted_checks(void);
int EVP_PKEY_verify(void *context, const unsigned char *signature, size_t length, const unsigned char *digest,
                    size_t digest_length);

/* How many were checked since the last call. */
int counted_checks(void) {
    int counted = checks;
    checks = 0;
    return counted;
}

int EVP_PKEY_verify(void *context, const unsigned char *signature, size_t length, const unsigned char *digest,
                    size_t digest_length) {
    static int (*verify)(void *, const unsigned char *, size_t, const unsigned char *, size_t);
    /* Python loads libcrypto for the library alone, so that it is not among what comes next. */
    if (verify == NULL) *(void **)&verify = dlsym(dlopen("libcrypto.so.3", RTLD_LAZY), "EVP_PKEY_verify");
    ++checks;
    return verify(context, signature, length, digest, digest_length);
}
