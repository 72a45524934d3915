/* Receives signed postbacks into an SQLite store, as a server would, for tests of skan report:
 *   postbacks FILE [FROM MODEL]... < PLAN
 * FROM is when a conversion model began, in Unix seconds, of re-engagements "r" and these. Every line of the plan is
 *   ARRIVED KIND NETWORK IDENTIFIER WINDOW WON TYPE FINE COARSE COUNT
 * KIND: 4.0, 3.0, 1.0, aak, development, invalid, malformed, sender (another network sent it), conflict (the last
 * postback, of AdAttributionKit, again with these values). TYPE: install, redownload, re-engagement. "-" is none. */
#include "Postbacks/Library/signer.h"
#include "support.h"

#include <skan/sqlite.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATOR "\xE2\x81\xA3"

typedef struct plan {
    long long arrived;
    char kind[24], network[160], identifier[32], type[24], coarse[16];
    int window, won, fine, count;
} plan;

static int64_t moment;
static long long number;

static int64_t now(void *context) {
    (void)context;
    return moment;
}

static void must(skan_status status, skan_error *error, const char *what) {
    if (status == SKAN_OK) return;
    fprintf(stderr, "postbacks: %s: %s %s\n", what, skan_status_name(status), skan_error_message(error));
    exit(1);
}

static char *values_of(const plan *plan) {
    char fine[48] = "", coarse[64] = "";
    if (plan->fine >= 0) snprintf(fine, sizeof fine, ",\"conversion-value\":%d", plan->fine);
    if (strcmp(plan->coarse, "-") != 0)
        snprintf(coarse, sizeof coarse, ",\"coarse-conversion-value\":\"%s\"", plan->coarse);
    return text_of("%s%s", fine, coarse);
}

static char *skan_4(const plan *plan, const char *values) {
    const char *again = strcmp(plan->type, "redownload") == 0 ? "true" : "false", *won = plan->won ? "true" : "false";
    char *text = text_of("4.0" SEPARATOR "%s" SEPARATOR "%s" SEPARATOR "525463029" SEPARATOR "t%lld" SEPARATOR "%s"
                         SEPARATOR "1" SEPARATOR "%s" SEPARATOR "%d", plan->network, plan->identifier, number, again,
                         won, plan->window);
    char *members = text_of("\"version\":\"4.0\",\"ad-network-id\":\"%s\",\"source-identifier\":\"%s\","
                            "\"app-id\":525463029,\"transaction-id\":\"t%lld\",\"redownload\":%s,"
                            "\"fidelity-type\":1,\"did-win\":%s,\"postback-sequence-index\":%d%s", plan->network,
                            plan->identifier, number, again, won, plan->window, values);
    char *body = signed_fields("4.0", text, members);
    free(text);
    free(members);
    return body;
}

static char *skan_3(const plan *plan, const char *values) {
    const char *again = strcmp(plan->type, "redownload") == 0 ? "true" : "false", *won = plan->won ? "true" : "false";
    char *text = text_of("3.0" SEPARATOR "%s" SEPARATOR "%s" SEPARATOR "525463029" SEPARATOR "t%lld" SEPARATOR "%s"
                         SEPARATOR "1" SEPARATOR "%s", plan->network, plan->identifier, number, again, won);
    char *members = text_of("\"version\":\"3.0\",\"ad-network-id\":\"%s\",\"campaign-id\":%s,\"app-id\":525463029,"
                            "\"transaction-id\":\"t%lld\",\"redownload\":%s,\"fidelity-type\":1,\"did-win\":%s%s",
                            plan->network, plan->identifier, number, again, won, values);
    char *body = signed_fields("3.0", text, members);
    free(text);
    free(members);
    return body;
}

static char *attribution_kit(const plan *plan, const char *kid, const char *values) {
    char *header = text_of("{\"kid\":\"%s\",\"alg\":\"ES256\"}", kid);
    char *payload = text_of("{\"postback-identifier\":\"p%lld\",\"ad-network-identifier\":\"%s\","
                            "\"advertised-item-identifier\":777,\"source-identifier\":\"%s\",\"did-win\":%s,"
                            "\"postback-sequence-index\":%d,\"conversion-type\":\"%s\"}", number, plan->network,
                            plan->identifier, plan->won ? "true" : "false", plan->window,
                            strcmp(plan->type, "install") == 0 ? "download" : plan->type);
    char *jws = jws_of(header, payload);
    char *body = text_of("{\"jws-string\":\"%s\"%s}", jws, values);
    free(header);
    free(payload);
    free(jws);
    return body;
}

static char *body_of(const plan *plan) {
    char *values = values_of(plan), *body;
    if (strcmp(plan->kind, "3.0") == 0) body = skan_3(plan, values);
    else if (strcmp(plan->kind, "1.0") == 0) body = signed_postback("1.0", number, plan->network, values);
    else if (strcmp(plan->kind, "aak") == 0 || strcmp(plan->kind, "conflict") == 0)
        body = attribution_kit(plan, "test/0", values);
    else if (strcmp(plan->kind, "development") == 0) body = attribution_kit(plan, "test-development/0", values);
    else if (strcmp(plan->kind, "malformed") == 0) body = text_of("{\"version\":\"4.0\",\"n\":%lld}", number);
    else body = skan_4(plan, values);
    if (strcmp(plan->kind, "invalid") == 0) {
        char *id = strstr(body, "525463029");
        if (id) *id = '6';
    }
    free(values);
    return body;
}

static void receive(skan_postback_receiver *receiver, const plan *plan) {
    skan_error *error = NULL;
    skan_postback_receipt receipt = {.size = sizeof receipt};
    char *body = body_of(plan);
    moment = plan->arrived * 1000000;
    const char *sender = strcmp(plan->kind, "sender") == 0 ? "another.example" : NULL;
    must(skan_postback_receive(receiver, sender, body, strlen(body), &receipt, &error), error, plan->kind);
    int32_t expected = strcmp(plan->kind, "conflict") == 0 ? SKAN_POSTBACK_CONFLICT
                       : sender                            ? SKAN_POSTBACK_OTHER_NETWORK
                       : strchr("dim", plan->kind[0])      ? SKAN_POSTBACK_REFUSED
                                                           : SKAN_POSTBACK_COUNTED;
    if (receipt.outcome != expected) {
        fprintf(stderr, "postbacks: %s: outcome %d, expected %d\n%s\n", plan->kind, receipt.outcome, expected, body);
        exit(1);
    }
    free(body);
}

static skan_model *model_of(const char *path) {
    static char json[70000];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(json, 1, sizeof json, file) : 0;
    skan_model *model = NULL;
    skan_error *error = NULL;
    must(skan_model_create(json, length, &model, &error), error, path);
    fclose(file);
    return model;
}

typedef struct model_list {
    skan_postback_model models[8];
    size_t count;
} model_list;

static void end_models(model_list *list) {
    for (size_t index = 0; index < list->count; index++) skan_model_destroy((skan_model *)list->models[index].model);
}

int main(int argc, char **argv) {
    if (argc < 2 || argc % 2 != 0) return 2;
    skan_error *error = NULL;
    skan_store store;
    model_list installs = {.count = 0}, reengagements = {.count = 0};
    for (int place = 2; place + 1 < argc; place += 2) {
        bool is_reengagement = argv[place][0] == 'r';
        model_list *list = is_reengagement ? &reengagements : &installs;
        if (list->count == 8) return 2;
        list->models[list->count++] = (skan_postback_model){strtoll(argv[place] + is_reengagement, NULL, 10),
                                                            model_of(argv[place + 1])};
    }
    const skan_sqlite_options settings = {.size = sizeof settings, .synchronous = SKAN_SQLITE_NORMAL};
    must(skan_sqlite_store_open(argv[1], &settings, &store, &error), error, argv[1]);
    const skan_clock clock = {.size = sizeof clock, .now = now};
    const skan_postback_receiver_options options = {.size = sizeof options, .store = &store, .clock = &clock,
                                                    .keys = test_keys(), .models = installs.models,
                                                    .model_count = installs.count,
                                                    .reengagement_models = reengagements.models,
                                                    .reengagement_model_count = reengagements.count};
    skan_postback_receiver *receiver = NULL;
    must(skan_postback_receiver_create(&options, &receiver, &error), error, "receiver");
    plan plan;
    char fine[8];
    while (scanf("%lld %23s %159s %31s %d %d %23s %7s %15s %d", &plan.arrived, plan.kind, plan.network, plan.identifier,
                 &plan.window, &plan.won, plan.type, fine, plan.coarse, &plan.count) == 10) {
        plan.fine = strcmp(fine, "-") == 0 ? -1 : atoi(fine);
        for (int each = 0; each < plan.count; each++) {
            if (strcmp(plan.kind, "conflict") != 0) number++;
            receive(receiver, &plan);
        }
    }
    skan_postback_receiver_destroy(receiver);
    end_models(&installs);
    end_models(&reengagements);
    return 0;
}
