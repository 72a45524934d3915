#define _GNU_SOURCE
#include "calls.h"

#include "database.h"

#include <skan/model.h>
#include <skan/reengagement.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK UINT64_C(1700000000000000)

static int64_t now(void *context) {
    (void)context;
    return CLOCK;
}

skan_engine *open_engine(const char *user) {
    skan_store store = database_open(user);
    const skan_clock clock = {sizeof clock, NULL, now, NULL};
    static const char returns[] =
        "{\"schema\":1,\"id\":\"returns\",\"conversion\":\"re-engagement\",\"windows\":["
        "{\"rules\":[{\"fine\":0,\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]},{\"rules\":[{\"coarse\":0}]}]}";
    skan_model *model = NULL;
    if (skan_model_create(returns, sizeof returns - 1, &model, NULL) != SKAN_OK) abort();
    const skan_options options = {.size = sizeof options,
                                  .store = &store,
                                  .clock = &clock,
                                  .endpoint_url = "https://skan.example.com",
                                  .reengagement_models = &model,
                                  .reengagement_model_count = 1};
    skan_engine *made = NULL;
    if (skan_create(&options, &made, NULL) != SKAN_OK) abort();
    skan_model_destroy(model);
    return made;
}

call draw(unsigned *chance, int worker) {
    call drawn = {.index = rand_r(chance) % (INSTALLS / WORKERS) * WORKERS + worker};
    int percent = rand_r(chance) % 100;
    drawn.operation = percent < 42   ? PURCHASE
                      : percent < 50 ? REENGAGE
                      : percent < 58 ? REGISTER
                      : percent < 78 ? APPLY
                      : percent < 88 ? ACKNOWLEDGE
                      : percent < 91 ? FORGET
                                     : LOOK;
    if (drawn.operation == PURCHASE) drawn.dollars = 1 + rand_r(chance) % 9;
    return drawn;
}

skan_status perform(skan_engine *engine, call *call) {
    char id[32], text[64];
    snprintf(id, sizeof id, "install-%d", call->index);
    const skan_acknowledgement delivered = {sizeof delivered, call->update, SKAN_CALL_DELIVERED};
    const skan_reengagement_report report = {.size = sizeof report, .open_id = text};
    skan_amount amount = {.text = NULL};
    skan_update update = {.size = sizeof update};
    skan_status status = SKAN_OK;
    char *json = NULL;
    switch (call->operation) {
    case PURCHASE:
        snprintf(text, sizeof text, "event-%" PRIu64, call->event);
        amount.number = (double)call->dollars;
        return skan_update_revenue(engine, id, amount, "USD", SKAN_IAP, text, NULL);
    case REENGAGE:
        snprintf(text, sizeof text, "open-%" PRIu64, call->event);
        return skan_reengage(engine, id, &report, NULL, NULL);
    case REGISTER: status = skan_register(engine, id, NULL, &update, NULL); break;
    case APPLY:
        snprintf(text, sizeof text, "{\"conversion_value\":%d}", (int)(call->event % 64));
        status = skan_apply_response(engine, id, NULL, 0, text, strlen(text), &update, NULL);
        break;
    case ACKNOWLEDGE: return skan_acknowledge_calls(engine, id, &delivered, 1, NULL);
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
    case REENGAGE: install->newest++, install->returns++; break;
    case REGISTER:
    case APPLY: install->is_registered = true;
        install->newest = install->pending = call->update;
        break;
    case ACKNOWLEDGE: install->pending = 0; break;
    case FORGET: *install = (struct install){0}; break;
    default: break;
    }
}

bool changes_nothing(const install *install, const call *call) {
    return call->operation == (install->is_registered ? REGISTER : APPLY);
}

uint64_t update_given(const install *before, const install *found) {
    bool is_numbered = before->newest > CLOCK;
    return is_numbered || found->pending <= CLOCK ? before->newest + 1 : found->pending;
}

/* The number of the newest re-engagement, the last one of the details. */
static uint64_t returns_in(const char *details) {
    static const char number[] = "{\"number\":";
    uint64_t newest = 0;
    for (const char *kept = details; (kept = strstr(kept, number)) != NULL; kept += sizeof number - 1)
        newest = strtoull(kept + sizeof number - 1, NULL, 10);
    return newest;
}

bool has_id(const call *call) {
    return call->operation == PURCHASE || call->operation == REENGAGE;
}

skan_status see(skan_engine *engine, const char *id, install *seen, skan_error **error) {
    char *details = NULL;
    skan_status status = skan_details(engine, id, &details, error);
    if (status != SKAN_OK) return status;
    *seen = (install){.dollars = dollars_in(details), .returns = returns_in(details)};
    skan_free(details);
    skan_call calls[SKAN_CALLS_MAX] = {{.size = sizeof *calls}};
    size_t count = 0;
    status = skan_pending_calls(engine, id, NULL, calls, SKAN_CALLS_MAX, &count, error);
    for (size_t i = 0; i < count; i++)
        if (calls[i].conversion == 0) seen->pending = calls[i].id;
    return status == SKAN_NOTHING_PENDING ? SKAN_OK : status;
}

bool is(const install *expected, const install *seen) {
    return expected->dollars == seen->dollars && expected->pending == seen->pending
        && expected->returns == seen->returns;
}

long long dollars_in(const char *details) {
    static const char total[] = "\"skan_total_revenue_by_currency\":{\"USD\":";
    const char *table = strstr(details, total);
    return table ? strtoll(table + strlen(total), NULL, 10) : 0;
}
