/* Milliseconds of a clock that only goes on. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

int64_t milliseconds_now(void);

#endif
