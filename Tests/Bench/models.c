/*
 * bench TOP - what conversion models cost, in memory on one thread: an update with each ready model beside one with a
 * model without rules, which counts the same session; the difference is the decision. Times are shown, never asserted.
 */
#include "measure.h"

#include <skan/model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 20000
#define ROUNDS 15

static const char *const names[] = {"tutorial_complete", "registration", "level_10", "ad_watched",
                                    "add_to_cart",       "purchase",     "level_complete"};

static skan_model *model_of(const char *json, size_t length) {
    skan_model *model = NULL;
    skan_error *error = NULL;
    if (skan_model_create(json, length, &model, &error) != SKAN_OK) {
        fprintf(stderr, "%s\n", skan_error_message(error));
        exit(1);
    }
    return model;
}

/* An engine, and an install to whom everything happened that models may ask for, but for much revenue. */
static skan_engine *engine_with(const skan_model *model) {
    skan_model *models[] = {(skan_model *)model};
    skan_options options = {.size = sizeof options, .models = models, .model_count = 1};
    skan_engine *engine = NULL;
    if (skan_create(&options, &engine, NULL) != SKAN_OK) exit(1);
    skan_register(engine, "install", NULL, NULL, NULL);
    skan_update_revenue(engine, "install", (skan_amount){.number = 0.005}, "USD", SKAN_IAP, NULL, NULL);
    skan_update_revenue(engine, "install", (skan_amount){.number = 0.001}, "EUR", SKAN_AD, NULL, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        skan_event event = {.size = sizeof event, .name = names[i], .currency = "USD", .amount = {.number = 0.001}};
        skan_update_conversion_values(engine, "install", &event, NULL, NULL);
    }
    for (int i = 0; i < 3; i++) skan_update_conversion_values(engine, "install", NULL, NULL, NULL);
    return engine;
}

static double update_time(skan_engine *engine) {
    double start = seconds_now();
    for (int i = 0; i < CALLS; i++)
        skan_update_conversion_values(engine, "install", NULL, NULL, NULL);
    return (seconds_now() - start) * 1e9 / CALLS;
}

static void measure(const char *name, const char *json, size_t length, skan_engine *plain) {
    double with[ROUNDS], without[ROUNDS], difference[ROUNDS], creation[ROUNDS], decoding[ROUNDS];
    skan_model *model = model_of(json, length);
    skan_engine *engine = engine_with(model);
    for (int round = 0; round < ROUNDS; round++) {
        without[round] = update_time(plain);
        with[round] = update_time(engine);
        difference[round] = with[round] - without[round];
        double start = seconds_now();
        for (int i = 0; i < 20; i++) skan_model_destroy(model_of(json, length));
        creation[round] = (seconds_now() - start) * 1e6 / 20;
        start = seconds_now();
        for (int value = 0; value < 64; value++) {
            char *meaning = NULL;
            skan_model_decode(model, 0, value, -1, &meaning, NULL);
            skan_free(meaning);
        }
        decoding[round] = (seconds_now() - start) * 1e6 / 64;
    }
    printf("%-24s %9.0f %9.0f %9.0f %9.1f %9.1f\n", name, median(with, ROUNDS), median(without, ROUNDS),
           median(difference, ROUNDS), median(creation, ROUNDS), median(decoding, ROUNDS));
    skan_destroy(engine);
    skan_model_destroy(model);
}

/* 64 rules of six events and revenue, none of which holds, each only for its last condition. */
static char *hardest(void) {
    char *json = malloc(SKAN_MODEL_MAX);
    size_t length = (size_t)sprintf(json, "{\"schema\":1,\"id\":\"hardest\",\"rates\":{\"EUR\":\"1.09\"},\"windows\":["
                                          "{\"rules\":[");
    for (int rule = 0; rule < 64; rule++) {
        length += (size_t)sprintf(json + length, "%s{\"fine\":%d,\"when\":{\"events\":[", rule ? "," : "", rule);
        for (int event = 0; event < 6; event++)
            length += (size_t)sprintf(json + length, "%s{\"name\":\"%s\"}", event ? "," : "", names[event]);
        length += (size_t)sprintf(json + length,
                                  "],\"sessions\":{\"min\":1},\"revenue\":{\"kind\":\"all\",\"min\":%d}}}",
                                  rule + 1);
    }
    sprintf(json + length, "]},{\"rules\":[]},{\"rules\":[]}]}");
    return json;
}

/* Rules about eight measures, none of which holds, each only for its last condition. Each session counts in five of the
 * measures. */
static char *measured(int rules) {
    static const char *const kinds[] = {"count", "sum", "days", "count", "sum", "days", "count", "count"};
    char *json = malloc(SKAN_MODEL_MAX);
    size_t length = (size_t)sprintf(json, "{\"schema\":1,\"id\":\"measured\",\"measures\":{");
    for (int measure = 0; measure < 8; measure++)
        length += (size_t)sprintf(json + length, "%s\"%c\":{\"%s\":[\"%s\",\"__SESSION__\"],\"scope\":\"%s\"%s}",
                                  measure ? "," : "", 'a' + measure, kinds[measure],
                                  names[measure % (int)(sizeof names / sizeof *names)],
                                  measure % 2 ? "lifetime" : "window", measure > 5 ? ",\"kind\":\"iap\"" : "");
    length += (size_t)sprintf(json + length, "},\"windows\":[{\"rules\":[");
    for (int rule = 0; rule < rules; rule++) {
        length += (size_t)sprintf(json + length, "%s{\"fine\":%d,\"when\":{\"measures\":[", rule ? "," : "",
                                  rule * 64 / rules);
        for (int measure = 0; measure < 8; measure++)
            length += (size_t)sprintf(json + length, "%s{\"name\":\"%c\",\"min\":%s", measure ? "," : "",
                                      'a' + measure, measure < 7 ? kinds[measure][0] == 's' ? "0}" : "1}" : "");
        length += (size_t)sprintf(json + length, "%d}]}}", 5 + rule);
    }
    sprintf(json + length, "]},{\"rules\":[]},{\"rules\":[]}]}");
    return json;
}

/* 256 rules: four sets of values for 16 bands of a sum and 4 of sessions each. */
static char *bands(void) {
    char *json = malloc(SKAN_MODEL_MAX);
    size_t length = (size_t)sprintf(json, "{\"schema\":1,\"id\":\"bands\",\"raise_only\":false,\"measures\":{"
                                          "\"paid\":{\"sum\":[\"*\"]}},\"windows\":[{\"rules\":[");
    for (int rule = 0; rule < 256; rule++)
        length += (size_t)sprintf(json + length,
                                  "%s{\"fine\":%d,\"when\":{\"events\":[{\"name\":\"%s\",\"max_count\":9}],"
                                  "\"sessions\":{\"min\":%d},\"measures\":[{\"name\":\"paid\",\"min\":%d.%02d,"
                                  "\"max\":%d}]}}",
                                  rule ? "," : "", rule % 64, names[rule / 64], 1 + rule % 4, rule % 64 / 4,
                                  rule / 64, rule % 64 / 4 + 1);
    sprintf(json + length, "]},{\"rules\":[]},{\"rules\":[]}]}");
    return json;
}

int main(int count, char **arguments) {
    static const char *const files[] = {"revenue_iap", "revenue_ad", "revenue_all", "conversion_events",
                                        "engagement",  "retention",  "mixed"};
    static const char none[] =
        "{\"schema\":1,\"id\":\"none\",\"windows\":[{\"rules\":[]},{\"rules\":[]},{\"rules\":[]}]}";
    if (count != 2) return 2;
    skan_model *empty = model_of(none, strlen(none));
    skan_engine *plain = engine_with(empty);
    printf("Conversion models, medians of %d rounds: ns an update, with a model without rules, ns the decision takes,\n"
           "µs to load, µs to decode a value\n", ROUNDS);
    printf("%-24s %9s %9s %9s %9s %9s\n", "model", "update", "no rules", "decision", "load", "decode");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[4096], json[SKAN_MODEL_MAX];
        snprintf(path, sizeof path, "%s/Sources/SKANModels/%s.json", arguments[1], files[i]);
        FILE *file = fopen(path, "rb");
        if (file == NULL) return 1;
        size_t length = fread(json, 1, sizeof json, file);
        fclose(file);
        measure(files[i], json, length, plain);
    }
    char *json = hardest();
    measure("64 rules, 8 conditions", json, strlen(json), plain);
    free(json);
    /* What the measures themselves cost is beside a model without rules and measures; what the rules about them cost,
     * beside one that has the same measures. */
    json = measured(0);
    skan_model *unruled = model_of(json, strlen(json));
    skan_engine *counting = engine_with(unruled);
    measure("no rules, 8 measures", json, strlen(json), plain);
    free(json);
    for (int rules = 64; rules <= 256; rules += 192) {
        json = measured(rules);
        measure(rules == 64 ? "64 rules, 8 measures" : "256 rules, 8 measures", json, strlen(json), counting);
        free(json);
    }
    skan_destroy(counting);
    skan_model_destroy(unruled);
    json = bands();
    measure("256 rules of bands", json, strlen(json), plain);
    free(json);
    skan_destroy(plain);
    skan_model_destroy(empty);
    return 0;
}
