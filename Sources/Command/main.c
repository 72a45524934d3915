/* skan: the command for stores and conversion models of libskan. */
#include "arguments.h"
#include "ending.h"
#include "messages.h"

#include <skan/skan.h>

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
           "skan COMMAND --help tells more; skan --version, the version.\n"
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

static int run(int argc, char **argv) {
    if (argc < 2) {
        complain("skan", "expected a command");
        complain_plainly("Try: skan --help");
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_all_help();
        return EXIT_FINE;
    }
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
