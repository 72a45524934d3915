#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The significant digits and the exponent of a finite number, as the shortest decimal that reads back as it. */
static int shortest_digits(double value, char digits[SUPPORT_NUMBER_SIZE], int *exponent) {
    char text[64];
    int count = 0;
    /* A decimal of 15 digits that reads back is the shortest one too, but for zeros at its end; 17 always read back. */
    for (int precision = 14; precision <= 16; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, value);
        if (strtod(text, NULL) == value) break;
    }
    /* Between the digits stands whatever the host's locale has for a point. */
    const char *end = strchr(text, 'e');
    for (const char *byte = text; byte < end; byte++)
        if (*byte >= '0' && *byte <= '9') digits[count++] = *byte;
    while (count > 1 && digits[count - 1] == '0') count--;
    *exponent = atoi(end + 1);
    return count;
}

size_t support_number_text(double value, char text[SUPPORT_NUMBER_SIZE]) {
    char digits[SUPPORT_NUMBER_SIZE];
    int exponent = 0;
    char *out = text;
    if (value != value || value - value != 0) {
        const char *name = value != value ? "nan" : value < 0 ? "-inf" : "inf";
        memcpy(text, name, strlen(name));
        return strlen(name);
    }
    int count = shortest_digits(value, digits, &exponent);
    if (value < 0 || (value == 0 && 1 / value < 0)) *out++ = '-';
    if (exponent < -4 || exponent > 15) {
        *out++ = digits[0];
        if (count > 1) *out++ = '.';
        memcpy(out, digits + 1, (size_t)count - 1);
        out += count - 1;
        return (size_t)(out - text) + (size_t)sprintf(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    }
    /* Plain, with one place at least. */
    if (exponent < 0) *out++ = '0';
    for (int place = 0; place <= exponent; place++) *out++ = place < count ? digits[place] : '0';
    *out++ = '.';
    for (int place = exponent; place < -1; place++) *out++ = '0';
    if (count <= exponent + 1) *out++ = '0';
    for (int place = exponent < 0 ? 0 : exponent + 1; place < count; place++) *out++ = digits[place];
    return (size_t)(out - text);
}
