/* What a subcommand is: one file and one entry of the table in main.c each. */
#ifndef COMMAND_H
#define COMMAND_H

enum {
    EXIT_FINE = 0,
    EXIT_FOUND = 1, /* something was found or failed; it was said */
    EXIT_USAGE = 2
};

typedef struct command {
    const char *name;
    const char *arguments; /* after the name, as in the first line of its help */
    const char *summary;   /* one line, for the list of commands */
    const char *help;      /* what it does, its options; ends with a line feed */
    int (*run)(const struct command *self, int argc, char **argv); /* argv[0] is its name; answers the exit code */
} command;

extern const command show_command;
extern const command export_command;
extern const command import_command;
extern const command move_command;
extern const command check_command;
extern const command purge_command;
extern const command serve_command;
extern const command model_command;
extern const command report_command;
extern const command outbox_command;

#endif
