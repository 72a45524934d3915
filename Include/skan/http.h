/*
 * http.h - the HTTP transport of libskan, by libcurl (library libskan-http).
 *
 *     skan_transport transport;
 *     skan_error *error = NULL;
 *     skan_http_transport_open(NULL, &transport, &error);
 *
 *     skan_options options = {.size = sizeof options, .transport = &transport, .endpoint_url = url, .sdk_key = key};
 *     skan *engine = NULL;
 *     skan_create(&options, &engine, &error);      // the engine owns the transport now ...
 *     skan_destroy(engine);                        // ... and closes it here
 *
 * For event loops and other hosts that do not want a thread to wait there is the client below: the same requests, told
 * by a callback.
 *
 * Know before production:
 * - What is an answer: HTTP status 200 and a whole body of at most SKAN_RESPONSE_MAX bytes, and 64 KiB of headers at
 *   most. Redirects are not followed. Only http and https URLs; over https the server's certificate and name are
 *   verified, with TLS 1.2 or newer.
 * - Retries: a request is tried again after a time-out, after HTTP status 429 and 5xx, and after a connection that was
 *   refused or ended before the first byte of an answer (closed, reset, HTTP/2 GOAWAY, a TLS handshake that broke off);
 *   after nothing else, and up to `max_attempts`. The pause before each doubles from `backoff_ms` up to
 *   `max_backoff_ms`, and of that a share between a half and all of it is drawn at random; what the header Retry-After
 *   asks for (seconds or a date) comes on top. With the defaults a server may be gone for two seconds without costing a
 *   request. Where no time would be left after the pause, the request ends at once. A request whose answer was lost may
 *   have reached the server, so the server may see a request more than once: requests here are GETs.
 * - Time: `timeout_ms` bounds the whole request, attempts and pauses and all: a slow name look-up, a server that does
 *   not answer or drips its answer. Look-ups need libcurl 7.87 or newer for that to hold in the client's callbacks.
 * - Threads: any number at once. All requests of a transport or client run on one thread of its own, started with the
 *   first of them, with all signals blocked; connections are kept and shared: HTTP/2 where the server has it, else
 *   HTTP/1.1, up to `max_connections`, beyond which requests wait their turn; that wait is part of connecting.
 * - fork: a transport or client made before fork() may be used in the child, also while other threads of the parent
 *   have requests under way: those stay the parent's. No connection is shared between the two: the child opens its
 *   own. Not forked inside a callback, except to exec.
 * - Memory: a failed allocation ends the process, as in skan.h, unless it is one of libcurl's.
 * - Process-wide state: curl_global_init, once, and handlers for fork. No signal handlers; SIGPIPE is blocked where it
 *   could arise.
 * - The proxy is taken from the environment as libcurl does (http_proxy, https_proxy, all_proxy, no_proxy), with each
 *   request and on the client's thread, unless `proxy` says otherwise.
 * - Secrets: messages name the host and port, never the URL's path, query or user, nor a proxy's password.
 *
 * Errors and ownership are as in skan.h. The ABI only grows, as there.
 */
#ifndef SKAN_HTTP_H
#define SKAN_HTTP_H

#include "skan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How requests are made. Set `size`; everything else may be zero. Times are in milliseconds, up to 3 600 000. */
typedef struct skan_http_options {
    size_t size;                 /* sizeof(skan_http_options) */
    uint32_t timeout_ms;         /* of a whole request, retries and pauses included; 0 = 10 000 */
    uint32_t attempt_timeout_ms; /* of one attempt; 0 = 4 000 */
    uint32_t connect_timeout_ms; /* of an attempt's name look-up, connection and TLS handshake; 0 = 2 000 */
    uint32_t max_attempts;       /* 1 = no retries, up to 100; 0 = 6 */
    uint32_t backoff_ms;         /* the first pause is at most that long; 0 = 200 */
    uint32_t max_backoff_ms;     /* no pause is longer, Retry-After aside; 0 = 2 000 */
    uint32_t max_connections;    /* open at once, up to 4096; 0 = 16, half of what skan serve takes from a client */
    uint32_t reserved;           /* 0 */
    const char *ca_file;         /* a file of certificates in PEM form that are trusted in place of the system's; NULL =
                                  * the system's. Copied, as the next */
    const char *proxy;           /* "http://proxy.example:3128"; "" = none; NULL = the environment's */
    /* Told what went wrong, in libcurl's own words, whenever the transport's hook is about to answer `status`,
     * SKAN_ERROR_TRANSPORT or SKAN_ERROR_LIMIT_EXCEEDED; those words reach nobody else. For a log: `message` is UTF-8,
     * valid during the call. Called on the thread that the hook was called on, so on several at once; it must not
     * call back into the transport's engine. May be NULL. A client's requests have their callback instead. */
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} skan_http_options;

/* Opens a transport. Connects nowhere yet.
 *   options  NULL = all defaults. Copied.
 *   out      filled for skan_create, whose engine then owns the transport and closes it: give it to one engine. One
 *            that no engine took over is closed by skan_http_transport_close. All zero on any status but SKAN_OK.
 * Its `get` answers SKAN_OK, SKAN_ERROR_LIMIT_EXCEEDED for a body of more than SKAN_RESPONSE_MAX bytes, and
 * SKAN_ERROR_TRANSPORT for everything else.
 * Any thread.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  out is NULL, an option is not as described
 * SKAN_ERROR_TRANSPORT         ca_file cannot be read; libcurl cannot be used */
skan_status skan_http_transport_open(const skan_http_options *options, skan_transport *out, skan_error **error);

/* Closes a transport that no skan_create was given, or one whose skan_create left it to the caller (an illegal struct
 * size), and zeroes it. NULL, and one that is all zero, is fine; a transport of another kind is left alone. No thread
 * may be in a call on it. */
void skan_http_transport_close(skan_transport *transport);

/* ---------------------------------------------------------------------------------------------------------- client */

/* Makes requests without a thread that waits for each. Opaque; safe for any number of threads. */
typedef struct skan_http_client skan_http_client;

/* Makes a client. Connects nowhere yet. `report` of the options is not used. out is NULL on any status but SKAN_OK;
 * statuses as of skan_http_transport_open. Any thread. */
skan_status skan_http_client_create(const skan_http_options *options, skan_http_client **out, skan_error **error);

/* Ends a client. Requests under way are cancelled, and told so before this returns. NULL is fine. Forbidden inside a
 * request's callback, and while another thread is in a call on it. */
void skan_http_client_destroy(skan_http_client *client);

/* What a request came to:
 *   status   SKAN_OK with the body; SKAN_ERROR_LIMIT_EXCEEDED, SKAN_ERROR_TRANSPORT as for a transport, the latter
 *            also for a request that was cancelled.
 *   body     of `length` bytes, NULL where length is 0; valid during the call, as is
 *   message  what went wrong, as `report` is told it; "" for SKAN_OK.
 * Called on the client's thread, which meanwhile serves no other request: pass it on and return. It may start and
 * cancel requests. */
typedef void (*skan_http_done)(void *context, skan_status status, const void *body, size_t length,
                               const char *message);

/* Starts a GET of an http or https URL, and answers at once. `done` is called exactly once for each request that was
 * started, in another thread and maybe before this returns.
 *   url      copied. The SDK key may be in its query.
 *   request  a number to cancel it by, from 1, never used again by this client. May be NULL.
 * Any thread, also inside a callback.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  client, url or done is NULL, url is no absolute http or https URL
 * SKAN_ERROR_TRANSPORT         no thread can be started; the client is being destroyed, which a callback may see */
skan_status skan_http_request_start(skan_http_client *client, const char *url, skan_http_done done, void *context,
                                    uint64_t *request, skan_error **error);

/* Cancels a request: its callback is told soon, unless it was told something else before. A number of a request that is
 * over, or of none, is fine. Any thread, also inside a callback. */
void skan_http_request_cancel(skan_http_client *client, uint64_t request);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_HTTP_H */
