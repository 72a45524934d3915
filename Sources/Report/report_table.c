#include "figures.h"

#include "../Command/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_MAX 512
#define TITLE_COLUMNS_MAX 40

static size_t characters(const char *text) {
    size_t count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* As text_print writes it, kept: its width has to be known. Freed with free(). */
static char *printable(const char *text) {
    char *made = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&made, &length);
    if (!memory) abort();
    text_print(memory, text);
    fclose(memory);
    return made;
}

/* The line's title, indented by its level, as wide as the column. */
static void print_title(const report_line *line, int columns) {
    char title[TITLE_MAX];
    line_title(line, title, sizeof title);
    char *text = printable(title);
    int indent = line->level > LEVEL_NETWORK ? (line->level - LEVEL_NETWORK) * 2 : 0;
    int width = (int)characters(text) + indent;
    printf("%*s%s%*s", indent, "", text, width < columns ? columns - width : 0, "");
    free(text);
}

static int title_columns(const report *report, level deepest) {
    size_t most = 8;
    for (size_t index = 0; index < report->count; index++) {
        const report_line *line = &report->lines[index];
        if (line->level > deepest) continue;
        char title[TITLE_MAX];
        line_title(line, title, sizeof title);
        char *text = printable(title);
        size_t width = characters(text) + (line->level > LEVEL_NETWORK ? (line->level - LEVEL_NETWORK) * 2 : 0);
        if (width > most) most = width;
        free(text);
    }
    return (int)(most > TITLE_COLUMNS_MAX ? TITLE_COLUMNS_MAX : most);
}

static void print_percent(uint64_t part, uint64_t whole) {
    char text[MONEY_TEXT_MAX];
    const char *share = money_quotient((money)part * 100, (money)whole, 1, text);
    printf(" %7s%s", share ? share : "-", share ? "%" : " ");
}

static void print_cell(const char *text, int columns) {
    printf(" %*s", columns, text ? text : "-");
}

static void print_line(const report *report, const report_line *line, int columns) {
    const counts *counts = &line->counts;
    figures made = figures_of(counts, GROUP_INSTALLS);
    char text[MONEY_TEXT_MAX];
    print_title(line, columns);
    printf(" %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64, made.conversions[CONVERSION_INSTALL],
           made.conversions[CONVERSION_REDOWNLOAD], made.conversions[CONVERSION_REENGAGEMENT], made.lost);
    print_percent(made.hidden, made.winning);
    if (report_has_revenue(report)) {
        print_cell(made.has_revenue ? money_exact(made.least, text) : NULL, 12);
        print_cell(made.has_estimate ? money_rounded(made.estimate, 2, text) : NULL, 12);
    }
    if (report_has_costs(report)) {
        print_cell(counts->has_cost ? money_exact(counts->cost, text) : NULL, 12);
        print_cell(cost_per_install(line, 2, text), 8);
    }
    if (report_has_costs(report) && report_has_revenue(report)) {
        print_cell(return_on_ad_spend(line, false, 2, text), 8);
        print_cell(return_on_ad_spend(line, true, 2, text), 8);
    }
    puts(cost_is_partial(line) ? "  *" : "");
}

static void print_lines(const report *report, level deepest) {
    int columns = title_columns(report, deepest);
    printf("%-*s %9s %9s %9s %9s %8s", columns, "campaign", "installs", "redownl.", "re-engag.", "not won", "hidden");
    if (report_has_revenue(report)) printf(" %12s %12s", "revenue min", "estimate");
    if (report_has_costs(report)) printf(" %12s %8s", "cost", "CPI");
    if (report_has_costs(report) && report_has_revenue(report)) printf(" %8s %8s", "ROAS min", "estimate");
    putchar('\n');
    for (size_t index = 0; index < report->count; index++)
        if (report->lines[index].level <= deepest) print_line(report, &report->lines[index], columns);
}

static void print_windows(const report *report, group group) {
    printf("\n%-8s %9s %9s %9s %9s %9s %8s", "window", "winning", "not won", "fine", "coarse", "hidden", "hidden");
    if (report_has_revenue(report)) printf(" %12s %12s", "revenue min", "estimate");
    putchar('\n');
    for (int window = 0; window < WINDOWS; window++) {
        figures made = figures_of_window(&report->lines[0].counts, group, window);
        char text[MONEY_TEXT_MAX];
        printf("%-8d %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64, window, made.winning, made.lost,
               made.fine, made.coarse, made.hidden);
        print_percent(made.hidden, made.winning);
        if (report_has_revenue(report)) {
            print_cell(made.has_revenue ? money_exact(made.least, text) : NULL, 12);
            print_cell(made.has_estimate ? money_rounded(made.estimate, 2, text) : NULL, 12);
        }
        putchar('\n');
    }
}

/* What the table says of installs, once more of re-engagements. */
static void print_reengagements(const report *report, level deepest) {
    int columns = title_columns(report, deepest);
    char text[MONEY_TEXT_MAX];
    if (!line_has_reengagements(&report->lines[0])) return;
    printf("\nre-engagements: their values are in no figure above\n%-*s %9s %9s %8s", columns, "campaign", "re-engag.",
           "not won", "hidden");
    if (report_has_revenue(report)) printf(" %12s %12s", "revenue min", "estimate");
    putchar('\n');
    for (size_t index = 0; index < report->count; index++) {
        const report_line *line = &report->lines[index];
        if (line->level > deepest || !line_has_reengagements(line)) continue;
        figures made = figures_of(&line->counts, GROUP_REENGAGEMENTS);
        print_title(line, columns);
        printf(" %9" PRIu64 " %9" PRIu64, made.conversions[CONVERSION_REENGAGEMENT], made.lost);
        print_percent(made.hidden, made.winning);
        if (report_has_revenue(report)) {
            print_cell(made.has_revenue ? money_exact(made.least, text) : NULL, 12);
            print_cell(made.has_estimate ? money_rounded(made.estimate, 2, text) : NULL, 12);
        }
        putchar('\n');
    }
    print_windows(report, GROUP_REENGAGEMENTS);
}

static void print_count(const char *what, uint64_t count) {
    if (count > 0) printf("  %-42s %9" PRIu64 "\n", what, count);
}

static void print_apart(const apart *apart) {
    if (apart->invalid + apart->unverifiable + apart->development + apart->malformed + apart->conflicts +
            apart->other_network == 0)
        return;
    printf("\nkept apart, not counted\n");
    print_count("signature does not fit", apart->invalid);
    print_count("version or key not known", apart->unverifiable);
    print_count("of a development key", apart->development);
    print_count("malformed", apart->malformed);
    print_count("copies with other values", apart->conflicts);
    print_count("of another network than their sender", apart->other_network);
}

static void print_unpriced(const char *what, const unpriced *unpriced) {
    if (unpriced->not_decoded + unpriced->undecodable + unpriced->ambiguous + unpriced->no_model +
            unpriced->model_missing + unpriced->no_revenue + unpriced->cumulative == 0)
        return;
    printf("\n%s without known revenue\n", what);
    print_count("received without models for them", unpriced->not_decoded);
    print_count("no rule of the model has the value", unpriced->undecodable);
    print_count("the model changed meanwhile", unpriced->ambiguous);
    print_count("older than the first model", unpriced->no_model);
    print_count("model not given to this report", unpriced->model_missing);
    print_count("model without revenue in the window", unpriced->no_revenue);
    print_count("revenue since the install, in window 1 or 2", unpriced->cumulative);
}

static void print_range(const char *what, const dates *dates) {
    char one[TIME_TEXT_MAX], other[TIME_TEXT_MAX];
    if (!dates->are_known) return;
    printf("%s %s to %s", what, time_text(dates->from, one), time_text(dates->until_unlocked, other));
    printf(", to %s where windows were locked (estimated from the arrival)\n", time_text(dates->until, one));
}

static void print_dates(const report *report) {
    const dates *dates = report->lines[0].counts.dates;
    char one[TIME_TEXT_MAX], other[TIME_TEXT_MAX];
    if (report->tally.counted > 0)
        printf("arrived    %s to %s\n", time_text(report->tally.first_arrival, one),
               time_text(report->tally.last_arrival, other));
    print_range("installed ", &dates[GROUP_INSTALLS]);
    print_range("re-engaged", &dates[GROUP_REENGAGEMENTS]);
    const char *currency = report_currency(report);
    if (currency[0]) printf("amounts in %s\n", currency);
    putchar('\n');
}

void report_print_table(const report *report, level deepest) {
    print_dates(report);
    print_lines(report, deepest);
    print_windows(report, GROUP_INSTALLS);
    if (report_has_revenue(report)) print_unpriced("values", &report->tally.values[GROUP_INSTALLS].unpriced);
    print_reengagements(report, deepest);
    if (report_has_revenue(report))
        print_unpriced("re-engagements' values", &report->tally.values[GROUP_REENGAGEMENTS].unpriced);
    print_apart(&report->tally.apart);
    bool has_partial = false;
    for (size_t index = 0; index < report->count; index++) has_partial |= cost_is_partial(&report->lines[index]);
    if (has_partial) printf("\n* CPI and ROAS are of the campaigns that have a cost; others are in this line too.\n");
    if (!report_has_revenue(report)) return;
    printf("\n\"min\" is what known values stand for at least; nothing in it is estimated. \"estimate\" is an\n"
           "estimate: each known value counts with the middle of its range, with the lower end where there is no\n"
           "upper one, and for fine value 0 in window 0, which registering alone gives too; a value that is hidden or\n"
           "cannot be decoded counts as the mean of the known ones of its line and window, which it may be unlike.\n"
           "Estimates of parts do not add up to the whole's.\n");
}
