/* The progress bar: on standard error, only where that is a terminal. One at a time. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a bar would be seen. `prints_data`: standard output gets lines meanwhile, which a bar on the same terminal
 * would tear apart. */
bool progress_is_seen(bool prints_data);

/* `unit` is what is counted, "records". A total of 0 is an unknown one. Does nothing where `is_seen` is not set. */
void progress_begin(bool is_seen, const char *unit, uint64_t total);
void progress_step(uint64_t done);
/* Takes the bar away for a message; the next step brings it back. */
void progress_hide(void);
void progress_end(void);

#endif
