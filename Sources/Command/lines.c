#include "lines.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

void lines_begin(lines *lines, FILE *file) {
    memset(lines, 0, sizeof *lines);
    lines->file = file;
    lines->text = memory_take(LINE_MAX_LENGTH + 1);
}

line_kind lines_next(lines *lines) {
    lines->length = 0;
    lines->number++;
    size_t length = 0;
    int byte;
    while ((byte = getc_unlocked(lines->file)) != EOF && byte != '\n') {
        if (length < LINE_MAX_LENGTH) lines->text[length] = (char)byte;
        length++;
    }
    lines->bytes += length + (byte == '\n');
    if (byte == EOF && ferror(lines->file)) return LINES_FAILED;
    if (byte == EOF && length == 0) return LINES_OVER;
    if (length > LINE_MAX_LENGTH) return LINE_TOO_LONG;
    lines->length = length;
    lines->text[length] = 0;
    return LINE_WHOLE;
}

void lines_end(lines *lines) {
    free(lines->text);
    memset(lines, 0, sizeof *lines);
}
