/* The names and costs of campaigns, from a CSV that the marketer keeps.
 *
 * Columns, by name in the first row, in any order: network and identifier; campaign, ad_set, cost, currency where they
 * are told. An identifier is what postbacks carry: a source identifier, two to four digits ("39", "239", "5239"), or
 * "campaign-id 42" for the campaign id of SKAdNetwork before 4.0.
 *
 * Apple gives the last two digits of a source identifier first, then three, then all four, where the crowd is large:
 * "39", "239" and "5239" are one campaign, and its name is that of all rows that end alike. The row of an ad set is the
 * longest end of the postback's identifier that there is. A row's cost is its own: a campaign costs what its rows cost
 * together. */
#ifndef REPORT_CAMPAIGNS_H
#define REPORT_CAMPAIGNS_H

#include "money.h"

#include <stdbool.h>
#include <stddef.h>

#define CAMPAIGN_KEY_MAX 64 /* "campaign-id -9223372036854775808", or digits */

typedef struct campaign_row {
    char *network;
    char *identifier;
    char *campaign;
    char *ad_set;
    bool has_cost;
    money cost;
    uint64_t line;
} campaign_row;

typedef struct campaigns {
    campaign_row *rows; /* by network, then by the identifier read from its end */
    size_t count;
    char currency[4];   /* of the costs; "" = not told */
} campaigns;

/* False, and said where and why, where the file is not as described. */
bool campaigns_read(const char *path, campaigns *campaigns);
void campaigns_free(campaigns *campaigns);

/* The campaign that an identifier belongs to: its last two digits; other texts stand for themselves. */
const char *campaign_of(const char *identifier);

/* The row with the longest end of the identifier; NULL for none. */
const campaign_row *campaigns_find(const campaigns *campaigns, const char *network, const char *identifier);

/* What the campaign is called, by any of its rows; NULL where none is told. */
const char *campaigns_name(const campaigns *campaigns, const char *network, const char *campaign);

#endif
