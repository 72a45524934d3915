#include "plain_install.h"

#include <stdlib.h>
#include <string.h>

void plain_install_reset(plain_install *install)
{
    memset(install, 0, sizeof *install);
    install->fine = install->previous_fine = PLAIN_NONE;
    install->first_call = install->last_call = PLAIN_NONE;
    for (int window = 0; window < PLAIN_WINDOWS; window++) {
        install->coarse[window] = install->previous_coarse[window] = PLAIN_NONE;
        install->lock[window] = PLAIN_NONE;
    }
}

void plain_install_free(plain_install *install)
{
    for (int kind = 0; kind < 2; kind++) {
        free(install->lifetime[kind].amounts);
        for (int window = 0; window < PLAIN_WINDOWS; window++) free(install->window[kind][window].amounts);
    }
    if (install->events != NULL) {
        for (int i = 0; i < PLAIN_EVENTS; i++) free(install->events->ring[i].id);
        free(install->events);
    }
    free(install->id);
    free(install);
}

size_t plain_integer_text(int64_t value, char text[PLAIN_AMOUNT_TEXT])
{
    char digits[20];
    size_t count = 0, length = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) text[length++] = '-';
    while (count > 0) text[length++] = digits[--count];
    text[length] = '\0';
    return length;
}

size_t plain_amount_text(int64_t micros, char text[PLAIN_AMOUNT_TEXT])
{
    size_t length = 0;
    uint64_t rest = micros < 0 ? 0 - (uint64_t)micros : (uint64_t)micros;
    if (micros < 0) text[length++] = '-';
    length += plain_integer_text((int64_t)(rest / 1000000), text + length);
    uint32_t fraction = (uint32_t)(rest % 1000000);
    if (fraction != 0) {
        text[length++] = '.';
        for (uint32_t unit = 100000; fraction != 0; fraction %= unit, unit /= 10) {
            text[length++] = (char)('0' + fraction / unit);
        }
        text[length] = '\0';
    }
    return length;
}
