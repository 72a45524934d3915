/*
 * http.h - the HTTP transport of libskan, by libcurl (library libskan-http).
 *
 *     skan_transport transport;
 *     skan_error *error = NULL;
 *     skan_http_transport_open(NULL, &transport, &error);
 *
 *     skan_options options = {.size = sizeof options, .transport = &transport, .endpoint_url = url, .sdk_key = key};
 *     skan_engine *engine = NULL;
 *     skan_create(&options, &engine, &error);      // the engine owns the transport now ...
 *     skan_destroy(engine);                        // ... and closes it here
 *
 * Event loops and other hosts that do not want to block a thread use the client below: it makes the same requests and
 * reports each outcome to a callback.
 *
 * Know before production:
 * - An answer is HTTP status 200 with a complete body of at most SKAN_RESPONSE_MAX bytes and at most 64 KiB of headers.
 *   Redirects are not followed. Only http and https URLs are accepted; over https the server's certificate and name are
 *   verified, with TLS 1.2 or newer.
 * - Retries: a request whose URL has the item event_id in its query is tried again after a time-out, after HTTP status
 *   429 and 5xx, and after a connection that was refused or ended before the first byte of an answer (closed, reset,
 *   HTTP/2 GOAWAY, also in the TLS handshake). Any other request is tried again only if nothing of it was sent, because
 *   a server that counts it would count it twice. A request is not tried again after anything else, for instance if the
 *   other side of an https URL does not use TLS or refuses the handshake, and is tried at most `max_attempts` times.
 *   The upper limit of the pause before each retry doubles from `backoff_ms` up to `max_backoff_ms`; the pause is drawn
 *   at random between half of that limit and all of it. The time that the header Retry-After asks for (seconds or a
 *   date) is added. With the defaults, a server may be unreachable for two seconds without causing a request to fail.
 *   If no time would be left after the pause, the request ends at once.
 * - Lost answers: a request that was sent, and got neither HTTP status 200 nor a refusal (3xx, 4xx), may have been
 *   counted by the server, and ends in SKAN_ERROR_TRANSPORT_UNKNOWN. SKAN_ERROR_TRANSPORT says that nothing was
 *   counted.
 * - Time: `timeout_ms` limits the whole request, including attempts and pauses. It also holds for a slow name look-up,
 *   and for a server that does not answer or sends its answer very slowly. In the client's callbacks it holds for name
 *   look-ups only with libcurl 7.87 or newer.
 * - Threads: any number may use a transport or client at once. All its requests run on one thread of its own, which the
 *   first request starts and which has all signals blocked. Connections are kept and shared. They use HTTP/2 where the
 *   server supports it, otherwise HTTP/1.1. There are up to `max_connections`; beyond that, requests wait for a
 *   connection. The times for an attempt and for connecting begin after this wait, so that all requests of a
 *   burst can be answered within `timeout_ms`. With libcurl before 7.80, HTTP/2 is used for one request at a time on
 *   each connection.
 * - fork: a transport or client that was made before fork() may be used in the child, even if other threads of the
 *   parent have requests under way: those remain requests of the parent. The two processes never share a connection:
 *   the child opens its own. Do not fork inside a callback, except to exec.
 * - Memory: a failed allocation ends the process, as in skan.h, unless it is one of libcurl's allocations.
 * - Process-wide state: curl_global_init is called once, and handlers for fork are installed. There are no signal
 *   handlers; SIGPIPE is blocked where it could arise.
 * - The proxy is taken from the environment as libcurl does (http_proxy, https_proxy, all_proxy, no_proxy), unless
 *   `proxy` is set. The environment is read for each request, on the client's thread.
 * - Secrets: messages name the host and port, but never the URL's path, query or user, nor a proxy's password.
 *
 * Errors and ownership follow the rules of skan.h. As there, the ABI only grows.
 */
#ifndef SKAN_HTTP_H
#define SKAN_HTTP_H

#include "store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How requests are made. Set `size`; everything else may be zero. Times are in milliseconds, up to 3 600 000. */
typedef struct skan_http_options {
    size_t size;                 /* sizeof(skan_http_options) */
    uint32_t timeout_ms;         /* the limit of a whole request, with retries and pauses; 0 = 10 000 */
    uint32_t attempt_timeout_ms; /* the limit of one attempt, from the time at which it has a connection or begins to
                                  * make one; 0 = 4 000 */
    uint32_t connect_timeout_ms; /* the limit of an attempt's name look-up, connection and TLS handshake; 0 = 2 000 */
    uint32_t max_attempts;       /* 1 = no retries, up to 100; 0 = 6 */
    uint32_t backoff_ms;         /* the longest pause after the first attempt; 0 = 200 */
    uint32_t max_backoff_ms;     /* the longest pause, without Retry-After; 0 = 2 000 */
    uint32_t max_connections;    /* the most open connections, up to 4096; 0 = 16, half of what skan serve accepts from
                                  * a client */
    uint32_t reserved;           /* 0 */
    const char *ca_file;         /* a file of certificates in PEM form that are trusted instead of the system's; NULL =
                                  * the system's. The string is copied, and so is the next one */
    const char *proxy;           /* "http://proxy.example:3128"; "" = no proxy; NULL = the environment's */
    /* Called as store.h describes, in libcurl's own words, with SKAN_ERROR_TRANSPORT, SKAN_ERROR_TRANSPORT_UNKNOWN or
     * SKAN_ERROR_LIMIT_EXCEEDED, on the thread that called the hook. May be NULL. It is not called for a client's
     * requests, which have a callback each. */
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} skan_http_options;

/* Opens a transport. No connection is made yet.
 *   options  NULL = all defaults. Copied.
 *   out      is filled for skan_create, whose engine then owns it: store.h. All zero on any status but SKAN_OK.
 * The transport's `get` answers SKAN_OK, SKAN_ERROR_LIMIT_EXCEEDED for a body of more than SKAN_RESPONSE_MAX bytes,
 * SKAN_ERROR_TRANSPORT_UNKNOWN for a lost answer, and SKAN_ERROR_TRANSPORT for everything else.
 * Any thread.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  out is NULL, or an option is not as described
 * SKAN_ERROR_TRANSPORT         ca_file cannot be read, or libcurl cannot be used */
skan_status skan_http_transport_open(const skan_http_options *options, skan_transport *out, skan_error **error);

/* Closes a transport that no engine owns, and zeroes it, as store.h describes. */
void skan_http_transport_close(skan_transport *transport);

/* ---------------------------------------------------------------------------------------------------------- client */

/* A client that makes requests without blocking a thread for each. Opaque; safe for any number of threads. */
typedef struct skan_http_client skan_http_client;

/* Makes a client. No connection is made yet. `report` of the options is not used. out is NULL on any status but
 * SKAN_OK. The statuses are those of skan_http_transport_open. Any thread. */
skan_status skan_http_client_create(const skan_http_options *options, skan_http_client **out, skan_error **error);

/* Destroys a client. Requests under way are cancelled, and their callbacks are called before this returns. NULL is
 * fine. Forbidden inside a request's callback, and while another thread is in a call on the client. */
void skan_http_client_destroy(skan_http_client *client);

/* The callback that receives the outcome of a request:
 *   status   SKAN_OK with the body; SKAN_ERROR_LIMIT_EXCEEDED, SKAN_ERROR_TRANSPORT_UNKNOWN and SKAN_ERROR_TRANSPORT as
 *            for a transport, one of the latter two also for a request that was cancelled.
 *   body     has `length` bytes, and is NULL where length is 0. It is valid during the call, and so is `message`.
 *   message  the error, as `report` receives it; "" for SKAN_OK.
 * It is called on the client's thread, which serves no other request meanwhile: hand the outcome on and return. It may
 * start and cancel requests. */
typedef void (*skan_http_done)(void *context, skan_status status, const void *body, size_t length,
                               const char *message);

/* Starts a GET of an http or https URL, and returns at once. `done` is called exactly once for each request that was
 * started, on another thread and possibly before this returns.
 *   url      copied. Its query may contain the SDK key.
 *   request  receives a number by which the request can be cancelled. Numbers start at 1, and a client never uses one
 *            again. May be NULL.
 * Any thread, also inside a callback.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  client, url or done is NULL, or url is not an absolute http or https URL
 * SKAN_ERROR_TRANSPORT         no thread can be started, or the client is being destroyed, which a callback may see */
skan_status skan_http_request_start(skan_http_client *client, const char *url, skan_http_done done, void *context,
                                    uint64_t *request, skan_error **error);

/* Cancels a request: its callback is called soon, as for a cancelled request, unless the request ended before. The
 * number of a request that has ended, or that never existed, is fine. Any thread, also inside a callback. */
void skan_http_request_cancel(skan_http_client *client, uint64_t request);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_HTTP_H */
