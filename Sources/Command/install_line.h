/* A line of skan export, or one with details from elsewhere. */
#ifndef INSTALL_LINE_H
#define INSTALL_LINE_H

#include <skan/skan.h>

typedef struct install_line {
    char id[SKAN_INSTALL_ID_MAX + 1];
    unsigned char *record; /* freed by the caller */
    size_t length;
} install_line;

/* Reads it and makes its record: the line's own, verified, or one of the details, for `protocol`. False, and why not in
 * `problem`, which has room for `size` bytes. */
bool install_line_read(const char *text, size_t length, uint32_t protocol, install_line *line, char *problem,
                       size_t size);

#endif
