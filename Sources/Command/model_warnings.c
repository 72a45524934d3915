#include "model_warnings.h"

#include "messages.h"
#include "model_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct json_object json;

void model_values_used(const model_file *file, int window, bool fine[64], bool coarse[3]) {
    memset(fine, 0, 64 * sizeof *fine);
    memset(coarse, 0, 3 * sizeof *coarse);
    if (window == 0) fine[MODEL_REGISTRATION_FINE] = true;
    for (size_t number = 0; number < model_rule_count(file, window); number++) {
        json *rule = model_rule(file, window, (int64_t)number);
        int64_t fine_value = model_number(rule, "fine", -1);
        int64_t coarse_value = model_number(rule, "coarse", -1);
        if (fine_value >= 0 && fine_value < 64) fine[fine_value] = true;
        if (coarse_value >= 0 && coarse_value < 3) coarse[coarse_value] = true;
    }
}

static void warn_of_fine(const bool used[64]) {
    bool unused[64];
    int count = 0;
    for (int value = 0; value < 64; value++) count += unused[value] = !used[value];
    if (count == 0) return;
    printf("note: window 0: %d of 64 fine values are not used: ", count);
    numbers_print(stdout, unused, 64);
    putchar('\n');
}

static void warn_of_registration(const model_file *file) {
    json *rule = model_registration_rule(file);
    if (!rule || conditions_are_none(model_member(rule, "when"))) return;
    printf("note: window 0: rule %" PRId64 " for fine %d has conditions, but fine %d is also what registering alone "
           "gives, so a postback cannot tell them apart\n", model_number(rule, "rule", 0), MODEL_REGISTRATION_FINE,
           MODEL_REGISTRATION_FINE);
}

static void warn_of_coarse(int window, const bool used[3]) {
    for (int value = 0; value < 3; value++)
        if (!used[value]) printf("note: window %d: no rule has the coarse value %s\n", window, coarse_word(value));
}

/* A postback has the fine value only where Apple counts enough installs. */
static void warn_of_missing_coarse(const model_file *file) {
    size_t missing = 0;
    for (size_t number = 0; number < model_rule_count(file, 0); number++)
        missing += !model_member(model_rule(file, 0, (int64_t)number), "coarse");
    if (missing)
        printf("note: window 0: %zu rule%s no coarse value, which is all that postbacks of small campaigns carry\n",
               missing, missing == 1 ? " has" : "s have");
}

/* Rules, "Windows": the days that a window of SKAN 4 has, the end not among them. */
static void warn_of_days(const model_file *file, int window) {
    static const int64_t begins[] = {0, 2, 7, 35};
    for (size_t number = 0; number < model_rule_count(file, window); number++) {
        json *day = model_member(model_member(model_rule(file, window, (int64_t)number), "when"), "day");
        if (!day) continue;
        if (model_number(day, "min", 0) < begins[window + 1] && model_number(day, "max", INT64_MAX) > begins[window])
            continue;
        printf("note: window %d: rule %zu never holds, the window has %s\n", window, number,
               window_days(file, window));
    }
}

static void tell_currencies(const model_file *file) {
    if (!model_asks_revenue(file)) return;
    printf("note: revenue counts as nothing unless it is in %s", file->currency);
    if (file->rates) {
        json_object_object_foreach(file->rates, currency, rate) {
            (void)rate;
            if (strcmp(currency, file->currency) != 0) printf(", %s", currency);
        }
    }
    putchar('\n');
}

void model_warnings_print(const model_file *file) {
    for (int window = 0; window < file->windows; window++) {
        if (model_rule_count(file, window) == 0) {
            printf("note: window %d has no rules, it gets no value\n", window);
            continue;
        }
        bool fine[64], coarse[3];
        model_values_used(file, window, fine, coarse);
        if (window == 0) warn_of_fine(fine);
        if (window == 0) warn_of_registration(file);
        if (file->protocol == 3) continue;
        if (window == 0) warn_of_missing_coarse(file);
        warn_of_coarse(window, coarse);
        warn_of_days(file, window);
    }
    tell_currencies(file);
}
