/* An HTTP client: GET requests that one thread drives with libcurl, for the C library and for the Swift package. Knows
 * nothing of libskan's own functions. What http.h promises of requests holds here. */
#ifndef SKANHTTP_H
#define SKANHTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SKANHTTP_BODY_MAX = 65536,   /* bytes of an answer's body */
    SKANHTTP_HEADERS_MAX = 65536 /* bytes of all its headers */
};

typedef enum skanhttp_outcome {
    SKANHTTP_OK = 0,        /* HTTP status 200, with its whole body */
    SKANHTTP_FAILED = 1,    /* anything else */
    SKANHTTP_TOO_LARGE = 2, /* HTTP status 200, with more than SKANHTTP_BODY_MAX bytes */
    SKANHTTP_CANCELLED = 3
} skanhttp_outcome;

/* No number is zero; the texts may be NULL. */
typedef struct skanhttp_settings {
    uint32_t timeout_ms;
    uint32_t attempt_timeout_ms;
    uint32_t connect_timeout_ms;
    uint32_t max_attempts;
    uint32_t backoff_ms;
    uint32_t max_backoff_ms;
    uint32_t max_connections;
    const char *ca_file;
    const char *proxy;
} skanhttp_settings;

static inline skanhttp_settings skanhttp_defaults(void) {
    skanhttp_settings settings = {10000, 4000, 2000, 3, 200, 2000, 64, NULL, NULL};
    return settings;
}

typedef struct skanhttp_client skanhttp_client;

enum { SKANHTTP_MESSAGE_SIZE = 512 };

/* The settings are copied. NULL, and why, where it cannot be made. */
skanhttp_client *skanhttp_client_create(const skanhttp_settings *settings, char why[SKANHTTP_MESSAGE_SIZE]);
/* Ends its requests as cancelled, and itself. Not inside `done`. NULL is fine. */
void skanhttp_client_destroy(skanhttp_client *client);

/* Called once for each request that was started, on the client's thread. Body and message are valid meanwhile. */
typedef void (*skanhttp_done)(void *context, skanhttp_outcome outcome, const void *body, size_t length,
                              const char *message);

/* Why a request was not started. */
typedef struct skanhttp_refusal {
    bool is_of_url; /* it is no absolute http or https URL */
    char message[SKANHTTP_MESSAGE_SIZE];
} skanhttp_refusal;

/* Starts a request, and answers its number; 0, and why, where it cannot be: `done` is not called then. */
uint64_t skanhttp_start(skanhttp_client *client, const char *url, skanhttp_done done, void *context,
                        skanhttp_refusal *why);
/* Ends a request soon, as cancelled; nothing where it is over. */
void skanhttp_cancel(skanhttp_client *client, uint64_t number);

/* An answer that was waited for: `body` is the caller's to free. */
typedef struct skanhttp_answer {
    skanhttp_outcome outcome;
    void *body;
    size_t length;
    char message[SKANHTTP_MESSAGE_SIZE];
} skanhttp_answer;

void skanhttp_get(skanhttp_client *client, const char *url, skanhttp_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
