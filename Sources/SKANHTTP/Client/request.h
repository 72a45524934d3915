/* One request: its attempts, one after the other, each a transfer of libcurl. */
#ifndef SKANHTTP_REQUEST_H
#define SKANHTTP_REQUEST_H

#include "skanhttp.h"

#include <curl/curl.h>
#include <stdbool.h>

typedef struct request {
    struct request *next;
    struct request *previous;
    uint64_t number;
    skanhttp_done done;
    void *context;
    char *url;
    char *host; /* and port: what messages may tell of the URL */

    int64_t deadline; /* of the whole request, in milliseconds of skanhttp_clock_now */
    int64_t acts_at;  /* when the attempt is over, or the next one begins */
    uint32_t attempts;
    bool is_under_way; /* an attempt is: libcurl has the handle */
    bool is_cancelled; /* set by any thread, under the client's lock */

    /* The attempt. */
    CURL *easy; /* lent by the loop */
    char words[CURL_ERROR_SIZE];
    size_t header_bytes;
    int64_t retry_after_ms; /* -1: the answer does not say */
    bool body_is_too_large;
    bool headers_are_too_large;
    bool timed_out;

    char *body;
    size_t length;
    size_t capacity;

    skanhttp_outcome outcome;
    char message[SKANHTTP_MESSAGE_SIZE];
} request;

/* Milliseconds of a clock that is never set. */
int64_t skanhttp_clock_now(void);

request *skanhttp_request_create(const char *url, const skanhttp_settings *settings, skanhttp_done done,
                                 void *context, skanhttp_refusal *why);
void skanhttp_request_free(request *request);

/* What all requests have in common. */
CURLcode skanhttp_handle_set_up(CURL *easy, const skanhttp_settings *settings);

/* Readies the request's handle for the next attempt; false, and the request is over, where that fails. */
bool skanhttp_request_prepare(request *request, const skanhttp_settings *settings);

/* What becomes of the request after an attempt: true, it is over, with outcome and message; false, `acts_at` says when
 * the next attempt begins. */
bool skanhttp_request_attempt_ended(request *request, const skanhttp_settings *settings, CURLcode code);

/* Ends a request before its time. */
void skanhttp_request_end(request *request, skanhttp_outcome outcome, const char *words);

#endif
