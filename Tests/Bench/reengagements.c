/*
 * bench - what re-engagements cost, in memory on one thread: a report of a new open, an event that counts for the install
 * and its re-engagements, and the list of calls, beside the same without re-engagements. Times are shown, never asserted.
 */
#define _GNU_SOURCE
#include "measure.h"

#include <skan/model.h>
#include <skan/reengagement.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSTALLS 2000
#define ROUNDS 15

static const char install_model[] =
    "{\"schema\":1,\"id\":\"installs\",\"windows\":[{\"rules\":[{\"fine\":0,\"coarse\":0},"
    "{\"fine\":1,\"coarse\":1,\"when\":{\"sessions\":{\"min\":1}}}]},{\"rules\":[]},{\"rules\":[]}]}";
static const char reengagement_model[] =
    "{\"schema\":1,\"id\":\"returns\",\"conversion\":\"re-engagement\",\"windows\":[{\"rules\":["
    "{\"fine\":0,\"coarse\":0},{\"fine\":1,\"coarse\":1,\"when\":{\"sessions\":{\"min\":1}}}]},"
    "{\"rules\":[{\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]}]}";

static char ids[INSTALLS][16];

static void must(skan_status status) {
    if (status == SKAN_OK || status == SKAN_NO_NEW_VALUE) return;
    fprintf(stderr, "bench: %s\n", skan_status_name(status));
    exit(1);
}

static void open_by_ad(skan_engine *engine, const char *install, int number) {
    char open_id[16], tag[16];
    snprintf(open_id, sizeof open_id, "open %d", number);
    snprintf(tag, sizeof tag, "%d", number);
    const skan_reengagement_report report = {
        .size = sizeof report, .open_id = open_id, .tag = tag, .is_started = 1, .is_overlapping = 1};
    must(skan_reengage(engine, install, &report, NULL, NULL));
}

static double nanoseconds(double begin) {
    return (seconds_now() - begin) * 1e9 / INSTALLS;
}

typedef struct costs {
    double reengage[ROUNDS], update[ROUNDS], list[ROUNDS];
    size_t calls;
} costs;

/* A round with new installs, which have so many re-engagements. */
static void measure(const skan_options *options, int reengagements, costs *costs, int round) {
    skan_engine *engine = NULL;
    must(skan_create(options, &engine, NULL));
    for (int i = 0; i < INSTALLS; i++) must(skan_register(engine, ids[i], NULL, NULL, NULL));
    for (int number = 1; number <= reengagements; number++) {
        const double begin = seconds_now();
        for (int i = 0; i < INSTALLS; i++) open_by_ad(engine, ids[i], number);
        costs->reengage[round] = nanoseconds(begin);
    }
    double begin = seconds_now();
    for (int i = 0; i < INSTALLS; i++) must(skan_update_conversion_values(engine, ids[i], NULL, NULL, NULL));
    costs->update[round] = nanoseconds(begin);
    begin = seconds_now();
    for (int i = 0; i < INSTALLS; i++) {
        skan_call calls[SKAN_CALLS_MAX] = {{.size = sizeof *calls}};
        must(skan_pending_calls(engine, ids[i], NULL, calls, SKAN_CALLS_MAX, &costs->calls, NULL));
    }
    costs->list[round] = nanoseconds(begin);
    skan_destroy(engine);
}

int main(void) {
    skan_model *models[2] = {NULL, NULL};
    must(skan_model_create(install_model, strlen(install_model), &models[0], NULL));
    must(skan_model_create(reengagement_model, strlen(reengagement_model), &models[1], NULL));
    const skan_options options = {.size = sizeof options,
                                  .models = &models[0],
                                  .model_count = 1,
                                  .reengagement_models = &models[1],
                                  .reengagement_model_count = 1};
    for (int i = 0; i < INSTALLS; i++) snprintf(ids[i], sizeof ids[i], "player-%d", i);
    printf("Re-engagements, medians of %d rounds: ns the last report of an open takes, ns an event, ns a list, calls in it\n",
           ROUNDS);
    for (int reengagements = 0; reengagements <= SKAN_REENGAGEMENTS_MAX; reengagements += 3) {
        static costs costs;
        for (int round = 0; round < ROUNDS; round++) measure(&options, reengagements, &costs, round);
        const double reengage = reengagements ? median(costs.reengage, ROUNDS) : 0;
        printf("%d re-engagements %9.0f %9.0f %9.0f %9zu\n", reengagements, reengage, median(costs.update, ROUNDS),
               median(costs.list, ROUNDS), costs.calls);
    }
    for (int i = 0; i < 2; i++) skan_model_destroy(models[i]);
    return 0;
}
