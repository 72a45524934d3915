#include <skan/http.h>

#include "../../StoreSupport/options.h"
#include "skanhttp.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(SKANHTTP_BODY_MAX == SKAN_RESPONSE_MAX, "what the header promises");

static skan_status status_of(skanhttp_outcome outcome) {
    switch (outcome) {
    case SKANHTTP_OK:
        return SKAN_OK;
    case SKANHTTP_TOO_LARGE:
        return SKAN_ERROR_LIMIT_EXCEEDED;
    default:
        return SKAN_ERROR_TRANSPORT;
    }
}

/* ---------------------------------------------------------------------------------------------------------- options */

/* Zero takes the default; above the limit is refused. */
static bool take_number(uint32_t given, uint32_t limit, const char *name, uint32_t *taken, trouble *trouble) {
    if (given > 0) *taken = given;
    return option_is_at_most(name, given, limit, trouble);
}

static bool read_options(const skan_http_options *given, skan_http_options *read, skanhttp_settings *settings,
                         trouble *trouble) {
    *settings = skanhttp_defaults();
    if (options_read(given, read, sizeof *read, trouble) != SKAN_OK) return false;
    settings->ca_file = read->ca_file;
    settings->proxy = read->proxy;
    const uint32_t hour = 3600000;
    return take_number(read->timeout_ms, hour, "timeout_ms", &settings->timeout_ms, trouble) &&
           take_number(read->attempt_timeout_ms, hour, "attempt_timeout_ms", &settings->attempt_timeout_ms, trouble) &&
           take_number(read->connect_timeout_ms, hour, "connect_timeout_ms", &settings->connect_timeout_ms, trouble) &&
           take_number(read->max_attempts, 100, "max_attempts", &settings->max_attempts, trouble) &&
           take_number(read->backoff_ms, hour, "backoff_ms", &settings->backoff_ms, trouble) &&
           take_number(read->max_backoff_ms, hour, "max_backoff_ms", &settings->max_backoff_ms, trouble) &&
           take_number(read->max_connections, 4096, "max_connections", &settings->max_connections, trouble) &&
           option_is_at_most("reserved", read->reserved, 0, trouble);
}

/* NULL, and trouble, where the options are not legal, or there can be no client. */
static skanhttp_client *make_client(const skan_http_options *given, skan_http_options *read, trouble *trouble) {
    skanhttp_settings settings;
    if (!read_options(given, read, &settings, trouble)) return NULL;
    char why[SKANHTTP_MESSAGE_SIZE];
    skanhttp_client *client = skanhttp_client_create(&settings, why);
    if (!client) trouble_set(trouble, SKAN_ERROR_TRANSPORT, "%s", why);
    return client;
}

/* -------------------------------------------------------------------------------------------------------- transport */

typedef struct transport {
    skanhttp_client *client;
    reporter reporter;
} transport;

static skan_status get(void *context, const char *url, skan_buffer *body) {
    const transport *transport = context;
    skanhttp_answer answer;
    skanhttp_get(transport->client, url, &answer);
    skan_status status = status_of(answer.outcome);
    if (status == SKAN_OK) status = skan_buffer_set(body, answer.body, answer.length);
    free(answer.body);
    trouble trouble;
    if (status != SKAN_OK) trouble_set(&trouble, status, "%s", answer.message);
    return trouble_reported(&transport->reporter, status, &trouble);
}

static void finalize(void *context) {
    transport *transport = context;
    skanhttp_client_destroy(transport->client);
    free(transport);
}

/* The first version of skan_transport, which callers of any age have room for. */
#define TRANSPORT_SIZE (offsetof(skan_transport, finalize) + sizeof((skan_transport *)0)->finalize)

static void fill(skan_transport *out, transport *transport) {
    memset(out, 0, TRANSPORT_SIZE);
    if (!transport) return;
    out->size = TRANSPORT_SIZE;
    out->context = transport;
    out->get = get;
    out->finalize = finalize;
}

static skan_status open_transport(const skan_http_options *given, skan_transport *out, trouble *trouble) {
    if (!out) return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "out: expected a skan_transport, got NULL");
    fill(out, NULL);
    transport *opened = calloc(1, sizeof *opened);
    if (!opened) return trouble_set(trouble, SKAN_ERROR_TRANSPORT, "out of memory");
    skan_http_options options;
    opened->client = make_client(given, &options, trouble);
    if (!opened->client) {
        free(opened);
        return trouble->status;
    }
    opened->reporter = (reporter){options.report, options.report_context};
    fill(out, opened);
    return SKAN_OK;
}

skan_status skan_http_transport_open(const skan_http_options *options, skan_transport *out, skan_error **error) {
    trouble trouble;
    return trouble_given(error, open_transport(options, out, &trouble), &trouble);
}

void skan_http_transport_close(skan_transport *transport) {
    if (!transport || transport->finalize != finalize) return;
    finalize(transport->context);
    fill(transport, NULL);
}

/* ----------------------------------------------------------------------------------------------------------- client */

static skanhttp_client *inside(skan_http_client *client) {
    return (skanhttp_client *)client;
}

static skan_status create_client(const skan_http_options *given, skan_http_client **out, trouble *trouble) {
    if (!out) return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "out: expected a place for a client, got NULL");
    skan_http_options options;
    *out = (skan_http_client *)make_client(given, &options, trouble);
    return *out ? SKAN_OK : trouble->status;
}

skan_status skan_http_client_create(const skan_http_options *options, skan_http_client **out, skan_error **error) {
    trouble trouble;
    return trouble_given(error, create_client(options, out, &trouble), &trouble);
}

void skan_http_client_destroy(skan_http_client *client) {
    skanhttp_client_destroy(inside(client));
}

typedef struct callback {
    skan_http_done done;
    void *context;
} callback;

static void pass_on(void *context, skanhttp_outcome outcome, const void *body, size_t length, const char *message) {
    callback callback = *(struct callback *)context;
    free(context);
    callback.done(callback.context, status_of(outcome), body, length, message);
}

static skan_status start_request(skan_http_client *client, const char *url, skan_http_done done, void *context,
                                 uint64_t *request, trouble *trouble) {
    if (request) *request = 0;
    if (!client || !url || !done)
        return trouble_set(trouble, SKAN_ERROR_INVALID_ARGUMENT, "%s is NULL",
                           !client ? "client" : !url ? "url" : "done");
    callback *made = malloc(sizeof *made);
    if (!made) return trouble_set(trouble, SKAN_ERROR_TRANSPORT, "out of memory");
    *made = (callback){done, context};
    skanhttp_refusal why;
    const uint64_t number = skanhttp_start(inside(client), url, pass_on, made, &why);
    if (number == 0) {
        free(made);
        return trouble_set(trouble, why.is_of_url ? SKAN_ERROR_INVALID_ARGUMENT : SKAN_ERROR_TRANSPORT, "%s",
                           why.message);
    }
    if (request) *request = number;
    return SKAN_OK;
}

skan_status skan_http_request_start(skan_http_client *client, const char *url, skan_http_done done, void *context,
                                    uint64_t *request, skan_error **error) {
    trouble trouble;
    return trouble_given(error, start_request(client, url, done, context, request, &trouble), &trouble);
}

void skan_http_request_cancel(skan_http_client *client, uint64_t request) {
    if (client) skanhttp_cancel(inside(client), request);
}
