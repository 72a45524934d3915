/* skan: the command for stores and conversion models of libskan. */
#include "arguments.h"
#include "ending.h"
#include "messages.h"

#include <skan/skan.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const command *const commands[] = {
    &show_command, &export_command, &import_command, &move_command, &check_command, &purge_command,
    &serve_command, &model_command, &report_command, &outbox_command,
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static void print_all_help(void) {
    printf("usage: skan COMMAND ...\n\n"
           "Looks after the stores of libskan, serves conversion values, tries\n"
           "conversion models, and reports what postbacks tell.\n\n");
    for (size_t index = 0; index < COMMANDS; index++)
        printf("  %-8s %s\n", commands[index]->name, commands[index]->summary);
    printf("\n"
           "skan COMMAND --help or skan help COMMAND tells more; skan --version, the\n"
           "version.\n"
           "Exit codes: 0 all is well; 1 something was found or failed, and was named;\n"
           "2 the command line is wrong. A signal ends the command as signals do, after\n"
           "what it was doing.\n");
}

static int run_command(int argc, char **argv) {
    for (size_t index = 0; index < COMMANDS; index++)
        if (strcmp(argv[0], commands[index]->name) == 0) return commands[index]->run(commands[index], argc, argv);
    complain(argv[0], "no such command");
    complain_plainly("Try: skan --help");
    return EXIT_USAGE;
}

static bool is_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

/* skan help [COMMAND], or of a model's: skan help model check. */
static int run_help(int argc, char **argv) {
    bool is_model = argc > 1 && strcmp(argv[1], model_command.name) == 0;
    int most = is_model ? 3 : 2;
    if (argc > most) {
        complain(argv[most], "one argument too many, expected: skan help [COMMAND]");
        complain_plainly("Try: skan --help");
        return EXIT_USAGE;
    }
    if (argc == 1 || is_help(argv[1])) {
        print_all_help();
        return EXIT_FINE;
    }
    char option[] = "--help";
    char *asked[] = {argv[1], argc == 3 && !is_help(argv[2]) ? argv[2] : option, option, NULL};
    return run_command(asked[1] == option ? 2 : 3, asked);
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        complain("skan", "expected a command");
        complain_plainly("Try: skan --help");
        return EXIT_USAGE;
    }
    if (is_help(argv[1])) return run_help(argc - 1, argv + 1);
    if (strcmp(argv[1], "--version") == 0) {
        printf("skan %s\n", skan_version());
        return EXIT_FINE;
    }
    return run_command(argc - 1, argv + 1);
}

int main(int argc, char **argv) {
    signals_watch();
    return finish(run(argc, argv));
}
