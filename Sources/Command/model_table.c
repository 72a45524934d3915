#include "arguments.h"
#include "ending.h"
#include "memory.h"
#include "model.h"
#include "model_file.h"
#include "model_warnings.h"
#include "model_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct json_object json;

/* ------------------------------------------------------------------------------------------------------ for readers */

static void print_rates(const model_file *file) {
    size_t count = 0;
    if (file->rates) {
        json_object_object_foreach(file->rates, currency, rate) {
            if (strcmp(currency, file->currency) == 0) continue;
            printf("%s1 %s = %s %s", count++ > 0 ? ", " : "", currency, json_object_get_string(rate), file->currency);
        }
    }
    printf("%s currencies count as nothing.\n", count > 0 ? "; other" : "Other");
}

static void print_head(const model_file *file) {
    printf("%s, SKAN %u", file->id, (unsigned)file->protocol);
    if (model_asks_revenue(file)) printf(", revenue in %s", file->currency);
    printf("%s\n", file->raises_only || file->protocol == 3 ? ", values are only raised" : "");
    if (model_asks_revenue(file)) print_rates(file);
    printf("In each window the last rule that holds wins%s.\n",
           model_asks_revenue(file) ? "; a range of money ends below its second amount" : "");
}

static void print_rule(const model_file *file, int window, json *rule) {
    json *coarse = model_member(rule, "coarse");
    printf("  ");
    if (window == 0) printf("%4d  ", (int)model_number(rule, "fine", -1));
    if (file->protocol == 4) printf("%-6s  ", coarse ? coarse_word(json_object_get_int64(coarse)) : "-");
    json *when = model_member(rule, "when");
    conditions_print(stdout, when, file->currency, "always");
    bool is_shared = window == 0 && rule == model_registration_rule(file) && !conditions_are_none(when);
    printf("%s%s\n", json_object_get_boolean(model_member(rule, "lock")) ? "; locks the window" : "",
           is_shared ? "; or only registered" : "");
}

/* Without a rule the value is there all the same. */
static void print_registration(const model_file *file) {
    if (model_registration_rule(file)) return;
    printf("  %4d  %sonly registered\n", MODEL_REGISTRATION_FINE, file->protocol == 4 ? "-       " : "");
}

/* What a postback of window 0 that carries the coarse value only may stand for. */
static void print_fine_of_coarse(const model_file *file, int coarse) {
    bool fine[64] = {false};
    for (size_t number = 0; number < model_rule_count(file, 0); number++) {
        json *rule = model_rule(file, 0, (int64_t)number);
        int64_t value = model_number(rule, "fine", -1);
        if (value >= 0 && value < 64) fine[value] = model_number(rule, "coarse", -1) == coarse;
    }
    printf("  coarse %-6s  fine ", coarse_word(coarse));
    numbers_print(stdout, fine, 64);
    putchar('\n');
}

static void print_unused(const model_file *file, int window, const bool fine[64], const bool coarse[3]) {
    bool unused[64];
    int count = 0;
    for (int value = 0; value < 64; value++) count += unused[value] = window == 0 && !fine[value];
    if (count > 0) {
        printf("  not used: fine ");
        numbers_print(stdout, unused, 64);
        putchar('\n');
    }
    for (int value = 0; value < 3 && file->protocol == 4; value++)
        if (!coarse[value]) printf("  not used: coarse %s\n", coarse_word(value));
}

static void print_window(const model_file *file, int window) {
    printf("\nwindow %d, %s\n", window, window_days(file, window));
    size_t count = model_rule_count(file, window);
    if (count == 0) {
        printf("  no rules: it gets no value\n");
        return;
    }
    printf("  %s%s\n", window == 0 ? "fine" : "", file->protocol == 3 ? "" : window == 0 ? "  coarse" : "coarse");
    if (window == 0) print_registration(file);
    for (size_t number = 0; number < count; number++)
        print_rule(file, window, model_rule(file, window, (int64_t)number));
    bool fine[64], coarse[3];
    model_values_used(file, window, fine, coarse);
    for (int value = 0; value < 3 && window == 0; value++)
        if (coarse[value]) print_fine_of_coarse(file, value);
    print_unused(file, window, fine, coarse);
}

/* ----------------------------------------------------------------------------------------------------- for programs */

static json *meaning_of(const model_file *file, json *rule) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out) conditions_print(out, model_member(rule, "when"), file->currency, "always");
    if (out) fclose(out);
    json *meaning = text ? json_object_new_string_len(text, (int)length) : NULL;
    free(text);
    return meaning;
}

static json *unused_of(const bool *used, int count) {
    json *unused = json_object_new_array();
    for (int value = 0; value < count; value++)
        if (!used[value]) json_object_array_add(unused, json_object_new_int(value));
    return unused;
}

static json *window_of(const model_file *file, int window) {
    json *object = json_object_new_object();
    bool fine[64], coarse[3];
    model_values_used(file, window, fine, coarse);
    json_object_object_add(object, "window", json_object_new_int(window));
    json *registration = window == 0 ? json_object_new_int(MODEL_REGISTRATION_FINE) : NULL;
    json_object_object_add(object, "registration_fine", registration);
    for (size_t number = 0; number < model_rule_count(file, window); number++) {
        json *rule = model_rule(file, window, (int64_t)number);
        json_object_object_add(rule, "meaning", meaning_of(file, rule));
    }
    json_object_object_add(object, "rules", json_object_get(file->rules[window]));
    json_object_object_add(object, "unused_fine", unused_of(fine, window == 0 ? 64 : 0));
    json_object_object_add(object, "unused_coarse", unused_of(coarse, file->protocol == 4 ? 3 : 0));
    return object;
}

static void print_document(const model_file *file) {
    json *document = json_object_new_object();
    json *windows = json_object_new_array();
    json_object_object_add(document, "model", json_object_new_string(skan_model_version(file->model)));
    json_object_object_add(document, "id", json_object_new_string(file->id));
    json_object_object_add(document, "protocol", json_object_new_int((int)file->protocol));
    json_object_object_add(document, "currency", json_object_new_string(file->currency));
    json_object_object_add(document, "rates", file->rates ? json_object_get(file->rates) : json_object_new_object());
    json_object_object_add(document, "raise_only", json_object_new_boolean(file->raises_only));
    json_object_object_add(document, "windows", windows);
    for (int window = 0; window < file->windows; window++) json_object_array_add(windows, window_of(file, window));
    output_line(json_object_to_json_string_ext(document, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(document);
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, HELP_OPTION};
    bool is_json = false;
    int option;
    while ((option = option_next(self, argc, argv, options)) != -1) {
        if (option != 'j') return option_exit(option);
        is_json = true;
    }
    if (!arguments_are(self, argc, argv, 1)) return EXIT_USAGE;
    model_file file;
    int code = model_file_open(argv[optind], &file);
    if (code != EXIT_FINE) return code;
    if (is_json) {
        print_document(&file);
    } else {
        print_head(&file);
        for (int window = 0; window < file.windows; window++) print_window(&file, window);
    }
    model_file_close(&file);
    return EXIT_FINE;
}

const command model_table_command = {
    .name = "model table",
    .arguments = "FILE [--json]",
    .summary = "every value and what it means, in words",
    .help = "Shows every fine and coarse value of each window with what it means, in the\n"
            "order of the rules, then the values that are not used. A value means that its\n"
            "rule held and no later one did; fine 0 in window 0 is also what an install has\n"
            "that was registered and no more. \"level_10\" is at least once, \"3+ sessions\" are\n"
            "three or more; both count in the window. A model that only raises keeps a value\n"
            "when its rule holds no more.\n"
            "  --json  one document: the rules with all defaults, these words as \"meaning\"\n\n" MODEL_HELP,
    .run = run,
};
