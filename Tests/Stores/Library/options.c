#include "options.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Options of another release: larger ones are taken where what is unknown in them is zero. */
static void check_sizes(const void *options, size_t size, skan_status (*open)(const void *options)) {
    enum { MOST = 1024 };
    unsigned char *larger = calloc(1, MOST + 1);
    if (!larger) abort();
    memcpy(larger, options, size);
    const size_t wrong[] = {0, 1, size - 1, MOST + 1, SIZE_MAX}, most = MOST;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(larger, &wrong[i], sizeof wrong[i]);
        ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open(larger));
    }
    memcpy(larger, &most, sizeof most);
    larger[MOST - 1] = 1;
    ANSWER(SKAN_ERROR_INVALID_ARGUMENT, open(larger));
    larger[MOST - 1] = 0;
    larger[MOST] = 1;
    ANSWER(SKAN_OK, open(larger));
    free(larger);
}

void check_options(const void *options, size_t size, const number_option *numbers, size_t count,
                   skan_status (*open)(const void *options)) {
    unsigned char changed[256];
    check_sizes(options, size, open);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t above = 0; above < 2; above++) {
            in_round("number %zu, %u above its limit", i, (unsigned)above);
            const uint32_t value = numbers[i].largest + above;
            memcpy(changed, options, size);
            memcpy(changed + numbers[i].offset, &value, sizeof value);
            ANSWER(above ? SKAN_ERROR_INVALID_ARGUMENT : SKAN_OK, open(changed));
        }
    }
    in_round("%s", "");
}
