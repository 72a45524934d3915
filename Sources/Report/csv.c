#include "csv.h"

#include "../Command/memory.h"
#include "../Command/messages.h"
#include "../Command/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void csv_begin(csv_reader *reader, const char *name, FILE *file) {
    memset(reader, 0, sizeof *reader);
    reader->name = name;
    reader->file = file;
    reader->next_line = 1;
    reader->text = memory_take(CSV_ROW_BYTES_MAX);
    /* A byte-order mark, as spreadsheets write it. */
    int first = getc(file);
    if (first == 0xEF) {
        int second = getc(file), third = getc(file);
        if (second == 0xBB && third == 0xBF) return;
        if (third != EOF) ungetc(third, file);
        if (second != EOF) ungetc(second, file);
    }
    if (first != EOF) ungetc(first, file);
}

void csv_end(csv_reader *reader) {
    free(reader->text);
    memset(reader, 0, sizeof *reader);
}

void csv_complain(const csv_reader *reader, size_t column, const char *format, ...) {
    char what[512];
    va_list values;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    complain(reader->name, "line %llu, column %zu: %s", (unsigned long long)reader->line, column, what);
}

static bool keep(csv_reader *reader, int byte) {
    if (reader->length + 1 < CSV_ROW_BYTES_MAX) {
        reader->text[reader->length++] = (char)byte;
        return true;
    }
    csv_complain(reader, reader->count, "expected a row of at most %d bytes", CSV_ROW_BYTES_MAX - 1);
    return false;
}

/* A cell's text after its first quote; `next` is what stands behind the last one. */
static bool take_quoted(csv_reader *reader, int *next) {
    int byte;
    while ((byte = getc(reader->file)) != EOF) {
        if (byte == '\n') reader->next_line++;
        if (byte == '"') {
            *next = getc(reader->file);
            if (*next != '"') return true;
        }
        if (!keep(reader, byte)) return false;
    }
    csv_complain(reader, reader->count, "expected a quote at the end of this cell, got the end of the file");
    return false;
}

static bool is_end(int byte) {
    return byte == ',' || byte == '\n' || byte == EOF;
}

/* A line feed ends a row, also after a carriage return. */
static int take_byte(csv_reader *reader) {
    int byte = getc(reader->file);
    if (byte != '\r') return byte;
    int next = getc(reader->file);
    if (next == '\n') return next;
    if (next != EOF) ungetc(next, reader->file);
    return byte;
}

static bool is_fine_text(csv_reader *reader, const char *cell, size_t length) {
    for (size_t place = 0; place < length;) {
        uint32_t scalar = 0;
        size_t step = text_scalar((const unsigned char *)cell + place, length - place, &scalar);
        if (step == 0) {
            csv_complain(reader, reader->count, "expected UTF-8, got the byte 0x%02X", (unsigned char)cell[place]);
            return false;
        }
        if (scalar < 0x20 || scalar == 0x7F) {
            csv_complain(reader, reader->count, "expected no control character, got U+%04X", (unsigned)scalar);
            return false;
        }
        place += step;
    }
    return true;
}

/* One cell; `end` is what ended it. */
static bool take_cell(csv_reader *reader, int *end) {
    if (reader->count == CSV_CELLS_MAX) {
        csv_complain(reader, reader->count, "expected at most %d cells", CSV_CELLS_MAX);
        return false;
    }
    char *cell = reader->text + reader->length;
    reader->cells[reader->count++] = cell;
    int byte = take_byte(reader);
    if (byte == '"') {
        if (!take_quoted(reader, &byte)) return false;
        if (byte == '\r') {
            ungetc(byte, reader->file);
            byte = take_byte(reader);
        }
        if (!is_end(byte)) {
            csv_complain(reader, reader->count, "expected a comma or the end of the line after a quoted cell");
            return false;
        }
    } else {
        for (; !is_end(byte); byte = take_byte(reader)) {
            if (byte == '"') {
                csv_complain(reader, reader->count, "expected quotes around the whole cell, got one within");
                return false;
            }
            if (!keep(reader, byte)) return false;
        }
    }
    size_t length = (size_t)(reader->text + reader->length - cell);
    *end = byte;
    return is_fine_text(reader, cell, length) && keep(reader, '\0');
}

csv_kind csv_next(csv_reader *reader) {
    int end = ',';
    do {
        reader->line = reader->next_line;
        reader->length = 0;
        reader->count = 0;
        int first = getc(reader->file);
        if (first == EOF) {
            if (!ferror(reader->file)) return CSV_OVER;
            complain(reader->name, "%s", errno ? strerror(errno) : "could not be read");
            return CSV_FAILED;
        }
        ungetc(first, reader->file);
        do
            if (!take_cell(reader, &end)) return CSV_FAILED;
        while (end == ',');
        if (end == '\n') reader->next_line++;
    } while (reader->count == 1 && reader->cells[0][0] == '\0');
    return CSV_ROW;
}

/* White space, control characters and marks that nobody sees: spreadsheets drop some of them before they look. */
static bool is_unseen(uint32_t scalar) {
    return scalar <= 0x20 || scalar == 0xA0 || scalar == 0xAD || scalar == 0x1680 ||
           (scalar >= 0x2000 && scalar <= 0x200F) || (scalar >= 0x205F && scalar <= 0x2064) || scalar == 0x3000 ||
           scalar == 0xFEFF || text_is_obeyed(scalar);
}

/* = + - @, also in their full width. */
static bool begins_formula(uint32_t scalar) {
    return (scalar != 0 && scalar < 0x80 && strchr("=+-@", (int)scalar)) || scalar == 0xFF1D || scalar == 0xFF0B ||
           scalar == 0xFF0D || scalar == 0xFF20;
}

static bool is_formula_to_spreadsheets(const char *cell) {
    if (cell[0] != '\0' && strchr("\t\r\n", cell[0])) return true;
    for (size_t left = strlen(cell); left > 0;) {
        uint32_t scalar = 0;
        size_t length = text_scalar((const unsigned char *)cell, left, &scalar);
        if (length == 0) return false;
        if (!is_unseen(scalar)) return begins_formula(scalar);
        cell += length;
        left -= length;
    }
    return false;
}

void csv_write(FILE *out, const char *cell) {
    bool is_formula = is_formula_to_spreadsheets(cell);
    bool is_quoted = is_formula || strpbrk(cell, ",\"\r\n") || cell[0] == ' ';
    if (is_quoted) putc('"', out);
    if (is_formula) putc('\'', out);
    for (; *cell; cell++) {
        if (*cell == '"') putc('"', out);
        putc(*cell, out);
    }
    if (is_quoted) putc('"', out);
}
