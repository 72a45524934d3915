/* Comma-separated values, RFC 4180. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CSV_CELLS_MAX 32
#define CSV_ROW_BYTES_MAX 65536

typedef struct csv_reader {
    const char *name; /* of the file, for messages */
    FILE *file;
    uint64_t line;     /* where the row begins, from 1 */
    uint64_t next_line;
    char *text;        /* of all cells */
    size_t length;
    char *cells[CSV_CELLS_MAX];
    size_t count;
} csv_reader;

typedef enum csv_kind { CSV_ROW, CSV_OVER, CSV_FAILED } csv_kind;

void csv_begin(csv_reader *reader, const char *name, FILE *file);
void csv_end(csv_reader *reader);

/* The next row that is not empty; its cells stay until the next one. Where it is none, says why with line and column:
 * a quote out of place, no UTF-8, control characters, too long. */
csv_kind csv_next(csv_reader *reader);

/* Says "FILE: line 3, column 2: ..."; columns count cells from 1. */
void csv_complain(const csv_reader *reader, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A cell, quoted where it must be. A spreadsheet takes text that begins with = + - @ for a formula, also after white
 * space and what nobody sees: an apostrophe goes before it, as before a tab or the end of a line. */
void csv_write(FILE *out, const char *cell);

#endif
