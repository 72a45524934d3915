#include "arguments.h"
#include "model.h"
#include "model_file.h"
#include "model_warnings.h"

#include <stdio.h>

static void print_model(const model_file *file) {
    printf("OK\nid        %s\nversion   %s\nprotocol  SKAN %u\nrules     ", file->id, skan_model_version(file->model),
           (unsigned)file->protocol);
    for (int window = 0; window < file->windows; window++)
        printf("%swindow %d: %zu", window > 0 ? ", " : "", window, model_rule_count(file, window));
    putchar('\n');
    model_warnings_print(file);
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {HELP_OPTION};
    int option = option_next(self, argc, argv, options);
    if (option != -1) return option_exit(option);
    if (!arguments_are(self, argc, argv, 1)) return EXIT_USAGE;
    model_file file;
    int code = model_file_open(argv[optind], &file);
    if (code != EXIT_FINE) return code;
    print_model(&file);
    model_file_close(&file);
    return EXIT_FINE;
}

const command model_check_command = {
    .name = "model check",
    .arguments = "FILE",
    .summary = "whether a model is right, or where it is not",
    .help = "Says OK with the model's id, its version (the SHA-256 of the file, under which\n"
            "installs remember it), the protocol, and how many rules each window has; or the\n"
            "place, as a JSON pointer, and what is wrong there, and exit code 1. Notes tell\n"
            "what is allowed but perhaps not meant: values that no rule has, rules that never\n"
            "hold, a rule for the value that registering alone gives, revenue that counts as\n"
            "nothing.\n\n" MODEL_HELP,
    .run = run,
};
