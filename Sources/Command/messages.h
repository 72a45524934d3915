/* What is said on standard error. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdarg.h>
#include <stdint.h>

/* "skan: what: why", with control characters escaped. */
void complain(const char *what, const char *format, ...) __attribute__((format(printf, 2, 3)));
void complain_with(const char *what, const char *format, va_list values);

/* A line as it is, without "skan: ". */
void complain_plainly(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "s" where there are not exactly one. */
const char *plural(uint64_t count);

#endif
