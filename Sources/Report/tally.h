/* What the report counts. Memory grows with networks, campaigns and days, not with postbacks. */
#ifndef REPORT_TALLY_H
#define REPORT_TALLY_H

#include "sighting.h"
#include "values.h"

#define WINDOWS 3
#define FINE_VALUES 64
#define COARSE_VALUES 3

/* What is counted together. Re-engagements are no installs: everything is told of them apart. */
typedef enum group { GROUP_INSTALLS, GROUP_REENGAGEMENTS, GROUPS } group; /* the first with redownloads */

/* Counted postbacks of one group and window. What follows `lost` is of the winning ones. */
typedef struct window_counts {
    uint64_t lost;                     /* another network won */
    uint64_t conversions[CONVERSIONS]; /* installs, redownloads, re-engagements */
    uint64_t fine;                     /* with a fine value */
    uint64_t coarse;                   /* with a coarse value alone */
    uint64_t hidden;                   /* with neither */
    uint64_t priced;                   /* with a value whose revenue a model tells */
    uint64_t open;                     /* of these, without an upper limit */
    money least;                       /* the priced ones' revenue, at least */
    money most;                        /* at most, of those with a limit */
    money twice_middle;                /* twice the middle of each range; twice the lower limit of an open one, and of
                                        * one that registering alone gives too */
} window_counts;

typedef struct counts {
    window_counts windows[GROUPS][WINDOWS];
    dates dates[GROUPS]; /* of those that were won; of the first group without redownloads */
    bool has_cost;
    money cost;
} counts;

/* The installs that one day's postbacks of window 0 tell of. */
typedef struct day_counts {
    int64_t day; /* since 1970, UTC: when the postbacks arrived */
    uint64_t installs;
    dates installed;
} day_counts;

typedef struct tally_line {
    char *network;
    char *campaign;            /* campaign_of the identifiers; "" = none */
    const campaign_row *row;   /* of the ad set; NULL = not told */
    counts counts;
} tally_line;

/* Why winning values that are not hidden have no revenue. */
typedef struct unpriced {
    uint64_t not_decoded;   /* the receiver had no models for them */
    uint64_t undecodable;   /* the model has no rule with the value */
    uint64_t ambiguous;     /* the model changed while the install or re-engagement may have happened */
    uint64_t no_model;      /* that is older than the first model */
    uint64_t model_missing; /* its model was not given to the report */
    uint64_t no_revenue;    /* the model does not speak of revenue in this window */
    uint64_t cumulative;    /* revenue since the install, counted in window 0 */
} unpriced;

/* The values of winning ones. */
typedef struct value_counts {
    uint64_t fine[FINE_VALUES];              /* window 0 */
    uint64_t coarse[WINDOWS][COARSE_VALUES]; /* with a coarse value alone */
    unpriced unpriced;
} value_counts;

/* Kept apart, never counted. */
typedef struct apart {
    uint64_t invalid, unverifiable, development, malformed, conflicts, other_network;
} apart;

typedef struct tally {
    tally_line *lines;
    size_t count, room;
    size_t *slots; /* lines by hash, plus 1; 0 = free */
    size_t slot_count;
    day_counts *days;
    size_t day_count, day_room;
    value_counts values[GROUPS];
    uint64_t counted;
    int64_t first_arrival, last_arrival; /* of counted ones */
    apart apart;
    bool is_full; /* a sum of money left the range */
} tally;

void tally_free(tally *tally);

/* Counts one record. `models` and `campaigns` outlive the tally. */
void tally_add(tally *tally, const sighting *sighting, const value_models *models, const campaigns *campaigns);
void tally_add_apart(tally *tally, const sighting *sighting);

/* Adds the costs, also of campaigns without postbacks; of one network where it is not NULL. */
void tally_add_costs(tally *tally, const campaigns *campaigns, const char *network);

/* Lines by network, campaign and ad set; days in their order. */
void tally_sort(tally *tally);

/* False where a sum of money would leave the range. */
bool counts_add(counts *sum, const counts *more);

uint64_t window_winning(const window_counts *counts);

#endif
