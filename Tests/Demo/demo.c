/*
 * The main job, end to end: 1 000 installs through 35 days of virtual time. Players behave as a seed draws them; the
 * back end keeps their installs in an SQLite store and asks `skan serve`, over HTTP, for each next value.
 *   demo COMMAND MODEL      the skan command, and the conversion model it serves by
 */
#define _GNU_SOURCE
#include "player.h"
#include "server.h"
#include "tale.h"
#include "tally.h"

#include <skan/http.h>
#include <skan/sqlite.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PLAYERS = 1000, DAYS = 35, SEED = 20260101 };

/* 2026-01-01T00:00:00Z */
#define FIRST_DAY INT64_C(1767225600)

static const skan_device device = {.size = sizeof device, .os_version = "17.2"};

typedef struct demo {
    server server;
    skan *engine;
    skan_model *model; /* to tell what values stand for */
    lives lives;
    tally tally;
} demo;

static _Noreturn void give_up(const char *what, skan_error *error) {
    fprintf(stderr, "demo: %s: %s\n", what, skan_error_message(error));
    exit(1);
}

/* ------------------------------------------------------------------------------------------------------------- days */

static void note(demo *demo, const action *action, int call, skan_status status, skan_error *error) {
    tally_outcome(&demo->tally, call, status);
    if (status >= 100 && demo->tally.errors <= 3)
        fprintf(stderr, "demo: %s of player-%" PRIu32 ": %s: %s\n", call == CALLS_VALUES ? "values" : "call",
                action->player + 1, skan_status_name(status), skan_error_message(error));
    skan_error_free(error);
}

static const char *words_of(skan_status status) {
    switch (status) {
    case SKAN_NO_NEW_VALUE:
        return "no new value";
    case SKAN_DUPLICATE_EVENT:
        return "known already, not asked for again";
    case SKAN_WINDOW_CLOSED:
        return "the last window is closed";
    default:
        return skan_status_name(status);
    }
}

/* Asks for the next value after a session (NULL) or an event. */
static void ask(demo *demo, const action *action, const char *install, const char *event, const char *event_id) {
    char idfv[64], text[128];
    skan_device of_player = device;
    skan_update update = {.size = sizeof update};
    skan_error *error = NULL;
    snprintf(idfv, sizeof idfv, "%08" PRIX32 "-0000-4000-8000-000000000000", action->player + 1);
    of_player.idfv = idfv;
    skan_status status =
        skan_update_conversion_values(demo->engine, install, event, event_id, &of_player, &update, &error);
    note(demo, action, CALLS_VALUES, status, error);
    if (status != SKAN_DUPLICATE_EVENT) demo->tally.requests++;
    if (status == SKAN_OK)
        tale_add(action, "%s -> %s", event ? event : "session", tale_of_update(&update, text, sizeof text));
    else if (event)
        tale_add(action, "%s: %s", event, words_of(status));
}

/* The app calls: it gets the update that waits, and says that it arrived. */
static void hand_over(demo *demo, const action *action, const char *install) {
    skan_update update = {.size = sizeof update};
    skan_error *error = NULL;
    skan_status status = skan_pending_update(demo->engine, install, &update, &error);
    note(demo, action, CALLS_PENDING, status, error);
    if (status != SKAN_OK) return;
    if (action->is_lost) tale_add(action, "update %" PRIu64 " gets lost on its way to the app", update.id);
    if (action->is_lost) return;
    skan_acknowledge_update(demo->engine, install, update.id, true, NULL);
    tale_add(action, "the app passes update %" PRIu64 " to Apple", update.id);
}

static void pay(demo *demo, const action *action, const char *install) {
    char order[64];
    double amount = (double)action->millionths / 1e6;
    bool is_ad = action->kind == AD;
    snprintf(order, sizeof order, "%s-%" PRIu32, is_ad ? "impression" : "order", action->order);
    tally_pay(&demo->tally, action);
    for (uint32_t post = 0; post <= action->repeats; post++) {
        skan_error *error = NULL;
        skan_status status =
            skan_update_revenue(demo->engine, install, amount, action->currency, is_ad, order, &error);
        note(demo, action, CALLS_REVENUE, status, error);
        if (!is_ad)
            tale_add(action, "%s %.2f %s%s", post == 0 ? "buys for" : "the same purchase comes in again:", amount,
                     action->currency, status == SKAN_DUPLICATE_EVENT ? ", counted once" : "");
    }
    for (uint32_t post = 0; post <= action->repeats && !is_ad; post++) ask(demo, action, install, "purchase", order);
}

static void live(demo *demo, const action *action) {
    char install[32];
    install_of(action->player, install, sizeof install);
    atomic_store(demo->server.now, (FIRST_DAY + action->time) * 1000000);
    switch (action->kind) {
    case LAUNCH: {
        skan_update update = {.size = sizeof update};
        skan_error *error = NULL;
        char text[128];
        skan_status status = skan_register(demo->engine, install, &update, &error);
        note(demo, action, CALLS_REGISTER, status, error);
        tale_add(action, "first launch -> %s", tale_of_update(&update, text, sizeof text));
        ask(demo, action, install, NULL, NULL);
        hand_over(demo, action, install);
        break;
    }
    case SESSION:
        ask(demo, action, install, NULL, NULL);
        hand_over(demo, action, install);
        break;
    case TUTORIAL:
        ask(demo, action, install, "tutorial_complete", NULL);
        break;
    case LEVEL_10:
        ask(demo, action, install, "level_10", NULL);
        break;
    case AD:
    case PURCHASE:
        pay(demo, action, install);
        break;
    }
}

static void show_progress(const action *action, size_t done, size_t all) {
    static int shown = -1;
    int day = (int)(action->time / 86400);
    if (isatty(STDERR_FILENO)) {
        int width = (int)(done * 40 / all);
        if (width != shown)
            fprintf(stderr, "\r  [%.*s%*s] day %2d", width, "########################################", 40 - width, "",
                    day);
        shown = width;
        if (done == all) fprintf(stderr, "\r%*s\r", 60, "");
    } else if (day / 5 != shown) {
        shown = day / 5;
        printf("  day %d\n", day);
        fflush(stdout);
    }
}

/* ------------------------------------------------------------------------------------------------------------ setup */

static skan_model *read_model(const char *file) {
    static char json[65536];
    FILE *in = fopen(file, "rb");
    size_t length = in ? fread(json, 1, sizeof json, in) : 0;
    skan_model *model = NULL;
    skan_error *error = NULL;
    if (in) fclose(in);
    if (skan_model_create(json, length, &model, &error) != SKAN_OK) give_up(file, error);
    return model;
}

static void open_engine(demo *demo) {
    char path[128];
    skan_store store;
    skan_transport transport;
    skan_error *error = NULL;
    skan_sqlite_options sqlite = {.size = sizeof sqlite, .synchronous = SKAN_SQLITE_NORMAL};
    snprintf(path, sizeof path, "%s/installs.db", demo->server.folder);
    if (skan_sqlite_store_open(path, &sqlite, &store, &error) != SKAN_OK) give_up(path, error);
    if (skan_http_transport_open(NULL, &transport, &error) != SKAN_OK) give_up("transport", error);
    skan_clock clock = server_clock(&demo->server);
    const skan_options options = {.size = sizeof options,
                                  .store = &store,
                                  .clock = &clock,
                                  .transport = &transport,
                                  .endpoint_url = demo->server.url,
                                  .sdk_key = "demo",
                                  .bundle_id = "com.example.game",
                                  .app_version = "1.2.3"};
    if (skan_create(&options, &demo->engine, &error) != SKAN_OK) give_up("engine", error);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: demo COMMAND MODEL\n");
        return 2;
    }
    demo demo = {.model = read_model(argv[2]), .lives = lives_draw(SEED, PLAYERS, DAYS)};
    if (!demo.lives.actions || !tally_begin(&demo.tally, PLAYERS)) {
        fprintf(stderr, "demo: out of memory\n");
        return 1;
    }
    server_start(&demo.server, argv[1], argv[2]);
    atomic_store(demo.server.now, FIRST_DAY * 1000000);
    open_engine(&demo);
    tale_choose(&demo.lives, PLAYERS);
    printf("%d installs live through %d days: %zu sessions, events, impressions and purchases.\n"
           "skan serve decides on %s by %s.\n",
           PLAYERS, DAYS, demo.lives.count, demo.server.url, argv[2]);

    double start = seconds();
    for (size_t i = 0; i < demo.lives.count; i++) {
        live(&demo, &demo.lives.actions[i]);
        show_progress(&demo.lives.actions[i], i + 1, demo.lives.count);
    }
    printf("%" PRIu64 " requests for values over HTTP, %.1f s.\n", demo.tally.requests, seconds() - start);

    uint32_t differing = tally_print(&demo.tally, demo.engine, demo.model, PLAYERS);
    tale_print(&demo.lives);
    bool is_fine = differing == 0 && demo.tally.errors == 0;
    printf("\n%d installs: every purchase and impression counted once%s.\n", PLAYERS,
           is_fine ? "" : ", BUT NOT ALL OF THEM");
    if (differing > 0) printf("%" PRIu32 " installs do not have the sums that their players paid.\n", differing);
    skan_destroy(demo.engine);
    skan_model_destroy(demo.model);
    bool ended = server_stop(&demo.server);
    if (!ended) printf("skan serve did not end as it should.\n");
    lives_free(&demo.lives);
    tally_end(&demo.tally);
    return is_fine && ended ? 0 : 1;
}
