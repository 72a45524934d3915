#include "metrics.h"

#include <inttypes.h>
#include <skan/skan.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Upper ends of the histogram's buckets, in microseconds. */
static const uint64_t ends[] = {50,    100,   250,   500,    1000,   2500,   5000,
                                10000, 25000, 50000, 100000, 250000, 500000, 1000000};
#define ENDS (sizeof ends / sizeof ends[0])

/* One outcome of a route, with the HTTP status it is answered with. */
typedef struct series {
    _Atomic(const char *) outcome; /* set last */
    unsigned status;
    atomic_uint_fast64_t count;
} series;

#define SERIES 64

typedef struct route {
    const char *name;
    atomic_uint_fast64_t buckets[ENDS + 1];
    atomic_uint_fast64_t microseconds;
    series series[SERIES]; /* those in use come first */
    atomic_uint used;
} route;

struct metrics {
    time_t start;
    atomic_flag is_adding; /* a series */
    size_t count;
    route routes[];
};

metrics *metrics_create(const char *const *routes, size_t count) {
    metrics *made = calloc(1, sizeof *made + (count + 1) * sizeof made->routes[0]);
    if (!made) return NULL;
    made->start = time(NULL);
    made->count = count + 1;
    for (size_t i = 0; i < count; i++) made->routes[i].name = routes[i];
    made->routes[count].name = "other";
    return made;
}

void metrics_destroy(metrics *metrics) { free(metrics); }

static series *find_series(route *route, const char *outcome, unsigned status) {
    unsigned used = atomic_load_explicit(&route->used, memory_order_acquire);
    for (unsigned i = 0; i < used; i++)
        if (route->series[i].status == status && strcmp(atomic_load(&route->series[i].outcome), outcome) == 0)
            return &route->series[i];
    return NULL;
}

static series *make_series(metrics *metrics, route *route, const char *outcome, unsigned status) {
    while (atomic_flag_test_and_set_explicit(&metrics->is_adding, memory_order_acquire)) continue;
    series *made = find_series(route, outcome, status);
    unsigned used = atomic_load(&route->used);
    if (!made && used < SERIES) {
        made = &route->series[used];
        made->status = status;
        atomic_store(&made->outcome, outcome);
        atomic_store_explicit(&route->used, used + 1, memory_order_release);
    }
    atomic_flag_clear_explicit(&metrics->is_adding, memory_order_release);
    return made;
}

void metrics_add(metrics *metrics, const char *name, const char *outcome, unsigned status, uint64_t microseconds) {
    route *route = &metrics->routes[metrics->count - 1];
    for (size_t i = 0; name && i + 1 < metrics->count; i++)
        if (strcmp(metrics->routes[i].name, name) == 0) route = &metrics->routes[i];
    series *series = find_series(route, outcome, status);
    if (!series) series = make_series(metrics, route, outcome, status);
    if (series) atomic_fetch_add_explicit(&series->count, 1, memory_order_relaxed);
    size_t bucket = 0;
    while (bucket < ENDS && microseconds > ends[bucket]) bucket++;
    atomic_fetch_add_explicit(&route->buckets[bucket], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&route->microseconds, microseconds, memory_order_relaxed);
}

static void write_requests(const metrics *metrics, FILE *out) {
    fputs("# HELP skan_http_requests_total Requests that were answered.\n"
          "# TYPE skan_http_requests_total counter\n",
          out);
    for (size_t i = 0; i < metrics->count; i++) {
        const route *route = &metrics->routes[i];
        unsigned used = atomic_load_explicit(&route->used, memory_order_acquire);
        for (unsigned k = 0; k < used; k++)
            fprintf(out, "skan_http_requests_total{route=\"%s\",outcome=\"%s\",status=\"%u\"} %" PRIuFAST64 "\n",
                    route->name, atomic_load(&route->series[k].outcome), route->series[k].status,
                    atomic_load(&route->series[k].count));
    }
}

static void write_durations(const metrics *metrics, FILE *out) {
    fputs("# HELP skan_http_request_duration_seconds From the request line to the answer.\n"
          "# TYPE skan_http_request_duration_seconds histogram\n",
          out);
    for (size_t i = 0; i < metrics->count; i++) {
        const route *route = &metrics->routes[i];
        uint64_t sum = 0;
        for (size_t k = 0; k <= ENDS; k++) {
            sum += atomic_load(&route->buckets[k]);
            char end[32] = "+Inf";
            if (k < ENDS) snprintf(end, sizeof end, "%g", (double)ends[k] / 1e6);
            fprintf(out, "skan_http_request_duration_seconds_bucket{route=\"%s\",le=\"%s\"} %" PRIu64 "\n", route->name,
                    end, sum);
        }
        fprintf(out, "skan_http_request_duration_seconds_sum{route=\"%s\"} %.6f\n", route->name,
                (double)atomic_load(&route->microseconds) / 1e6);
        fprintf(out, "skan_http_request_duration_seconds_count{route=\"%s\"} %" PRIu64 "\n", route->name, sum);
    }
}

char *metrics_text(const metrics *metrics, unsigned connections, unsigned requests) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    fprintf(out,
            "# HELP skan_build_info The library's version.\n# TYPE skan_build_info gauge\n"
            "skan_build_info{version=\"%s\"} 1\n"
            "# HELP skan_start_time_seconds When the server was started, Unix seconds.\n"
            "# TYPE skan_start_time_seconds gauge\nskan_start_time_seconds %lld\n"
            "# HELP skan_http_connections Connections that are open.\n# TYPE skan_http_connections gauge\n"
            "skan_http_connections %u\n"
            "# HELP skan_http_requests_in_flight Requests that are under way.\n"
            "# TYPE skan_http_requests_in_flight gauge\nskan_http_requests_in_flight %u\n",
            skan_version(), (long long)metrics->start, connections, requests);
    write_requests(metrics, out);
    write_durations(metrics, out);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}
