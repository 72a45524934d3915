#include "model.h"

#include "arguments.h"
#include "messages.h"

#include <stdio.h>
#include <string.h>

static const command *const parts[] = {
    &model_check_command, &model_table_command, &model_try_command, &model_decode_command,
};
#define PARTS (sizeof parts / sizeof parts[0])

static void print_parts_help(const command *self) {
    print_help(self);
    for (size_t index = 0; index < PARTS; index++)
        printf("  skan %-12s %s\n", parts[index]->name, parts[index]->summary);
    printf("\nskan model check --help and so on tell more.\n");
}

static int run(const command *self, int argc, char **argv) {
    if (argc < 2)
        return usage_error(self, self->name, "expected what to do with a model: skan model %s", self->arguments);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_parts_help(self);
        return EXIT_FINE;
    }
    /* Their names are "model check" and so on. */
    for (size_t index = 0; index < PARTS; index++)
        if (strcmp(argv[1], strchr(parts[index]->name, ' ') + 1) == 0)
            return parts[index]->run(parts[index], argc - 1, argv + 1);
    if (argv[1][0] == '-') return usage_error(self, argv[1], "no such option, or not all of its name");
    return usage_error(self, argv[1], "no such thing to do with a model, expected: skan model %s", self->arguments);
}

const command model_command = {
    .name = "model",
    .arguments = "check|table|try|decode FILE ...",
    .summary = "checks, shows and tries conversion models",
    .help = "For those who make a conversion model: whether it is right, what its values\n"
            "mean, and what a player's history would get. No store is needed.\n\n",
    .run = run,
};
