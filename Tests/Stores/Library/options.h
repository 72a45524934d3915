/* What every function that takes an options struct says of it. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <skan/skan.h>

/* A number of 32 bits among the options, and the largest that is taken. */
typedef struct number_option {
    size_t offset;
    uint32_t largest;
} number_option;

/* Sizes of other releases, and numbers at and above their limits. `open` opens with these options, and closes; it does
 * with those that are given. */
void check_options(const void *options, size_t size, const number_option *numbers, size_t count,
                   skan_status (*open)(const void *options));

#endif
