#include "arguments.h"
#include "ending.h"
#include "lines.h"
#include "members.h"
#include "messages.h"
#include "model.h"
#include "model_reason.h"
#include "model_words.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct json_object json;

typedef struct history {
    model_trial trial;
    model_before before;
    lines lines;
    const char *name;
    bool is_json;
    uint64_t done;
    uint64_t updates;
    uint64_t wrong;
} history;

/* ------------------------------------------------------------------------------------------------------ for readers */

static void print_head(const model_step *step, const model_result *result) {
    printf("line %" PRIu64 ": ", step->number);
    if (step->written_time) printf("time %s, ", step->written_time);
    int64_t day = model_day(step, result);
    if (day >= 0) printf("day %" PRId64 ", ", day);
    if (result->view)
        printf("window %" PRId64 "\n", model_number(result->view, "window", 0));
    else
        printf("%s\n", result->seen_status == SKAN_WINDOW_CLOSED ? "windows closed" : "not registered");
}

static void print_what(const model_step *step, const model_result *result) {
    printf("  what     ");
    switch (step->kind) {
    case STEP_REGISTER: printf("register"); break;
    case STEP_SESSION: printf("session"); break;
    case STEP_EVENT:
        printf("event ");
        text_print(stdout, step->event);
        if (result->view && !model_counts(step, result)) printf(", which no rule names");
        break;
    case STEP_REVENUE:
        printf("%s %s ", step->is_ad ? "ad revenue" : "IAP", step->written_amount);
        text_print(stdout, step->currency);
    }
    putchar('\n');
}

static void print_counts(const model_result *result) {
    int64_t sessions = model_number(result->view, "sessions", 0);
    printf("  counts   %" PRId64 " session%s", sessions, sessions == 1 ? "" : "s");
    json_object_object_foreach(model_member(result->view, "events"), name, count) {
        if (json_object_get_int64(count) > 0) printf(", %s %s", name, json_object_get_string(count));
    }
    putchar('\n');
}

/* An amount as the library writes it: sums may have more digits than json-c's numbers. */
static void amount_of(const char *seen, const char *scope, const char *kind, char *amount, size_t size) {
    const char *revenue = "", *table = "", *value = "0";
    size_t revenue_length = 0, table_length = 0, length = 1;
    member_find(seen, strlen(seen), "revenue", &revenue, &revenue_length);
    member_find(revenue, revenue_length, scope, &table, &table_length);
    member_find(table, table_length, kind, &value, &length);
    snprintf(amount, size, "%.*s", (int)length, value);
}

static void print_revenue_of(const model_file *file, const char *seen, const char *scope, const char *name) {
    char amount[64];
    static const char *const kinds[] = {"iap", "ad", "all"};
    static const char *const words[] = {" IAP + ", " ads = ", ""};
    printf("%s ", name);
    for (size_t kind = 0; kind < 3; kind++) {
        amount_of(seen, scope, kinds[kind], amount, sizeof amount);
        money_print(stdout, amount, file->currency);
        fputs(words[kind], stdout);
    }
}

static void print_revenue(const model_file *file, const model_result *result) {
    printf("  revenue  ");
    if (file->protocol == 4) {
        print_revenue_of(file, result->seen, "window", "window");
        printf("; ");
        print_revenue_of(file, result->seen, "lifetime", "lifetime");
    } else {
        char amount[64];
        amount_of(result->seen, "lifetime", "iap", amount, sizeof amount);
        money_print(stdout, amount, file->currency);
    }
    json *without = model_member(result->view, "currencies_without_rate");
    for (size_t index = 0; index < json_object_array_length(without); index++)
        printf("%s%s", index == 0 ? "; no rate, counts as nothing: " : ", ",
               json_object_get_string(json_object_array_get_idx(without, index)));
    putchar('\n');
}

static void print_rule(const model_file *file, const model_result *result) {
    int64_t number = model_number(result->view, "rule", -1);
    json *rule = model_rule(file, (int)model_number(result->view, "window", 0), number);
    printf("  rule     ");
    if (rule) {
        printf("%" PRId64 ", ", number);
        conditions_print(stdout, model_member(rule, "when"), file->currency, "always");
        printf(": ");
        rule_value_print(stdout, rule);
        putchar('\n');
    } else {
        printf("none holds\n");
    }
}

static void print_update(const model_file *file, const model_step *step, const model_result *result) {
    printf("  update   ");
    if (result->update.id > 0) {
        printf("%" PRIu64 ": ", result->update.id);
        value_print(stdout, result->update.fine_value, result->update.coarse_value, result->update.lock_window);
        putchar('\n');
        return;
    }
    printf("none: ");
    model_reason_print(stdout, file, step, result);
    if (result->status != SKAN_OK) printf(" (%s)", skan_status_name(result->status) + strlen("SKAN_"));
    putchar('\n');
}

static void print_step(const model_file *file, const model_step *step, const model_result *result) {
    print_head(step, result);
    print_what(step, result);
    if (result->view) {
        print_counts(result);
        print_revenue(file, result);
        print_rule(file, result);
    }
    print_update(file, step, result);
}

/* ----------------------------------------------------------------------------------------------------- for programs */

static json *reason_of(const model_file *file, const model_step *step, const model_result *result) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out) model_reason_print(out, file, step, result);
    if (out) fclose(out);
    json *reason = text && length > 0 ? json_object_new_string_len(text, (int)length) : NULL;
    free(text);
    return reason;
}

static void print_update_json(const skan_update *update) {
    if (update->id == 0) {
        printf("null");
        return;
    }
    printf("{\"id\":%" PRIu64 ",\"window\":%d,\"fine\":", update->id, (int)update->window);
    printf(update->fine_value >= 0 ? "%d" : "null", (int)update->fine_value);
    printf(",\"coarse\":");
    printf(update->coarse_value >= 0 ? "%d" : "null", (int)update->coarse_value);
    printf(",\"lock\":%s}", update->lock_window ? "true" : "false");
}

static void print_step_json(const history *history, const model_step *step, const model_result *result) {
    json *reason = reason_of(history->trial.file, step, result);
    int64_t day = model_day(step, result);
    printf("{\"line\":%" PRIu64 ",\"time\":%" PRId64 ",\"day\":", step->number, step->time);
    printf(day >= 0 ? "%" PRId64 : "null", day);
    printf(",\"step\":%s,\"status\":\"%s\",\"update\":", history->lines.text, skan_status_name(result->status));
    print_update_json(&result->update);
    printf(",\"why\":%s,\"seen\":", json_object_to_json_string_ext(reason, JSON_C_TO_STRING_PLAIN));
    printf("%s}", result->seen ? result->seen : "null");
    output_line("");
    json_object_put(reason);
}

/* -------------------------------------------------------------------------------------------------------- the lines */

static void name_wrong(history *history, const char *why) {
    history->wrong++;
    /* So that it stands behind the lines before it where both go to one place. */
    fflush(stdout);
    complain(history->name, "line %" PRIu64 ": %s", history->lines.number, why);
}

static void take_step(history *history, const model_step *step) {
    model_result result;
    skan_error *error = NULL;
    if (!model_trial_step(&history->trial, step, &result, &error)) {
        name_wrong(history, skan_error_message(error));
    } else {
        history->before = (model_before){step->time, step->number};
        history->done++;
        history->updates += result.update.id > 0;
        if (history->is_json)
            print_step_json(history, step, &result);
        else
            print_step(history->trial.file, step, &result);
    }
    model_result_end(&result);
    skan_error_free(error);
}

static bool is_space(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* An empty line is not wrong. */
static void take_line(history *history) {
    lines *lines = &history->lines;
    while (lines->length > 0 && is_space(lines->text[lines->length - 1])) lines->text[--lines->length] = 0;
    if (lines->length == 0) return;
    char why[512];
    model_step step;
    if (model_step_read(&history->before, lines->text, lines->length, lines->number, &step, why, sizeof why))
        take_step(history, &step);
    else
        name_wrong(history, why);
    model_step_end(&step);
}

static bool take_lines(history *history) {
    line_kind kind;
    while (!is_ending() && (kind = lines_next(&history->lines)) != LINES_OVER) {
        if (kind == LINES_FAILED) {
            complain(history->name, "%s", strerror(errno));
            return false;
        }
        if (kind == LINE_TOO_LONG)
            name_wrong(history, "too long");
        else
            take_line(history);
    }
    return true;
}

static int try_history(history *history, const model_file *file, FILE *in) {
    skan_error *error = NULL;
    int code = EXIT_FOUND;
    if (model_trial_begin(&history->trial, file, &error)) {
        lines_begin(&history->lines, in);
        bool is_read = take_lines(history);
        lines_end(&history->lines);
        if (!history->is_json) {
            printf("%s%" PRIu64 " step%s, %" PRIu64 " update%s", is_read ? "" : "not all: ", history->done,
                   plural(history->done), history->updates, plural(history->updates));
            if (history->wrong) printf(", %" PRIu64 " line%s left out", history->wrong, plural(history->wrong));
            putchar('\n');
        }
        code = is_read && history->wrong == 0 ? EXIT_FINE : EXIT_FOUND;
    } else {
        complain(file->name, "%s", skan_error_message(error));
    }
    skan_error_free(error);
    model_trial_end(&history->trial);
    return code;
}

static int try_file(const char *model, const char *path, bool is_json) {
    model_file file;
    int code = model_file_open(model, &file);
    if (code != EXIT_FINE) return code;
    bool is_input = strcmp(path, "-") == 0;
    history history = {.name = is_input ? "standard input" : path, .is_json = is_json, .before = {.time = -1}};
    FILE *in = is_input ? stdin : fopen(path, "r");
    if (in) {
        code = try_history(&history, &file, in);
    } else {
        complain(path, "%s", strerror(errno));
        code = EXIT_FOUND;
    }
    if (in && !is_input) fclose(in);
    model_file_close(&file);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, HELP_OPTION};
    bool is_json = false;
    int option;
    while ((option = option_next(self, argc, argv, options)) != -1) {
        if (option != 'j') return option_exit(option);
        is_json = true;
    }
    if (!arguments_are(self, argc, argv, 2)) return EXIT_USAGE;
    if (strcmp(argv[optind], "-") == 0 && strcmp(argv[optind + 1], "-") == 0)
        return usage_error(self, "-", "standard input cannot be the model and the history");
    return try_file(argv[optind], argv[optind + 1], is_json);
}

const command model_try_command = {
    .name = "model try",
    .arguments = "FILE EVENTS [--json]",
    .summary = "the values that a history gets, step by step, and why",
    .help = "Lets one install live through a history, in memory, and tells for each step the\n"
            "day and window, the counts and revenue that the model sees, the rule that holds,\n"
            "and the update for the device, or why there is none. EVENTS has a JSON object in\n"
            "each line, one of\n"
            "  {\"time\": 0, \"register\": true}\n"
            "  {\"time\": 60, \"session\": true}\n"
            "  {\"time\": 300, \"event\": \"tutorial_complete\"}\n"
            "  {\"time\": 400, \"revenue\": 4.99, \"currency\": \"USD\", \"ad\": false}\n"
            "time is in whole seconds, of the history or since 1970, or ISO 8601, such as\n"
            "\"2026-01-31T10:00:00Z\" or \"2026-01-31T11:00:00+01:00\"; it never goes back.\n"
            "Without it a line has the time of the line before. ad is false if not said. All\n"
            "but register may have an id: one that came before is not counted again. Values\n"
            "come at sessions and events; revenue, negative for refunds, waits for the next.\n"
            "Wrong lines are named and left out, and exit code 1 follows.\n"
            "  --json  a line for each step: line, time, day, step, status, update, why, seen\n"
            "          (the library's explanation)\n\n"
            "FILE is a conversion model; - is standard input, for one of the two.\n"
            "share/skan/models has ready ones.\n",
    .run = run,
};
