/* A clock for tests and demos: the time stands in a file, which whoever plays the days changes. */
#ifndef VIRTUAL_CLOCK_H
#define VIRTUAL_CLOCK_H

#include <skan/skan.h>

/* The file holds eight bytes: microseconds since 1970, a signed number in the machine's order. False, and errno,
 * where it cannot be mapped. */
bool virtual_clock_open(const char *file, skan_clock *out);

#endif
