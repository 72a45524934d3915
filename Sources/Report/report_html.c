/* The report as one page: no script, nothing from elsewhere. */
#include "chart.h"
#include "figures.h"
#include "page_style.h"

#include "../Command/ending.h"
#include "../Command/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_MAX = 512, DAY = 86400, CHART_LINES_MAX = 20, CHART_DAYS_MAX = 1100 };

static void put(const char *text) {
    html_print(stdout, text);
}

/* ---------------------------------------------------------------------------------------------------------- charts */

static void count_into(chart_row *row, int series, uint64_t count) {
    row->values[series] = (double)count;
    snprintf(row->texts[series], CHART_TEXT_MAX, "%" PRIu64, count);
}

static void money_into(chart_row *row, int series, bool is_there, money amount) {
    char text[MONEY_TEXT_MAX];
    if (!is_there) return;
    row->values[series] = (double)amount;
    snprintf(row->texts[series], CHART_TEXT_MAX, "%s", money_rounded(amount, 2, text));
}

/* Fills a row from a line's figures. */
typedef void filler(chart_row *row, const figures *figures);

static void fill_installs(chart_row *row, const figures *figures) {
    for (int conversion = 0; conversion < CONVERSIONS; conversion++)
        count_into(row, conversion, figures->conversions[conversion]);
}

static void fill_revenue(chart_row *row, const figures *figures) {
    money_into(row, 0, figures->has_revenue, figures->least);
    money_into(row, 1, figures->has_estimate, figures->estimate);
}

static void fill_values(chart_row *row, const figures *figures) {
    char text[MONEY_TEXT_MAX];
    const char *share = money_quotient((money)figures->hidden * 100, (money)figures->winning, 1, text);
    count_into(row, 0, figures->fine);
    count_into(row, 1, figures->coarse);
    count_into(row, 2, figures->hidden);
    if (share) snprintf(row->texts[2], CHART_TEXT_MAX, "%" PRIu64 " (%s%%)", figures->hidden, share);
}

static void fill_winning(chart_row *row, const figures *figures) {
    count_into(row, 0, figures->winning);
    count_into(row, 1, figures->lost);
}

/* What is drawn of each line. */
typedef struct subject {
    const char *id;
    const char *what;
    const char *description;
    const char *series[CHART_SERIES_MAX];
    int series_count;
    bool is_stacked, is_whole;
    filler *fill;
    bool is_first_window; /* by network and campaign: of window 0 alone */
    group group;
} subject;

static const subject installs = {
    "installs", "Installs", "One bar for each line: installs, redownloads and re-engagements that were won.",
    {"installs", "redownloads", "re-engagements"}, 3, true, false, fill_installs, false, GROUP_INSTALLS};
static const subject revenue = {
    "revenue", "Revenue", "Two bars for each line: what values stand for at least, and the estimate.",
    {"at least", "estimate"}, 2, false, false, fill_revenue, false, GROUP_INSTALLS};
static const subject values = {
    "values", "Fine, coarse and hidden values",
    "Each bar is all winning postbacks of a line, divided into those with a fine value, with a coarse value alone, and "
    "with a hidden value.",
    {"fine", "coarse", "hidden"}, 3, true, true, fill_values, false, GROUP_INSTALLS};
/* Only winners send postbacks of windows 1 and 2. */
static const subject first_winning = {
    "winning", "Winning and non-winning postbacks of window 0",
    "Two bars for each line: postbacks of ads that won, and of ads that did not.",
    {"winning", "non-winning"}, 2, false, false, fill_winning, true, GROUP_INSTALLS};
static const subject winning = {
    "winning", "Winning and non-winning postbacks",
    "Two bars for each window: postbacks of ads that won, and of ads that did not.",
    {"winning", "non-winning"}, 2, false, false, fill_winning, false, GROUP_INSTALLS};
static const subject tap_values = {
    "tap-values", "Fine, coarse and hidden values of re-engagements",
    "Each bar is all winning re-engagements of a window, divided into those with a fine value, with a coarse value "
    "alone, and with a hidden value.",
    {"fine", "coarse", "hidden"}, 3, true, true, fill_values, false, GROUP_REENGAGEMENTS};
static const subject tap_revenue = {
    "tap-revenue", "Revenue of re-engagements",
    "Two bars for each window: what values stand for at least, and the estimate.",
    {"at least", "estimate"}, 2, false, false, fill_revenue, false, GROUP_REENGAGEMENTS};

static chart chart_of(const subject *subject, const char *by, const char *head, char *title) {
    chart made = {.title = title, .description = subject->description, .label_head = head,
                  .series_count = subject->series_count, .is_stacked = subject->is_stacked,
                  .is_whole = subject->is_whole};
    snprintf(made.id, sizeof made.id, "%s-%s", subject->id, by);
    snprintf(title, TITLE_MAX, "%s by %s", subject->what, by);
    memcpy(made.series, subject->series, sizeof made.series);
    return made;
}

static figures figures_for(const subject *subject, const report_line *line) {
    return subject->is_first_window ? figures_of_window(&line->counts, subject->group, 0)
                                    : figures_of(&line->counts, subject->group);
}

static void print_by_window(const report *report, const subject *subject) {
    char title[TITLE_MAX];
    chart made = chart_of(subject, "window", "Window", title);
    for (int window = 0; window < WINDOWS; window++) {
        char label[32];
        figures figures = figures_of_window(&report->lines[0].counts, subject->group, window);
        snprintf(label, sizeof label, "window %d", window);
        subject->fill(chart_add(&made, label), &figures);
    }
    chart_print_bars(stdout, &made);
    chart_free(&made);
}

typedef struct ranked {
    const report_line *line;
    double size;
} ranked;

static int compare_ranked(const void *left, const void *right) {
    const ranked *one = left, *other = right;
    if (one->size != other->size) return one->size > other->size ? -1 : 1;
    return one->line < other->line ? -1 : one->line > other->line;
}

/* The lines of a level, the largest first; how many. Freed with free(). */
static size_t rank(const report *report, level level, const subject *subject, ranked **out) {
    size_t count = 0;
    ranked *lines = memory_take(report->count * sizeof *lines);
    for (size_t index = 0; index < report->count; index++) {
        const report_line *line = &report->lines[index];
        if (line->level != level) continue;
        chart_row row = {.label = NULL};
        figures figures = figures_for(subject, line);
        subject->fill(&row, &figures);
        double size = 0;
        for (int series = 0; series < subject->series_count; series++) size += row.values[series];
        lines[count++] = (ranked){line, size};
    }
    qsort(lines, count, sizeof *lines, compare_ranked);
    *out = lines;
    return count;
}

static void print_by_level(const report *report, const subject *subject, level level) {
    const char *by = level == LEVEL_NETWORK ? "network" : "campaign";
    char title[TITLE_MAX];
    chart made = chart_of(subject, by, level == LEVEL_NETWORK ? "Network" : "Campaign", title);
    ranked *lines;
    size_t count = rank(report, level, subject, &lines);
    if (count > CHART_LINES_MAX) {
        size_t length = strlen(title);
        snprintf(title + length, TITLE_MAX - length, ", the %d largest of %zu", CHART_LINES_MAX, count);
    }
    for (size_t index = 0; index < count && index < CHART_LINES_MAX; index++) {
        const report_line *line = lines[index].line;
        char label[TITLE_MAX * 2], name[TITLE_MAX];
        line_title(line, name, sizeof name);
        if (level == LEVEL_NETWORK) snprintf(label, sizeof label, "%s", name);
        else snprintf(label, sizeof label, "%s, %s", name, line->network[0] ? line->network : "no network");
        figures figures = figures_for(subject, line);
        subject->fill(chart_add(&made, label), &figures);
    }
    chart_print_bars(stdout, &made);
    chart_free(&made);
    free(lines);
}

static void print_fine_values(const report *report) {
    chart made = {.id = "fine-values", .title = "Fine conversion values, window 0", .label_head = "Value",
                  .description = "Columns: how many winning postbacks have each of the 64 fine values.",
                  .series = {"postbacks"}, .series_count = 1};
    for (int value = 0; value < FINE_VALUES; value++) {
        char label[16];
        snprintf(label, sizeof label, "%d", value);
        count_into(chart_add(&made, label), 0, report->tally.values[GROUP_INSTALLS].fine[value]);
    }
    chart_print_columns(stdout, &made, 8);
    chart_free(&made);
}

static void print_coarse_values(const report *report) {
    static const char *const words[] = {"low", "medium", "high"};
    chart made = {.id = "coarse-values", .title = "Coarse conversion values", .label_head = "Window",
                  .description = "Three bars for each window: winning postbacks with the coarse value low, medium and "
                                 "high, and no fine value.",
                  .series = {words[0], words[1], words[2]}, .series_count = 3};
    for (int window = 0; window < WINDOWS; window++) {
        char label[16];
        snprintf(label, sizeof label, "window %d", window);
        chart_row *row = chart_add(&made, label);
        for (int value = 0; value < COARSE_VALUES; value++)
            count_into(row, value, report->tally.values[GROUP_INSTALLS].coarse[window][value]);
    }
    chart_print_bars(stdout, &made);
    chart_free(&made);
}

static void write_range(char *text, size_t size, const dates *dates) {
    char one[TIME_TEXT_MAX], other[TIME_TEXT_MAX], last[TIME_TEXT_MAX];
    snprintf(text, size, "%s to %s; to %s if locked", day_text(dates->from, one),
             day_text(dates->until_unlocked, other), day_text(dates->until, last));
}

static void add_day(chart *chart, int64_t day, const day_counts *counted) {
    char label[TIME_TEXT_MAX], note[4 * TIME_TEXT_MAX];
    chart_row *row = chart_add(chart, day_text(day * DAY, label));
    count_into(row, 0, counted ? counted->installs : 0);
    if (!counted) return;
    write_range(note, sizeof note, &counted->installed);
    chart_note(row, note);
}

/* Days without installs have their place, unless a wrong clock made them too many. */
static void print_days(const report *report) {
    const tally *tally = &report->tally;
    if (tally->day_count == 0) return;
    chart made = {.id = "days", .title = "Installs by the day their postback arrived", .label_head = "Arrived",
                  .description = "Columns: installs by day of arrival, from the first to the last day that has any.",
                  .note_head = "Installed, estimated", .series = {"installs"}, .series_count = 1};
    bool has_all = tally->days[tally->day_count - 1].day - tally->days[0].day <= CHART_DAYS_MAX;
    for (size_t index = 0; index < tally->day_count; index++) {
        const day_counts *day = &tally->days[index];
        int64_t empty = has_all && index > 0 ? day[-1].day + 1 : day->day;
        for (; empty < day->day; empty++) add_day(&made, empty, NULL);
        add_day(&made, day->day, day);
    }
    chart_print_columns(stdout, &made, made.count);
    chart_free(&made);
}

/* ----------------------------------------------------------------------------------------------------------- words */

static void print_fact(const char *name, const char *value, const char *unit) {
    printf("<div><dt>");
    put(name);
    printf("</dt><dd>");
    put(value ? value : "\xE2\x80\x93");
    if (value && unit[0]) {
        printf(" <span>");
        put(unit);
        printf("</span>");
    }
    printf("</dd></div>\n");
}

static void print_count_fact(const char *name, uint64_t count) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    print_fact(name, text, "");
}

static void print_facts(const report *report) {
    const report_line *total = &report->lines[0];
    const char *currency = report_currency(report);
    figures made = figures_of(&total->counts, GROUP_INSTALLS);
    char text[MONEY_TEXT_MAX];
    printf("<dl class=\"facts\">\n");
    print_count_fact("Installs", made.conversions[CONVERSION_INSTALL]);
    print_count_fact("Redownloads", made.conversions[CONVERSION_REDOWNLOAD]);
    print_count_fact("Re-engagements", made.conversions[CONVERSION_REENGAGEMENT]);
    print_count_fact("Non-winning postbacks", made.lost);
    print_fact("Hidden values", money_quotient((money)made.hidden * 100, (money)made.winning, 1, text), "%");
    if (report_has_revenue(report)) {
        print_fact("Revenue, at least", made.has_revenue ? money_rounded(made.least, 2, text) : NULL, currency);
        print_fact("Revenue, estimate", made.has_estimate ? money_rounded(made.estimate, 2, text) : NULL, currency);
    }
    if (report_has_costs(report)) {
        print_fact("Cost", money_rounded(total->counts.cost, 2, text), currency);
        print_fact("Cost per install", cost_per_install(total, 2, text), currency);
    }
    if (report_has_costs(report) && report_has_revenue(report)) {
        print_fact("Return on ad spend, at least", return_on_ad_spend(total, false, 2, text), "");
        print_fact("Return on ad spend, estimate", return_on_ad_spend(total, true, 2, text), "");
    }
    printf("</dl>\n");
}

static void print_introduction(const report *report) {
    const tally *tally = &report->tally;
    const dates *installed = &report->lines[0].counts.dates[GROUP_INSTALLS];
    const dates *reengaged = &report->lines[0].counts.dates[GROUP_REENGAGEMENTS];
    char one[TIME_TEXT_MAX], other[TIME_TEXT_MAX], range[4 * TIME_TEXT_MAX];
    printf("<p>Made %s from <bdi>", time_text(report->made_at, one));
    put(report->store);
    printf("</bdi>. Times are UTC.");
    if (report->network) {
        printf(" Of ad network <bdi>");
        put(report->network);
        printf("</bdi> alone.");
    }
    if (report->has_app) printf(" Of app %" PRId64 " alone.", report->app);
    if (report->from != INT64_MIN) printf(" Arrived from %s on.", time_text(report->from, one));
    if (report->to != INT64_MAX) printf(" Arrived before %s.", time_text(report->to, one));
    printf("</p>\n");
    if (tally->counted == 0) printf("<p>No postback was counted.</p>\n");
    else
        printf("<p>%" PRIu64 " postbacks were counted, which arrived from %s to %s.", tally->counted,
               time_text(tally->first_arrival, one), time_text(tally->last_arrival, other));
    if (installed->are_known) {
        write_range(range, sizeof range, installed);
        printf(" The installs were made from %s.", range);
    }
    if (reengaged->are_known) {
        write_range(range, sizeof range, reengaged);
        printf(" The re-engagements happened from %s.", range);
    }
    if (installed->are_known || reengaged->are_known)
        printf(" Postbacks do not tell when: this is estimated from their arrival.");
    if (tally->counted > 0) printf("</p>\n");
}

/* -------------------------------------------------------------------------------------------------------- all lines */

static void print_cell(const char *text) {
    printf("<td>");
    put(text ? text : "\xE2\x80\x93");
    printf("</td>");
}

static void print_count_cell(uint64_t count) {
    printf("<td>%" PRIu64 "</td>", count);
}

static void print_line(const report *report, const report_line *line) {
    const counts *counts = &line->counts;
    figures made = figures_of(counts, GROUP_INSTALLS);
    char title[TITLE_MAX], text[MONEY_TEXT_MAX], percent[MONEY_TEXT_MAX + 1];
    line_title(line, title, sizeof title);
    printf("<tr class=\"l%d\"><th scope=\"row\"><bdi>", (int)line->level);
    put(title);
    printf("</bdi>%s</th>", cost_is_partial(line) ? " *" : "");
    for (int conversion = 0; conversion < CONVERSIONS; conversion++) print_count_cell(made.conversions[conversion]);
    print_count_cell(made.lost);
    const char *share = money_quotient((money)made.hidden * 100, (money)made.winning, 1, text);
    snprintf(percent, sizeof percent, "%s%%", share ? share : "");
    print_cell(share ? percent : NULL);
    if (report_has_revenue(report)) {
        print_cell(made.has_revenue ? money_rounded(made.least, 2, text) : NULL);
        print_cell(made.has_estimate ? money_rounded(made.estimate, 2, text) : NULL);
    }
    if (report_has_costs(report)) {
        print_cell(counts->has_cost ? money_rounded(counts->cost, 2, text) : NULL);
        print_cell(cost_per_install(line, 2, text));
    }
    if (report_has_costs(report) && report_has_revenue(report)) {
        print_cell(return_on_ad_spend(line, false, 2, text));
        print_cell(return_on_ad_spend(line, true, 2, text));
    }
    printf("</tr>\n");
}

static void print_heads(const char *const *heads, size_t count) {
    for (size_t index = 0; index < count; index++) printf("<th scope=\"col\">%s</th>", heads[index]);
}

static void print_lines(const report *report) {
    static const char *const plain[] = {"Network, campaign, ad set", "Installs", "Redown\xC2\xADloads",
                                        "Re-engage\xC2\xADments", "Non-winning", "Hidden"};
    static const char *const earned[] = {"Revenue, at least", "Revenue, estimate"};
    static const char *const spent[] = {"Cost", "Cost per install"};
    static const char *const returned[] = {"Return on ad spend, at least", "Return on ad spend, estimate"};
    printf("<div class=\"wide\" role=\"region\" aria-label=\"All figures\" tabindex=\"0\"><table>"
           "<caption>Networks, their campaigns and ad sets");
    if (report_currency(report)[0]) printf("; amounts in %s", report_currency(report));
    printf("</caption><thead><tr>");
    print_heads(plain, sizeof plain / sizeof *plain);
    if (report_has_revenue(report)) print_heads(earned, 2);
    if (report_has_costs(report)) print_heads(spent, 2);
    if (report_has_costs(report) && report_has_revenue(report)) print_heads(returned, 2);
    printf("</tr></thead><tbody>\n");
    bool has_partial = false;
    for (size_t index = 0; index < report->count && !is_ending(); index++) {
        print_line(report, &report->lines[index]);
        has_partial |= cost_is_partial(&report->lines[index]);
    }
    printf("</tbody></table></div>\n");
    if (has_partial)
        printf("<p>* Cost per install and return on ad spend are of the campaigns that have a cost; others are in this "
               "line too.</p>\n");
}

/* Those lines that have any. */
static void print_reengagements(const report *report) {
    static const char *const plain[] = {"Network, campaign, ad set", "Re-engage\xC2\xADments", "Non-winning", "Hidden"};
    static const char *const earned[] = {"Revenue, at least", "Revenue, estimate"};
    char title[TITLE_MAX], text[MONEY_TEXT_MAX], percent[MONEY_TEXT_MAX + 1];
    printf("<div class=\"wide\" role=\"region\" aria-label=\"Re-engagements\" tabindex=\"0\"><table>"
           "<caption>Re-engagements of networks, their campaigns and ad sets");
    if (report_currency(report)[0]) printf("; amounts in %s", report_currency(report));
    printf("</caption><thead><tr>");
    print_heads(plain, sizeof plain / sizeof *plain);
    if (report_has_revenue(report)) print_heads(earned, 2);
    printf("</tr></thead><tbody>\n");
    for (size_t index = 0; index < report->count && !is_ending(); index++) {
        const report_line *line = &report->lines[index];
        if (!line_has_reengagements(line)) continue;
        figures made = figures_of(&line->counts, GROUP_REENGAGEMENTS);
        line_title(line, title, sizeof title);
        printf("<tr class=\"l%d\"><th scope=\"row\"><bdi>", (int)line->level);
        put(title);
        printf("</bdi></th>");
        print_count_cell(made.conversions[CONVERSION_REENGAGEMENT]);
        print_count_cell(made.lost);
        const char *share = money_quotient((money)made.hidden * 100, (money)made.winning, 1, text);
        snprintf(percent, sizeof percent, "%s%%", share ? share : "");
        print_cell(share ? percent : NULL);
        if (report_has_revenue(report)) {
            print_cell(made.has_revenue ? money_rounded(made.least, 2, text) : NULL);
            print_cell(made.has_estimate ? money_rounded(made.estimate, 2, text) : NULL);
        }
        printf("</tr>\n");
    }
    printf("</tbody></table></div>\n");
}

typedef struct reason {
    const char *what;
    uint64_t count;
} reason;

/* A sum, and what it is made of. */
static void print_reasons(const char *what, const reason *reasons, size_t count) {
    uint64_t sum = 0;
    for (size_t index = 0; index < count; index++) sum += reasons[index].count;
    printf("<li>%s: %" PRIu64, what, sum);
    if (sum > 0) printf("\n<ul>\n");
    for (size_t index = 0; index < count; index++)
        if (reasons[index].count > 0) printf("<li>%s: %" PRIu64 "</li>\n", reasons[index].what, reasons[index].count);
    printf("%s</li>\n", sum > 0 ? "</ul>" : "");
}

static void print_unpriced(const char *what, const unpriced *unpriced) {
    const reason valueless[] = {
        {"Received without models for them", unpriced->not_decoded},
        {"No rule of the model has the value", unpriced->undecodable},
        {"The model changed while the install or re-engagement may have happened", unpriced->ambiguous},
        {"The install or re-engagement is older than the first model", unpriced->no_model},
        {"The model was not given to this report", unpriced->model_missing},
        {"The model does not speak of revenue in the window", unpriced->no_revenue},
        {"Revenue since the install, in window 1 or 2", unpriced->cumulative},
    };
    print_reasons(what, valueless, sizeof valueless / sizeof *valueless);
}

static void print_apart(const report *report) {
    const apart *apart = &report->tally.apart;
    const value_counts *values = report->tally.values;
    const reason refused[] = {
        {"The signature does not fit", apart->invalid},
        {"Of a version, or signed with a key, that is not known", apart->unverifiable},
        {"Signed with a development key", apart->development},
        {"Malformed", apart->malformed},
        {"Copies with other values than the first", apart->conflicts},
        {"Of another ad network than their sender", apart->other_network},
    };
    printf("<ul>\n");
    print_reasons("Kept apart and not counted", refused, sizeof refused / sizeof *refused);
    if (report_has_revenue(report)) print_unpriced("Values without known revenue", &values[GROUP_INSTALLS].unpriced);
    if (report_has_revenue(report) && line_has_reengagements(&report->lines[0]))
        print_unpriced("Re-engagements\xE2\x80\x99 values without known revenue",
                       &values[GROUP_REENGAGEMENTS].unpriced);
    printf("</ul>\n");
}

static void print_notes(const report *report) {
    printf("<h2>How to read this</h2>\n<ul>\n"
           "<li>Installs are those of the first window's winning postbacks. Windows 1 and 2 are later looks at the "
           "same installs and add none. Redownloads are apart; values and revenue are of both.</li>\n"
           "<li>A re-engagement is no install: a tap on an ad led back into the app. Its windows count from the tap, "
           "its values mean what a model for re-engagements says, and all that is told of re-engagements stands apart. "
           "Costs are compared with installs and redownloads.</li>\n"
           "<li>A hidden value is one that Apple does not tell, because too few people are alike. It is not 0.</li>\n"
           "<li>Source identifiers have two to four digits, as Apple allows: those with the same last two digits "
           "are one campaign. An ad set has the postbacks that tell enough digits, so its installs may be more than "
           "shown.</li>\n");
    if (report_has_revenue(report))
        printf("<li>A value stands for a range of revenue. <strong>At least</strong> is the sum of lower ends of known "
               "values: nothing in it is estimated. The <strong>estimate</strong> is an estimate: the middle of each "
               "range, or the lower end where there is no upper one and for fine value 0 in window 0, which "
               "registering alone gives too, and for values that are hidden or cannot be "
               "decoded the mean of the known ones of their line and window, which they may be unlike. A window "
               "in which nothing is known is not in it. Estimates of "
               "parts do not add up to the whole\xE2\x80\x99s.</li>\n");
    printf("<li>Dates are estimated: a postback of window 0, 1 or 2 arrives 72 to 96, 192 to 312 or 864 to 984 hours "
           "after the install, or the tap of a re-engagement, earlier where the window was locked; before SKAdNetwork "
           "4.0 it takes one day at least, and longer with each update.</li>\n</ul>\n");
}

/* ------------------------------------------------------------------------------------------------------------- page */

static void print_charts(const report *report) {
    printf("<h2>Installs</h2>\n<div class=\"charts\">\n");
    print_by_level(report, &installs, LEVEL_NETWORK);
    print_by_level(report, &installs, LEVEL_CAMPAIGN);
    print_by_level(report, &first_winning, LEVEL_NETWORK);
    print_by_window(report, &winning);
    print_days(report);
    printf("</div>\n");
    if (report_has_revenue(report)) {
        const char *currency = report_currency(report);
        printf("<h2>Revenue in %s</h2>\n<div class=\"charts\">\n", currency);
        print_by_level(report, &revenue, LEVEL_NETWORK);
        print_by_level(report, &revenue, LEVEL_CAMPAIGN);
        print_by_window(report, &revenue);
        printf("</div>\n");
    }
    printf("<h2>Values</h2>\n<div class=\"charts\">\n");
    print_by_level(report, &values, LEVEL_NETWORK);
    print_by_window(report, &values);
    print_fine_values(report);
    print_coarse_values(report);
    printf("</div>\n");
}

void report_print_html(const report *report) {
    printf("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
           "img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
           "<title>Postback report</title>\n<style>\n%s</style>\n"
           "</head>\n<body>\n<main>\n<h1>Postback report</h1>\n", page_style);
    print_introduction(report);
    print_facts(report);
    if (report->tally.counted > 0) print_charts(report);
    if (line_has_reengagements(&report->lines[0])) {
        printf("<h2>Re-engagements</h2>\n<div class=\"charts\">\n");
        print_by_window(report, &tap_values);
        if (report_has_revenue(report)) print_by_window(report, &tap_revenue);
        printf("</div>\n");
        print_reengagements(report);
    }
    printf("<h2>All figures</h2>\n");
    print_lines(report);
    printf("<h2>What is not in the figures</h2>\n");
    print_apart(report);
    print_notes(report);
    printf("</main>\n</body>\n</html>\n");
}
