#include "messages.h"

#include "progress.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>

static void print_why(const char *format, va_list values) {
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *why = length < 0 ? NULL : malloc((size_t)length + 1);
    if (why) {
        vsnprintf(why, (size_t)length + 1, format, values);
        text_print(stderr, why);
    }
    putc('\n', stderr);
    free(why);
}

void complain_with(const char *what, const char *format, va_list values) {
    progress_hide();
    fputs("skan: ", stderr);
    text_print(stderr, what);
    fputs(": ", stderr);
    print_why(format, values);
}

void complain(const char *what, const char *format, ...) {
    va_list values;
    va_start(values, format);
    complain_with(what, format, values);
    va_end(values);
}

void complain_plainly(const char *format, ...) {
    progress_hide();
    va_list values;
    va_start(values, format);
    print_why(format, values);
    va_end(values);
}

const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}
