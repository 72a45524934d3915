#include "message.h"

#include "template.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct json_object json;

/* Values as text; numbers have a place of their own. */
typedef struct values {
    const char *texts[PLACEHOLDERS];
    char numbers[PLACEHOLDERS][24];
    char *events;
    json *decoded;
} values;

static void set_number(values *values, placeholder which, int64_t number) {
    snprintf(values->numbers[which], sizeof values->numbers[which], "%" PRId64, number);
    values->texts[which] = values->numbers[which];
}

static void set_given(values *values, placeholder which, const int64_t *number) {
    if (number) set_number(values, which, *number);
}

/* -1 is none. */
static void set_known(values *values, placeholder which, int32_t number) {
    if (number >= 0) set_number(values, which, number);
}

static void set_fields(values *values, const skan_postback_fields *fields) {
    static const char *const coarse[] = {"low", "medium", "high"};
    static const char *const types[] = {NULL, "download", "redownload", "re-engagement"};
    const char **texts = values->texts;
    texts[PLACEHOLDER_FRAMEWORK] =
        fields->framework == SKAN_POSTBACK_ADATTRIBUTIONKIT ? "AdAttributionKit" : "SKAdNetwork";
    texts[PLACEHOLDER_VERSION] = fields->version;
    texts[PLACEHOLDER_AD_NETWORK] = fields->ad_network_id;
    texts[PLACEHOLDER_TRANSACTION] = fields->transaction_id;
    texts[PLACEHOLDER_SOURCE_IDENTIFIER] = fields->source_identifier;
    texts[PLACEHOLDER_SOURCE_DOMAIN] = fields->source_domain;
    texts[PLACEHOLDER_COUNTRY] = fields->country_code;
    texts[PLACEHOLDER_INTERACTION] = fields->interaction_type;
    set_given(values, PLACEHOLDER_CAMPAIGN, fields->campaign_id);
    set_given(values, PLACEHOLDER_APP, fields->app_id);
    set_given(values, PLACEHOLDER_SOURCE_APP, fields->source_app_id);
    set_given(values, PLACEHOLDER_FIDELITY, fields->fidelity_type);
    set_number(values, PLACEHOLDER_WINDOW, fields->window);
    set_known(values, PLACEHOLDER_DID_WIN, fields->did_win);
    set_known(values, PLACEHOLDER_REDOWNLOAD, fields->redownload);
    set_known(values, PLACEHOLDER_FINE, fields->conversion_value);
    if (fields->coarse_value >= 0 && fields->coarse_value < 3)
        texts[PLACEHOLDER_COARSE] = coarse[fields->coarse_value];
    if (fields->conversion_type >= 0 && fields->conversion_type < 4)
        texts[PLACEHOLDER_CONVERSION_TYPE] = types[fields->conversion_type];
}

/* Those that happened at least once; a comma in a name stands as %2C. */
static void set_events(values *values, json *events) {
    size_t size = 0;
    FILE *out = open_memstream(&values->events, &size);
    if (!out) return;
    for (size_t i = 0, told = 0; events && i < json_object_array_length(events); i++) {
        json *event = json_object_array_get_idx(events, i);
        if (json_object_get_int64(json_object_object_get(event, "min_count")) < 1) continue;
        if (told++ > 0) fputc(',', out);
        for (const char *next = json_object_get_string(json_object_object_get(event, "name")); next && *next; next++)
            fputs(*next == ',' ? "%2C" : *next == '%' ? "%25" : (char[]){*next, '\0'}, out);
    }
    fclose(out);
    values->texts[PLACEHOLDER_EVENTS] = values->events;
}

static json *revenue_of(json *revenue, const char *kind) {
    for (size_t i = 0; revenue && i < json_object_array_length(revenue); i++) {
        json *each = json_object_array_get_idx(revenue, i);
        const char *name = json_object_get_string(json_object_object_get(each, "kind"));
        if (name && strcmp(name, kind) == 0) return each;
    }
    return NULL;
}

static void set_revenue(values *values, json *revenue, const char *currency) {
    static const char *const kinds[] = {"all", "iap", "ad"};
    json *found = NULL;
    for (int i = 0; i < 3 && !found; i++) found = revenue_of(revenue, kinds[i]);
    if (!found) return;
    values->texts[PLACEHOLDER_REVENUE_KIND] = json_object_get_string(json_object_object_get(found, "kind"));
    values->texts[PLACEHOLDER_REVENUE_MIN] = json_object_get_string(json_object_object_get(found, "min"));
    values->texts[PLACEHOLDER_REVENUE_MAX] = json_object_get_string(json_object_object_get(found, "max"));
    values->texts[PLACEHOLDER_CURRENCY] = currency;
}

static const skan_model *model_of(const message_models *models, const char *version, int32_t conversion_type) {
    bool is_reengagement = conversion_type == SKAN_POSTBACK_REENGAGEMENT;
    const skan_postback_model *among = is_reengagement ? models->reengagements : models->installs;
    size_t count = is_reengagement ? models->reengagement_count : models->install_count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(skan_model_version(among[i].model), version) == 0) return among[i].model;
    return NULL;
}

/* False where the model that decodes it is not there: once it is given again, the partner is told all. */
static bool set_decoded(values *values, const message_models *models, const skan_postback_record *record,
                        const skan_postback_fields *fields) {
    static const char *const names[] = {"none", "decoded", "hidden", "undecodable", "ambiguous", "no_model"};
    if (record->decoding >= 0 && record->decoding < 6) values->texts[PLACEHOLDER_DECODING] = names[record->decoding];
    if (record->model[0]) values->texts[PLACEHOLDER_MODEL] = record->model;
    if (record->decoding != SKAN_POSTBACK_DECODED) return true;
    const skan_model *model = model_of(models, record->model, fields->conversion_type);
    char *text = NULL;
    if (!model) return false;
    skan_status status =
        skan_model_decode(model, fields->window, fields->conversion_value, fields->coarse_value, &text, NULL);
    if (status != SKAN_OK) return false;
    values->decoded = json_tokener_parse(text);
    skan_free(text);
    json *envelope = json_object_object_get(values->decoded, "envelope");
    set_events(values, json_object_object_get(envelope, "events"));
    set_revenue(values, json_object_object_get(envelope, "revenue"),
                json_object_get_string(json_object_object_get(values->decoded, "currency")));
    return true;
}

char *message_url(const postback_library *library, const message_models *models, const entry_name *name,
                  const partner *partner, const void *data, size_t length, char *problem, size_t size) {
    values values = {0};
    skan_postback_record record = {.size = sizeof record};
    skan_postback_fields fields = {.size = sizeof fields};
    skan_postback *postback = NULL;
    skan_error *error = NULL;
    char *url = NULL;
    if (library->record_read(data, length, &record, &postback, &error) != SKAN_OK ||
        library->read(postback, &fields, &error) != SKAN_OK) {
        snprintf(problem, size, "its postback's record: %s", skan_error_message(error));
    } else {
        set_fields(&values, &fields);
        values.texts[PLACEHOLDER_ID] = name->id;
        values.texts[PLACEHOLDER_NETWORK] = name->network;
        set_number(&values, PLACEHOLDER_RECEIVED, record.received / 1000000);
        if (!set_decoded(&values, models, &record, &fields))
            snprintf(problem, size, "the model %.64s is not there to decode it", record.model);
        else if (!(url = template_fill(partner->url, values.texts)))
            snprintf(problem, size, "no memory");
    }
    skan_error_free(error);
    library->destroy(postback);
    json_object_put(values.decoded);
    free(values.events);
    return url;
}
