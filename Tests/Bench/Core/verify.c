/* verify.c - both sides must answer the same, or there is nothing to compare. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

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
static uint32_t pick(uint32_t count) {
    static uint64_t state = 42;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % count);
}

#define PICK(array) ((array)[pick(sizeof(array) / sizeof((array)[0]))])

/* What happens in a step, to both sides. */
typedef struct step {
    enum { ADD, REVENUE, REQUEST, APPLY, FORGET } kind;
    call call;
    bool event;
    const char *body;
    uint64_t ticket;
} step;

static step next_step(void) {
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

/* What a side answers, as text that the caller frees. */
static char *answer_of(const side *side, skan *engine, const step *step) {
    const call *call = &step->call;
    skan_update update = {.size = sizeof update};
    skan_error *error = NULL;
    skan_status status = SKAN_OK;
    char *url = NULL, *answer = NULL;
    uint64_t ticket;
    switch (step->kind) {
    case ADD: status = side->add(engine, call->id, &update, &error); break;
    case REVENUE:
        status = side->revenue(engine, call->id, call->amount, call->currency, call->ad,
                               step->event ? call->event_id : NULL, &error);
        break;
    case REQUEST: status = side->request(engine, call->id, "purchase", &bench_device, &url, &ticket, &error); break;
    case APPLY:
        status = side->apply(engine, call->id, step->ticket, step->body, strlen(step->body), &update, &error);
        break;
    case FORGET: status = side->forget(engine, call->id, &error); break;
    }
    skan_error_free(error);
    if (asprintf(&answer, "%s, update %llu, at %lld, window %d, %d, %d, lock %d, %s", skan_status_name(status),
                 (unsigned long long)update.id, (long long)update.timestamp, update.window, update.fine_value,
                 update.coarse_value, update.lock_window, url ? url : "no text") < 0) {
        abort();
    }
    side->release(url);
    return answer;
}

static bool same_answers(skan *skan, struct skan *plain, const step *step) {
    static const char *const kinds[] = {"register", "revenue", "request", "apply", "forget"};
    char *by_skan = answer_of(&side_skan, skan, step), *by_plain = answer_of(&side_plain, plain, step);
    bool same = strcmp(by_skan, by_plain) == 0;
    if (!same) {
        printf("the sides differ after %s, body %s:\n  libskan %s\n  plain C %s\n", kinds[step->kind], step->body,
               by_skan, by_plain);
    }
    free(by_skan);
    free(by_plain);
    return same;
}

static bool same_details(skan *skan, struct skan *plain, const char *id) {
    const side *const sides[] = {&side_skan, &side_plain, &side_plain_constant_keys};
    char *texts[3] = {NULL};
    json_object *values[3];
    for (int i = 0; i < 3; i++) {
        sides[i]->details(i == 0 ? skan : plain, id, &texts[i], NULL);
        values[i] = texts[i] == NULL ? NULL : json_tokener_parse(texts[i]);
    }
    bool same = values[0] != NULL && json_object_equal(values[0], values[1]) && json_object_equal(values[0], values[2]);
    if (!same) printf("the sides differ in details:\n  libskan %s\n  plain C %s\n", texts[0], texts[1]);
    for (int i = 0; i < 3; i++) {
        json_object_put(values[i]);
        sides[i]->release(texts[i]);
    }
    return same;
}

bool verify(void) {
    skan *skan = side_skan.create(), *plain = side_plain.create();
    int64_t now = BENCH_START;
    bool same = true;
    for (int i = 0; i < STEPS && same; i++) {
        step step = next_step();
        now += PICK(pauses);
        bench_now = now * 1000000;
        same = same_answers(skan, plain, &step) && same_details(skan, plain, step.call.id);
        if (now > BENCH_START + 40 * 86400 && pick(50) == 0) now = BENCH_START;
    }
    bench_now = BENCH_START * INT64_C(1000000);
    side_skan.destroy(skan);
    side_plain.destroy(plain);
    if (same) printf("Both sides gave the same statuses, updates, URLs and details in %d steps.\n", STEPS);
    return same;
}
