#include "figures.h"

#include "../Command/ending.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

typedef struct json_object json;

static void put(json *object, const char *key, json *value) {
    json_object_object_add(object, key, value);
}

static void put_text(json *object, const char *key, const char *text) {
    put(object, key, text ? json_object_new_string(text) : NULL);
}

static void put_count(json *object, const char *key, uint64_t count) {
    put(object, key, json_object_new_uint64(count));
}

/* A number as it was rounded; NULL = null. */
static void put_quotient(json *object, const char *key, const char *text) {
    put(object, key, text ? json_object_new_double_s(0, text) : NULL);
}

static void put_moment(json *object, const char *key, bool is_there, int64_t seconds) {
    char text[TIME_TEXT_MAX];
    put_text(object, key, is_there ? time_text(seconds, text) : NULL);
}

/* Amounts are texts: exact decimals. */
static void put_money(json *object, const char *key, bool is_there, money amount) {
    char text[MONEY_TEXT_MAX];
    put_text(object, key, is_there ? money_exact(amount, text) : NULL);
}

static json *values_json(const figures *figures) {
    json *object = json_object_new_object();
    char text[MONEY_TEXT_MAX];
    put_count(object, "fine", figures->fine);
    put_count(object, "coarse", figures->coarse);
    put_count(object, "hidden", figures->hidden);
    put_quotient(object, "hidden_share", share_text(figures->hidden, figures->winning, 4, text));
    return object;
}

static json *revenue_json(const figures *figures) {
    json *object = json_object_new_object();
    char text[MONEY_TEXT_MAX];
    put_count(object, "known_values", figures->priced);
    put_count(object, "without_upper_limit", figures->open);
    put_money(object, "at_least", figures->has_revenue, figures->least);
    put_money(object, "at_most", figures->has_revenue && figures->open == 0, figures->most);
    put_text(object, "estimate", figures->has_estimate ? money_rounded(figures->estimate, 2, text) : NULL);
    put(object, "estimate_is_partial", json_object_new_boolean(figures->has_estimate && figures->is_partial));
    return object;
}

static json *dates_json(const dates *dates) {
    json *object = json_object_new_object();
    put_moment(object, "from", dates->are_known, dates->from);
    put_moment(object, "until", dates->are_known, dates->until_unlocked);
    put_moment(object, "until_if_locked", dates->are_known, dates->until);
    return object;
}

static json *windows_json(const counts *counts, group group) {
    json *array = json_object_new_array();
    for (int window = 0; window < WINDOWS; window++) {
        figures made = figures_of_window(counts, group, window);
        json *object = json_object_new_object();
        put_count(object, "window", (uint64_t)window);
        put_count(object, "winning", made.winning);
        put_count(object, "not_winning", made.lost);
        put(object, "values", values_json(&made));
        put(object, "revenue", revenue_json(&made));
        json_object_array_add(array, object);
    }
    return array;
}

static json *reengagement_json(const counts *counts) {
    json *object = json_object_new_object();
    figures made = figures_of(counts, GROUP_REENGAGEMENTS);
    put_count(object, "not_winning", made.lost);
    put(object, "values", values_json(&made));
    put(object, "revenue", revenue_json(&made));
    put(object, "reengaged", dates_json(&counts->dates[GROUP_REENGAGEMENTS]));
    put(object, "windows", windows_json(counts, GROUP_REENGAGEMENTS));
    return object;
}

/* Of installs and redownloads, but for what "reengagement" holds. */
static void put_figures(json *object, const report_line *line) {
    const counts *counts = &line->counts;
    figures made = figures_of(counts, GROUP_INSTALLS);
    char text[MONEY_TEXT_MAX];
    put_count(object, "installs", made.conversions[CONVERSION_INSTALL]);
    put_count(object, "redownloads", made.conversions[CONVERSION_REDOWNLOAD]);
    put_count(object, "reengagements", made.conversions[CONVERSION_REENGAGEMENT]);
    put_count(object, "not_winning", made.lost);
    put(object, "values", values_json(&made));
    put(object, "revenue", revenue_json(&made));
    put_money(object, "cost", counts->has_cost, counts->cost);
    put(object, "cost_is_partial", json_object_new_boolean(cost_is_partial(line)));
    put_text(object, "cost_per_install", cost_per_install(line, 4, text));
    json *spend = json_object_new_object();
    put_quotient(spend, "at_least", return_on_ad_spend(line, false, 4, text));
    put_quotient(spend, "estimate", return_on_ad_spend(line, true, 4, text));
    put(object, "return_on_ad_spend", spend);
    put(object, "installed", dates_json(&counts->dates[GROUP_INSTALLS]));
    put(object, "windows", windows_json(counts, GROUP_INSTALLS));
    put(object, "reengagement", reengagement_json(counts));
}

static json *lines_json(const report *report) {
    static const char *const keys[] = {NULL, "networks", "campaigns", "ad_sets"};
    json *parents[LEVEL_AD_SET + 1] = {NULL};
    for (size_t index = 0; index < report->count; index++) {
        const report_line *line = &report->lines[index];
        json *object = json_object_new_object();
        if (line->level == LEVEL_NETWORK) put_text(object, "network", line->network);
        if (line->level >= LEVEL_CAMPAIGN)
            put_text(object, "identifier", line->identifier[0] ? line->identifier : NULL);
        if (line->level == LEVEL_CAMPAIGN) put_text(object, "name", line->name);
        if (line->level == LEVEL_AD_SET) put_text(object, "ad_set", line->ad_set[0] ? line->ad_set : NULL);
        put_figures(object, line);
        if (line->level < LEVEL_AD_SET) put(object, keys[line->level + 1], json_object_new_array());
        if (line->level > LEVEL_TOTAL) {
            json *siblings = NULL;
            json_object_object_get_ex(parents[line->level - 1], keys[line->level], &siblings);
            json_object_array_add(siblings, object);
        }
        parents[line->level] = object;
    }
    return parents[LEVEL_TOTAL];
}

static json *filters_json(const report *report) {
    json *object = json_object_new_object();
    put_text(object, "network", report->network);
    put(object, "app", report->has_app ? json_object_new_int64(report->app) : NULL);
    put_moment(object, "from", report->from != INT64_MIN, report->from);
    put_moment(object, "to", report->to != INT64_MAX, report->to);
    return object;
}

static json *apart_json(const apart *apart) {
    json *object = json_object_new_object();
    put_count(object, "invalid", apart->invalid);
    put_count(object, "unverifiable", apart->unverifiable);
    put_count(object, "development", apart->development);
    put_count(object, "malformed", apart->malformed);
    put_count(object, "conflicts", apart->conflicts);
    put_count(object, "other_network", apart->other_network);
    return object;
}

static json *unpriced_json(const unpriced *unpriced) {
    json *object = json_object_new_object();
    put_count(object, "not_decoded", unpriced->not_decoded);
    put_count(object, "undecodable", unpriced->undecodable);
    put_count(object, "ambiguous_model", unpriced->ambiguous);
    put_count(object, "before_first_model", unpriced->no_model);
    put_count(object, "model_not_given", unpriced->model_missing);
    put_count(object, "model_without_revenue", unpriced->no_revenue);
    put_count(object, "revenue_since_install", unpriced->cumulative);
    return object;
}

static json *numbers_json(const uint64_t *numbers, size_t count) {
    json *array = json_object_new_array();
    for (size_t index = 0; index < count; index++) json_object_array_add(array, json_object_new_uint64(numbers[index]));
    return array;
}

static json *days_json(const tally *tally) {
    json *array = json_object_new_array();
    for (size_t index = 0; index < tally->day_count; index++) {
        const day_counts *day = &tally->days[index];
        char text[TIME_TEXT_MAX];
        json *object = json_object_new_object();
        put_text(object, "arrived", day_text(day->day * 86400, text));
        put_count(object, "installs", day->installs);
        put_moment(object, "installed_from", true, day->installed.from);
        put_moment(object, "installed_until", true, day->installed.until_unlocked);
        put_moment(object, "installed_until_if_locked", true, day->installed.until);
        json_object_array_add(array, object);
    }
    return array;
}

static void put_value_counts(json *object, const value_counts *values) {
    put(object, "values_without_revenue", unpriced_json(&values->unpriced));
    json *coarse = json_object_new_array();
    for (int window = 0; window < WINDOWS; window++)
        json_object_array_add(coarse, numbers_json(values->coarse[window], COARSE_VALUES));
    put(object, "fine_values", numbers_json(values->fine, FINE_VALUES));
    put(object, "coarse_values", coarse);
}

void report_print_json(const report *report) {
    const tally *tally = &report->tally;
    const char *currency = report_currency(report);
    json *object = json_object_new_object();
    put_count(object, "schema", 1);
    put_moment(object, "made_at", true, report->made_at);
    put_text(object, "store", report->store);
    put(object, "filters", filters_json(report));
    put_text(object, "currency", currency[0] ? currency : NULL);
    put_count(object, "counted", tally->counted);
    json *arrived = json_object_new_object();
    put_moment(arrived, "first", tally->counted > 0, tally->first_arrival);
    put_moment(arrived, "last", tally->counted > 0, tally->last_arrival);
    put(object, "arrived", arrived);
    put(object, "apart", apart_json(&tally->apart));
    put_value_counts(object, &tally->values[GROUP_INSTALLS]);
    json *reengagement = json_object_new_object();
    put_value_counts(reengagement, &tally->values[GROUP_REENGAGEMENTS]);
    put(object, "reengagement", reengagement);
    put(object, "days", days_json(tally));
    put(object, "total", lines_json(report));
    output_line(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}
