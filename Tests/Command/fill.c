/* Fills an SQLite store with installs as a game would, for tests of the command:
 *   fill FILE COUNT [returned]
 * Every one has purchases; of each ten, one is not registered, one registered 100 days ago, one has ad revenue too,
 * one a value of window 0, with a lock, and one a re-engagement. Half of those that are not registered have not changed
 * for 40 days. With "returned", those that registered 100 days ago
 * have a re-engagement too. */
#include <skan/model.h>
#include <skan/reengagement.h>
#include <skan/sqlite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t past_microseconds;

static int64_t now(void *context) {
    (void)context;
    return (int64_t)time(NULL) * 1000000 - past_microseconds;
}

static void must(skan_status status, skan_error *error, const char *what) {
    if (status == SKAN_OK) return;
    fprintf(stderr, "fill: %s: %s %s\n", what, skan_status_name(status), skan_error_message(error));
    exit(1);
}

static const char model_document[] =
    "{\"schema\":1,\"id\":\"return\",\"conversion\":\"re-engagement\",\"windows\":["
    "{\"rules\":[{\"fine\":0,\"coarse\":0},{\"fine\":9,\"coarse\":2,\"when\":{\"revenue\":{\"scope\":\"conversion\",\"min\":1}}}]},"
    "{\"rules\":[{\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]}]}";

static void reengage(skan_engine *engine, const char *id) {
    skan_error *error = NULL;
    const skan_device device = {.size = sizeof device, .os_version = "18.4"};
    const skan_reengagement_report report = {.size = sizeof report,
                                             .open_id = "open",
                                             .tag = "tag of the device",
                                             .reference = "spring",
                                             .is_started = true,
                                             .is_overlapping = true,
                                             .device = &device};
    past_microseconds = 0;
    must(skan_reengage(engine, id, &report, NULL, &error), error, id);
    must(skan_update_revenue(engine, id, (skan_amount){.text = "4.99"}, "USD", SKAN_IAP, NULL, &error), error, id);
    const skan_event event = {.size = sizeof event, .name = "back"};
    must(skan_update_conversion_values(engine, id, &event, NULL, &error), error, id);
}

static void fill_one(skan_engine *engine, const char *id, long number, bool old_ones_return) {
    skan_error *error = NULL;
    const int64_t days = number % 10 == 2 ? 100 : number % 20 == 11 ? 40 : 0;
    past_microseconds = days * 86400 * 1000000;
    if (number % 10 != 1) must(skan_register(engine, id, NULL, NULL, &error), error, id);
    const skan_amount amount = {.number = 0.01 * (double)(number % 1000 + 1)}, of_an_ad = {.text = "0.1"};
    must(skan_update_revenue(engine, id, amount, "USD", SKAN_IAP, NULL, &error), error, id);
    if (number % 10 == 3) must(skan_update_revenue(engine, id, of_an_ad, "EUR", SKAN_AD, "event", &error), error, id);
    if (number % 10 == 4) {
        static const char answer[] =
            "{\"conversion_value\":7,\"skan_updated_coarse_value\":1,\"skan_updated_lock_window_value\":true}";
        skan_update update = {.size = sizeof update};
        must(skan_apply_response(engine, id, NULL, 0, answer, strlen(answer), &update, &error), error, id);
    }
    if (number % 10 == 5 || (number % 10 == 2 && old_ones_return)) reengage(engine, id);
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    skan_store store;
    skan_error *error = NULL;
    skan_sqlite_options settings = {.size = sizeof settings, .synchronous = SKAN_SQLITE_NORMAL};
    must(skan_sqlite_store_open(argv[1], &settings, &store, &error), error, argv[1]);
    skan_clock clock = {.size = sizeof clock, .now = now};
    skan_model *model = NULL;
    must(skan_model_create(model_document, strlen(model_document), &model, &error), error, "skan_model_create");
    const skan_options options = {.size = sizeof options,
                                  .store = &store,
                                  .clock = &clock,
                                  .endpoint_url = "https://skan.example.com",
                                  .reengagement_models = &model,
                                  .reengagement_model_count = 1};
    skan_engine *engine = NULL;
    must(skan_create(&options, &engine, &error), error, "skan_create");
    long count = strtol(argv[2], NULL, 10);
    for (long number = 0; number < count; number++) {
        char id[SKAN_INSTALL_ID_MAX + 1];
        snprintf(id, sizeof id, "player-%07ld", number);
        fill_one(engine, id, number, argc > 3);
    }
    skan_destroy(engine);
    skan_model_destroy(model);
    return 0;
}
