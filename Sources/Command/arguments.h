/* Options and arguments of a subcommand, by getopt_long. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "command.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

/* Ends every subcommand's table of options. */
#define HELP_OPTION {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}

/* The next option's `val`, with its value in optarg; -1 after the last, and optind is the first argument. 'h', where
 * help was asked for and given, and '?', where an option is wrong and was named: the command ends with option_exit. */
int option_next(const command *command, int argc, char **argv, const struct option *options);
int option_exit(int option);

/* Whether `count` arguments are left; says so where they are not. */
bool arguments_are(const command *command, int argc, char **argv, int count);

/* Whether the text is a whole number from `least` to `most`; says so where it is not. */
bool argument_number(const command *command, const char *name, const char *text, int64_t least, int64_t most,
                     int64_t *number);

/* Says what is wrong with the usage and where help is; answers EXIT_USAGE. */
int usage_error(const command *command, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void print_help(const command *command);

#endif
