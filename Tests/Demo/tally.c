#define _GNU_SOURCE
#include "tally.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const currencies[] = {"USD", "EUR", "JPY"};
static const char *const call_names[CALLS] = {"register", "update revenue", "update conversion values",
                                              "pending update"};

const char *install_of(uint32_t player, char *text, size_t size) {
    snprintf(text, size, "player-%" PRIu32, player + 1);
    return text;
}

bool tally_begin(tally *tally, uint32_t players) {
    memset(tally, 0, sizeof *tally);
    tally->paid = calloc(players, sizeof *tally->paid);
    return tally->paid != NULL;
}

void tally_end(tally *tally) { free(tally->paid); }

void tally_outcome(tally *tally, int call, skan_status status) {
    if (status < OUTCOMES)
        tally->outcomes[call][status]++;
    else
        tally->errors++;
}

void tally_pay(tally *tally, const action *action) {
    struct paid *paid = &tally->paid[action->player];
    if (action->kind == AD) paid->impressions += action->millionths;
    for (int i = 0; i < 3 && action->kind == PURCHASE; i++)
        if (strcmp(action->currency, currencies[i]) == 0) paid->purchases[i] += action->millionths;
}

/* ------------------------------------------------------------------------------------------------------------ money */

/* A decimal number of up to six places, in millionths. */
static int64_t millionths(const char *text) {
    bool is_negative = text[0] == '-';
    char *end = NULL;
    int64_t whole = strtoll(text + is_negative, &end, 10);
    int64_t rest = 0;
    for (int place = 0; place < 6; place++)
        rest = rest * 10 + (*end == '.' || place > 0 ? (end[1] >= '0' && end[1] <= '9' ? *++end - '0' : 0) : 0);
    int64_t number = whole * 1000000 + rest;
    return is_negative ? -number : number;
}

static int64_t amount(struct json_object *details, const char *table, const char *currency) {
    struct json_object *object, *value;
    if (!json_object_object_get_ex(details, table, &object) || !json_object_object_get_ex(object, currency, &value))
        return 0;
    return millionths(json_object_to_json_string(value));
}

/* ------------------------------------------------------------------------------------------------------------ table */

typedef struct sums {
    uint64_t fine[64], no_fine;
    uint64_t coarse[3][4]; /* by window; the last is none */
    int64_t purchases[4][3]; /* by window, the last of the lifetime */
    int64_t impressions[4];
    uint32_t differing;
} sums;

static int whole(struct json_object *details, const char *key) {
    struct json_object *value = NULL;
    json_object_object_get_ex(details, key, &value);
    return value ? json_object_get_int(value) : -1;
}

static void add_details(sums *sums, struct json_object *details, const struct paid *paid) {
    static const char *const coarse[] = {"p0_coarse", "p1_coarse", "p2_coarse"};
    static const char *const purchases[] = {"p0_total_iap_revenue", "p1_total_iap_revenue", "p2_total_iap_revenue",
                                            "skan_total_revenue_by_currency"};
    static const char *const impressions[] = {"p0_total_admon_revenue", "p1_total_admon_revenue",
                                              "p2_total_admon_revenue", "skan_total_admon_revenue_by_currency"};
    int fine = whole(details, "skan_current_conversion_value");
    if (fine >= 0 && fine < 64)
        sums->fine[fine]++;
    else
        sums->no_fine++;
    bool differs = amount(details, impressions[3], "USD") != paid->impressions;
    for (int window = 0; window < 4; window++) {
        if (window < 3) {
            int value = whole(details, coarse[window]);
            sums->coarse[window][value >= 0 && value < 3 ? value : 3]++;
        }
        for (int i = 0; i < 3; i++) {
            int64_t sum = amount(details, purchases[window], currencies[i]);
            sums->purchases[window][i] += sum;
            if (window == 3 && sum != paid->purchases[i]) differs = true;
        }
        sums->impressions[window] += amount(details, impressions[window], "USD");
    }
    if (differs) sums->differing++;
}

static void print_bar(uint64_t count, uint64_t most) {
    int length = most > 0 ? (int)((count * 30 + most - 1) / most) : 0;
    for (int i = 0; i < length; i++) fputs("█", stdout);
}

/* What a value stands for, from the model's rule. */
static void print_meaning(const skan_model *model, int fine) {
    char *json = NULL;
    struct json_object *root = NULL, *rules, *when;
    if (skan_model_decode(model, 0, fine, -1, &json, NULL) == SKAN_OK) root = json_tokener_parse(json);
    if (root && json_object_object_get_ex(root, "rules", &rules) && json_object_array_length(rules) > 0 &&
        json_object_object_get_ex(json_object_array_get_idx(rules, 0), "when", &when)) {
        struct json_object *events, *event, *name, *range, *bound;
        const char *separator = "  ";
        if (json_object_object_get_ex(when, "events", &events))
            for (size_t i = 0; i < json_object_array_length(events); i++) {
                event = json_object_array_get_idx(events, i);
                if (json_object_object_get_ex(event, "name", &name))
                    printf("%s%s", separator, json_object_get_string(name)), separator = ", ";
            }
        if (json_object_object_get_ex(when, "sessions", &range) && json_object_object_get_ex(range, "min", &bound))
            printf("%s%s+ sessions", separator, json_object_to_json_string(bound)), separator = ", ";
        if (json_object_object_get_ex(when, "revenue", &events) && json_object_array_length(events) > 0 &&
            (range = json_object_array_get_idx(events, 0)) && json_object_object_get_ex(range, "min", &bound)) {
            printf("%s$%s", separator, json_object_to_json_string(bound));
            if (json_object_object_get_ex(range, "max", &bound) && bound)
                printf(" to $%s", json_object_to_json_string(bound));
            else
                printf(" and more");
        }
    }
    json_object_put(root);
    skan_free(json);
}

static void print_values(const sums *sums, const skan_model *model) {
    uint64_t most = sums->no_fine;
    for (int fine = 0; fine < 64; fine++)
        if (sums->fine[fine] > most) most = sums->fine[fine];
    printf("\nInstalls by final value of the first window, and what it stands for\n");
    for (int fine = 0; fine < 64; fine++) {
        if (sums->fine[fine] == 0) continue;
        printf("  %2d %5" PRIu64 " ", fine, sums->fine[fine]);
        print_bar(sums->fine[fine], most);
        print_meaning(model, fine);
        putchar('\n');
    }
    printf("\nInstalls by coarse value\n  %-8s %7s %7s %7s %7s\n", "window", "low", "medium", "high", "none");
    for (int window = 0; window < 3; window++)
        printf("  %-8d %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %7" PRIu64 "\n", window, sums->coarse[window][0],
               sums->coarse[window][1], sums->coarse[window][2], sums->coarse[window][3]);
}

static void print_revenue(const sums *sums) {
    static const char *const names[] = {"window 0", "window 1", "window 2", "lifetime"};
    printf("\nRevenue by window\n  %-9s %12s %12s %12s %12s\n", "", "IAP USD", "IAP EUR", "IAP JPY", "ad USD");
    for (int window = 0; window < 4; window++) {
        printf("  %-9s", names[window]);
        for (int i = 0; i < 3; i++)
            printf(" %9" PRId64 ".%02" PRId64, sums->purchases[window][i] / 1000000,
                   sums->purchases[window][i] / 10000 % 100);
        printf(" %7" PRId64 ".%04" PRId64 "\n", sums->impressions[window] / 1000000,
               sums->impressions[window] / 100 % 10000);
    }
}

static void print_outcomes(const tally *tally) {
    printf("\nOutcomes\n");
    for (int call = 0; call < CALLS; call++) {
        printf("  %-25s", call_names[call]);
        for (int status = 0; status < OUTCOMES; status++)
            if (tally->outcomes[call][status] > 0)
                printf(" %" PRIu64 " %s", tally->outcomes[call][status], skan_status_name(status) + strlen("SKAN_"));
        putchar('\n');
    }
    printf("  errors                    %" PRIu64 "\n", tally->errors);
}

uint32_t tally_print(const tally *tally, skan *engine, const skan_model *model, uint32_t players) {
    sums sums = {0};
    for (uint32_t player = 0; player < players; player++) {
        char install[32], *json = NULL;
        struct json_object *details = NULL;
        if (skan_details(engine, install_of(player, install, sizeof install), &json, NULL) == SKAN_OK)
            details = json_tokener_parse(json);
        if (details)
            add_details(&sums, details, &tally->paid[player]);
        else
            sums.differing++;
        json_object_put(details);
        skan_free(json);
    }
    print_values(&sums, model);
    print_revenue(&sums);
    print_outcomes(tally);
    return sums.differing;
}
