#include "arguments.h"
#include "ending.h"
#include "messages.h"
#include "model.h"
#include "model_file.h"
#include "model_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct json_object json;

typedef struct question {
    int64_t window;
    int64_t fine;
    int64_t coarse;
    bool is_json;
} question;

static void print_decoded(const model_file *file, const question *question, const char *text) {
    json *decoded = json_tokener_parse(text);
    json *rules = model_member(decoded, "rules");
    size_t count = json_object_array_length(rules);
    bool is_registration = json_object_get_boolean(model_member(decoded, "registration"));
    printf("window %" PRId64 ", ", question->window);
    value_print(stdout, question->fine, question->coarse, false);
    if (count > 0)
        printf(": %zu rule%s, the last that holds wins\n", count, plural(count));
    else
        printf(": no rule\n");
    for (size_t index = 0; index < count; index++) {
        json *rule = json_object_array_get_idx(rules, index);
        printf("  rule %-4" PRId64, model_number(rule, "rule", 0));
        rule_value_print(stdout, rule);
        printf(": ");
        conditions_print(stdout, model_member(rule, "when"), file->currency, "always");
        putchar('\n');
    }
    if (is_registration) printf("  registering alone gives this value too, before any rule holds\n");
    json *only = count == 1 ? model_member(json_object_array_get_idx(rules, 0), "when") : NULL;
    if (count > 1 || (only && is_registration && !conditions_are_none(only))) {
        printf("  of all:  ");
        conditions_print(stdout, model_member(decoded, "envelope"), file->currency, "nothing that holds for all");
        putchar('\n');
    }
    json_object_put(decoded);
}

static int decode(const command *self, const model_file *file, const question *question) {
    char *text = NULL;
    skan_error *error = NULL;
    skan_status status = skan_model_decode(file->model, (int)question->window, (int)question->fine,
                                           (int)question->coarse, &text, &error);
    int code = EXIT_FOUND;
    if (status == SKAN_ERROR_INVALID_ARGUMENT) {
        code = usage_error(self, file->name, "%s", skan_error_message(error));
    } else if (status == SKAN_NOT_FOUND) {
        complain(file->name, "no rule of window %d has this value: it cannot be decoded", (int)question->window);
    } else if (status != SKAN_OK) {
        complain(file->name, "%s", skan_error_message(error));
    } else {
        code = EXIT_FINE;
        if (question->is_json)
            output_line(text);
        else
            print_decoded(file, question, text);
    }
    skan_error_free(error);
    skan_free(text);
    return code;
}

/* Takes one option; false where its value is wrong, which was said. */
static bool take(const command *self, int option, question *question) {
    switch (option) {
    case 'w': return argument_number(self, "--window", optarg, 0, 2, &question->window);
    case 'f': return argument_number(self, "--fine", optarg, 0, 63, &question->fine);
    case 'c':
        question->coarse = coarse_named(optarg);
        if (question->coarse < 0)
            usage_error(self, "--coarse", "expected low, medium or high, or 0 to 2, got \"%s\"", optarg);
        return question->coarse >= 0;
    default: question->is_json = true; return true;
    }
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {
        {"window", required_argument, NULL, 'w'}, {"fine", required_argument, NULL, 'f'},
        {"coarse", required_argument, NULL, 'c'}, {"json", no_argument, NULL, 'j'}, HELP_OPTION};
    question question = {.window = -1, .fine = -1, .coarse = -1};
    int option;
    while ((option = option_next(self, argc, argv, options)) != -1) {
        if (option == 'h' || option == '?') return option_exit(option);
        if (!take(self, option, &question)) return EXIT_USAGE;
    }
    if (!arguments_are(self, argc, argv, 1)) return EXIT_USAGE;
    if (question.window < 0) return usage_error(self, self->name, "expected --window N");
    if (question.fine < 0 && question.coarse < 0)
        return usage_error(self, self->name, "expected --fine N, --coarse N, or both");
    model_file file;
    int code = model_file_open(argv[optind], &file);
    if (code != EXIT_FINE) return code;
    code = decode(self, &file, &question);
    model_file_close(&file);
    return code;
}

const command model_decode_command = {
    .name = "model decode",
    .arguments = "FILE --window N [--fine N] [--coarse N] [--json]",
    .summary = "what the values of a postback mean",
    .help = "Tells which rules have a value, and the ranges that hold for all of them where\n"
            "there are several. Exit code 1 where no rule has it. Fine 0 in window 0, without\n"
            "a coarse value, is also what registering alone gives: what holds for all then\n"
            "has no lower ends. A value that a postback does not carry is hidden by Apple: do\n"
            "not take it for 0.\n"
            "  --window N  the postback's sequence index: 0 to 2, 0 in SKAN 3\n"
            "  --fine N    the fine value, 0 to 63\n"
            "  --coarse N  the coarse value, 0 to 2 or by name; with --fine, rules with both\n"
            "  --json      the library's document, in one line\n\n" MODEL_HELP,
    .run = run,
};
