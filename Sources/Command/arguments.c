#include "arguments.h"

#include "messages.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void print_help(const command *command) {
    printf("usage: skan %s %s\n\n%s", command->name, command->arguments, command->help);
}

int usage_error(const command *command, const char *what, const char *format, ...) {
    va_list values;
    va_start(values, format);
    complain_with(what, format, values);
    va_end(values);
    complain_plainly("Try: skan %s --help", command->name);
    return EXIT_USAGE;
}

/* What getopt_long does not take: named as it was written. */
static void name_wrong_option(const command *command, int problem, char **argv) {
    const char *written = argv[optind - 1];
    char letter[3] = {'-', (char)optopt, 0};
    bool is_long = optopt == 0 || strncmp(written, "--", 2) == 0 || problem == ':';
    if (problem == ':')
        usage_error(command, written, "expected a value after this option");
    else if (is_long && optopt)
        usage_error(command, written, "this option takes no value");
    else
        usage_error(command, is_long ? written : letter, "no such option, or not all of its name");
}

int option_next(const command *command, int argc, char **argv, const struct option *options) {
    opterr = 0;
    int option = getopt_long(argc, argv, ":h", options, NULL);
    if (option == 'h') print_help(command);
    if (option == '?' || option == ':') {
        name_wrong_option(command, option, argv);
        return '?';
    }
    return option;
}

int option_exit(int option) {
    return option == 'h' ? EXIT_FINE : EXIT_USAGE;
}

bool arguments_are(const command *command, int argc, char **argv, int count) {
    int given = argc - optind;
    if (given == count) return true;
    if (given > count)
        usage_error(command, argv[optind + count], "one argument too many, expected: skan %s %s", command->name,
                    command->arguments);
    else
        usage_error(command, command->name, "%s, expected: skan %s %s",
                    given == 0 ? "no arguments" : "an argument is missing", command->name, command->arguments);
    return false;
}

bool argument_number(const command *command, const char *name, const char *text, int64_t least, int64_t most,
                     int64_t *number) {
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || !isdigit((unsigned char)text[0]) || value < least || value > most) {
        usage_error(command, name, "expected a whole number from %lld to %lld, got \"%s\"", (long long)least,
                    (long long)most, text);
        return false;
    }
    *number = value;
    return true;
}
