#include "model_words.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

typedef struct json_object json;

static const char *const coarse_words[] = {"low", "medium", "high"};

const char *coarse_word(int64_t value) {
    return value >= 0 && value <= 2 ? coarse_words[value] : "none";
}

int coarse_named(const char *text) {
    for (int value = 0; value <= 2; value++) {
        const char number[] = {(char)('0' + value), 0};
        if (strcmp(text, coarse_words[value]) == 0 || strcmp(text, number) == 0) return value;
    }
    return -1;
}

const char *window_days(const model_file *file, int window) {
    static const char *const days[] = {"days 0 and 1", "days 2 to 6", "days 7 to 34"};
    return file->protocol == 3 ? "open until 24 hours pass without a new value" : days[window];
}

/* ----------------------------------------------------------------------------------------------------------- counts */

#define OPEN (-1)

/* Counts are whole: up to, not including, 5 is at most 4. */
typedef struct range {
    int64_t least;
    int64_t most; /* OPEN = there is no end */
} range;

static range range_of(json *object, const char *least, const char *end) {
    return (range){model_number(object, least, 0), model_number(object, end, 0) - 1};
}

static bool is_everything(range range) {
    return range.least == 0 && range.most == OPEN;
}

static void print_event(FILE *out, const char *name, range range) {
    if (range.most == 0)
        fprintf(out, "no %s", name);
    else if (range.least == 1 && range.most == OPEN)
        fputs(name, out);
    else if (range.most == OPEN)
        fprintf(out, "%s %" PRId64 "+ times", name, range.least);
    else if (range.least == 0)
        fprintf(out, "%s at most %" PRId64 " time%s", name, range.most, range.most == 1 ? "" : "s");
    else if (range.least == range.most)
        fprintf(out, "%s %" PRId64 " time%s", name, range.most, range.most == 1 ? "" : "s");
    else
        fprintf(out, "%s %" PRId64 " to %" PRId64 " times", name, range.least, range.most);
}

static void print_sessions(FILE *out, range range) {
    if (range.most == 0)
        fputs("no session", out);
    else if (range.most == OPEN)
        fprintf(out, "%" PRId64 "+ sessions", range.least);
    else if (range.least == range.most)
        fprintf(out, "%" PRId64 " session%s", range.most, range.most == 1 ? "" : "s");
    else if (range.least == 0)
        fprintf(out, "at most %" PRId64 " session%s", range.most, range.most == 1 ? "" : "s");
    else
        fprintf(out, "%" PRId64 " to %" PRId64 " sessions", range.least, range.most);
}

static void print_day(FILE *out, range range) {
    if (range.most == OPEN)
        fprintf(out, "day %" PRId64 " or later", range.least);
    else if (range.least == range.most)
        fprintf(out, "day %" PRId64, range.least);
    else
        fprintf(out, "days %" PRId64 " to %" PRId64, range.least, range.most);
}

/* ---------------------------------------------------------------------------------------------------------- revenue */

static bool is_dollar(const char *currency) {
    return strcmp(currency, "USD") == 0;
}

static void print_amount(FILE *out, const char *amount, const char *currency) {
    bool is_negative = amount[0] == '-';
    if (is_dollar(currency))
        fprintf(out, "%s$%s", is_negative ? "-" : "", amount + is_negative);
    else
        fputs(amount, out);
}

void money_print(FILE *out, const char *amount, const char *currency) {
    print_amount(out, amount, currency);
    if (!is_dollar(currency)) fprintf(out, " %s", currency);
}

static const char *revenue_noun(json *revenue) {
    const char *kind = json_object_get_string(model_member(revenue, "kind"));
    return strcmp(kind, "iap") == 0 ? "IAP" : strcmp(kind, "ad") == 0 ? "ad revenue" : "revenue";
}

static void print_revenue(FILE *out, json *revenue, const char *currency) {
    json *min = model_member(revenue, "min");
    json *max = model_member(revenue, "max");
    if (min && max) {
        print_amount(out, json_object_get_string(min), currency);
        fputs(" to ", out);
        money_print(out, json_object_get_string(max), currency);
    } else {
        fputs(min ? "" : "less than ", out);
        money_print(out, json_object_get_string(min ? min : max), currency);
        fputs(min ? " or more" : "", out);
    }
    const char *scope = json_object_get_string(model_member(revenue, "scope"));
    fprintf(out, "%s %s", strcmp(scope, "lifetime") == 0 ? " lifetime" : "", revenue_noun(revenue));
}

/* ------------------------------------------------------------------------------------------------------- conditions */

bool conditions_are_none(json *when) {
    json *events = model_member(when, "events"), *revenue = model_member(when, "revenue");
    for (size_t index = 0; index < json_object_array_length(events); index++)
        if (!is_everything(range_of(json_object_array_get_idx(events, index), "min_count", "max_count"))) return false;
    for (size_t index = 0; index < json_object_array_length(revenue); index++) {
        json *range = json_object_array_get_idx(revenue, index);
        if (model_member(range, "min") || model_member(range, "max")) return false;
    }
    return is_everything(range_of(model_member(when, "sessions"), "min", "max")) &&
           is_everything(range_of(model_member(when, "day"), "min", "max"));
}

typedef struct list {
    FILE *out;
    bool has_begun;
} list;

static FILE *next(list *list) {
    if (list->has_begun) fputs(", ", list->out);
    list->has_begun = true;
    return list->out;
}

void conditions_print(FILE *out, json *when, const char *currency, const char *nothing) {
    list list = {.out = out};
    json *events = model_member(when, "events");
    for (size_t index = 0; index < json_object_array_length(events); index++) {
        json *event = json_object_array_get_idx(events, index);
        range range = range_of(event, "min_count", "max_count");
        if (!is_everything(range)) print_event(next(&list), json_object_get_string(model_member(event, "name")), range);
    }
    range sessions = range_of(model_member(when, "sessions"), "min", "max");
    if (!is_everything(sessions)) print_sessions(next(&list), sessions);
    range day = range_of(model_member(when, "day"), "min", "max");
    if (!is_everything(day)) print_day(next(&list), day);
    json *revenue = model_member(when, "revenue");
    for (size_t index = 0; index < json_object_array_length(revenue); index++) {
        json *range = json_object_array_get_idx(revenue, index);
        if (model_member(range, "min") || model_member(range, "max")) print_revenue(next(&list), range, currency);
    }
    if (!list.has_begun) fputs(nothing, out);
}

/* ----------------------------------------------------------------------------------------------------------- values */

void value_print(FILE *out, int64_t fine, int64_t coarse, bool locks) {
    list list = {.out = out};
    if (fine >= 0) fprintf(next(&list), "fine %" PRId64, fine);
    if (coarse >= 0) fprintf(next(&list), "coarse %s", coarse_word(coarse));
    if (locks) fputs("locks the window", next(&list));
    if (!list.has_begun) fputs("no value", out);
}

void rule_value_print(FILE *out, json *rule) {
    value_print(out, model_number(rule, "fine", -1), model_number(rule, "coarse", -1),
                json_object_get_boolean(model_member(rule, "lock")));
}

int numbers_print(FILE *out, const bool *places, int count) {
    int found = 0;
    for (int first = 0; first < count; first++) {
        if (!places[first]) continue;
        int last = first;
        while (last + 1 < count && places[last + 1]) last++;
        fprintf(out, "%s%d", found > 0 ? ", " : "", first);
        if (last > first) fprintf(out, "%s%d", last == first + 1 ? ", " : " to ", last);
        found += last - first + 1;
        first = last;
    }
    return found;
}
