#include "sighting.h"

#include "../Command/messages.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libskan-postback.so.1"
enum { DAY = 86400, MICROSECONDS = 1000000 };

static struct {
    skan_status (*record_read)(const void *, size_t, skan_postback_record *, skan_postback **, skan_error **);
    skan_status (*read)(const skan_postback *, skan_postback_fields *, skan_error **);
    int32_t (*result)(const skan_postback *);
    void (*destroy)(skan_postback *);
} library;

static bool find(void *opened, const char *name, void *function) {
    void *found = dlsym(opened, name);
    if (!found) complain("report", "%s has no %s: it is another version than this command", LIBRARY, name);
    /* ISO C has no conversion between the two; POSIX says that they are of one form. */
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

bool sightings_begin(void) {
    /* Never closed: it keeps keys for all threads. */
    void *opened = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
        complain("report", "postbacks need %s, which could not be loaded: %s", LIBRARY, dlerror());
        return false;
    }
    return find(opened, "skan_postback_record_read", &library.record_read) &&
           find(opened, "skan_postback_read", &library.read) &&
           find(opened, "skan_postback_result", &library.result) &&
           find(opened, "skan_postback_destroy", &library.destroy);
}

/* What is not told is an install: before AdAttributionKit there was nothing else. */
static conversion conversion_of(const skan_postback_fields *fields) {
    switch (fields->conversion_type) {
    case SKAN_POSTBACK_REDOWNLOAD: return CONVERSION_REDOWNLOAD;
    case SKAN_POSTBACK_REENGAGEMENT: return CONVERSION_REENGAGEMENT;
    default: return CONVERSION_INSTALL;
    }
}

/* A window that is not locked ends on day 2, 7 or 35; Apple sends 24 hours later at the earliest. Rules,
 * "Time of install". */
static int64_t latest_unlocked(const skan_postback_fields *fields, const skan_postback_record *record, int64_t latest) {
    static const int ends[] = {2, 7, 35};
    bool has_windows = fields->framework == SKAN_POSTBACK_ADATTRIBUTIONKIT ||
                       (fields->version && strcmp(fields->version, "4.0") == 0);
    return has_windows ? record->received / MICROSECONDS - (ends[fields->window] + 1) * (int64_t)DAY
                       : latest;
}

static dates dates_of(const skan_postback_record *record, const skan_postback_fields *fields) {
    bool is_tap = fields->conversion_type == SKAN_POSTBACK_REENGAGEMENT;
    int64_t until = is_tap ? record->reengaged_until : record->installed_until;
    return (dates){true, is_tap ? record->reengaged_from : record->installed_from, until,
                   latest_unlocked(fields, record, until)};
}

static void name_campaign(const skan_postback_fields *fields, char *text) {
    text[0] = '\0';
    if (fields->source_identifier)
        snprintf(text, CAMPAIGN_KEY_MAX, "%.40s", fields->source_identifier);
    else if (fields->campaign_id)
        snprintf(text, CAMPAIGN_KEY_MAX, "campaign-id %" PRId64, *fields->campaign_id);
}

static void take(const skan_postback_record *record, const skan_postback_fields *fields, sighting *sighting) {
    sighting->outcome = record->outcome;
    sighting->result = library.result(sighting->postback);
    sighting->is_counted = record->outcome == SKAN_POSTBACK_COUNTED && sighting->result == SKAN_POSTBACK_VALID;
    sighting->window = fields->window;
    sighting->framework = fields->framework;
    sighting->conversion = conversion_of(fields);
    sighting->is_winning = fields->did_win != 0;
    sighting->fine = fields->conversion_value;
    sighting->coarse = fields->coarse_value;
    sighting->decoding = record->decoding;
    sighting->network = fields->ad_network_id;
    name_campaign(fields, sighting->identifier);
    sighting->has_app = fields->app_id != NULL;
    if (fields->app_id) sighting->app = *fields->app_id;
    memcpy(sighting->model, record->model, sizeof sighting->model);
    sighting->received = record->received / MICROSECONDS;
    sighting->dates = dates_of(record, fields);
}

bool sighting_read(const char *key, const void *data, size_t length, sighting *sighting) {
    skan_postback_record record = {.size = sizeof record};
    skan_postback_fields fields = {.size = sizeof fields};
    skan_error *error = NULL;
    memset(sighting, 0, sizeof *sighting);
    bool is_read = library.record_read(data, length, &record, &sighting->postback, &error) == SKAN_OK &&
                   library.read(sighting->postback, &fields, &error) == SKAN_OK;
    if (is_read)
        take(&record, &fields, sighting);
    else
        complain(key, "%s", error ? skan_error_message(error) : "could not be read");
    if (!is_read) sighting_end(sighting);
    skan_error_free(error);
    return is_read;
}

void sighting_end(sighting *sighting) {
    library.destroy(sighting->postback);
    sighting->postback = NULL;
}
