/* What the report says: its lines, and the figures of each. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "tally.h"

typedef enum level { LEVEL_TOTAL, LEVEL_NETWORK, LEVEL_CAMPAIGN, LEVEL_AD_SET } level;

typedef struct report_line {
    level level;
    const char *network;    /* NULL for the total; "" = none */
    const char *identifier; /* from campaigns on: "39", "campaign-id 42"; of an ad set as in the CSV, "" = not told */
    const char *name;       /* of the campaign; NULL = no name is known */
    const char *ad_set;     /* "" = not told */
    counts counts;
    counts paid;            /* of its campaigns that have a cost: what costs are compared with */
} report_line;

typedef struct report {
    const char *store;
    int64_t made_at;
    const char *network; /* the filters; NULL = all */
    bool has_app;
    int64_t app;
    int64_t from, to;    /* of arrival, `to` not included; INT64_MIN and INT64_MAX = open */
    tally tally;
    value_models models;
    campaigns campaigns;
    report_line *lines;  /* the total, then each network with its campaigns, each with its ad sets */
    size_t count;
} report;

/* Makes the lines of what was counted. False where a sum of money leaves the range. */
bool report_make_lines(report *report);

/* The currency of revenue and costs; "" where none is told. */
const char *report_currency(const report *report);

/* Whether amounts of revenue, and of costs, can be there. */
bool report_has_revenue(const report *report);
bool report_has_costs(const report *report);

/* What is reckoned from the counts of a group: of one window, or of all. */
typedef struct figures {
    uint64_t winning, lost, fine, coarse, hidden;
    uint64_t conversions[CONVERSIONS]; /* of both groups; of all windows: those of window 0, the later ones tell of the
                                        * same */
    uint64_t priced, open;
    bool has_revenue;      /* one value at least has a known revenue */
    money least, most;     /* `most` is of those with an upper limit */
    bool has_estimate;
    bool is_partial;       /* a window has winning postbacks, and none of known revenue: it is not in the estimate */
    money estimate;        /* each window's mean of known values, for all its winning postbacks */
} figures;

figures figures_of_window(const counts *counts, group group, int window);
figures figures_of(const counts *counts, group group);

/* Whether a line has re-engagements, won or not. */
bool line_has_reengagements(const report_line *line);

/* Texts; NULL where there is none: nothing to divide by, no cost, no revenue. Costs are compared
 * with installs and redownloads. Ad sets have neither cost per install nor
 * return: postbacks with a short identifier may be theirs, which cannot be told. */
const char *share_text(uint64_t part, uint64_t whole, int places, char text[MONEY_TEXT_MAX]);
const char *cost_per_install(const report_line *line, int places, char text[MONEY_TEXT_MAX]);
const char *return_on_ad_spend(const report_line *line, bool is_estimate, int places, char text[MONEY_TEXT_MAX]);

/* Whether a campaign with winning postbacks has no cost: the line's cost is compared with the others alone. */
bool cost_is_partial(const report_line *line);

/* "2026-01-31T10:00:00Z", "2026-01-31". */
#define TIME_TEXT_MAX 40
const char *time_text(int64_t seconds, char text[TIME_TEXT_MAX]);
const char *day_text(int64_t seconds, char text[TIME_TEXT_MAX]);

/* What the line is called: "39 Autumn", "com.example"; whether an ad set's identifier is told or not. */
void line_title(const report_line *line, char *text, size_t size);

/* The ways to show it; standard output. */
void report_print_table(const report *report, level deepest);
void report_print_json(const report *report);
void report_print_csv(const report *report);
void report_print_html(const report *report);

#endif
