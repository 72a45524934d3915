/* A record of a postback receiver, as the report sees it; read by libskan-postback, which is loaded when it is asked
 * for: the command does without libcrypto otherwise. */
#ifndef REPORT_SIGHTING_H
#define REPORT_SIGHTING_H

#include "campaigns.h"

#include <skan/postback.h>

#include <stdbool.h>
#include <stdint.h>

/* What the ad brought about. AdAttributionKit counts re-engagements too; they are no installs. */
typedef enum conversion { CONVERSION_INSTALL, CONVERSION_REDOWNLOAD, CONVERSION_REENGAGEMENT, CONVERSIONS } conversion;

/* Between what moments something happened, Unix seconds; estimated from when a postback arrived. */
typedef struct dates {
    bool are_known;
    int64_t from;
    int64_t until;          /* at the latest, where the window was locked */
    int64_t until_unlocked; /* at the latest, where it was not */
} dates;

typedef struct sighting {
    bool is_counted;       /* valid, the first copy */
    int32_t outcome;
    int32_t result;
    int32_t window;
    int32_t framework;
    conversion conversion;
    bool is_winning;       /* also of versions that send to the winner alone */
    int32_t fine;          /* -1 = hidden */
    int32_t coarse;
    int32_t decoding;
    const char *network;   /* NULL = none; until sighting_end */
    char identifier[CAMPAIGN_KEY_MAX]; /* as campaigns.h has it; "" = none */
    bool has_app;
    int64_t app;
    char model[72];
    int64_t received;      /* Unix seconds */
    dates dates;           /* of the install; of a re-engagement those of the tap */
    skan_postback *postback;
} sighting;

/* Finds the library; false, and said why, where it is not there. */
bool sightings_begin(void);

/* Reads a record. False, and said why, where it is none. */
bool sighting_read(const char *key, const void *data, size_t length, sighting *sighting);
void sighting_end(sighting *sighting);

#endif
