/* Reading the options of a companion. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "trouble.h"

/* Copies the struct at `given` to `read`, of which this library knows `known` bytes, the first a size_t of its size. A
 * larger one from a newer caller is taken if its unknown tail is zero. NULL is all zero. */
skan_status options_read(const void *given, void *read, size_t known, trouble *trouble);

/* Whether `value` is at most `most`, and trouble that names the option where it is not. */
bool option_is_at_most(const char *name, uint32_t value, uint32_t most, trouble *trouble);

#endif
