/* The transport where all is well, and what http.h promises beside outcomes: limits, retries, connections that are kept
 * and shared, threads, secrets, options.
 *   transport server.py */
#define _GNU_SOURCE
#include "Stores/Library/options.h"
#include "Trouble/HTTP/server.h"
#include "support.h"
#include "Trouble/HTTP/tools.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------------------- answers */

CASE(gives_the_body) {
    const struct {
        char *url;
        const char *body;
    } answers[] = {{plain("/ok"), ANSWER_BODY},
                   {url_to("tls", "/ok"), ANSWER_BODY},
                   {text_of("https://localhost:%d/ok", port_of("tls")), ANSWER_BODY},
                   {plain("/status/200"), "words of the server"},
                   {plain("/size/0"), ""},
                   {plain("/size/65536"), repeated("x", SKAN_RESPONSE_MAX)}};
    skan_transport *transport = opened(patient_options(NULL));
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        static char body[SKAN_RESPONSE_MAX + 2];
        EXPECT_STATUS(SKAN_OK, get(transport, answers[i].url, body, sizeof body));
        EXPECT_TEXT(answers[i].body, body);
    }
}

CASE(refuses_other_urls) {
    reports reports = {0};
    skan_transport *transport = opened(patient_options(&reports));
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(transport, text_of("ftp://127.0.0.1/?a=" SDK_KEY), NULL, 0));
    EXPECT_NUMBER(1, reports.count);
    EXPECT(!strstr(reports.message, SDK_KEY), "reported: %s", reports.message);
}

/* ---------------------------------------------------------------------------------------------------------- retries */

typedef struct sequence {
    const char *path;
    skan_status status;
    int requests;
    int at_least_ms;
} sequence;

static const sequence sequences[] = {
    {"/sequence/503,200", SKAN_OK, 2, 0},
    {"/sequence/429,500,200", SKAN_OK, 3, 0},
    {"/sequence/503,503,503,200", SKAN_ERROR_TRANSPORT_UNKNOWN, 3, 0},
    {"/sequence/503,404", SKAN_ERROR_TRANSPORT_UNKNOWN, 2, 0},
    {"/sequence/429,404", SKAN_ERROR_TRANSPORT, 2, 0},
    {"/sequence/503:1,200", SKAN_OK, 2, 1000},
    {"/sequence/429:1,200", SKAN_OK, 2, 1000},
    {"/sequence/500:1,200", SKAN_OK, 2, 1000},
    /* A connection that ends without an answer. */
    {"/sequence/close,200", SKAN_OK, 2, 0},
    {"/sequence/reset,503,200", SKAN_OK, 3, 0},
    {"/sequence/close,reset,close,200", SKAN_ERROR_TRANSPORT_UNKNOWN, 3, 0},
    {"/sequence/close,404", SKAN_ERROR_TRANSPORT_UNKNOWN, 2, 0},
    /* A date has whole seconds. */
    {"/sequence/503:date2,200", SKAN_OK, 2, 1000},
    /* What is none, or is over, is as if it were not there; RetryTests has them all. */
    {"/sequence/503:later,200", SKAN_OK, 2, 0},
};

static void tries_again(const void *subject) {
    const sequence *sequence = subject;
    skan_transport *transport = opened(patient_options(NULL));
    reset_server();
    const long long begin = milliseconds();
    EXPECT_STATUS(sequence->status, get(transport, plain(sequence->path), NULL, 0));
    const long long took = milliseconds() - begin;
    EXPECT_NUMBER(sequence->requests, server_counts().requests);
    EXPECT(took >= sequence->at_least_ms, "it took %lld ms", took);
    EXPECT(took < 60000 + LATENESS, "it took %lld ms", took);
}

/* Six pauses of half to all of 40, 80, 160, 160, 160, 160 ms. */
CASE(pauses_grow_to_the_longest) {
    skan_http_options options = patient_options(NULL);
    options.max_attempts = 7;
    options.backoff_ms = 40;
    options.max_backoff_ms = 160;
    skan_transport *transport = opened(options);
    reset_server();
    const long long begin = milliseconds();
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT_UNKNOWN, get(transport, plain("/status/503"), NULL, 0));
    const long long took = milliseconds() - begin;
    EXPECT_NUMBER(7, server_counts().requests);
    EXPECT(took >= (40 + 80 + 4 * 160) / 2, "it took %lld ms", took);
}

CASE(one_attempt_is_one) {
    skan_http_options options = short_options(NULL);
    options.max_attempts = 1;
    skan_transport *transport = opened(options);
    reset_server();
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT_UNKNOWN, get(transport, plain("/status/503"), NULL, 0));
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT_UNKNOWN, get(transport, plain("/slow"), NULL, 0));
    EXPECT_NUMBER(2, server_counts().requests);
}

/* The whole time ends what attempts alone would not. */
CASE(the_whole_time_is_a_bound) {
    static const char *const paths[] = {"/slow", "/stall", "/drip", "/drip-headers", "/status/503"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        in_round("%s", paths[i]);
        skan_http_options options = short_options(NULL);
        options.timeout_ms = 500;
        options.attempt_timeout_ms = 3600000;
        options.max_attempts = 100;
        skan_transport *transport = opened(options);
        const long long begin = milliseconds();
        EXPECT_STATUS(SKAN_ERROR_TRANSPORT_UNKNOWN, get(transport, plain(paths[i]), NULL, 0));
        const long long took = milliseconds() - begin;
        EXPECT(took < 500 + LATENESS, "it took %lld ms", took);
    }
}

/* ------------------------------------------------------------------------------------------------ without an event id */

static char *without_id(bool is_tls, const char *path) {
    return text_of("%s?a=" SDK_KEY, url_to(is_tls ? "tls" : "plain", path));
}

/* A kept connection that ends as the request arrives: libcurl would send the request again over a new one. */
CASE(a_request_is_sent_once) {
    for (int is_tls = 0; is_tls < 2; is_tls++) {
        static const char *const paths[] = {"/sequence/200,close,200", "/sequence/200,reset,200"};
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
            in_round("%s %s", is_tls ? "TLS" : "plain", paths[i]);
            skan_transport *transport = opened(patient_options(NULL));
            reset_server();
            EXPECT_STATUS(SKAN_OK, get(transport, without_id(is_tls, paths[i]), NULL, 0));
            EXPECT_STATUS(SKAN_ERROR_TRANSPORT_UNKNOWN, get(transport, without_id(is_tls, paths[i]), NULL, 0));
            EXPECT_NUMBER(2, server_counts().requests);
            /* With an id it is sent again. */
            EXPECT_STATUS(SKAN_OK, get(transport, url_of(is_tls, paths[i]), NULL, 0));
        }
    }
}

/* What looks like an id is none where it is empty, of another name, or no part of the query. */
CASE(knows_an_id) {
    static const struct {
        const char *query;
        int requests;
    } urls[] = {{"?event_id=1", 2},   {"?a=1&event_id=%20", 2}, {"?event_id=", 1},  {"?event_id", 1},
                {"?my_event_id=1", 1}, {"&event_id=1", 1},       {"#?event_id=1", 1}, {"?a=1#&event_id=1", 1}};
    skan_transport *transport = opened(patient_options(NULL));
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        in_round("%s", urls[i].query);
        reset_server();
        get(transport, text_of("%s%s", url_to("plain", "/sequence/503,200"), urls[i].query), NULL, 0);
        EXPECT_NUMBER(urls[i].requests, server_counts().requests);
    }
}

/* ------------------------------------------------------------------------------------------------------ connections */

/* Threads that come one after the other share one connection. */
CASE(keeps_connections) {
    for (int is_tls = 0; is_tls < 2; is_tls++) {
        in_round("%s", is_tls ? "TLS" : "plain");
        skan_transport *transport = opened(patient_options(NULL));
        reset_server();
        for (int i = 0; i < 20; i++) {
            caller caller = {.transport = transport, .url = url_of(is_tls, "/ok"), .times = 1};
            begin_calls(&caller);
            EXPECT_NUMBER(1, end_calls(&caller));
        }
        EXPECT_NUMBER(20, server_counts().requests);
        EXPECT_NUMBER(1, server_counts().connections);
        /* Also after refusals, whose bodies nobody wants. */
        EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(transport, url_of(is_tls, "/status/404"), NULL, 0));
        EXPECT_STATUS(SKAN_OK, get(transport, url_of(is_tls, "/ok"), NULL, 0));
        EXPECT_NUMBER(1, server_counts().connections);
    }
}

/* A kept connection that the server has closed does not cost an answer. */
CASE(survives_closed_connections) {
    reports reports = {0};
    skan_transport *transport = opened(patient_options(&reports));
    for (int i = 0; i < 20; i++) {
        EXPECT_STATUS(SKAN_OK, get(transport, plain("/close-later"), NULL, 0));
        EXPECT_STATUS(SKAN_OK, get(transport, url_of(true, "/close-later"), NULL, 0));
    }
    EXPECT_TEXT("", reports.message);
}

/* After a time-out the next attempt has a connection of its own: the kept one may be dead. */
CASE(leaves_dead_connections) {
    for (int is_tls = 0; is_tls < 2; is_tls++) {
        in_round("%s", is_tls ? "TLS" : "plain");
        skan_http_options options = short_options(NULL);
        options.attempt_timeout_ms = options.connect_timeout_ms = 1500;
        skan_transport *transport = opened(options);
        reset_server();
        for (int i = 1; i <= 3; i++) {
            EXPECT_STATUS(SKAN_OK, get(transport, url_of(is_tls, "/once"), NULL, 0));
            EXPECT_NUMBER(2 * i - 1, server_counts().requests);
            EXPECT_NUMBER(i, server_counts().connections);
        }
    }
}

/* Also where another connection was kept that is as dead as the one that timed out. */
CASE(leaves_all_dead_connections) {
    skan_http_options options = short_options(NULL);
    options.attempt_timeout_ms = 1500;
    skan_transport *transport = opened(options);
    reset_server();
    caller callers[2];
    for (int i = 0; i < 2; i++) {
        callers[i] = (caller){.transport = transport, .url = plain("/pair"), .times = 1};
        begin_calls(&callers[i]);
    }
    for (int i = 0; i < 2; i++) EXPECT_NUMBER(1, end_calls(&callers[i]));
    EXPECT_NUMBER(2, server_counts().connections);
    EXPECT_STATUS(SKAN_OK, get(transport, plain("/pair"), NULL, 0));
    EXPECT_NUMBER(3, server_counts().connections);
    EXPECT_NUMBER(4, server_counts().requests);
}

enum { MANY = 64 };

static void many_threads_at_once(const void *subject) {
    const uint32_t limit = *(const uint32_t *)subject;
    skan_http_options options = patient_options(NULL);
    options.max_connections = limit;
    skan_transport *transport = opened(options);
    reset_server();
    static caller callers[MANY];
    for (int i = 0; i < MANY; i++) {
        callers[i] = (caller){.transport = transport, .url = url_of(i % 2, "/ok"), .times = 20};
        begin_calls(&callers[i]);
    }
    for (int i = 0; i < MANY; i++) EXPECT_NUMBER(20, end_calls(&callers[i]));
    const counts counts = server_counts();
    EXPECT_NUMBER(20 * MANY, counts.requests);
    /* Where plain and TLS share the room, a kept connection of the one may give way to one of the other. */
    if (limit >= MANY) EXPECT(counts.connections <= MANY, "%d connections", counts.connections);
}

static double processor_seconds(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

/* A kept connection that the server has closed can be read, and nobody wants to. */
CASE(waits_without_work) {
    skan_transport *transport = opened(patient_options(NULL));
    EXPECT_STATUS(SKAN_OK, get(transport, plain("/close-later"), NULL, 0));
    const double before = processor_seconds();
    usleep(800000);
    EXPECT(processor_seconds() - before < 0.1, "it used %g s of a processor", processor_seconds() - before);
}

CASE(leaves_nothing_open) {
    static const char *const paths[] = {"/ok", "/slow", "/reset", "/endless/200", "/status/404"};
    skan_http_options options = short_options(NULL);
    options.max_attempts = 1;
    options.attempt_timeout_ms = 400; /* whether a request is answered in this time does not matter here */
    skan_http_transport_close(opened(options)); /* what libcurl and OpenSSL keep open for good */
    const int before = open_files();
    for (int round = 0; round < 3; round++) {
        skan_transport *transport = opened(options);
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
            get(transport, plain(paths[i]), NULL, 0);
            get(transport, url_to("tls", paths[i]), NULL, 0);
        }
        skan_http_transport_close(transport);
    }
    EXPECT_NUMBER(before, open_files());
}

/* ---------------------------------------------------------------------------------------- the host's own affairs */

CASE(leaves_signals_alone) {
    struct sigaction before[NSIG], after;
    for (int i = 1; i < NSIG; i++) sigaction(i, NULL, &before[i]);
    sigset_t mask_before, mask_after;
    pthread_sigmask(SIG_SETMASK, NULL, &mask_before);
    skan_transport *transport = opened(patient_options(NULL));
    get(transport, url_to("tls", "/reset"), NULL, 0);
    get(transport, url_to("tls", "/ok"), NULL, 0);
    for (int i = 1; i < NSIG; i++) {
        if (sigaction(i, NULL, &after) != 0) continue;
        EXPECT(after.sa_handler == before[i].sa_handler, "the handler of signal %d was changed", i);
    }
    pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
    for (int i = 1; i < NSIG; i++) EXPECT_NUMBER(sigismember(&mask_before, i), sigismember(&mask_after, i));
}

static skan_status get_nowhere(const char *proxy) {
    skan_http_options options = patient_options(NULL);
    options.proxy = proxy;
    return get(opened(options), text_of("http://nowhere.invalid/ok"), NULL, 0);
}

CASE(takes_the_proxy_from_the_environment) {
    const char *proxy = url_to("plain", "");
    EXPECT_STATUS(SKAN_OK, get_nowhere(proxy));
    setenv("http_proxy", proxy, 1);
    EXPECT_STATUS(SKAN_OK, get_nowhere(NULL));
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get_nowhere(""));
    setenv("no_proxy", "nowhere.invalid", 1);
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get_nowhere(NULL));
}

CASE(keeps_secrets) {
    static const char *const proxies[] = {"nonsense://user:pass-word@127.0.0.1:1", "http://user:pass-word@127.0.0.1:1",
                                          "http://user:pass-word@nowhere.invalid", "http://user:pass-word@[:1"};
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++) {
        in_round("%s", proxies[i]);
        reports reports = {0};
        skan_http_options options = short_options(&reports);
        options.proxy = proxies[i];
        skan_transport *transport = opened(options);
        char *url = text_of("http://login:pass-word@nowhere.invalid/pass-word?a=pass-word");
        EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(transport, url, NULL, 0));
        EXPECT_NUMBER(1, reports.count);
        EXPECT(reports.message[0] && !strstr(reports.message, "pass-word") && !strstr(reports.message, "login"),
               "reported: %s", reports.message);
    }
}

/* ---------------------------------------------------------------------------------------------------------- options */

static skan_status open_and_close(const void *options) {
    skan_transport transport;
    const skan_status status = skan_http_transport_open(options, &transport, &failure);
    EXPECT_NUMBER(status != SKAN_OK, transport.context == NULL);
    skan_http_transport_close(&transport);
    return status;
}

CASE(checks_options) {
    skan_transport transport;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_http_transport_open(NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_http_transport_open(NULL, &transport, &failure));
    EXPECT_NUMBER(sizeof transport, transport.size);
    skan_http_transport_close(&transport);
    EXPECT(!transport.size && !transport.context && !transport.get && !transport.finalize, "it is not all zero");
    skan_http_transport_close(&transport);
    skan_http_transport_close(NULL);

    const number_option numbers[] = {{offsetof(skan_http_options, timeout_ms), 3600000},
                                     {offsetof(skan_http_options, attempt_timeout_ms), 3600000},
                                     {offsetof(skan_http_options, connect_timeout_ms), 3600000},
                                     {offsetof(skan_http_options, max_attempts), 100},
                                     {offsetof(skan_http_options, backoff_ms), 3600000},
                                     {offsetof(skan_http_options, max_backoff_ms), 3600000},
                                     {offsetof(skan_http_options, max_connections), 4096},
                                     {offsetof(skan_http_options, reserved), 0}};
    skan_http_options options = {.size = sizeof options};
    check_options(&options, sizeof options, numbers, sizeof numbers / sizeof *numbers, open_and_close);

    options.ca_file = "/nowhere/ca.pem";
    ANSWER(SKAN_ERROR_TRANSPORT, skan_http_transport_open(&options, &transport, &failure));
    EXPECT(strstr(failure_message(), "/nowhere/ca.pem: No such file"), "the message is \"%s\"", failure_message());
}

CASE(trusts_the_system_by_default) {
    reports reports = {0};
    skan_http_options options = patient_options(NULL); /* they are many to read, with a sanitizer above all */
    options.report = note_report;
    options.report_context = &reports;
    options.ca_file = NULL;
    skan_transport *transport = opened(options);
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(transport, url_to("tls", "/ok"), NULL, 0));
    EXPECT(strstr(reports.message, "libcurl error 60"), "reported: %s", reports.message);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    start_server(arguments[1]);
    static const uint32_t limits[] = {1, 8, 64, 1000};
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        run_case(sequences[i].path, tries_again, &sequences[i]);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        run_case("64 threads", many_threads_at_once, &limits[i]);
    return run_cases();
}
