#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define REDRAW_SECONDS 0.1
#define BAR_MAX 40

static struct {
    bool is_seen;
    bool is_drawn;
    const char *unit;
    uint64_t total;
    double began;
    double drawn_at;
} bar;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static size_t columns(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool progress_is_seen(bool prints_data) {
    return isatty(STDERR_FILENO) && !(prints_data && isatty(STDOUT_FILENO));
}

static void format_left(char *text, size_t size, double left) {
    unsigned whole = left > 359999 ? 359999 : (unsigned)(left + 0.5);
    snprintf(text, size, "%02u:%02u:%02u", whole / 3600, whole / 60 % 60, whole % 60);
}

static void draw(uint64_t done, double now) {
    double elapsed = now - bar.began;
    double rate = elapsed > 0 ? (double)done / elapsed : 0;
    char numbers[160];
    char line[256];
    if (bar.total == 0) {
        snprintf(line, sizeof line, "%" PRIu64 " %s  %.0f/s", done, bar.unit, rate);
    } else {
        double share = done >= bar.total ? 1 : (double)done / (double)bar.total;
        char left[32] = "--:--:--";
        if (done > 0) format_left(left, sizeof left, done >= bar.total ? 0 : (double)(bar.total - done) / rate);
        snprintf(numbers, sizeof numbers, "%3d%%  %" PRIu64 "/%" PRIu64 " %s  %.0f/s  %s left", (int)(share * 100),
                 done, bar.total, bar.unit, rate, left);
        size_t used = strlen(numbers) + 4;
        size_t width = columns() > used ? columns() - used : 0;
        if (width > BAR_MAX) width = BAR_MAX;
        size_t full = (size_t)(share * (double)width);
        static const char marks[] = "########################################";
        static const char blanks[] = "                                        ";
        snprintf(line, sizeof line, "[%.*s%.*s] %s", (int)full, marks, (int)(width - full), blanks, numbers);
    }
    size_t most = columns() - 1;
    fprintf(stderr, "\r%.*s\033[K", (int)(most < sizeof line ? most : sizeof line), line);
    fflush(stderr);
    bar.is_drawn = true;
    bar.drawn_at = now;
}

void progress_begin(bool is_seen, const char *unit, uint64_t total) {
    memset(&bar, 0, sizeof bar);
    bar.is_seen = is_seen;
    bar.unit = unit;
    bar.total = total;
    bar.began = seconds();
    if (is_seen) draw(0, bar.began);
}

void progress_step(uint64_t done) {
    if (!bar.is_seen) return;
    double now = seconds();
    if (!bar.is_drawn || now - bar.drawn_at >= REDRAW_SECONDS || (bar.total > 0 && done >= bar.total)) draw(done, now);
}

void progress_hide(void) {
    if (!bar.is_drawn) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    bar.is_drawn = false;
}

void progress_end(void) {
    progress_hide();
    bar.is_seen = false;
}
