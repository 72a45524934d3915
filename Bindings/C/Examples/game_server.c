/*
 * A game server with libskan: what it does when the app is launched for the first time, when a session begins, when the
 * player buys something, and when the app calls. In a real server the messages come from the network, the transport
 * asks the endpoint with your HTTP client, the store is a database, and the clock is left out.
 */
#include <skan/store.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t example_time = INT64_C(1700000000) * 1000000; /* microseconds */

static int64_t example_now(void *context) {
    (void)context;
    return example_time;
}

static void days_pass(int days) {
    example_time += days * INT64_C(86400) * 1000000;
    printf("-- %d day%s later\n", days, days == 1 ? "" : "s");
}

/* Whose app calls. */
static const skan_device device = {
    .size = sizeof device, .os_version = "16.1", .idfv = "21DB6612-09B3-4ECC-84AC-B353B0AF1334"};

/* Stands for the endpoint: a session is worth little, a purchase more, and the network fails once. */
static skan_status example_get(void *context, const char *url, skan_buffer *body) {
    bool *network_is_down = context;
    if (*network_is_down) {
        *network_is_down = false;
        return SKAN_ERROR_TRANSPORT;
    }
    const char *answer = "{\"status\":\"ok\"}"; /* nothing new */
    if (strstr(url, "n=__SESSION__"))
        answer = "{\"conversion_value\":1,\"skan_updated_coarse_value\":0,\"status\":\"ok\"}";
    if (strstr(url, "n=purchase"))
        answer = "{\"conversion_value\":20,\"skan_updated_coarse_value\":2,\"status\":\"ok\"}";
    return skan_buffer_set(body, answer, strlen(answer));
}

/* Stands for the app: it makes the calls to Apple, and reports the id of each; here there is one. */
static uint64_t example_app(const char *json) {
    printf("%s\n", json);
    return strtoull(strstr(json, "\"id\":") + 5, NULL, 10);
}

/* Outcomes are part of life; why a call failed goes to the log, and the caller decides whether to repeat it. */
static skan_status print_end(const char *what, skan_status status, const skan_update *update, skan_error *error) {
    const bool has_update = update && update->id != 0;
    printf("%s: ", what);
    if (!has_update) printf("%s", skan_status_name(status));
    if (has_update) printf("update %" PRIu64 ", window %d", update->id, update->window);
    if (has_update && update->fine_value >= 0) printf(", fine %d", update->fine_value);
    if (has_update && update->coarse_value >= 0) printf(", coarse %d", update->coarse_value);
    printf("%s\n", has_update && update->lock_window ? ", lock" : "");
    if (error) fprintf(stderr, "%s: %s\n", what, skan_error_message(error));
    skan_error_free(error);
    return status;
}

static void first_launch(skan_engine *engine, const char *player) {
    skan_update update = {.size = sizeof update};
    skan_error *error = NULL;
    skan_status status = skan_register(engine, player, NULL, &update, &error);
    print_end("first launch", status, &update, error);
}

/* What the player did decides the next value. */
static void event(skan_engine *engine, const char *player, const char *what, skan_event event) {
    event.size = sizeof event, event.device = &device;
    skan_update update = {.size = sizeof update};
    skan_error *error = NULL;
    skan_status status = skan_update_conversion_values(engine, player, &event, &update, &error);
    print_end(what, status, &update, error);
}

/* The payment provider calls again until it is answered: by the event id, a repeated call counts once. */
static void purchase(skan_engine *engine, const char *player, const char *amount, const char *currency,
                     const char *order) {
    event(engine, player, order, (skan_event){.name = "purchase", .event_id = order, .amount = {.text = amount},
                                              .currency = currency, .kind = SKAN_IAP});
}

/* The app calls: it gets the calls that wait for it, makes them to Apple, and says so. */
static void app_calls(skan_engine *engine, const char *player) {
    char *json = NULL;
    skan_error *error = NULL;
    skan_status status = skan_pending_calls_json(engine, player, &device, &json, &error);
    if (print_end("the app calls", status, NULL, error) == SKAN_OK) {
        skan_acknowledgement result = {
            .size = sizeof result, .id = example_app(json), .result = SKAN_CALL_DELIVERED};
        status = skan_acknowledge_calls(engine, player, &result, 1, &error);
        print_end("the app has made its calls", status, NULL, error);
    }
    skan_free(json);
}

/* Every session and event that the server reports to the ad network carries the install's SKAN state. */
static void report(skan_engine *engine, const char *player, const char *call) {
    char *metadata = NULL;
    skan_error *error = NULL;
    skan_status status = skan_metadata(engine, player, &metadata, &error);
    if (status != SKAN_OK) {
        print_end("report", status, NULL, error);
        return;
    }
    printf("GET https://example.com/%s?p=iOS&%s\n", call, metadata);
    skan_free(metadata);
}

int main(void) {
    bool network_is_down = false;
    const skan_clock clock = {.size = sizeof clock, .now = example_now};
    const skan_transport transport = {.size = sizeof transport, .context = &network_is_down, .get = example_get};
    const skan_options options = {.size = sizeof options,
                                  .clock = &clock,
                                  .transport = &transport,
                                  .endpoint_url = "https://skan.example.com",
                                  .sdk_key = "sdk_key_here",
                                  .bundle_id = "com.example.game",
                                  .app_version = "1.2.3"};
    skan_engine *engine = NULL;
    skan_error *error = NULL;
    skan_status status = skan_create(&options, &engine, &error);
    if (status != SKAN_OK) {
        print_end("no engine", status, NULL, error);
        return EXIT_FAILURE;
    }

    const char *player = "player-1";
    first_launch(engine, player);
    first_launch(engine, player);
    app_calls(engine, player);
    event(engine, player, "session", (skan_event){.name = NULL});
    report(engine, player, "session");

    purchase(engine, player, "4.99", "USD", "order-1");
    purchase(engine, player, "4.99", "USD", "order-1");
    network_is_down = true;
    purchase(engine, player, "0.99", "EUR", "order-2");
    purchase(engine, player, "0.99", "EUR", "order-2");
    report(engine, player, "event");

    days_pass(1);
    app_calls(engine, player);
    app_calls(engine, player);

    days_pass(2);
    event(engine, player, "level_up", (skan_event){.name = "level_up"});
    purchase(engine, player, "-4.99", "USD", "refund-of-order-1");
    app_calls(engine, player);
    report(engine, player, "event");

    days_pass(33);
    event(engine, player, "session", (skan_event){.name = NULL});
    purchase(engine, player, "10", "USD", "order-3");
    app_calls(engine, player);

    char *details = NULL;
    status = skan_details(engine, player, &details, &error);
    if (status == SKAN_OK) printf("%s\n", details);
    skan_free(details);
    status = skan_forget(engine, player, &error);
    print_end("the player asked to be forgotten", status, NULL, error);
    skan_destroy(engine);
    return EXIT_SUCCESS;
}
