/* The transport where all is well, and what http.h promises beside outcomes: limits, retries, connections that are kept
 * and shared, threads, secrets, options.
 *   transport server.py */
#define _GNU_SOURCE
#include "Trouble/HTTP/server.h"
#include "support.h"
#include "Trouble/HTTP/tools.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------------------- answers */

static void gives_the_body(const void *unused) {
    (void)unused;
    const skan_http_options options = short_options(NULL);
    skan_transport transport = opened(&options);
    char body[256];
    EXPECT_STATUS(SKAN_OK, get(&transport, plain("/ok"), body, sizeof body));
    EXPECT_TEXT(ANSWER_BODY, body);
    EXPECT_STATUS(SKAN_OK, get(&transport, tls("/ok"), body, sizeof body));
    EXPECT_TEXT(ANSWER_BODY, body);
    char *by_name = text_of("https://localhost:%d/ok", port_of("tls"));
    EXPECT_STATUS(SKAN_OK, get(&transport, by_name, body, sizeof body));
    EXPECT_STATUS(SKAN_OK, get(&transport, plain("/status/200"), body, sizeof body));
    EXPECT_TEXT("words of the server", body);
    EXPECT_STATUS(SKAN_OK, get(&transport, plain("/size/0"), body, sizeof body));
    EXPECT_TEXT("", body);
    skan_http_transport_close(&transport);
}

/* One size below, at and above the limit of a body. */
static void takes_bodies_up_to_the_limit(const void *unused) {
    (void)unused;
    const skan_http_options options = short_options(NULL);
    skan_transport transport = opened(&options);
    static char body[SKAN_RESPONSE_MAX + 2];
    for (int size = SKAN_RESPONSE_MAX - 1; size <= SKAN_RESPONSE_MAX + 1; size++) {
        in_round("%d bytes", size);
        char *path = text_of("/size/%d", size);
        const skan_status expected = size > SKAN_RESPONSE_MAX ? SKAN_ERROR_LIMIT_EXCEEDED : SKAN_OK;
        EXPECT_STATUS(expected, get(&transport, plain(path), body, sizeof body));
        if (expected == SKAN_OK) EXPECT_NUMBER(size, strlen(body));
        free(path);
    }
    skan_http_transport_close(&transport);
}

static void updates_an_install(const void *unused) {
    (void)unused;
    const skan_http_options http = short_options(NULL);
    skan_transport transport = opened(&http);
    char *endpoint = url_to("tls", "/ok");
    const skan_options options = {
        .size = sizeof options, .transport = &transport, .endpoint_url = endpoint, .sdk_key = SDK_KEY};
    skan *engine = NULL;
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    ANSWER(SKAN_OK, skan_register(engine, "player", NULL, &failure));
    skan_update update = {.size = sizeof update};
    ANSWER(SKAN_OK, skan_update_conversion_values(engine, "player", "purchase", NULL, NULL, &update, &failure));
    EXPECT_NUMBER(7, update.fine_value);
    EXPECT_NUMBER(1, update.coarse_value);
    skan_destroy(engine);
    free(endpoint);
}

static void refuses_other_urls(const void *unused) {
    (void)unused;
    static const char *const urls[] = {"",
                                       "?a=" SDK_KEY,
                                       "ok?a=" SDK_KEY,
                                       "ftp://127.0.0.1/?a=" SDK_KEY,
                                       "file:///etc/passwd?a=" SDK_KEY,
                                       "http://?a=" SDK_KEY,
                                       "http://127.0.0.1:99999/?a=" SDK_KEY,
                                       "http://127.0.0.1/ ?a=" SDK_KEY};
    reports reports = {0};
    const skan_http_options options = short_options(&reports);
    skan_transport transport = opened(&options);
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        in_round("\"%s\"", urls[i]);
        EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, text_of("%s", urls[i]), NULL, 0));
        EXPECT_NUMBER(i + 1, reports.count);
        EXPECT(!strstr(reports.message, SDK_KEY), "reported: %s", reports.message);
    }
    skan_http_transport_close(&transport);
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
    {"/sequence/503,503,503,200", SKAN_ERROR_TRANSPORT, 3, 0},
    {"/sequence/503,404", SKAN_ERROR_TRANSPORT, 2, 0},
    {"/sequence/503:1,200", SKAN_OK, 2, 1000},
    {"/sequence/429:1,200", SKAN_OK, 2, 1000},
    {"/sequence/500:1,200", SKAN_OK, 2, 1000},
    {"/sequence/503:0,200", SKAN_OK, 2, 0},
    /* A date has whole seconds. */
    {"/sequence/503:date2,200", SKAN_OK, 2, 1000},
    {"/sequence/429:date-60,200", SKAN_OK, 2, 0},
    {"/sequence/503:later,200", SKAN_OK, 2, 0},
    {"/sequence/503:-5,200", SKAN_OK, 2, 0},
};

static void tries_again(const void *subject) {
    const sequence *sequence = subject;
    const skan_http_options options = short_options(NULL);
    skan_transport transport = opened(&options);
    reset_server();
    const long long begin = milliseconds();
    EXPECT_STATUS(sequence->status, get(&transport, plain(sequence->path), NULL, 0));
    const long long took = milliseconds() - begin;
    EXPECT_NUMBER(sequence->requests, server_counts().requests);
    EXPECT(took >= sequence->at_least_ms, "it took %lld ms", took);
    EXPECT(took < SHORT_TIMEOUT + LATENESS, "it took %lld ms", took);
    skan_http_transport_close(&transport);
}

/* Six pauses of half to all of 40, 80, 160, 160, 160, 160 ms. */
static void pauses_grow_to_the_longest(const void *unused) {
    (void)unused;
    skan_http_options options = short_options(NULL);
    options.max_attempts = 7;
    options.backoff_ms = 40;
    options.max_backoff_ms = 160;
    options.timeout_ms = 20000;
    skan_transport transport = opened(&options);
    reset_server();
    const long long begin = milliseconds();
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, plain("/status/503"), NULL, 0));
    const long long took = milliseconds() - begin;
    EXPECT_NUMBER(7, server_counts().requests);
    EXPECT(took >= (40 + 80 + 4 * 160) / 2, "it took %lld ms", took);
    skan_http_transport_close(&transport);
}

/* The time that is left would be spent before the pause is over. */
static void does_not_wait_in_vain(const void *unused) {
    (void)unused;
    static const char *const paths[] = {"/sequence/503:120", "/sequence/429:date120"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        in_round("%s", paths[i]);
        skan_http_options options = short_options(NULL);
        options.timeout_ms = 60000;
        skan_transport transport = opened(&options);
        reset_server();
        const long long begin = milliseconds();
        EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, plain(paths[i]), NULL, 0));
        EXPECT(milliseconds() - begin < 30000, "it waited for %lld ms", milliseconds() - begin);
        EXPECT_NUMBER(1, server_counts().requests);
        skan_http_transport_close(&transport);
    }
}

static void one_attempt_is_one(const void *unused) {
    (void)unused;
    skan_http_options options = short_options(NULL);
    options.max_attempts = 1;
    skan_transport transport = opened(&options);
    reset_server();
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, plain("/status/503"), NULL, 0));
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, plain("/slow"), NULL, 0));
    EXPECT_NUMBER(2, server_counts().requests);
    skan_http_transport_close(&transport);
}

/* The whole time ends what attempts alone would not. */
static void the_whole_time_is_a_bound(const void *unused) {
    (void)unused;
    static const char *const paths[] = {"/slow", "/stall", "/drip", "/drip-headers", "/status/503"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        in_round("%s", paths[i]);
        skan_http_options options = short_options(NULL);
        options.timeout_ms = 500;
        options.attempt_timeout_ms = 3600000;
        options.max_attempts = 100;
        skan_transport transport = opened(&options);
        const long long begin = milliseconds();
        EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, plain(paths[i]), NULL, 0));
        const long long took = milliseconds() - begin;
        EXPECT(took < 500 + LATENESS, "it took %lld ms", took);
        skan_http_transport_close(&transport);
    }
}

/* ------------------------------------------------------------------------------------------------------ connections */

/* Threads that come one after the other share one connection. */
static void keeps_a_connection(const void *subject) {
    const bool is_tls = subject != NULL;
    const skan_http_options options = short_options(NULL);
    skan_transport transport = opened(&options);
    reset_server();
    for (int i = 0; i < 20; i++) {
        caller caller = {&transport, is_tls, 1, 0};
        pthread_t thread;
        pthread_create(&thread, NULL, call, &caller);
        pthread_join(thread, NULL);
        EXPECT_NUMBER(1, caller.answered);
    }
    EXPECT_NUMBER(20, server_counts().requests);
    EXPECT_NUMBER(1, server_counts().connections);
    /* Also after refusals, whose bodies nobody wants. */
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, is_tls ? tls("/status/404") : plain("/status/404"), NULL, 0));
    EXPECT_STATUS(SKAN_OK, get(&transport, is_tls ? tls("/ok") : plain("/ok"), NULL, 0));
    EXPECT_NUMBER(1, server_counts().connections);
    skan_http_transport_close(&transport);
}

/* A kept connection that the server has closed does not cost an answer. */
static void survives_closed_connections(const void *unused) {
    (void)unused;
    reports reports = {0};
    const skan_http_options options = short_options(&reports);
    skan_transport transport = opened(&options);
    for (int i = 0; i < 20; i++) {
        EXPECT_STATUS(SKAN_OK, get(&transport, plain("/close-later"), NULL, 0));
        EXPECT_STATUS(SKAN_OK, get(&transport, tls("/close-later"), NULL, 0));
    }
    EXPECT_TEXT("", reports.message);
    skan_http_transport_close(&transport);
}

/* After a time-out the next attempt has a connection of its own: the kept one may be dead. */
static void leaves_dead_connections(const void *subject) {
    const bool is_tls = subject != NULL;
    const skan_http_options options = short_options(NULL);
    skan_transport transport = opened(&options);
    reset_server();
    for (int i = 1; i <= 3; i++) {
        EXPECT_STATUS(SKAN_OK, get(&transport, is_tls ? tls("/once") : plain("/once"), NULL, 0));
        EXPECT_NUMBER(2 * i - 1, server_counts().requests);
        EXPECT_NUMBER(i, server_counts().connections);
    }
    skan_http_transport_close(&transport);
}

enum { MANY = 64 };

static void many_threads_at_once(const void *subject) {
    const uint32_t limit = *(const uint32_t *)subject;
    skan_http_options options = short_options(NULL);
    options.timeout_ms = options.attempt_timeout_ms = options.connect_timeout_ms = 60000;
    options.max_connections = limit;
    skan_transport transport = opened(&options);
    reset_server();
    static caller callers[MANY];
    pthread_t threads[MANY];
    for (int i = 0; i < MANY; i++) {
        callers[i] = (caller){&transport, i % 2, 20, 0};
        pthread_create(&threads[i], NULL, call, &callers[i]);
    }
    for (int i = 0; i < MANY; i++) {
        pthread_join(threads[i], NULL);
        EXPECT_NUMBER(20, callers[i].answered);
    }
    const counts counts = server_counts();
    EXPECT_NUMBER(20 * MANY, counts.requests);
    /* Where plain and TLS share the room, a kept connection of the one may give way to one of the other. */
    if (limit >= MANY) EXPECT(counts.connections <= MANY, "%d connections", counts.connections);
    skan_http_transport_close(&transport);
}

static void leaves_nothing_open(const void *unused) {
    (void)unused;
    static const char *const paths[] = {"/ok", "/slow", "/reset", "/endless/200", "/status/404"};
    skan_http_options options = short_options(NULL);
    options.max_attempts = 1;
    skan_transport transport = opened(&options);
    skan_http_transport_close(&transport); /* what libcurl and OpenSSL keep open for good */
    const int before = open_files();
    for (int round = 0; round < 3; round++) {
        transport = opened(&options);
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
            get(&transport, plain(paths[i]), NULL, 0);
            get(&transport, tls(paths[i]), NULL, 0);
        }
        skan_http_transport_close(&transport);
    }
    EXPECT_NUMBER(before, open_files());
}

/* ---------------------------------------------------------------------------------------- the host's own affairs */

static void leaves_signals_alone(const void *unused) {
    (void)unused;
    struct sigaction before[NSIG], after;
    for (int i = 1; i < NSIG; i++) sigaction(i, NULL, &before[i]);
    sigset_t mask_before, mask_after;
    pthread_sigmask(SIG_SETMASK, NULL, &mask_before);
    const skan_http_options options = short_options(NULL);
    skan_transport transport = opened(&options);
    get(&transport, tls("/reset"), NULL, 0);
    get(&transport, tls("/ok"), NULL, 0);
    for (int i = 1; i < NSIG; i++) {
        if (sigaction(i, NULL, &after) != 0) continue;
        EXPECT(after.sa_handler == before[i].sa_handler, "the handler of signal %d was changed", i);
    }
    pthread_sigmask(SIG_SETMASK, NULL, &mask_after);
    for (int i = 1; i < NSIG; i++) EXPECT_NUMBER(sigismember(&mask_before, i), sigismember(&mask_after, i));
    skan_http_transport_close(&transport);
}

static void takes_the_proxy_from_the_environment(const void *unused) {
    (void)unused;
    skan_http_options options = short_options(NULL);
    options.proxy = NULL;
    char *proxy = url_to("plain", "");
    setenv("http_proxy", proxy, 1);
    skan_transport transport = opened(&options);
    EXPECT_STATUS(SKAN_OK, get(&transport, text_of("http://nowhere.invalid/ok"), NULL, 0));
    setenv("no_proxy", "nowhere.invalid", 1);
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, text_of("http://nowhere.invalid/ok"), NULL, 0));
    unsetenv("no_proxy");
    skan_http_transport_close(&transport);
    options.proxy = "";
    transport = opened(&options);
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, text_of("http://nowhere.invalid/ok"), NULL, 0));
    skan_http_transport_close(&transport);
    unsetenv("http_proxy");
    options.proxy = proxy;
    transport = opened(&options);
    EXPECT_STATUS(SKAN_OK, get(&transport, text_of("http://nowhere.invalid/ok"), NULL, 0));
    skan_http_transport_close(&transport);
    free(proxy);
}

static void keeps_secrets(const void *unused) {
    (void)unused;
    static const char *const proxies[] = {"nonsense://user:pass-word@127.0.0.1:1", "http://user:pass-word@127.0.0.1:1",
                                          "http://user:pass-word@nowhere.invalid", "http://user:pass-word@[:1"};
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++) {
        in_round("%s", proxies[i]);
        reports reports = {0};
        skan_http_options options = short_options(&reports);
        options.proxy = proxies[i];
        skan_transport transport = opened(&options);
        char *url = text_of("http://login:pass-word@nowhere.invalid/pass-word?a=pass-word");
        EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, url, NULL, 0));
        EXPECT_NUMBER(1, reports.count);
        EXPECT(reports.message[0] && !strstr(reports.message, "pass-word") && !strstr(reports.message, "login"),
               "reported: %s", reports.message);
        skan_http_transport_close(&transport);
    }
}

/* ---------------------------------------------------------------------------------------------------------- options */

static void checks_options(const void *unused) {
    (void)unused;
    skan_transport transport;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_http_transport_open(NULL, NULL, &failure));
    ANSWER(SKAN_OK, skan_http_transport_open(NULL, &transport, &failure));
    EXPECT_NUMBER(sizeof transport, transport.size);
    skan_http_transport_close(&transport);
    EXPECT(!transport.size && !transport.context && !transport.get && !transport.finalize, "it is not all zero");
    skan_http_transport_close(&transport);
    skan_http_transport_close(NULL);

    const struct {
        size_t offset;
        uint32_t limit;
    } numbers[] = {{offsetof(skan_http_options, timeout_ms), 3600000},
                   {offsetof(skan_http_options, attempt_timeout_ms), 3600000},
                   {offsetof(skan_http_options, connect_timeout_ms), 3600000},
                   {offsetof(skan_http_options, max_attempts), 100},
                   {offsetof(skan_http_options, backoff_ms), 3600000},
                   {offsetof(skan_http_options, max_backoff_ms), 3600000},
                   {offsetof(skan_http_options, max_connections), 4096},
                   {offsetof(skan_http_options, reserved), 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (uint32_t above = 0; above <= 1; above++) {
            in_round("number %zu, %u above its limit", i, (unsigned)above);
            skan_http_options options = {.size = sizeof options};
            const uint32_t value = numbers[i].limit + above;
            memcpy((char *)&options + numbers[i].offset, &value, sizeof value);
            ANSWER(above ? SKAN_ERROR_INVALID_ARGUMENT : SKAN_OK,
                   skan_http_transport_open(&options, &transport, &failure));
            EXPECT_NUMBER(above, transport.context == NULL);
            skan_http_transport_close(&transport);
        }
    in_round("%s", "");

    struct {
        skan_http_options options;
        uint64_t newer;
    } larger = {{.size = sizeof larger}, 0};
    ANSWER(SKAN_OK, skan_http_transport_open(&larger.options, &transport, &failure));
    skan_http_transport_close(&transport);
    larger.newer = 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_http_transport_open(&larger.options, &transport, &failure));
    larger.options.size = sizeof larger.options - 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_http_transport_open(&larger.options, &transport, &failure));
    larger.options.size = 1025;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, skan_http_transport_open(&larger.options, &transport, &failure));

    skan_http_options options = {.size = sizeof options, .ca_file = "/nowhere/ca.pem"};
    ANSWER(SKAN_ERROR_TRANSPORT, skan_http_transport_open(&options, &transport, &failure));
    EXPECT(strstr(failure_message(), "/nowhere/ca.pem: No such file"), "the message is \"%s\"", failure_message());
}

static void trusts_the_system_by_default(const void *unused) {
    (void)unused;
    reports reports = {0};
    skan_http_options options = short_options(&reports);
    options.ca_file = NULL;
    /* They are many to read, with a sanitizer above all. */
    options.timeout_ms = options.attempt_timeout_ms = options.connect_timeout_ms = 60000;
    skan_transport transport = opened(&options);
    EXPECT_STATUS(SKAN_ERROR_TRANSPORT, get(&transport, tls("/ok"), NULL, 0));
    EXPECT(strstr(reports.message, "libcurl error 60"), "reported: %s", reports.message);
    skan_http_transport_close(&transport);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    start_server(arguments[1]);
    static const uint32_t limits[] = {1, 8, 64, 1000};
    run_case("the body of an answer", gives_the_body, NULL);
    run_case("bodies up to the limit", takes_bodies_up_to_the_limit, NULL);
    run_case("an install's update", updates_an_install, NULL);
    run_case("other URLs", refuses_other_urls, NULL);
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        run_case(sequences[i].path, tries_again, &sequences[i]);
    run_case("pauses grow", pauses_grow_to_the_longest, NULL);
    run_case("no vain wait", does_not_wait_in_vain, NULL);
    run_case("one attempt", one_attempt_is_one, NULL);
    run_case("the whole time", the_whole_time_is_a_bound, NULL);
    run_case("a kept connection", keeps_a_connection, NULL);
    run_case("a kept TLS connection", keeps_a_connection, "tls");
    run_case("closed connections", survives_closed_connections, NULL);
    run_case("dead connections", leaves_dead_connections, NULL);
    run_case("dead TLS connections", leaves_dead_connections, "tls");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        run_case("64 threads", many_threads_at_once, &limits[i]);
    run_case("nothing stays open", leaves_nothing_open, NULL);
    run_case("signals", leaves_signals_alone, NULL);
    run_case("the environment's proxy", takes_the_proxy_from_the_environment, NULL);
    run_case("secrets", keeps_secrets, NULL);
    run_case("options", checks_options, NULL);
    run_case("the system's authorities", trusts_the_system_by_default, NULL);
    return finish_cases();
}
