/* verify.c - both sides must answer the same, or there is nothing to compare. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

#define INSTALLS 40
#define STEPS 20000

static const char *const bodies[] = {
    "{\"conversion_value\":1,\"skan_updated_coarse_value\":0,\"postback_sequence_index\":0,\"status\":\"ok\"}",
    "{\"conversion_value\":63,\"skan_updated_coarse_value\":2,\"status\":\"ok\"}",
    "{\"conversion_value\":20,\"postback_sequence_index\":1}",
    "{\"conversion_value\":33,\"skan_updated_coarse_value\":1,\"postback_sequence_index\":2,\"status\":\"ok\"}",
    "{\"conversion_value\":7,\"skan_updated_coarse_value\":1,\"skan_updated_lock_window_value\":true}",
    "{\"conversion_value\":8,\"skan_updated_coarse_value\":null,\"skan_updated_lock_window_value\":0}",
    "{\"skan_updated_coarse_value\":2,\"status\":\"ok\"}",
    "{\"status\":\"ok\"}",
    "{\"status\":\"error\",\"reason\":\"Invalid measurement period: 9\"}",
    "{\"conversion_value\":64}",
    "{\"conversion_value\":-1,\"status\":\"ok\"}",
    "{\"conversion_value\":\"12\"}",
    "{\"conversion_value\":3,\"skan_updated_coarse_value\":3}",
    "{\"conversion_value\":3",
    "[1]",
    "{} {}",
    " \r\n",
    ""};

static const double amounts[] = {0.1, 4.99, -4.99, 0.99, 1200, 0, 12345.67, 0.000001, 99.99};
static const char *const currencies[] = {"USD", "eur", "JPY", "GBP", "US", "U$D"};
static const int64_t pauses[] = {0, 1, 60, 3600, 20000};

/* A small generator, so that every run takes the same steps. */
static uint32_t pick(uint32_t count)
{
    static uint64_t state = 42;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % count);
}

#define PICK(array) ((array)[pick(sizeof(array) / sizeof((array)[0]))])

typedef struct outcome {
    int status;
    update update;
    char *text;
} outcome;

/* What happens in a step, to both sides. */
typedef struct step {
    enum { ADD, REVENUE, REQUEST, APPLY, FORGET } kind;
    call call;
    bool event;
    const char *body;
    uint64_t ticket;
} step;

static step next_step(void)
{
    static uint64_t ticket = BENCH_START * UINT64_C(1000000);
    step step = {.kind = APPLY};
    uint32_t kind = pick(100);
    if (kind < 10) step.kind = ADD;
    else if (kind < 50) step.kind = REVENUE;
    else if (kind < 65) step.kind = REQUEST;
    else if (kind > 98) step.kind = FORGET;
    prepare_call(&step.call, pick(INSTALLS));
    step.call.amount = PICK(amounts);
    step.call.currency = PICK(currencies);
    step.call.ad = pick(2);
    step.event = pick(2);
    snprintf(step.call.event_id, sizeof step.call.event_id, "order-%u", pick(100));
    step.body = PICK(bodies);
    step.ticket = pick(4) == 0 ? 0 : ticket + pick(200) - 100;
    ticket += 10;
    return step;
}

static outcome take(const side *side, void *server, const step *step)
{
    outcome outcome = {.status = 0};
    uint64_t ticket;
    const call *call = &step->call;
    switch (step->kind) {
    case ADD: outcome.status = side->add(server, call->id, &outcome.update); break;
    case REVENUE: outcome.status = side->revenue(server, call, step->event ? call->event_id : NULL); break;
    case REQUEST: outcome.status = side->request(server, call->id, "purchase", &outcome.text, &ticket); break;
    case APPLY:
        outcome.status =
            side->apply(server, call->id, step->ticket, step->body, strlen(step->body), &outcome.update);
        break;
    case FORGET: side->forget(server, call->id); break;
    }
    return outcome;
}

static bool same_update(update a, update b)
{
    return a.id == b.id && a.timestamp == b.timestamp && a.window == b.window && a.fine == b.fine &&
           a.coarse == b.coarse && a.lock == b.lock;
}

static bool same_outcome(const step *step, const outcome *skan, const outcome *plain)
{
    static const char *const kinds[] = {"register", "revenue", "request", "apply", "forget"};
    bool text = (skan->text == NULL && plain->text == NULL) ||
                (skan->text != NULL && plain->text != NULL && strcmp(skan->text, plain->text) == 0);
    if (text && skan->status == plain->status && same_update(skan->update, plain->update)) return true;
    printf("the sides differ after %s:\n  libskan %d, update %llu, %s\n  plain C %d, update %llu, %s\n",
           kinds[step->kind], skan->status, (unsigned long long)skan->update.id, skan->text ? skan->text : "no text",
           plain->status, (unsigned long long)plain->update.id, plain->text ? plain->text : "no text");
    if (step->kind == APPLY) printf("  body %s\n", step->body);
    return false;
}

static bool same_details(void *skan, void *plain, const char *id)
{
    char *texts[3] = {NULL};
    json_object *values[3];
    side_skan.details(skan, id, &texts[0]);
    side_plain.details(plain, id, &texts[1]);
    side_plain_constant_keys.details(plain, id, &texts[2]);
    for (int i = 0; i < 3; i++) values[i] = texts[i] == NULL ? NULL : json_tokener_parse(texts[i]);
    bool same = values[0] != NULL && json_object_equal(values[0], values[1]) && json_object_equal(values[0], values[2]);
    if (!same) printf("the sides differ in details:\n  libskan %s\n  plain C %s\n", texts[0], texts[1]);
    for (int i = 0; i < 3; i++) json_object_put(values[i]);
    side_skan.release(texts[0]);
    side_plain.release(texts[1]);
    side_plain.release(texts[2]);
    return same;
}

bool verify(void)
{
    void *skan = side_skan.create(), *plain = side_plain.create();
    int64_t now = BENCH_START;
    bool same = true;
    for (int i = 0; i < STEPS && same; i++) {
        step step = next_step();
        now += PICK(pauses);
        bench_set_clock(now);
        outcome by_skan = take(&side_skan, skan, &step), by_plain = take(&side_plain, plain, &step);
        same = same_outcome(&step, &by_skan, &by_plain) && same_details(skan, plain, step.call.id);
        side_skan.release(by_skan.text);
        side_plain.release(by_plain.text);
        if (now > BENCH_START + 40 * 86400 && pick(50) == 0) now = BENCH_START;
    }
    bench_set_clock(BENCH_START);
    side_skan.destroy(skan);
    side_plain.destroy(plain);
    if (same) printf("Both sides gave the same statuses, updates, URLs and details in %d steps.\n", STEPS);
    return same;
}
