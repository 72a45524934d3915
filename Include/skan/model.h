/*
 * model.h - conversion models, which decide values without an endpoint, and the answers of an endpoint of one's own.
 *
 *     skan_model *model = NULL;
 *     skan_error *error = NULL;
 *     skan_model_create(json, length, &model, &error);             // share/skan/models has ready models
 *
 *     skan_options options = {.size = sizeof options, .models = &model, .model_count = 1};
 *     skan_engine *engine = NULL;
 *     skan_create(&options, &engine, &error);
 *     skan_model_destroy(model);                                   // the engine keeps its share
 *
 *     skan_event event = {.size = sizeof event, .name = "level_10"};
 *     skan_update_conversion_values(engine, "player-1", &event, &update, &error);     // decided here, at once
 */
#ifndef SKAN_MODEL_H
#define SKAN_MODEL_H

#include "skan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------- conversion models */
/*
 * A conversion model decides values locally, without an endpoint. It is a JSON document whose rules define which fine
 * or coarse value an install has, by revenue, events, sessions and days. share/skan/models describes its form
 * (README.md there) and has ready models to start with. Engines are given models in skan_options. Rules, "Model
 * document", "Model versions".
 */

/* Reads a conversion model.
 *   json, length  the document, at most SKAN_MODEL_MAX bytes.
 *   out           the model, owned by the caller until skan_model_destroy. Engines keep the models they were given as
 *                 long as they need them: the caller may destroy a model right after skan_create.
 * Any thread.
 * SKAN_OK; SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL); SKAN_ERROR_INVALID_DOCUMENT: the message gives the place as
 * a JSON pointer (RFC 6901) in quotes, and the reason: `model at "/windows/0/rules/3/fine": expected ...`; also for a
 * document over the limit. */
skan_status skan_model_create(const void *json, size_t length, skan_model **out, skan_error **error);

/* Releases the caller's share of a model. NULL is fine. */
void skan_model_destroy(skan_model *model);

/* The model's version: the SHA-256 of its document's bytes, 64 hexadecimal digits in lower case. Valid until
 * skan_model_destroy; NULL for NULL. Store every document under its version: installs keep the model that they were
 * registered with. */
const char *skan_model_version(const skan_model *model);

/* Gives the meaning of a value: all rules of the window that have this value, and the ranges that hold for all of them.
 *   window  0, 1 or 2; 0 in SKAN 3.
 *   fine    0..63, -1 = not given.
 *   coarse  0..2, -1 = not given. At least one of the two must be given; if both are, the rules with both values count.
 *   json    freed with skan_free: {"window", "currency", "rules": [{"rule": its number from 0, "fine", "coarse",
 *           "lock", "when"}], "envelope"}, where `when` and `envelope` are {"events": [{"name", "min_count",
 *           "max_count"}], "revenue": [{"kind", "scope", "min", "max"}], "sessions": {"min", "max"}, "day": {"min",
 *           "max"}}. Ranges are [min, max), and a null is an open end; sessions and day are null if no rule mentions
 *           them; amounts are exact decimals in the model's currency.
 * Fine 0 in window 0, without a coarse value, is also the value after skan_register alone (in SKAN 3 too, where no
 * value counts as 0). The document then ends in "registration": true, and its envelope includes an install of which
 * nothing else is known: each min above 0 is 0, and a revenue's max of 0 or less is open. The rules are given
 * unchanged. If no rule has fine 0, "rules" is empty and the envelope restricts nothing.
 * A value that a postback does not carry is hidden by Apple, not 0. Any thread. Rules, "Model decode".
 * SKAN_OK; SKAN_NOT_FOUND: nothing gives the value, so it cannot be decoded; SKAN_ERROR_INVALID_ARGUMENT. */
skan_status skan_model_decode(const skan_model *model, int window, int fine, int coarse, char **json,
                              skan_error **error);

/* Explains what a conversion model sees now, and which of its rules applies. Changes nothing.
 *   reengagement  0 = the install; otherwise the number of a re-engagement (reengagement.h), and its model.
 *   json          freed with skan_free: {"model": its version, "id", "window", "day", "sessions", "events": {name:
 *                 count}, "currency", "revenue": {"window": {"iap", "ad", "all"}, "lifetime": {...}},
 *                 "currencies_without_rate": [...], "rule": its number in the window from 0, or null, "fine", "coarse",
 *                 "lock"}. The revenue of a re-engagement has "conversion", too. Revenue is in the model's currency.
 *                 Revenue in a currency without a rate does not count, and the currency is listed. The rule's value is
 *                 the one that skan_update_conversion_values would set, unless the window is locked, or this value or,
 *                 under raise_only, a higher one is already set.
 * Clock. Rules, "Model explanation".
 * SKAN_OK; SKAN_NOT_REGISTERED (the install); SKAN_NOT_FOUND (no re-engagement of this number is kept);
 * SKAN_WINDOW_CLOSED (also if the re-engagement is not active); SKAN_ERROR_INVALID_ARGUMENT (json is NULL);
 * SKAN_ERROR_MODEL_UNKNOWN; SKAN_ERROR_MISUSE (for the install: the engine has no models; SKAN 3 and a
 * re-engagement). */
skan_status skan_explanation(skan_engine *engine, const char *install_id, uint32_t reengagement, char **json,
                             skan_error **error);

/* ----------------------------------------------------------------------------------------- an endpoint of one's own */

/* Answers a request to a conversion-value endpoint, as the `skan serve` command does over HTTP: the counterpart of
 * skan_conversion_request. The engine's conversion models decide, for new users the first of them. They decide from
 * what the request reports about the install, and from the counts of sessions and events, which the request does not
 * report. These counts are kept in the engine's store, in one record for each app and user. The user is the idfv,
 * otherwise the idfa, or the sing, sdid or custom_user_id of clients that send neither; an identifier of zeros counts
 * as absent. The record's key begins with the path's version: "v2/com.app/..." for an idfv, "v2-idfa/com.app/..." for
 * an idfa. If the first-call timestamp differs from the one before, this is a new install of that user: its counts
 * start again, with the first model. Of the data in requests, the store keeps only that timestamp; the record's last
 * call is the time when the user was last seen, to within a day. An engine of SKAN 3 without models is the published
 * test endpoint: it answers 0, 1, 2 to the first three events of a user, then no value, and requires neither a key nor
 * an app.
 * A request with an event_id that the user's record remembers is a repeat: it counts nothing, and is answered with the
 * last value that was decided for the user. Ids are remembered as those of engines are. A request without an id counts
 * each time. UUIDs in capitals and in small letters are one user.
 *   target   path and query, exactly as in the request line: "/api/v2/conversion_value?a=...", v1 for SKAN 3; at
 *            most SKAN_REQUEST_MAX bytes.
 *   json     the answer's body, for HTTP status 200; freed with skan_free. It is also given with SKAN_NO_NEW_VALUE,
 *            SKAN_WINDOW_LOCKED and SKAN_ERROR_REJECTED, a refusal whose reason is in the published endpoint's words.
 * This function takes no install id. It may also answer the statuses that skan.h names for every function.
 * Clock. Rules, "Endpoint requests", "Endpoint reasons", "Endpoint users", "Endpoint decisions", "Repeated requests",
 * "Test endpoint".
 * SKAN_OK (the answer has a value), SKAN_NO_NEW_VALUE, SKAN_WINDOW_LOCKED, SKAN_ERROR_REJECTED,
 * SKAN_ERROR_INVALID_ARGUMENT (a pointer is NULL, the path is a different one, or the target is too long),
 * SKAN_ERROR_MISUSE (the engine has a transport), SKAN_ERROR_MODEL_UNKNOWN. */
skan_status skan_answer_request(skan_engine *engine, const char *target, char **json, skan_error **error);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_MODEL_H */
