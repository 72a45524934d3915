/* How the command ends early: on signals, and when nobody reads its output any more. */
#ifndef ENDING_H
#define ENDING_H

#include <stdbool.h>

/* SIGINT, SIGTERM and SIGHUP are noted, a second one ends the process; SIGPIPE becomes an error of writing. */
void signals_watch(void);

/* Whether to stop after what is being done: a signal came, or standard output failed. */
bool is_ending(void);

/* Writes the text and a line feed to standard output. */
void output_line(const char *line);

/* Flushes standard output, says why it failed if it did, and answers the exit code: `code`, or EXIT_FOUND. Where a
 * signal or a reader that left was the reason, ends the process by that signal instead, as its parent expects. */
int finish(int code);

#endif
