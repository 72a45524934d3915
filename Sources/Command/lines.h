/* The lines of a file, each in the same memory. */
#ifndef LINES_H
#define LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* More than a line of skan export has: a record of 32 KiB in base64, details of 64 KiB, an install id. */
#define LINE_MAX_LENGTH (256 * 1024)

typedef enum line_kind {
    LINE_WHOLE,
    LINE_TOO_LONG, /* read to its end and left out */
    LINES_OVER,
    LINES_FAILED /* errno says why */
} line_kind;

typedef struct lines {
    FILE *file;
    char *text;      /* of the line, without its line feed; a NUL follows */
    size_t length;
    uint64_t number; /* of the line, from 1 */
    uint64_t bytes;  /* read so far */
} lines;

void lines_begin(lines *lines, FILE *file);
line_kind lines_next(lines *lines);
void lines_end(lines *lines);

#endif
