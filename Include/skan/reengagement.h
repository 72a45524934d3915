/*
 * reengagement.h - taps on ads that lead back into an app that is installed.
 *
 * AdAttributionKit counts such a tap as a re-engagement conversion, with postbacks of its own. The app reports the tap.
 * The engine decides the values by a conversion model for re-engagements, and lists them among the calls that the app
 * makes to Apple:
 *
 *     skan_options options = {.size = sizeof options, .reengagement_models = &model, .reengagement_model_count = 1};
 *     ...
 *     skan_reengagement_report report = {.size = sizeof report, .open_id = "open-1"};
 *     uint32_t number = 0;
 *     skan_reengage(engine, "player-1", &report, &number, &error);
 *
 *     skan_event event = {.size = sizeof event, .name = "purchase"};                  // counts for it, too
 *     skan_update_conversion_values(engine, "player-1", &event, NULL, &error);
 *     skan_pending_calls_json(engine, "player-1", NULL, &json, &error);               // has its calls, too
 *
 * SKAN 4 only: with SKAN 3 each of these functions is SKAN_ERROR_MISUSE. share/doc/skan/AppCalls.md, in the source
 * tree Sources/Articles/AppCalls.md, describes what the app does with a list. What the model of a re-engagement sees is
 * in model.h, skan_explanation. Rules, "Conversions".
 */
#ifndef SKAN_REENGAGEMENT_H
#define SKAN_REENGAGEMENT_H

#include "skan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A tap on an ad that led back into the app, as the app reports it. Set `size`; everything else may be zero. */
typedef struct skan_reengagement_report {
    size_t size;            /* sizeof(skan_reengagement_report) */
    const char *open_id;    /* identifies this open, 1..SKAN_EVENT_ID_MAX bytes; NULL = none: repeats are hard to
                             * detect */
    const char *tag;        /* the conversion tag, up to SKAN_TAG_MAX bytes; NULL or "" = none. A secret of the device:
                             * libskan puts it into no message; keep it out of logs */
    const char *reference;  /* the host's own: campaign, deep link; up to SKAN_REFERENCE_MAX bytes, NULL or "" = none */
    int64_t opened_at;      /* Unix seconds: the server's time minus the age that the app reports; 0 = now */
    bool is_started;        /* whether the app made its first call at this open */
    bool is_overlapping;    /* whether the link's value is a conversion tag: the app has opted in, on iOS 18.4 or newer.
                             * false = the tag is ignored */
    const skan_device *device; /* its os_version is read; NULL = not known */
} skan_reengagement_report;

/* Records a re-engagement.
 *   report  not NULL. Its texts are UTF-8 without bytes 00-1F and 7F.
 *   number  the number of the re-engagement, from 1, also for a repeated open; 0 if there is none. May be NULL.
 * If the app reports that it already made a first call, which may have overwritten values, those values are due again,
 * whatever the status below 100. Clock. Rules, "Re-engage".
 * SKAN_OK; SKAN_DUPLICATE_EVENT (this open is already known); SKAN_WINDOW_CLOSED (too late, or a newer one began);
 * SKAN_UNSUPPORTED; SKAN_ERROR_INVALID_ARGUMENT; SKAN_ERROR_MISUSE (the engine has no models for re-engagements). */
skan_status skan_reengage(skan_engine *engine, const char *install_id, const skan_reengagement_report *report,
                          uint32_t *number, skan_error **error);

/* Ends a re-engagement: from then on it counts nothing and has no calls. One that has already ended is not changed.
 * Rules, "End". SKAN_OK, SKAN_NOT_FOUND (none of this number is kept), SKAN_ERROR_INVALID_ARGUMENT (number is 0). */
skan_status skan_end_reengagement(skan_engine *engine, const char *install_id, uint32_t number, skan_error **error);

/* Gives the re-engagements that are kept, by number, as a JSON array; "[]" if there are none. Changes nothing. Rules,
 * "Re-engagement details".
 *   json  freed with skan_free: [{"number", "tag", "open_id", "reference", "start", "ended": null, "superseded",
 *         "host", "invalid tag" or "tag not supported", "model", "window", "sessions", "events": {name: count},
 *         "revenue": {"conversion": {"iap", "ad"}, "window": {...}}, "fine_value", "coarse_value": [of each window],
 *         "window_lock": [timestamps], "update": {"id", "window", "fine_value", "coarse_value", "lock_window",
 *         "timestamp"}, "delivered"}]. It contains tags: keep it out of logs.
 * SKAN_OK, SKAN_ERROR_INVALID_ARGUMENT (json is NULL). */
skan_status skan_reengagements(skan_engine *engine, const char *install_id, char **json, skan_error **error);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_REENGAGEMENT_H */
