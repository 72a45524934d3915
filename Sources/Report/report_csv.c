#include "figures.h"

#include "csv.h"

#include <inttypes.h>
#include <stdio.h>

static const char header[] =
    "level,network,identifier,campaign,ad_set,window,winning,installs,redownloads,reengagements,not_winning,"
    "fine_values,coarse_values,hidden_values,hidden_share,known_revenue_values,revenue_at_least,revenue_at_most,"
    "revenue_estimate,cost,cost_per_install,return_on_ad_spend_at_least,return_on_ad_spend_estimate,"
    "installed_from,installed_until,installed_until_if_locked,currency,"
    "reengagement_winning,reengagement_not_winning,reengagement_fine_values,reengagement_coarse_values,"
    "reengagement_hidden_values,reengagement_hidden_share,reengagement_known_revenue_values,"
    "reengagement_revenue_at_least,reengagement_revenue_at_most,reengagement_revenue_estimate,"
    "reengaged_from,reengaged_until,reengaged_until_if_locked\r\n";

static void put_text(const char *text) {
    csv_write(stdout, text ? text : "");
    putchar(',');
}

static void put_count(uint64_t count) {
    printf("%" PRIu64 ",", count);
}

static void put_money(bool is_there, money amount) {
    char text[MONEY_TEXT_MAX];
    printf("%s,", is_there ? money_exact(amount, text) : "");
}

static void put_plain(const char *text) {
    printf("%s,", text ? text : "");
}

static void put_moment(bool is_there, int64_t seconds) {
    char text[TIME_TEXT_MAX];
    printf("%s,", is_there ? time_text(seconds, text) : "");
}

static void put_values(const figures *made) {
    char text[MONEY_TEXT_MAX];
    put_count(made->fine);
    put_count(made->coarse);
    put_count(made->hidden);
    put_plain(share_text(made->hidden, made->winning, 4, text));
    put_count(made->priced);
    put_money(made->has_revenue, made->least);
    put_money(made->has_revenue && made->open == 0, made->most);
    put_plain(made->has_estimate ? money_rounded(made->estimate, 2, text) : NULL);
}

static figures figures_in(const counts *counts, group group, int window) {
    return window < 0 ? figures_of(counts, group) : figures_of_window(counts, group, window);
}

static void put_reengagements(const counts *counts, int window) {
    const dates *dates = &counts->dates[GROUP_REENGAGEMENTS];
    bool are_known = window <= 0 && dates->are_known;
    char text[TIME_TEXT_MAX];
    figures made = figures_in(counts, GROUP_REENGAGEMENTS, window);
    put_count(made.winning);
    put_count(made.lost);
    put_values(&made);
    put_moment(are_known, dates->from);
    put_moment(are_known, dates->until_unlocked);
    printf("%s\r\n", are_known ? time_text(dates->until, text) : "");
}

/* `window` is -1 for all. Conversions are told where they are counted: in all, and in window 0. */
static void put_row(const report *report, const report_line *line, int window) {
    static const char *const levels[] = {"total", "network", "campaign", "ad set"};
    const counts *counts = &line->counts;
    figures made = figures_in(counts, GROUP_INSTALLS, window);
    char text[MONEY_TEXT_MAX];
    bool is_whole = window < 0;
    put_text(levels[line->level]);
    put_text(line->network);
    put_text(line->identifier);
    put_text(line->name);
    put_text(line->ad_set);
    if (is_whole) put_text("all");
    else put_count((uint64_t)window);
    put_count(made.winning);
    for (int conversion = 0; conversion < CONVERSIONS; conversion++)
        if (window <= 0) put_count(made.conversions[conversion]);
        else put_plain(NULL);
    put_count(made.lost);
    put_values(&made);
    put_money(is_whole && counts->has_cost, counts->cost);
    put_plain(is_whole ? cost_per_install(line, 4, text) : NULL);
    put_plain(is_whole ? return_on_ad_spend(line, false, 4, text) : NULL);
    put_plain(is_whole ? return_on_ad_spend(line, true, 4, text) : NULL);
    const dates *dates = &counts->dates[GROUP_INSTALLS];
    bool are_known = window <= 0 && dates->are_known;
    put_moment(are_known, dates->from);
    put_moment(are_known, dates->until_unlocked);
    put_moment(are_known, dates->until);
    printf("%s,", report_currency(report));
    put_reengagements(counts, window);
}

void report_print_csv(const report *report) {
    fputs(header, stdout);
    for (size_t index = 0; index < report->count; index++)
        for (int window = -1; window < WINDOWS; window++) put_row(report, &report->lines[index], window);
}
