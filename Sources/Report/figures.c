#include "figures.h"

#include "../Command/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --------------------------------------------------------------------------------------------------------- lines */

static bool is_same_campaign(const tally_line *one, const tally_line *other) {
    return strcmp(one->network, other->network) == 0 && strcmp(one->campaign, other->campaign) == 0;
}

/* Where the counts of a level go on: the line of that level that was made last. */
static report_line *add_line(report *report, level level, const tally_line *from) {
    report_line *line = &report->lines[report->count++];
    memset(line, 0, sizeof *line);
    line->level = level;
    line->ad_set = "";
    if (level >= LEVEL_NETWORK) line->network = from->network;
    if (level >= LEVEL_CAMPAIGN) {
        line->identifier = from->campaign;
        line->name = campaigns_name(&report->campaigns, from->network, from->campaign);
    }
    if (level == LEVEL_AD_SET) {
        line->identifier = from->row ? from->row->identifier : "";
        if (from->row) line->ad_set = from->row->ad_set;
    }
    return line;
}

/* Campaigns with a cost, once more for the lines above them. */
static bool compare_costs(report *report) {
    bool is_fine = true;
    report_line *network = NULL;
    for (size_t index = 0; index < report->count; index++) {
        report_line *line = &report->lines[index];
        if (line->level == LEVEL_NETWORK) network = line;
        if (line->level != LEVEL_CAMPAIGN || !line->counts.has_cost) continue;
        line->paid = line->counts;
        is_fine = counts_add(&network->paid, &line->counts) && is_fine;
        is_fine = counts_add(&report->lines[0].paid, &line->counts) && is_fine;
    }
    return is_fine;
}

bool report_make_lines(report *report) {
    tally *tally = &report->tally;
    bool is_fine = !tally->is_full;
    report_line *parents[LEVEL_AD_SET + 1] = {NULL};
    tally_sort(tally);
    report->lines = memory_take((tally->count * 3 + 1) * sizeof *report->lines);
    parents[LEVEL_TOTAL] = add_line(report, LEVEL_TOTAL, NULL);
    for (size_t index = 0; index < tally->count; index++) {
        const tally_line *line = &tally->lines[index], *before = index > 0 ? line - 1 : NULL;
        if (!before || strcmp(before->network, line->network) != 0)
            parents[LEVEL_NETWORK] = add_line(report, LEVEL_NETWORK, line);
        if (!before || !is_same_campaign(before, line))
            parents[LEVEL_CAMPAIGN] = add_line(report, LEVEL_CAMPAIGN, line);
        bool is_alone = (!before || !is_same_campaign(before, line)) &&
                        (index + 1 == tally->count || !is_same_campaign(line, line + 1));
        bool has_parts = !is_alone || (line->row && line->row->ad_set[0]);
        parents[LEVEL_AD_SET] = has_parts ? add_line(report, LEVEL_AD_SET, line) : NULL;
        for (int level = LEVEL_TOTAL; level <= LEVEL_AD_SET; level++)
            if (parents[level]) is_fine = counts_add(&parents[level]->counts, &line->counts) && is_fine;
    }
    return compare_costs(report) && is_fine;
}

void line_title(const report_line *line, char *text, size_t size) {
    const char *network = line->network && line->network[0] ? line->network : "no network";
    const char *identifier = line->identifier && line->identifier[0] ? line->identifier : "no campaign";
    switch (line->level) {
    case LEVEL_TOTAL: snprintf(text, size, "all"); break;
    case LEVEL_NETWORK: snprintf(text, size, "%s", network); break;
    case LEVEL_CAMPAIGN:
        snprintf(text, size, "%s%s%s", identifier, line->name ? " " : "", line->name ? line->name : "");
        break;
    case LEVEL_AD_SET:
        if (!line->identifier[0]) snprintf(text, size, "ad set not told");
        else snprintf(text, size, "%s%s%s", identifier, line->ad_set[0] ? " " : "", line->ad_set);
        break;
    }
}

const char *report_currency(const report *report) {
    return report->models.currency ? report->models.currency : report->campaigns.currency;
}

bool report_has_revenue(const report *report) {
    return report->models.count > 0;
}

bool report_has_costs(const report *report) {
    return report->lines[0].counts.has_cost;
}

/* ------------------------------------------------------------------------------------------------------- figures */

figures figures_of_window(const counts *counts, group group, int window) {
    const window_counts *from = &counts->windows[group][window];
    figures made = {.winning = window_winning(from), .lost = from->lost, .fine = from->fine, .coarse = from->coarse,
                    .hidden = from->hidden, .priced = from->priced, .open = from->open, .least = from->least,
                    .most = from->most, .has_revenue = from->priced > 0};
    for (int each = 0; each < GROUPS; each++)
        for (int conversion = 0; conversion < CONVERSIONS; conversion++)
            made.conversions[conversion] += counts->windows[each][window].conversions[conversion];
    /* Twice the middle was summed: half of a unit of 10^-12 is not lost before the end. */
    made.has_estimate = from->priced > 0 &&
                        money_share(from->twice_middle, made.winning, from->priced * 2, &made.estimate);
    made.is_partial = made.winning > 0 && !made.has_estimate;
    return made;
}

figures figures_of(const counts *counts, group group) {
    figures sum = figures_of_window(counts, group, 0);
    for (int window = 1; window < WINDOWS; window++) {
        figures more = figures_of_window(counts, group, window);
        sum.winning += more.winning;
        sum.lost += more.lost;
        sum.fine += more.fine;
        sum.coarse += more.coarse;
        sum.hidden += more.hidden;
        sum.priced += more.priced;
        sum.open += more.open;
        sum.has_revenue |= more.has_revenue;
        sum.has_estimate |= more.has_estimate;
        sum.is_partial |= more.is_partial;
        sum.has_revenue = money_add(&sum.least, more.least) && money_add(&sum.most, more.most) && sum.has_revenue;
        sum.has_estimate = money_add(&sum.estimate, more.estimate) && sum.has_estimate;
    }
    return sum;
}

bool line_has_reengagements(const report_line *line) {
    figures made = figures_of(&line->counts, GROUP_REENGAGEMENTS);
    return made.winning + made.lost > 0;
}

const char *share_text(uint64_t part, uint64_t whole, int places, char text[MONEY_TEXT_MAX]) {
    return money_quotient((money)part, (money)whole, places, text);
}

const char *cost_per_install(const report_line *line, int places, char text[MONEY_TEXT_MAX]) {
    uint64_t installs = line->paid.windows[GROUP_INSTALLS][0].conversions[CONVERSION_INSTALL];
    money each;
    if (!line->paid.has_cost || installs == 0 || !money_share(line->paid.cost, 1, installs, &each)) return NULL;
    return money_rounded(each, places, text);
}

const char *return_on_ad_spend(const report_line *line, bool is_estimate, int places, char text[MONEY_TEXT_MAX]) {
    figures made = figures_of(&line->paid, GROUP_INSTALLS);
    if (!line->paid.has_cost || !(is_estimate ? made.has_estimate : made.has_revenue)) return NULL;
    return money_quotient(is_estimate ? made.estimate : made.least, line->paid.cost, places, text);
}

bool cost_is_partial(const report_line *line) {
    return line->level < LEVEL_AD_SET && line->paid.has_cost &&
           figures_of(&line->paid, GROUP_INSTALLS).winning != figures_of(&line->counts, GROUP_INSTALLS).winning;
}

/* --------------------------------------------------------------------------------------------------------- times */

static const char *write_time(int64_t seconds, const char *form, char *text) {
    time_t moment = (time_t)seconds;
    struct tm parts;
    if (!gmtime_r(&moment, &parts) || strftime(text, TIME_TEXT_MAX, form, &parts) == 0)
        snprintf(text, TIME_TEXT_MAX, "%" PRId64 " s", seconds);
    return text;
}

const char *time_text(int64_t seconds, char text[TIME_TEXT_MAX]) {
    return write_time(seconds, "%Y-%m-%dT%H:%M:%SZ", text);
}

const char *day_text(int64_t seconds, char text[TIME_TEXT_MAX]) {
    return write_time(seconds, "%Y-%m-%d", text);
}
