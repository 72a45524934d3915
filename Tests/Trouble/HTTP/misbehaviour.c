/* An engine with the transport, before a server that misbehaves: the documented outcome, so many requests, within the
 * time, the key in no message, the install as it was.
 *   misbehaviour server.py */
#define _GNU_SOURCE
#include "server.h"
#include "support.h"
#include "tools.h"

#include <string.h>

typedef struct misbehaviour {
    const char *port;
    const char *path;
    skan_status status;
    int requests;      /* that reach the server; -1: not told */
    const char *words; /* in the report */
} misbehaviour;

#define FAILED SKAN_ERROR_TRANSPORT
/* The server may have counted the event. */
#define LOST SKAN_ERROR_TRANSPORT_UNKNOWN

/* Of requests with an event id. */
static const misbehaviour misbehaviours[] = {
    /* Time-outs are tried again, each attempt with a share of the time. */
    {"plain", "/slow", LOST, 3, "Timeout was reached"},
    {"plain", "/stall", LOST, 3, "Timeout was reached"},
    {"plain", "/drip", LOST, 3, "Timeout was reached"},
    {"plain", "/drip-headers", LOST, 3, "Timeout was reached"},
    {"tls", "/slow", LOST, 3, "Timeout was reached"},
    {"mute", "/never-reached", FAILED, 0, "libcurl error 28"},
    /* 429 and 5xx too. */
    {"plain", "/status/429", FAILED, 3, "HTTP status 429, attempt 3 of 3"},
    {"plain", "/status/500", LOST, 3, "HTTP status 500, attempt 3 of 3"},
    {"plain", "/status/503", LOST, 3, "HTTP status 503, attempt 3 of 3"},
    {"plain", "/status/599", LOST, 3, "HTTP status 599, attempt 3 of 3"},
    {"plain", "/endless/503", LOST, 3, "HTTP status 503, attempt 3 of 3"},
    {"tls", "/status/503", LOST, 3, "HTTP status 503, attempt 3 of 3"},
    /* Retry-After beyond the time that is left. */
    {"plain", "/sequence/503:60", LOST, 1, "no time is left"},
    {"plain", "/sequence/429:99999999999999999999", FAILED, 1, "no time is left"},
    {"plain", "/sequence/503:date60", LOST, 1, "no time is left"},
    /* Other statuses are not. */
    {"plain", "/status/201", LOST, 1, "HTTP status 201"},
    {"plain", "/status/204", LOST, 1, "HTTP status 204"},
    {"plain", "/status/301", FAILED, 1, "HTTP status 301, redirects are not followed"},
    {"plain", "/status/302", FAILED, 1, "HTTP status 302, redirects are not followed"},
    {"plain", "/status/307", FAILED, 1, "HTTP status 307, redirects are not followed"},
    {"plain", "/status/400", FAILED, 1, "HTTP status 400"},
    {"plain", "/status/401", FAILED, 1, "HTTP status 401"},
    {"plain", "/status/404", FAILED, 1, "HTTP status 404"},
    {"plain", "/status/408", FAILED, 1, "HTTP status 408"},
    {"plain", "/status/600", LOST, 1, "HTTP status 600"},
    {"plain", "/endless/404", FAILED, 1, "HTTP status 404"},
    /* A connection that is refused, or ends before the first byte of an answer, is tried again. */
    {"closed", "/never-reached", FAILED, 0, "libcurl error 7), attempt 3 of 3"},
    {"plain", "/reset", LOST, 3, "libcurl error 56), attempt 3 of 3"},
    {"plain", "/close", LOST, 3, "libcurl error 52), attempt 3 of 3"},
    {"tls", "/reset", LOST, 3, "attempt 3 of 3"},
    {"tls", "/close", LOST, 3, "attempt 3 of 3"},
    /* An answer that breaks off, or is none, is not. */
    {"plain", "/reset-body", LOST, 1, "libcurl error"},
    {"plain", "/short", LOST, 1, "libcurl error 18"},
    {"plain", "/garbage", LOST, 1, "libcurl error 1"},
    {"plain", "/no-headers", LOST, 1, "libcurl error 1"},
    {"plain", "/bad-status", LOST, 1, "libcurl error"},
    {"plain", "/bad-length", LOST, 1, "libcurl error"},
    {"plain", "/bad-chunk", LOST, 1, "libcurl error 56"},
    {"tls", "/short", LOST, 1, "libcurl error"},
    /* More than is taken. */
    {"plain", "/size/65537", SKAN_ERROR_LIMIT_EXCEEDED, 1, "body has more than 65536 bytes"},
    {"plain", "/endless/200", SKAN_ERROR_LIMIT_EXCEEDED, 1, "body has more than 65536 bytes"},
    {"plain", "/endless-unsized", SKAN_ERROR_LIMIT_EXCEEDED, 1, "body has more than 65536 bytes"},
    {"tls", "/endless/200", SKAN_ERROR_LIMIT_EXCEEDED, 1, "body has more than 65536 bytes"},
    {"plain", "/endless-headers", LOST, 1, "headers have more than 65536 bytes"},
    {"plain", "/endless-line", LOST, 1, ""},
    {"plain", "/endless-interim", LOST, 1, "headers have more than 65536 bytes"},
    /* A TLS handshake in which the connection ends is tried again; one that is refused, or that the other side takes no
     * part in, is not. Its requests are its connections. */
    {"breaking-off", "/never-reached", FAILED, 3, "attempt 3 of 3"},
    {"without-tls", "/never-reached", FAILED, 1, "libcurl error 35"},
    {"refusing-tls", "/never-reached", FAILED, 1, "libcurl error 35"},
    /* Certificates that do not prove who it is. */
    {"other-name", "/ok", FAILED, 0, "libcurl error 60"},
    {"expired", "/ok", FAILED, 0, "libcurl error 60"},
    {"self-signed", "/ok", FAILED, 0, "libcurl error 60"},
};

/* Of requests without one: what was sent is not sent again; what was not sent is. */
static const misbehaviour without_id[] = {
    {"plain", "/slow", LOST, 1, "Timeout was reached"},
    {"tls", "/stall", LOST, 1, "Timeout was reached"},
    {"plain", "/status/500", LOST, 1, "may have been counted"},
    {"plain", "/sequence/503,200", LOST, 1, "may have been counted"},
    {"plain", "/sequence/429,200", FAILED, 1, "HTTP status 429"},
    {"plain", "/status/204", LOST, 1, "may have been counted"},
    {"plain", "/status/404", FAILED, 1, "HTTP status 404"},
    {"plain", "/sequence/close,200", LOST, 1, "may have been counted"},
    {"plain", "/sequence/reset,200", LOST, 1, "may have been counted"},
    {"tls", "/sequence/reset,200", LOST, 1, "may have been counted"},
    {"plain", "/reset-body", LOST, 1, "may have been counted"},
    {"closed", "/never-reached", FAILED, 0, "attempt 3 of 3"},
    {"breaking-off", "/never-reached", FAILED, 3, "attempt 3 of 3"},
    {"mute", "/never-reached", FAILED, 0, "attempt 3 of 3"},
};

/* Whether attempts have to time out. All others have the time that they need. */
static bool is_late(const misbehaviour *misbehaviour) {
    return strstr(misbehaviour->words, "Timeout was reached") || strcmp(misbehaviour->port, "mute") == 0;
}

static const char *event_id;

static void changes_nothing(const void *subject) {
    const misbehaviour *misbehaviour = subject;
    reports reports = {0};
    skan_http_options http = is_late(misbehaviour) ? short_options(&reports) : patient_options(&reports);
    http.timeout_ms = SHORT_TIMEOUT;
    skan_transport transport;
    ANSWER(SKAN_OK, skan_http_transport_open(&http, &transport, &failure));
    const char *endpoint = url_to(misbehaviour->port, misbehaviour->path);
    const skan_options options = {.size = sizeof options,
                                  .transport = &transport,
                                  .endpoint_url = endpoint,
                                  .sdk_key = SDK_KEY,
                                  .bundle_id = "com.example.game"};
    skan_engine *engine = NULL;
    char *before = NULL, *after = NULL;
    never_in_messages = SDK_KEY;
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    ANSWER(SKAN_OK, skan_register(engine, "player", NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_update_revenue(engine, "player", AMOUNT(4.99), "USD", SKAN_IAP, "order", &failure));
    ANSWER(SKAN_OK, skan_details(engine, "player", &before, &failure));

    reset_server();
    const long long begin = milliseconds();
    ANSWER(misbehaviour->status,
           skan_update_conversion_values(engine, "player", EVENT(.name = "purchase", .event_id = event_id), NULL,
                                         &failure));
    const long long took = milliseconds() - begin;
    EXPECT(took < SHORT_TIMEOUT + LATENESS, "it took %lld ms", took);
    if (misbehaviour->requests >= 0) EXPECT_NUMBER(misbehaviour->requests, server_counts().requests);

    EXPECT_NUMBER(1, reports.count);
    EXPECT_STATUS(misbehaviour->status, reports.status);
    EXPECT(strstr(reports.message, misbehaviour->words), "the report is \"%s\"", reports.message);
    EXPECT(strncmp(reports.message, "127.0.0.1:", 10) == 0, "the report names no host: \"%s\"", reports.message);
    EXPECT(!strstr(reports.message, SDK_KEY) && !strchr(reports.message, '?'), "the report has the query: \"%s\"",
           reports.message);
    ANSWER(SKAN_OK, skan_details(engine, "player", &after, &failure));
    EXPECT_TEXT(before, after);
    skan_free(before);
    skan_free(after);
    skan_destroy(engine);
}

static void run_all(const char *id, const misbehaviour *all, size_t count) {
    event_id = id;
    for (size_t i = 0; i < count; i++) {
        const char *name = text_of("%s %s%s", all[i].port, all[i].path, id ? "" : " without an id");
        run_case(name, changes_nothing, &all[i]);
    }
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    start_server(arguments[1]);
    run_all("event", misbehaviours, sizeof misbehaviours / sizeof *misbehaviours);
    run_all(NULL, without_id, sizeof without_id / sizeof *without_id);
    return finish_cases();
}
