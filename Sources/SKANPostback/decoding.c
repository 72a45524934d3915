#include "decoding.h"

#include <string.h>

enum { HOUR = 3600, DAY = 24 * HOUR, MICROSECONDS = 1000000 };

/*
 * Rules, "Time of install", "Re-engagements": how long after the install, or after the tap of a re-engagement, Apple's
 * device sends, in seconds, at the least and at the most.
 *
 * SKAN 4 and AdAttributionKit: a window ends on day 2, 7 or 35, or earlier where it is locked, not before it begins;
 * the postback follows 24 to 48 hours later, of the second and third window 24 to 144 hours. Before: a timer of 24
 * hours begins again with each update, each to a greater value, up to 63 of them; then up to 24 hours pass. (Apple,
 * "Receiving postbacks in multiple conversion windows", "updateConversionValue(_:)".)
 */
static void delay_of(const skan_postback_fields *fields, int64_t *least, int64_t *most) {
    static const int begins[] = {0, 2, 7}, ends[] = {2, 7, 35}, delays[] = {2, 6, 6};
    bool has_windows = fields->framework == SKAN_POSTBACK_ADATTRIBUTIONKIT ||
                       (fields->version && strcmp(fields->version, "4.0") == 0);
    if (has_windows) {
        *least = (begins[fields->window] + 1) * (int64_t)DAY;
        *most = (ends[fields->window] + delays[fields->window]) * (int64_t)DAY;
    } else {
        int updates = fields->conversion_value >= 0 ? fields->conversion_value : 63;
        *least = DAY;
        *most = (updates + 2) * (int64_t)DAY;
    }
}

/* The newest model from not after a moment; -1 where all are later. */
static int64_t model_at(const skan_postback_model *models, size_t count, int64_t moment) {
    int64_t found = -1;
    for (size_t i = 0; i < count && models[i].from <= moment; i++) found = (int64_t)i;
    return found;
}

static void read_version(const skan_model *model, record *record) {
    const char *text = skan_model_version(model);
    for (int i = 0; i < MODEL_BYTES; i++) {
        int byte = 0;
        for (int j = 0; j < 2; j++) {
            char letter = text[2 * i + j];
            byte = byte << 4 | (letter <= '9' ? letter - '0' : letter - 'a' + 10);
        }
        record->model[i] = (uint8_t)byte;
    }
    record->has_model = true;
}

void decode(const skan_postback *postback, const model_list *installs, const model_list *reengagements,
            record *record) {
    skan_postback_fields fields = {.size = sizeof fields};
    int64_t least, most, received = record->received / MICROSECONDS;
    skan_postback_read(postback, &fields, NULL);
    delay_of(&fields, &least, &most);
    record->from = received - most;
    record->until = received - least;
    record->is_reengagement = fields.conversion_type == SKAN_POSTBACK_REENGAGEMENT;
    record->decoding = SKAN_POSTBACK_NOT_DECODED;
    const model_list *list = record->is_reengagement ? reengagements : installs;
    const skan_postback_model *models = list->models;
    size_t count = list->count;
    if (count == 0) return;
    int64_t first = model_at(models, count, record->from);
    int64_t last = model_at(models, count, record->until);
    bool is_one = first >= 0 || last < 0;
    for (int64_t i = first + 1; i <= last && first >= 0; i++)
        is_one &= strcmp(skan_model_version(models[first].model), skan_model_version(models[i].model)) == 0;
    if (!is_one || last < 0) {
        record->decoding = is_one ? SKAN_POSTBACK_NO_MODEL : SKAN_POSTBACK_AMBIGUOUS;
        return;
    }
    read_version(models[last].model, record);
    if (fields.conversion_value < 0 && fields.coarse_value < 0) {
        record->decoding = SKAN_POSTBACK_HIDDEN;
        return;
    }
    char *json = NULL;
    skan_status status = skan_model_decode(models[last].model, fields.window, fields.conversion_value,
                                           fields.coarse_value, &json, NULL);
    record->decoding = status == SKAN_OK ? SKAN_POSTBACK_DECODED : SKAN_POSTBACK_UNDECODABLE;
    skan_free(json);
}
