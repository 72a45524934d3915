/*
 * One Redis server beside the same with TLS and beside a cluster of three masters and three replicas:
 *   servers [rounds] [threads]
 * Purchases of threads by one engine, and batches of 1 000 records. Rounds of all take turns; printed are the medians, and
 * the median of each round's ratio to the first. Nothing is asserted.
 */
#define _GNU_SOURCE
#include "Bench/measure.h"
#include "Stores/Library/hooks.h"
#include "Trouble/Servers/redis_cluster.h"
#include "support.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 4, BATCH = 1000, RECORD = 130, PURCHASES = 400 /* of a thread */, ROUNDS = 101, MOST_THREADS = 64 };

typedef struct place {
    const char *name, *url;
    skan_store store; /* of batches */
    skan_engine *engine;
    uint64_t versions[BATCH];
    double purchases[ROUNDS], saves[ROUNDS], loads[ROUNDS];
} place;

static place places[PLACES];
static int threads = 8;
static long round_number;

static void must(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s failed\n", what);
    exit(2);
}

static skan_engine *engine;

static void *buy(void *argument) {
    int thread = (int)(intptr_t)argument;
    char id[48];
    for (int i = 0; i < PURCHASES; i++) {
        snprintf(id, sizeof id, "buyer-%d-%ld", thread, (round_number * PURCHASES + i) % 5000);
        must(skan_update_revenue(engine, id, AMOUNT(0.99), "USD", SKAN_IAP, NULL, NULL) == SKAN_OK,
             "skan_update_revenue");
    }
    return NULL;
}

/* Microseconds of each. */
static double purchases(place *place) {
    pthread_t running[MOST_THREADS];
    engine = place->engine;
    double start = seconds_now();
    for (intptr_t i = 0; i < threads; i++) pthread_create(&running[i], NULL, buy, (void *)i);
    for (int i = 0; i < threads; i++) pthread_join(running[i], NULL);
    return (seconds_now() - start) * 1e6 / PURCHASES / threads;
}

static char keys[BATCH][32];

/* Milliseconds of a batch. */
static double saves(place *place) {
    static char record[RECORD];
    static skan_save_item items[BATCH];
    for (int i = 0; i < BATCH; i++)
        items[i] = (skan_save_item){keys[i], record, RECORD, place->versions[i], 0, -1};
    double start = seconds_now();
    place->store.save_many(place->store.context, items, BATCH);
    double took = seconds_now() - start;
    for (int i = 0; i < BATCH; i++) {
        must(items[i].status == SKAN_OK, "save_many");
        place->versions[i] = items[i].new_version;
    }
    return took * 1e3;
}

static double loads(place *place) {
    static skan_load_item items[BATCH];
    for (int i = 0; i < BATCH; i++) {
        skan_buffer *out = items[i].out ? items[i].out : skan_buffer_create();
        items[i] = (skan_load_item){keys[i], out, 0, -1};
    }
    double start = seconds_now();
    place->store.load_many(place->store.context, items, BATCH);
    double took = seconds_now() - start;
    for (int i = 0; i < BATCH; i++) must(items[i].status == SKAN_OK, "load_many");
    return took * 1e3;
}

static void open_place(place *place, const char *name, const char *url) {
    *place = (struct place){.name = name, .url = strdup(url)};
    skan_store store = opened(url, NULL);
    place->store = opened(url, NULL);
    const skan_options options = {
        .size = sizeof options, .store = &store, .endpoint_url = "https://skan.example.com"};
    must(skan_create(&options, &place->engine, NULL) == SKAN_OK, "skan_create");
}

static void print(const char *what, const char *unit, size_t offset, int rounds) {
    for (int i = 0; i < PLACES; i++) {
        double *took = (double *)((char *)&places[i] + offset), *first = (double *)((char *)&places[0] + offset);
        double ratios[ROUNDS], sorted[ROUNDS];
        for (int round = 0; round < rounds; round++) ratios[round] = took[round] / first[round];
        memcpy(sorted, took, sizeof sorted);
        printf("%-22s %-26s %8.2f %s  ratio %.2f\n", what, places[i].name, median(sorted, (size_t)rounds), unit,
               median(ratios, (size_t)rounds));
    }
}

int main(int count, char **texts) {
    int rounds = count > 1 ? atoi(texts[1]) : 21;
    if (count > 2) threads = atoi(texts[2]);
    if (rounds < 1 || rounds > ROUNDS || threads < 1 || threads > MOST_THREADS) return 2;
    for (int i = 0; i < BATCH; i++) snprintf(keys[i], sizeof keys[i], "player-%08x", (unsigned)i * 2654435761u);
    server plain, closed;
    cluster cluster, secret;
    server_start(&plain, "appendonly=no");
    server_start(&closed, "appendonly=no tls=server");
    cluster_start(&cluster, "appendonly=no");
    cluster_start(&secret, "appendonly=no tls=yes");
    open_place(&places[0], "one server", plain.tcp_url);
    open_place(&places[1], "one server, TLS", closed.tcp_url);
    open_place(&places[2], "cluster", cluster.whole.url);
    open_place(&places[3], "cluster, TLS", secret.whole.url);
    for (int i = 0; i < PLACES; i++) saves(&places[i]), loads(&places[i]), purchases(&places[i]);
    for (int round = 0; round < rounds; round++) {
        for (int turn = 0; turn < PLACES; turn++) {
            place *place = &places[(turn + round) % PLACES];
            place->purchases[round] = purchases(place);
            place->saves[round] = saves(place);
            place->loads[round] = loads(place);
        }
        round_number++;
    }
    printf("%d threads, one engine with 8 connections; batches of %d records of %d bytes; %d rounds\n", threads, BATCH,
           RECORD, rounds);
    print("a purchase", "us", offsetof(place, purchases), rounds);
    print("a batch of saves", "ms", offsetof(place, saves), rounds);
    print("a batch of loads", "ms", offsetof(place, loads), rounds);
    for (int i = 0; i < PLACES; i++) {
        skan_destroy(places[i].engine);
        kind.close(&places[i].store);
    }
    return 0;
}
