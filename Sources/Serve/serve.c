/* skan serve: the conversion-value endpoint, over HTTP. */
#include "../Command/arguments.h"
#include "../Command/messages.h"
#include "../Command/stores.h"
#include "apps.h"
#include "endpoint.h"
#include "http.h"
#include "log.h"
#include "metrics.h"
#include "postbacks.h"
#include "virtual_clock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* That are open beside those of connections, at most. */
enum { OTHER_FILES = 128 };

/* Threads that wait for a disk: as many postbacks are stored together. */
enum { THREADS_THAT_WAIT = 32 };

typedef struct serving {
    apps *apps;
    postbacks *postbacks;
    store store;
    bool has_store;
    skan_clock clock; /* of tests and demos */
    metrics *metrics;
    http_settings http;
    bool has_threads;
    log_level log;
    int64_t grace_seconds;
    sigset_t signals; /* that end it */
} serving;

/* ---------------------------------------------------------------------------------------------------- for operators */

static void give_text(http_answer *answer, unsigned status, const char *type, const char *outcome, char *body) {
    answer->status = body ? status : 503;
    answer->type = type;
    answer->outcome = outcome;
    answer->body = body;
    answer->length = body ? strlen(body) : 0;
}

/* Healthy is who can read the store. */
static void answer_health(void *context, const http_request *request, http_answer *answer) {
    serving *serving = context;
    (void)request;
    skan_status status = SKAN_NOT_FOUND;
    if (serving->has_store) {
        skan_buffer *buffer = skan_buffer_create();
        uint64_t version;
        status = serving->store.hooks.load(serving->store.hooks.context, "healthz", buffer, &version);
        skan_buffer_destroy(buffer);
    }
    bool is_fine = (status == SKAN_OK || status == SKAN_NOT_FOUND) && postbacks_are_healthy(serving->postbacks);
    give_text(answer, is_fine ? 200 : 503, "text/plain; charset=utf-8", is_fine ? "healthy" : "store",
              strdup(is_fine ? "ok\n" : "the store cannot be read\n"));
}

static void answer_metrics(void *context, const http_request *request, http_answer *answer) {
    serving *serving = context;
    unsigned connections, requests;
    http_load(request->server, &connections, &requests);
    char *own = metrics_text(serving->metrics, connections, requests), *all = NULL;
    size_t size = 0;
    FILE *out = own ? open_memstream(&all, &size) : NULL;
    if (out) {
        fputs(own, out);
        postbacks_write_metrics(serving->postbacks, out);
        fclose(out);
    }
    free(own);
    give_text(answer, 200, "text/plain; version=0.0.4; charset=utf-8", "metrics", all);
}

static void answered(void *context, const http_route *route, const http_request *request, const http_answer *answer,
                     uint64_t microseconds) {
    serving *serving = context;
    metrics_add(serving->metrics, route ? route->name : NULL, answer->outcome, answer->status, microseconds);
    log_request(route ? route->name : NULL, request->method, request->path, answer->status, answer->outcome,
                microseconds);
}

static void report_store(void *context, skan_status status, const char *message) {
    (void)context;
    (void)status;
    log_event("store", message);
}

/* ---------------------------------------------------------------------------------------------------------- options */

enum { LISTEN = 256, MODEL, APP, STORE, THREADS, CONNECTIONS, PEER, IDLE, HEADER, BODY, LOG, GRACE, CLOCK };

static const struct option options[] = {
    {"listen", required_argument, NULL, LISTEN},
    {"model", required_argument, NULL, MODEL},
    {"app", required_argument, NULL, APP},
    {"store", required_argument, NULL, STORE},
    {"threads", required_argument, NULL, THREADS},
    {"max-connections", required_argument, NULL, CONNECTIONS},
    {"max-connections-per-peer", required_argument, NULL, PEER},
    {"idle-timeout", required_argument, NULL, IDLE},
    {"max-header", required_argument, NULL, HEADER},
    {"max-body", required_argument, NULL, BODY},
    {"log", required_argument, NULL, LOG},
    {"grace", required_argument, NULL, GRACE},
    {"clock", required_argument, NULL, CLOCK},
    POSTBACKS_OPTIONS,
    HELP_OPTION,
};

/* "127.0.0.1:8080", "[::1]:8080", "8080". */
static int set_address(const command *self, serving *serving, const char *text) {
    static char address[64];
    const char *port = strrchr(text, ':');
    size_t length = port ? (size_t)(port - text) : 0;
    const char *start = text;
    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') start++, length -= 2;
    if (length >= sizeof address) return usage_error(self, "--listen", "expected ADDRESS:PORT, got \"%s\"", text);
    if (port) {
        memcpy(address, start, length);
        address[length] = '\0';
        serving->http.address = address;
    }
    int64_t number;
    if (!argument_number(self, "--listen", port ? port + 1 : text, 0, 65535, &number)) return EXIT_USAGE;
    serving->http.port = (uint16_t)number;
    return EXIT_FINE;
}

static int add_model(serving *serving, const char *app, const char *file) {
    char trouble[APPS_TROUBLE_MAX];
    if (apps_add_model(serving->apps, app, file, trouble)) return EXIT_FINE;
    complain("--model", "%s", trouble);
    return EXIT_FOUND;
}

/* "com.example.game=model.json" */
static int add_app_model(const command *self, serving *serving, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) return usage_error(self, "--app", "expected BUNDLE=FILE, got \"%s\"", text);
    char *app = strndup(text, (size_t)(equals - text));
    int code = app ? add_model(serving, app, equals + 1) : EXIT_FOUND;
    free(app);
    return code;
}

static int set_log(const command *self, serving *serving, const char *text) {
    static const char *const names[] = {"nothing", "errors", "requests"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            serving->log = (log_level)i;
            return EXIT_FINE;
        }
    return usage_error(self, "--log", "expected nothing, errors or requests, got \"%s\"", text);
}

static int open_store(serving *serving, const char *url) {
    if (serving->has_store) store_close(&serving->store);
    int code = store_open_reporting(url, STORE_FILLS, report_store, NULL, &serving->store);
    serving->has_store = code == EXIT_FINE;
    return code;
}

static int set_number(const command *self, serving *serving, int option, const char *text) {
    static const struct {
        int option;
        const char *name;
        int64_t least, most;
    } ranges[] = {
        {THREADS, "--threads", 1, 256},
        {CONNECTIONS, "--max-connections", 1, 1000000},
        {PEER, "--max-connections-per-peer", 0, 1000000},
        {IDLE, "--idle-timeout", 1, 3600},
        {HEADER, "--max-header", 4096, 1048576},
        {BODY, "--max-body", 1024, 16777216},
        {GRACE, "--grace", 0, 3600},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        int64_t number;
        if (ranges[i].option != option) continue;
        if (!argument_number(self, ranges[i].name, text, ranges[i].least, ranges[i].most, &number)) return EXIT_USAGE;
        if (option == THREADS) serving->http.threads = (unsigned)number, serving->has_threads = true;
        if (option == CONNECTIONS) serving->http.connections = (unsigned)number;
        if (option == PEER) serving->http.connections_per_peer = (unsigned)number;
        if (option == IDLE) serving->http.idle_seconds = (unsigned)number;
        if (option == HEADER) serving->http.header_bytes = (size_t)number;
        if (option == BODY) serving->http.body_bytes = (size_t)number;
        if (option == GRACE) serving->grace_seconds = number;
    }
    return EXIT_FINE;
}

static int set_clock(serving *serving, const char *file) {
    if (virtual_clock_open(file, &serving->clock)) return EXIT_FINE;
    complain("--clock", "%s: %s", file, strerror(errno));
    return EXIT_FOUND;
}

static int set_option(const command *self, serving *serving, int option, const char *text) {
    switch (option) {
    case LISTEN:
        return set_address(self, serving, text);
    case MODEL:
        return add_model(serving, NULL, text);
    case APP:
        return add_app_model(self, serving, text);
    case STORE:
        return open_store(serving, text);
    case LOG:
        return set_log(self, serving, text);
    case CLOCK:
        return set_clock(serving, text);
    default:
        if (option >= POSTBACKS_OPTION) return postbacks_set(serving->postbacks, self, option, text);
        return set_number(self, serving, option, text);
    }
}

/* ---------------------------------------------------------------------------------------------------------- serving */

/* For every thread that is made from here on, a store's too. */
static void block_signals(sigset_t *blocked) {
    static const int ends[] = {SIGTERM, SIGINT, SIGHUP};
    sigemptyset(blocked);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct sigaction before;
        /* One that the parent ignores, nohup's for instance, stays ignored. */
        if (sigaction(ends[i], NULL, &before) != 0 || before.sa_handler != SIG_IGN) sigaddset(blocked, ends[i]);
    }
    pthread_sigmask(SIG_BLOCK, blocked, NULL);
}

/* As many files as there are connections, if that is allowed, otherwise as many connections as there may be files; the
 * store and the log have some too. */
static void allow_connections(unsigned *connections) {
    struct rlimit limit;
    rlim_t needed = (rlim_t)*connections + OTHER_FILES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return;
    limit.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return;
    char words[128];
    *connections = limit.rlim_cur > 2 * OTHER_FILES ? (unsigned)limit.rlim_cur - OTHER_FILES
                                                    : (unsigned)(limit.rlim_cur + 1) / 2;
    snprintf(words, sizeof words, "at most %u, as the process may open %llu files", *connections,
             (unsigned long long)limit.rlim_cur);
    log_event("connections", words);
}

/* Until SIGTERM or SIGINT: they are blocked in every thread, and taken here. */
static void wait_for_end(const sigset_t *signals) {
    int got;
    while (sigwait(signals, &got) != 0) continue;
    log_event("stopping", strsignal(got));
}

static int64_t monotonic_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Partners are still told while the log is there. */
static void stop_postbacks(serving *serving, unsigned grace_ms) {
    postbacks_destroy(serving->postbacks, grace_ms);
    serving->postbacks = NULL;
}

static int serve(serving *serving) {
    http_route routes[] = {
        {"GET", "/api/v2/conversion_value", "conversion_value_v2", endpoint_answer_skan4, serving->apps},
        {"GET", "/api/v1/conversion_value", "conversion_value_v1", endpoint_answer_skan3, serving->apps},
        {"GET", "/healthz", "healthz", answer_health, serving},
        {"GET", "/metrics", "metrics", answer_metrics, serving},
        /* These are there where postbacks are taken. */
        {"POST", "/.well-known/skadnetwork/report-attribution/", "postbacks_skadnetwork", postbacks_answer_apple,
         serving->postbacks},
        {"POST", "/.well-known/appattribution/report-attribution/", "postbacks_adattributionkit",
         postbacks_answer_apple, serving->postbacks},
        {"POST", POSTBACKS_FORWARDED "*", "postbacks_forwarded", postbacks_answer_forwarded, serving->postbacks},
    };
    enum { ROUTES = sizeof routes / sizeof routes[0], FOR_POSTBACKS = 3 };
    const char *names[ROUTES];
    size_t route_count = postbacks_are_served(serving->postbacks) ? ROUTES : ROUTES - FOR_POSTBACKS;
    for (size_t i = 0; i < route_count; i++) names[i] = routes[i].name;

    char trouble[APPS_TROUBLE_MAX];
    if (!apps_open(serving->apps, serving->has_store ? &serving->store.hooks : NULL,
                   serving->clock.now ? &serving->clock : NULL, trouble)) {
        complain("serve", "%s", trouble);
        return EXIT_FOUND;
    }
    if (postbacks_are_served(serving->postbacks) && !serving->has_threads) serving->http.threads = THREADS_THAT_WAIT;
    serving->metrics = metrics_create(names, route_count);
    serving->http.routes = routes;
    serving->http.route_count = route_count;
    serving->http.answered = answered;
    serving->http.context = serving;
    if (!serving->metrics || !log_start(stderr, serving->log)) {
        complain("serve", "out of memory");
        return EXIT_FOUND;
    }
    allow_connections(&serving->http.connections);
    int code = postbacks_open(serving->postbacks, &serving->clock);
    if (code != EXIT_FINE) {
        log_stop();
        return code;
    }
    http_server *server = http_start(&serving->http, trouble, sizeof trouble);
    if (!server) {
        stop_postbacks(serving, 0);
        log_stop();
        complain("serve", "%s", trouble);
        return EXIT_FOUND;
    }
    bool is_six = strchr(serving->http.address, ':') != NULL;
    printf("skan: serving on http://%s%s%s:%u, %s\n", is_six ? "[" : "", serving->http.address, is_six ? "]" : "",
           (unsigned)http_port(server), serving->has_store ? serving->store.name : "keeping counts in memory");
    fflush(stdout);
    wait_for_end(&serving->signals);
    int64_t grace_ms = serving->grace_seconds * 1000, start = monotonic_ms();
    http_stop(server, (unsigned)grace_ms);
    int64_t left = grace_ms - (monotonic_ms() - start);
    stop_postbacks(serving, left > 0 ? (unsigned)left : 0);
    log_event("stopped", NULL);
    log_stop();
    return EXIT_FINE;
}

static int run(const command *self, int argc, char **argv) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    serving serving = {.apps = apps_create(),
                       .postbacks = postbacks_create(),
                       .log = LOG_REQUESTS,
                       .grace_seconds = 10,
                       .http = {.address = "127.0.0.1",
                                .port = 8080,
                                .threads = processors > 0 ? (unsigned)processors : 1,
                                .connections = 1024,
                                .idle_seconds = 15,
                                .header_bytes = 65536,
                                .body_bytes = 65536}};
    if (!serving.apps || !serving.postbacks) {
        complain("serve", "out of memory");
        return EXIT_FOUND;
    }
    block_signals(&serving.signals);
    int code = EXIT_FINE;
    bool has_ended = false;
    int option;
    while (code == EXIT_FINE && !has_ended && (option = option_next(self, argc, argv, options)) != -1) {
        has_ended = option == 'h' || option == '?';
        code = has_ended ? option_exit(option) : set_option(self, &serving, option, optarg);
    }
    if (code == EXIT_FINE && !has_ended && !arguments_are(self, argc, argv, 0)) code = EXIT_USAGE;
    if (code == EXIT_FINE && !has_ended) code = serve(&serving);
    postbacks_destroy(serving.postbacks, 0);
    metrics_destroy(serving.metrics);
    apps_destroy(serving.apps);
    if (serving.has_store) store_close(&serving.store);
    if (serving.clock.finalize) serving.clock.finalize(serving.clock.context);
    return code;
}

const command serve_command = {
    .name = "serve",
    .arguments = "[OPTION]...",
    .summary = "answers conversion-value requests over HTTP, by models of one's own",
    .help =
        "The conversion-value endpoint, for SKAN 4 (/api/v2/conversion_value) and SKAN 3\n"
        "(/api/v1/conversion_value), deciding by conversion models. Without a model of\n"
        "SKAN 3 its path is the published test endpoint: 0, 1, 2, then no value.\n"
        "/healthz answers 200 while the store can be read, /metrics is for Prometheus.\n"
        "There is no TLS here: put a proxy in front of it where it leaves the machine.\n\n"
        "  --model FILE          a model for every app; the first is for new users, the\n"
        "                        others for those who began on them\n"
        "  --app BUNDLE=FILE     a model for this app alone\n"
        "  --store STORE         keeps what requests do not tell: counts of sessions and\n"
        "                        events, by app and idfv or idfa; default: in memory\n"
        "  --listen ADDR:PORT    default 127.0.0.1:8080; port 0 is any free one\n"
        "  --threads N           default: one for each processor; 32 with --postbacks, that\n"
        "                        many are stored together\n"
        "  --max-connections N   default 1024\n"
        "  --max-connections-per-peer N\n"
        "                        default 0, no limit\n"
        "  --idle-timeout SEC    for how long a client may be silent, and half of the time\n"
        "                        it has for a request; default 15\n"
        "  --max-header BYTES    of request line and headers; default 65536\n"
        "  --max-body BYTES      default 65536\n"
        "  --log WHAT            requests, errors or nothing, as JSON lines on standard\n"
        "                        error; default requests. No keys, no users' ids\n"
        "  --grace SEC           after SIGTERM, to answer what has come; default 10\n"
        "  --clock FILE          for tests: eight bytes with the time in microseconds\n"
        "                        since 1970, read at every request\n\n" POSTBACKS_HELP "\n" POSTBACKS_NOTES
            STORE_HELP,
    .run = run,
};
