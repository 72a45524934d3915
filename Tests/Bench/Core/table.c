#include "table.h"

#include <stdio.h>

static struct {
    char text[100];
    double judged, limit;
    bar bar;
} judged_lines[64];
static int judged_count;
static char part[64];

void table_part(const char *title, const char *unit, const char *ratio, const char *plain_ratio)
{
    char skan[24], plain[24];
    snprintf(part, sizeof part, "%s", title);
    snprintf(skan, sizeof skan, "libskan %s", unit);
    snprintf(plain, sizeof plain, "plain %s", unit);
    printf("\n%-46s %11s %11s %11s %11s   bar\n", title, skan, plain, ratio, plain_ratio);
}

static void print_value(double value)
{
    if (value == 0) {
        printf(" %11s", "");
    } else {
        printf(value < 100 ? " %11.2f" : " %11.0f", value);
    }
}

static int is_met(bar bar, double judged, double limit)
{
    return bar == BAR_AT_MOST ? judged <= limit : judged >= limit;
}

static const char *sign(bar bar)
{
    return bar == BAR_AT_MOST ? "<=" : ">=";
}

void table_line(line line)
{
    printf("  %-44s", line.name);
    print_value(line.skan);
    print_value(line.plain);
    print_value(line.ratio);
    print_value(line.plain_ratio);
    if (line.bar != BAR_NONE) {
        printf("   %s %-4g %s", sign(line.bar), line.limit,
               is_met(line.bar, line.judged, line.limit) ? "met" : "MISSED");
        if (judged_count < (int)(sizeof judged_lines / sizeof judged_lines[0])) {
            snprintf(judged_lines[judged_count].text, sizeof judged_lines[0].text, "%s: %s", part, line.name);
            judged_lines[judged_count].judged = line.judged;
            judged_lines[judged_count].limit = line.limit;
            judged_lines[judged_count++].bar = line.bar;
        }
    }
    printf("\n");
    fflush(stdout);
}

void table_summary(void)
{
    int met = 0;
    printf("\nSummary\n");
    for (int i = 0; i < judged_count; i++) {
        int is = is_met(judged_lines[i].bar, judged_lines[i].judged, judged_lines[i].limit);
        met += is;
        printf("  %-6s  %-66s %7.2f  (%s %g)\n", is ? "met" : "MISSED", judged_lines[i].text, judged_lines[i].judged,
               sign(judged_lines[i].bar), judged_lines[i].limit);
    }
    printf("  %d of %d bars met\n", met, judged_count);
}
