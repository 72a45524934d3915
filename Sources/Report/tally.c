#include "tally.h"

#include "../Command/memory.h"

#include <stdlib.h>
#include <string.h>

enum { DAY = 86400 };

uint64_t window_winning(const window_counts *counts) {
    uint64_t sum = 0;
    for (int conversion = 0; conversion < CONVERSIONS; conversion++) sum += counts->conversions[conversion];
    return sum;
}

void tally_free(tally *tally) {
    for (size_t index = 0; index < tally->count; index++) {
        free(tally->lines[index].network);
        free(tally->lines[index].campaign);
    }
    free(tally->lines);
    free(tally->slots);
    free(tally->days);
    memset(tally, 0, sizeof *tally);
}

/* --------------------------------------------------------------------------------------------------------- lines */

static uint64_t hash_text(uint64_t hash, const char *text) {
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (hash ^ 0xFF) * UINT64_C(1099511628211);
}

static uint64_t hash_of(const char *network, const char *campaign, const campaign_row *row) {
    uint64_t hash = hash_text(hash_text(UINT64_C(14695981039346656037), network), campaign);
    return row ? hash_text(hash, row->identifier) : hash;
}

static void put_slot(tally *tally, size_t index) {
    const tally_line *line = &tally->lines[index];
    size_t slot = hash_of(line->network, line->campaign, line->row) % tally->slot_count;
    while (tally->slots[slot]) slot = (slot + 1) % tally->slot_count;
    tally->slots[slot] = index + 1;
}

static void make_room(tally *tally) {
    if (tally->count < tally->room) return;
    tally->room = tally->room ? tally->room * 2 : 64;
    tally->lines = memory_grow(tally->lines, tally->room * sizeof *tally->lines);
    free(tally->slots);
    tally->slot_count = tally->room * 2 + 1;
    tally->slots = memory_take(tally->slot_count * sizeof *tally->slots);
    for (size_t index = 0; index < tally->count; index++) put_slot(tally, index);
}

static tally_line *line_of(tally *tally, const char *network, const char *campaign, const campaign_row *row) {
    if (tally->slot_count > 0) {
        size_t slot = hash_of(network, campaign, row) % tally->slot_count;
        for (; tally->slots[slot]; slot = (slot + 1) % tally->slot_count) {
            tally_line *line = &tally->lines[tally->slots[slot] - 1];
            if (line->row == row && strcmp(line->network, network) == 0 && strcmp(line->campaign, campaign) == 0)
                return line;
        }
    }
    make_room(tally);
    tally_line *line = &tally->lines[tally->count];
    memset(line, 0, sizeof *line);
    line->network = memory_copy(network);
    line->campaign = memory_copy(campaign);
    line->row = row;
    put_slot(tally, tally->count++);
    return line;
}

/* ----------------------------------------------------------------------------------------------------------- days */

static void add_dates(dates *sum, const dates *more) {
    if (!more->are_known) return;
    if (!sum->are_known) *sum = *more;
    if (more->from < sum->from) sum->from = more->from;
    if (more->until_unlocked > sum->until_unlocked) sum->until_unlocked = more->until_unlocked;
    if (more->until > sum->until) sum->until = more->until;
}

static void add_day(tally *tally, const sighting *sighting) {
    int64_t day = sighting->received / DAY - (sighting->received % DAY < 0);
    size_t low = 0, high = tally->day_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tally->days[middle].day < day)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == tally->day_count || tally->days[low].day != day) {
        if (tally->day_count == tally->day_room) {
            tally->day_room = tally->day_room ? tally->day_room * 2 : 64;
            tally->days = memory_grow(tally->days, tally->day_room * sizeof *tally->days);
        }
        memmove(&tally->days[low + 1], &tally->days[low], (tally->day_count - low) * sizeof *tally->days);
        tally->day_count++;
        tally->days[low] = (day_counts){.day = day};
    }
    tally->days[low].installs++;
    add_dates(&tally->days[low].installed, &sighting->dates);
}

/* --------------------------------------------------------------------------------------------------------- values */

/* Fine 0 of window 0 without a rule: older receivers kept it as undecodable. */
static bool is_of_registration(const sighting *sighting) {
    return sighting->window == 0 && sighting->fine == 0 && sighting->coarse < 0;
}

/* NULL where the revenue is not known; why was counted. */
static const worth *worth_of(const sighting *sighting, const value_models *models, unpriced *unpriced) {
    int32_t decoding = sighting->decoding;
    if (decoding == SKAN_POSTBACK_UNDECODABLE && is_of_registration(sighting)) decoding = SKAN_POSTBACK_DECODED;
    if (decoding == SKAN_POSTBACK_AMBIGUOUS) unpriced->ambiguous++;
    else if (decoding == SKAN_POSTBACK_NO_MODEL) unpriced->no_model++;
    else if (decoding == SKAN_POSTBACK_UNDECODABLE) unpriced->undecodable++;
    else if (decoding != SKAN_POSTBACK_DECODED) unpriced->not_decoded++;
    else {
        value_model *model = value_models_find(models, sighting->model);
        if (!model) {
            unpriced->model_missing++;
            return NULL;
        }
        const worth *found = value_worth(model, sighting->window, sighting->fine, sighting->coarse);
        if (found->kind == WORTH_KNOWN) return found;
        if (found->kind == WORTH_NO_REVENUE) unpriced->no_revenue++;
        else if (found->kind == WORTH_CUMULATIVE) unpriced->cumulative++;
        else unpriced->undecodable++;
    }
    return NULL;
}

/* A value that registering alone gives too counts with its lower end, as if no rule had held. */
static bool add_worth(window_counts *counts, const worth *worth) {
    bool has_middle = !worth->is_open && !worth->is_registration;
    counts->priced++;
    counts->open += worth->is_open;
    return money_add(&counts->least, worth->least) && money_add(&counts->twice_middle, worth->least) &&
           money_add(&counts->twice_middle, has_middle ? worth->most : worth->least) &&
           (worth->is_open || money_add(&counts->most, worth->most));
}

static void add_value(tally *tally, group group, window_counts *counts, const sighting *sighting,
                      const value_models *models) {
    value_counts *values = &tally->values[group];
    bool has_fine = sighting->fine >= 0, has_coarse = sighting->coarse >= 0;
    if (has_fine) {
        counts->fine++;
        values->fine[sighting->fine]++;
    } else if (has_coarse) {
        counts->coarse++;
        values->coarse[sighting->window][sighting->coarse]++;
    } else {
        counts->hidden++;
        return;
    }
    const worth *worth = worth_of(sighting, models, &values->unpriced);
    if (worth && !add_worth(counts, worth)) tally->is_full = true;
}

/* ----------------------------------------------------------------------------------------------------------- all */

void tally_add(tally *tally, const sighting *sighting, const value_models *models, const campaigns *campaigns) {
    const char *network = sighting->network ? sighting->network : "";
    const campaign_row *row = campaigns_find(campaigns, network, sighting->identifier);
    tally_line *line = line_of(tally, network, campaign_of(sighting->identifier), row);
    group group = sighting->conversion == CONVERSION_REENGAGEMENT ? GROUP_REENGAGEMENTS : GROUP_INSTALLS;
    window_counts *window = &line->counts.windows[group][sighting->window];
    if (tally->counted == 0 || sighting->received < tally->first_arrival) tally->first_arrival = sighting->received;
    if (tally->counted == 0 || sighting->received > tally->last_arrival) tally->last_arrival = sighting->received;
    tally->counted++;
    if (!sighting->is_winning) {
        window->lost++;
        return;
    }
    window->conversions[sighting->conversion]++;
    if (sighting->window == 0 && sighting->conversion != CONVERSION_REDOWNLOAD)
        add_dates(&line->counts.dates[group], &sighting->dates);
    if (sighting->window == 0 && sighting->conversion == CONVERSION_INSTALL) add_day(tally, sighting);
    add_value(tally, group, window, sighting, models);
}

void tally_add_apart(tally *tally, const sighting *sighting) {
    apart *apart = &tally->apart;
    if (sighting->outcome == SKAN_POSTBACK_CONFLICT) apart->conflicts++;
    else if (sighting->outcome == SKAN_POSTBACK_OTHER_NETWORK) apart->other_network++;
    else if (sighting->result == SKAN_POSTBACK_UNVERIFIABLE) apart->unverifiable++;
    else if (sighting->result == SKAN_POSTBACK_DEVELOPMENT) apart->development++;
    else if (sighting->result == SKAN_POSTBACK_MALFORMED) apart->malformed++;
    else apart->invalid++;
}

void tally_add_costs(tally *tally, const campaigns *campaigns, const char *network) {
    for (size_t index = 0; index < campaigns->count; index++) {
        const campaign_row *row = &campaigns->rows[index];
        if (network && strcmp(network, row->network) != 0) continue;
        counts *counts = &line_of(tally, row->network, campaign_of(row->identifier), row)->counts;
        counts->has_cost |= row->has_cost;
        if (!money_add(&counts->cost, row->cost)) tally->is_full = true;
    }
}

/* Campaigns of SKAN 4 before those of older versions, these by number. */
static int compare_campaigns(const char *one, const char *other) {
    size_t length = strlen(one), other_length = strlen(other);
    if (length != other_length) return length < other_length ? -1 : 1;
    return strcmp(one, other);
}

static int compare_lines(const void *left, const void *right) {
    const tally_line *one = left, *other = right;
    int order = strcmp(one->network, other->network);
    if (order == 0) order = compare_campaigns(one->campaign, other->campaign);
    if (order != 0) return order;
    if (!one->row || !other->row) return (one->row != NULL) - (other->row != NULL);
    return compare_campaigns(one->row->identifier, other->row->identifier);
}

void tally_sort(tally *tally) {
    if (tally->count > 0) qsort(tally->lines, tally->count, sizeof *tally->lines, compare_lines);
    free(tally->slots);
    tally->slots = NULL;
    tally->slot_count = 0;
}

static bool window_add(window_counts *into, const window_counts *from) {
    into->lost += from->lost;
    for (int conversion = 0; conversion < CONVERSIONS; conversion++)
        into->conversions[conversion] += from->conversions[conversion];
    into->fine += from->fine;
    into->coarse += from->coarse;
    into->hidden += from->hidden;
    into->priced += from->priced;
    into->open += from->open;
    return money_add(&into->least, from->least) && money_add(&into->most, from->most) &&
           money_add(&into->twice_middle, from->twice_middle);
}

bool counts_add(counts *sum, const counts *more) {
    bool is_fine = money_add(&sum->cost, more->cost);
    sum->has_cost |= more->has_cost;
    for (int group = 0; group < GROUPS; group++) {
        add_dates(&sum->dates[group], &more->dates[group]);
        for (int window = 0; window < WINDOWS; window++)
            is_fine = window_add(&sum->windows[group][window], &more->windows[group][window]) && is_fine;
    }
    return is_fine;
}
