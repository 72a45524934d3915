#include "model_step.h"

#include "memory.h"
#include "model_time.h"

#include <skan/skan.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct problem {
    char *text;
    size_t size;
} problem;

static bool refuse(problem problem, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(problem problem, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(problem.text, problem.size, format, values);
    va_end(values);
    return false;
}

/* ---------------------------------------------------------------------------------------------------------- members */

static const char *const keys[STEP_KEYS] = {
    [STEP_REGISTER] = "register", [STEP_EVENT] = "event", [STEP_SESSION] = "session", [STEP_REVENUE] = "revenue",
    [KEY_TIME] = "time", [KEY_CURRENCY] = "currency", [KEY_AD] = "ad", [KEY_ID] = "id",
};

static char *copy(const char *text, size_t length) {
    char *copied = memory_take(length + 1);
    memcpy(copied, text, length);
    return copied;
}

/* A null is a member that is not there. */
static void keep(void *context, const skan_json_member *member) {
    model_step *step = context;
    for (int key = 0; key < STEP_KEYS; key++) {
        if (strlen(keys[key]) != member->key_length) continue;
        if (memcmp(keys[key], member->key, member->key_length) != 0) continue;
        if (member->kind == SKAN_JSON_NULL) return;
        step->values[key] = (step_value){copy(member->text, member->text_length), member->text_length, member->kind};
        return;
    }
    if (!step->unknown) step->unknown = copy(member->key, member->key_length);
}

static bool read_members(const char *text, size_t length, model_step *step, problem problem) {
    skan_error *error = NULL;
    bool is_fine = skan_json_read(text, length, keep, step, &error) == SKAN_OK;
    if (!is_fine) refuse(problem, "%s", skan_error_message(error));
    skan_error_free(error);
    if (step->unknown)
        return refuse(problem, "unknown key \"%s\"; known here: time register event session revenue currency ad id",
                      step->unknown);
    return is_fine;
}

void model_step_end(model_step *step) {
    for (int key = 0; key < STEP_KEYS; key++) free(step->values[key].text);
    free(step->unknown);
    memset(step, 0, sizeof *step);
}

static bool refuse_value(const model_step *step, int key, const char *expected, problem problem) {
    const step_value *value = &step->values[key];
    const char *quote = value->kind == SKAN_JSON_STRING ? "\"" : "";
    const char *cut = strlen(value->text) > 64 ? "..." : "";
    return refuse(problem, "%s: expected %s, got %s%.64s%s%s", keys[key], expected, quote, value->text, quote, cut);
}

/* NULL where the member is not there. */
static bool read_text(const model_step *step, int key, const char **text, problem problem) {
    const step_value *value = &step->values[key];
    *text = value->text;
    if (!value->text) return true;
    if (value->kind != SKAN_JSON_STRING) return refuse_value(step, key, "text", problem);
    return strlen(value->text) == value->length || refuse(problem, "%s: expected text without NUL", keys[key]);
}

static bool require_true(const model_step *step, int key, problem problem) {
    return step->values[key].kind == SKAN_JSON_TRUE || refuse_value(step, key, "true", problem);
}

/* ------------------------------------------------------------------------------------------------------ their sense */

static bool read_seconds(const char *text, int64_t *seconds) {
    size_t digits = 0;
    while (isdigit((unsigned char)text[digits])) digits++;
    /* Too large a number becomes the largest, which is too large as well. */
    *seconds = strtoll(text, NULL, 10);
    return digits > 0 && !text[digits] && *seconds <= MODEL_TIME_MAX;
}

static bool read_time(const model_before *before, model_step *step, problem problem) {
    const step_value *value = &step->values[KEY_TIME];
    step->time = before->time;
    step->written_time = value->text;
    if (!value->text) return before->time >= 0 || refuse(problem, "time: missing, only later lines may leave it out");
    bool is_read = value->kind == SKAN_JSON_NUMBER   ? read_seconds(value->text, &step->time)
                   : value->kind == SKAN_JSON_STRING ? strlen(value->text) == value->length &&
                                                           model_time_read(value->text, &step->time)
                                                     : false;
    if (!is_read)
        return refuse_value(step, KEY_TIME,
                            "whole seconds from 0 to 253402300799 or a time such as \"2026-01-31T10:00:00Z\"", problem);
    if (step->time < before->time)
        return refuse(problem, "time: goes back, %s is before line %" PRIu64 "'s", value->text, before->number);
    return true;
}

static bool read_revenue(model_step *step, problem problem) {
    const step_value *amount = &step->values[STEP_REVENUE];
    const step_value *is_ad = &step->values[KEY_AD];
    if (amount->kind != SKAN_JSON_NUMBER) return refuse_value(step, STEP_REVENUE, "a number", problem);
    if (!read_text(step, KEY_CURRENCY, &step->currency, problem)) return false;
    if (!step->currency) return refuse(problem, "currency: missing, revenue has one, such as \"USD\"");
    step->written_amount = amount->text;
    step->amount = strtod(amount->text, NULL);
    step->is_ad = is_ad->kind == SKAN_JSON_TRUE;
    return !is_ad->text || step->is_ad || is_ad->kind == SKAN_JSON_FALSE ||
           refuse_value(step, KEY_AD, "true or false", problem);
}

static bool read_kind(model_step *step, problem problem) {
    int found = 0;
    for (int kind = STEP_REGISTER; kind <= STEP_REVENUE; kind++) {
        if (!step->values[kind].text) continue;
        step->kind = (step_kind)kind;
        found++;
    }
    if (found != 1) return refuse(problem, "expected one of register, event, session and revenue, got %d", found);
    if (step->kind != STEP_REVENUE && (step->values[KEY_CURRENCY].text || step->values[KEY_AD].text))
        return refuse(problem, "currency and ad: only revenue has them");
    if (step->kind == STEP_REGISTER && step->values[KEY_ID].text)
        return refuse(problem, "id: an install is registered without one");
    return true;
}

bool model_step_read(const model_before *before, const char *text, size_t length, uint64_t number, model_step *step,
                     char *why, size_t size) {
    problem problem = {why, size};
    memset(step, 0, sizeof *step);
    step->number = number;
    if (!read_members(text, length, step, problem) || !read_kind(step, problem) || !read_time(before, step, problem) ||
        !read_text(step, KEY_ID, &step->id, problem))
        return false;
    switch (step->kind) {
    case STEP_REGISTER:
    case STEP_SESSION: return require_true(step, (int)step->kind, problem);
    case STEP_EVENT: return read_text(step, STEP_EVENT, &step->event, problem);
    case STEP_REVENUE: return read_revenue(step, problem);
    }
    return false;
}
