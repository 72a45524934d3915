#include "bench.h"

#include <stdio.h>

static int judged, met;

void table_part(const char *title, const char *unit, const char *ratio, const char *plain_ratio) {
    char skan[24], plain[24];
    snprintf(skan, sizeof skan, "libskan %s", unit);
    snprintf(plain, sizeof plain, "plain %s", unit);
    printf("\n%-46s %11s %11s %11s %11s   bar\n", title, skan, plain, ratio, plain_ratio);
}

static void print_value(double value) {
    if (value == 0) {
        printf(" %11s", "");
    } else {
        printf(value < 100 ? " %11.2f" : " %11.0f", value);
    }
}

void table_line(line line) {
    printf("  %-44s", line.name);
    print_value(line.skan);
    print_value(line.plain);
    print_value(line.ratio);
    print_value(line.plain_ratio);
    if (line.bar != BAR_NONE) {
        bool is_most = line.bar == BAR_AT_MOST;
        bool is_met = is_most ? line.judged <= line.limit : line.judged >= line.limit;
        printf("   %s %-4g %s", is_most ? "<=" : ">=", line.limit, is_met ? "met" : "MISSED");
        judged++;
        met += is_met;
    }
    printf("\n");
    fflush(stdout);
}

void table_summary(void) {
    printf("\n%d of %d bars met\n", met, judged);
}
