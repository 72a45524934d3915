#define _GNU_SOURCE
#include "calls.h"

#include "database.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t now(void *context) {
    (void)context;
    return INT64_C(1700000000000000);
}

skan *open_engine(const char *user) {
    skan_store store = database_open(user);
    const skan_clock clock = {sizeof clock, NULL, now, NULL};
    const skan_options options = {.size = sizeof options, .store = &store, .clock = &clock};
    skan *made = NULL;
    if (skan_create(&options, &made, NULL) != SKAN_OK) abort();
    return made;
}

call draw(unsigned *chance, int worker) {
    call drawn = {.index = rand_r(chance) % (INSTALLS / WORKERS) * WORKERS + worker};
    int percent = rand_r(chance) % 100;
    drawn.operation = percent < 50   ? PURCHASE
                      : percent < 58 ? REGISTER
                      : percent < 78 ? APPLY
                      : percent < 88 ? ACKNOWLEDGE
                      : percent < 91 ? FORGET
                                     : LOOK;
    if (drawn.operation == PURCHASE) drawn.dollars = 1 + rand_r(chance) % 9;
    return drawn;
}

skan_status perform(skan *engine, call *call) {
    char id[32], text[64];
    snprintf(id, sizeof id, "install-%d", call->index);
    skan_update update = {.size = sizeof update};
    skan_status status = SKAN_OK;
    char *json = NULL;
    switch (call->operation) {
    case PURCHASE:
        snprintf(text, sizeof text, "event-%" PRIu64, call->event);
        return skan_update_revenue(engine, id, (double)call->dollars, "USD", false, text, NULL);
    case REGISTER: status = skan_register(engine, id, &update, NULL); break;
    case APPLY:
        snprintf(text, sizeof text, "{\"conversion_value\":%d}", (int)(call->event % 64));
        status = skan_apply_response(engine, id, 0, text, strlen(text), &update, NULL);
        break;
    case ACKNOWLEDGE: return skan_acknowledge_update(engine, id, call->update, true, NULL);
    case FORGET: return skan_forget(engine, id, NULL);
    default:
        status = skan_details(engine, id, &json, NULL);
        skan_free(json);
        return status;
    }
    call->update = update.id;
    return status;
}

void apply(install *install, const call *call) {
    switch (call->operation) {
    case PURCHASE: install->dollars += call->dollars; break;
    case REGISTER:
    case APPLY: install->newest = install->pending = call->update; break;
    case ACKNOWLEDGE: install->pending = 0; break;
    case FORGET: *install = (struct install){0, 0, 0}; break;
    default: break;
    }
}

bool changes_nothing(const install *install, const call *call) {
    return install->newest > 0 ? call->operation == REGISTER : call->operation == APPLY;
}

bool is(const install *expected, long long dollars, uint64_t pending) {
    return expected->dollars == dollars && expected->pending == pending;
}

long long dollars_in(const char *details) {
    static const char total[] = "\"skan_total_revenue_by_currency\":{\"USD\":";
    const char *table = strstr(details, total);
    return table ? strtoll(table + strlen(total), NULL, 10) : 0;
}
