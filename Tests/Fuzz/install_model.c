#define _GNU_SOURCE
#include "install_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_WINDOW {.coarse = NONE, .previous_coarse = NONE}

const install_model empty_install = {
    .fine = NONE, .previous_fine = NONE, .windows = {NO_WINDOW, NO_WINDOW, NO_WINDOW}};

/* ------------------------------------------------------------------------------------------------------------ money */

static const money unit = 1000000000000;

money money_of(double amount) {
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, amount);
        if (strtod(text, NULL) == amount) break;
    }
    /* d.ddde±x: the digits, and how many of them stand before the point once it is moved 12 places. */
    char digits[24] = "";
    int count = 0;
    const char *at = text + (text[0] == '-');
    for (; *at != 'e'; at++) {
        if (*at != '.') digits[count++] = *at;
    }
    int kept = 1 + atoi(at + 1) + 12;
    money units = 0;
    for (int i = 0; i < kept; i++) units = units * 10 + (i < count ? digits[i] - '0' : 0);
    if (kept >= 0 && kept < count) {
        bool is_tie = digits[kept] == '5' && strspn(digits + kept + 1, "0") == strlen(digits + kept + 1);
        if (is_tie ? units % 2 == 1 : digits[kept] >= '5') units++;
    }
    return text[0] == '-' ? -units : units;
}

void currency_name(int currency, char name[4]) {
    name[0] = 'A', name[1] = (char)('A' + currency / 26), name[2] = (char)('A' + currency % 26), name[3] = '\0';
}

/* ------------------------------------------------------------------------------------------------------------ rules */

int open_window(const install_model *install, uint32_t protocol, int64_t now) {
    if (!install->is_registered) return NONE;
    if (protocol == 3) return now - install->last < 86400 ? 0 : NONE;
    int64_t elapsed = now - install->first;
    return elapsed < 2 * 86400 ? 0 : elapsed < 7 * 86400 ? 1 : elapsed < 35 * 86400 ? 2 : NONE;
}

skan_update waiting_update(const install_model *install, uint32_t protocol, int64_t now) {
    bool is_waiting = install->last_update.id != 0 && !install->is_delivered &&
                      open_window(install, protocol, now) == install->last_update.window;
    return is_waiting ? install->last_update : (skan_update){.size = sizeof(skan_update)};
}

static bool is_known(const event_ids *events, const char *id) {
    for (int i = 0; i < events->count; i++) {
        if (strcmp(events->ids[i], id) == 0) return true;
    }
    return false;
}

static void remember(event_ids *events, const char *id) {
    if (events->count == EVENT_IDS) {
        memmove(events->ids[0], events->ids[1], sizeof events->ids - sizeof events->ids[0]);
        events->count--;
    }
    strcpy(events->ids[events->count++], id);
}

static ending unchanged(skan_status status) { return (ending){.status = status, .update.size = sizeof(skan_update)}; }

static ending changed(install_model *install, skan_status status) {
    install->is_stored = true;
    return (ending){.status = status, .is_changed = true, .update.size = sizeof(skan_update)};
}

static ending give(install_model *install, int window, int fine, int coarse, bool locks, int64_t now) {
    ending ending = changed(install, SKAN_OK);
    ending.update.id = install->last_update.id + 1;
    ending.update.window = window, ending.update.fine_value = fine, ending.update.coarse_value = coarse;
    ending.update.lock_window = locks, ending.update.timestamp = now;
    install->last_update = ending.update;
    install->is_delivered = false;
    return ending;
}

static ending register_install(install_model *install, uint32_t protocol, int64_t now) {
    if (install->is_registered) return unchanged(SKAN_ALREADY_REGISTERED);
    install->is_registered = true;
    install->first = install->last = now;
    if (protocol == 3) return changed(install, SKAN_OK);
    install->fine = 0;
    return give(install, 0, 0, NONE, false, now);
}

/* SKAN_OK, or the limit that forbids it. */
static skan_status add(install_model *install, int table, int currency, money amount) {
    int count = 0;
    for (int i = 0; i < CURRENCIES; i++) count += install->totals[table][i].is_there;
    if (!install->totals[table][currency].is_there && count == 64) return SKAN_ERROR_LIMIT_EXCEEDED;
    money sum = install->totals[table][currency].units + amount;
    money limit = unit * 1000000000 * 1000000000;
    if (sum >= limit || sum <= -limit) return SKAN_ERROR_LIMIT_EXCEEDED;
    install->totals[table][currency].is_there = true;
    install->totals[table][currency].units = sum;
    return SKAN_OK;
}

static ending update_revenue(install_model *install, const operation *operation, uint32_t protocol, int64_t now) {
    if (operation->event_id && is_known(&install->revenue_events, operation->event_id))
        return unchanged(SKAN_DUPLICATE_EVENT);
    if (operation->amount == 0 && !operation->event_id) return unchanged(SKAN_OK);
    install_model result = *install;
    if (operation->amount != 0) {
        skan_status status = add(&result, operation->is_ad, operation->currency, operation->amount);
        int window = open_window(install, protocol, now);
        if (status == SKAN_OK && protocol == 4 && window != NONE)
            status = add(&result, 2 + 2 * window + operation->is_ad, operation->currency, operation->amount);
        if (status != SKAN_OK) return unchanged(status);
    }
    if (operation->event_id) remember(&result.revenue_events, operation->event_id);
    *install = result;
    return changed(install, SKAN_OK);
}

static ending apply(install_model *install, const operation *operation, uint32_t protocol, int64_t now) {
    const answer *answer = &operation->answer;
    if (answer->error != SKAN_OK) return unchanged(answer->error);
    if (!install->is_registered) return unchanged(SKAN_NOT_REGISTERED);
    int window = open_window(install, protocol, now);
    if (window == NONE) return unchanged(SKAN_WINDOW_CLOSED);
    if (!answer->has_value) return unchanged(SKAN_NO_NEW_VALUE);
    if (answer->window != NONE && answer->window != window) return unchanged(SKAN_STALE_RESPONSE);
    if (operation->ticket != 0 && operation->ticket <= install->newest_ticket) return unchanged(SKAN_STALE_RESPONSE);
    if (protocol == 3) {
        if (answer->fine <= (install->fine == NONE ? 0 : install->fine)) return unchanged(SKAN_NO_NEW_VALUE);
        install->fine = answer->fine;
    } else {
        if (answer->fine == NONE && window == 0) return unchanged(SKAN_NO_NEW_VALUE);
        if (install->windows[window].is_locked) return unchanged(SKAN_WINDOW_LOCKED);
        if (window == 0) install->previous_fine = install->fine, install->fine = answer->fine;
        install->windows[window].previous_coarse = install->windows[window].coarse;
        install->windows[window].coarse = answer->coarse;
        if (answer->locks) install->windows[window].is_locked = true, install->windows[window].lock = now;
    }
    install->last = now;
    if (operation->ticket != 0) install->newest_ticket = operation->ticket;
    return give(install, window, answer->fine, answer->coarse, answer->locks, now);
}

static ending update_conversion_values(install_model *install, const operation *operation, uint32_t protocol,
                                       int64_t now) {
    const char *id = operation->event_id;
    if (operation->is_answered && operation->answer.error != SKAN_OK) return unchanged(operation->answer.error);
    if (id && is_known(&install->conversion_events, id)) return unchanged(SKAN_DUPLICATE_EVENT);
    if (!install->is_registered) return unchanged(SKAN_NOT_REGISTERED);
    if (!operation->is_answered && open_window(install, protocol, now) != NONE) return unchanged(SKAN_OK);
    ending ending =
        operation->is_answered ? apply(install, operation, protocol, now) : unchanged(SKAN_WINDOW_CLOSED);
    if (!id) return ending;
    remember(&install->conversion_events, id);
    install->is_stored = true;
    ending.is_changed = true;
    return ending;
}

static ending acknowledge(install_model *install, const operation *operation) {
    if (install->last_update.id == 0 || install->last_update.id != operation->update_id ||
        install->is_delivered == operation->is_delivered)
        return unchanged(SKAN_OK);
    install->is_delivered = operation->is_delivered;
    return changed(install, SKAN_OK);
}

static ending import_details(install_model *install, const install_model *imported) {
    if (install->is_stored) return unchanged(SKAN_ALREADY_REGISTERED);
    *install = *imported;
    memset(&install->revenue_events, 0, sizeof install->revenue_events);
    memset(&install->conversion_events, 0, sizeof install->conversion_events);
    install->newest_ticket = 0;
    install->last_update = (skan_update){0};
    install->is_delivered = false;
    return changed(install, SKAN_OK);
}

ending run_operation(install_model *install, const operation *operation, uint32_t protocol, int64_t now) {
    switch (operation->kind) {
    case REGISTER: return register_install(install, protocol, now);
    case UPDATE_REVENUE: return update_revenue(install, operation, protocol, now);
    case APPLY_RESPONSE: return apply(install, operation, protocol, now);
    case UPDATE_CONVERSION_VALUES: return update_conversion_values(install, operation, protocol, now);
    case ACKNOWLEDGE: return acknowledge(install, operation);
    case IMPORT_DETAILS: return import_details(install, operation->imported);
    case FORGET: break;
    }
    bool was_stored = install->is_stored;
    *install = empty_install;
    ending ending = unchanged(SKAN_OK);
    ending.is_changed = was_stored;
    return ending;
}

/* ------------------------------------------------------------------------------------------------------------ texts */

/* One part of a details document: a number, where it is there, or a table. */
typedef struct part {
    const char *key;
    bool is_there;
    int64_t number;
    int table; /* NONE = a number */
} part;

static part number(const char *key, int64_t value, bool is_there) { return (part){key, is_there, value, NONE}; }
static part value(const char *key, int value) { return (part){key, value != NONE, value, NONE}; }
static part table(const char *key, int table) { return (part){key, true, 0, table}; }

static int details_parts(const install_model *install, uint32_t protocol, part parts[24]) {
    const char *const coarse[] = {"p0_coarse", "p1_coarse", "p2_coarse"};
    const char *const locks[] = {"p0_window_lock", "p1_window_lock", "p2_window_lock"};
    const char *const previous[] = {"p0_prev_coarse_value", "p1_prev_coarse_value", "p2_prev_coarse_value"};
    const char *const iap[] = {"p0_total_iap_revenue", "p1_total_iap_revenue", "p2_total_iap_revenue"};
    const char *const ad[] = {"p0_total_admon_revenue", "p1_total_admon_revenue", "p2_total_admon_revenue"};
    int count = 0;
    parts[count++] = value(protocol == 4 ? "skan_current_conversion_value" : "skan_conversion_value", install->fine);
    if (protocol == 4) parts[count++] = value("prev_fine_value", install->previous_fine);
    parts[count++] = number("skan_first_call_to_skadnetwork_timestamp", install->first, install->is_registered);
    parts[count++] = number("skan_last_call_to_skadnetwork_timestamp", install->last, install->is_registered);
    parts[count++] = table("skan_total_revenue_by_currency", 0);
    if (protocol == 3) return count;
    parts[count++] = table("skan_total_admon_revenue_by_currency", 1);
    for (int i = 0; i < 3; i++) parts[count++] = value(coarse[i], install->windows[i].coarse);
    for (int i = 0; i < 3; i++)
        parts[count++] = number(locks[i], install->windows[i].lock, install->windows[i].is_locked);
    for (int i = 0; i < 3; i++) parts[count++] = value(previous[i], install->windows[i].previous_coarse);
    for (int i = 0; i < 3; i++) parts[count++] = table(iap[i], 2 + 2 * i);
    for (int i = 0; i < 3; i++) parts[count++] = table(ad[i], 3 + 2 * i);
    return count;
}

static void print_money(FILE *out, money units) {
    money magnitude = units < 0 ? -units : units;
    char fraction[16];
    snprintf(fraction, sizeof fraction, "%012lld", (long long)(magnitude % unit));
    size_t places = 12;
    while (places > 0 && fraction[places - 1] == '0') places--;
    fprintf(out, "%s%lld%s%.*s", units < 0 ? "-" : "", (long long)(magnitude / unit), places > 0 ? "." : "",
            (int)places, fraction);
}

/* A table as compact JSON; answers whether anything is in it. The caller frees the text. */
static bool table_text(const install_model *install, int table, char **text) {
    size_t length;
    FILE *out = open_memstream(text, &length);
    bool is_there = false;
    for (int currency = 0; currency < CURRENCIES; currency++) {
        if (!install->totals[table][currency].is_there) continue;
        char name[4];
        currency_name(currency, name);
        fprintf(out, "%s\"%s\":", is_there ? "," : "{", name);
        print_money(out, install->totals[table][currency].units);
        is_there = true;
    }
    fputs(is_there ? "}" : "{}", out);
    fclose(out);
    return is_there;
}

char *model_details(const install_model *install, uint32_t protocol) {
    part parts[24];
    int count = details_parts(install, protocol, parts);
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (int i = 0; i < count; i++) {
        fprintf(out, "%s\"%s\":", i == 0 ? "{" : ",", parts[i].key);
        char *value = NULL;
        if (parts[i].table == NONE) {
            parts[i].is_there ? fprintf(out, "%lld", (long long)parts[i].number) : fputs("null", out);
        } else {
            fputs(table_text(install, parts[i].table, &value) ? value : "null", out);
        }
        free(value);
    }
    fputs("}", out);
    fclose(out);
    return text;
}

char *percent_encoded(const char *text) {
    char *encoded;
    size_t length;
    FILE *out = open_memstream(&encoded, &length);
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        bool is_letter = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
        bool is_kept = is_letter || (byte >= '0' && byte <= '9') || strchr("-._~", byte);
        fprintf(out, is_kept ? "%c" : "%%%02X", byte);
    }
    fclose(out);
    return encoded;
}

/* The parts that are there as query items. A table with the number 1 is there also when it is empty. */
static char *items(const install_model *install, const part *parts, int count, const char *before) {
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (int i = 0; i < count; i++) {
        char *table = NULL;
        bool is_there = parts[i].is_there;
        if (parts[i].table != NONE) is_there = table_text(install, parts[i].table, &table) || parts[i].number == 1;
        if (is_there) {
            fprintf(out, "%s%s=", before, parts[i].key);
            if (table) {
                char *encoded = percent_encoded(table);
                fputs(encoded, out);
                free(encoded);
            } else {
                fprintf(out, "%lld", (long long)parts[i].number);
            }
            before = "&";
        }
        free(table);
    }
    fclose(out);
    return text;
}

char *model_metadata(const install_model *install, uint32_t protocol) {
    part parts[24];
    if (protocol == 4) return items(install, parts, details_parts(install, 4, parts), "");
    parts[0] = value("skan_conversion_value", install->fine);
    parts[1] = number("skan_first_call_timestamp", install->first, install->is_registered);
    parts[2] = number("skan_last_call_timestamp", install->last, install->is_registered);
    return items(install, parts, 3, "");
}

char *model_request_items(const install_model *install, uint32_t protocol) {
    part parts[24];
    if (protocol == 4) return items(install, parts, details_parts(install, 4, parts), "&");
    parts[0] = value("conversion_value", install->fine);
    parts[1] = table("total_revenue_by_currency", 0);
    parts[1].number = 1; /* also when it is empty */
    parts[2] = number("first_call_to_skadnetwork_timestamp", install->first, install->is_registered);
    parts[3] = number("last_call_to_skadnetwork_timestamp", install->last, install->is_registered);
    return items(install, parts, 4, "&");
}
