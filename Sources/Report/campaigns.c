#include "campaigns.h"

#include "../Command/memory.h"
#include "../Command/messages.h"
#include "csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BEFORE_SKAN_4 "campaign-id "

enum { NETWORK, IDENTIFIER, CAMPAIGN, AD_SET, COST, CURRENCY, COLUMNS };
static const char *const column_names[COLUMNS] = {"network", "identifier", "campaign", "ad_set", "cost", "currency"};

typedef struct layout {
    size_t places[COLUMNS]; /* of the cell, from 1; 0 = no such column */
    size_t cells;
} layout;

static bool is_source_identifier(const char *text) {
    size_t length = strlen(text);
    return length >= 2 && length <= 4 && strspn(text, "0123456789") == length;
}

static bool is_identifier(const char *text) {
    if (is_source_identifier(text)) return true;
    if (strncmp(text, BEFORE_SKAN_4, strlen(BEFORE_SKAN_4)) != 0) return false;
    const char *number = text + strlen(BEFORE_SKAN_4);
    size_t length = strlen(number);
    return length >= 1 && length <= 18 && strspn(number, "0123456789") == length && (number[0] != '0' || length == 1);
}

const char *campaign_of(const char *identifier) {
    return is_source_identifier(identifier) ? identifier + strlen(identifier) - 2 : identifier;
}

/* ------------------------------------------------------------------------------------------------------ one line */

static bool read_header(const csv_reader *reader, layout *layout) {
    memset(layout, 0, sizeof *layout);
    layout->cells = reader->count;
    for (size_t cell = 0; cell < reader->count; cell++) {
        size_t column = 0;
        while (column < COLUMNS && strcmp(reader->cells[cell], column_names[column]) != 0) column++;
        if (column == COLUMNS) {
            csv_complain(reader, cell + 1,
                         "expected network, identifier, campaign, ad_set, cost or currency, got \"%s\"",
                         reader->cells[cell]);
            return false;
        }
        if (layout->places[column]) {
            csv_complain(reader, cell + 1, "\"%s\" is there twice", reader->cells[cell]);
            return false;
        }
        layout->places[column] = cell + 1;
    }
    for (size_t column = NETWORK; column <= IDENTIFIER; column++)
        if (!layout->places[column]) {
            csv_complain(reader, reader->count, "expected a column \"%s\"", column_names[column]);
            return false;
        }
    return true;
}

static const char *cell_of(const csv_reader *reader, const layout *layout, size_t column) {
    return layout->places[column] ? reader->cells[layout->places[column] - 1] : "";
}

static bool take_currency(const csv_reader *reader, const layout *layout, campaigns *campaigns) {
    const char *text = cell_of(reader, layout, CURRENCY);
    if (!text[0]) return true;
    if (strlen(text) != 3 || strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != 3) {
        csv_complain(reader, layout->places[CURRENCY], "expected three capital letters, \"USD\", got \"%s\"", text);
        return false;
    }
    if (campaigns->currency[0] && strcmp(campaigns->currency, text) != 0) {
        csv_complain(reader, layout->places[CURRENCY], "expected %s as in the rows before, got %s", campaigns->currency,
                     text);
        return false;
    }
    memcpy(campaigns->currency, text, sizeof campaigns->currency);
    return true;
}

static bool take_row(const csv_reader *reader, const layout *layout, campaigns *campaigns) {
    if (reader->count != layout->cells) {
        csv_complain(reader, reader->count, "expected %zu cells as in the first row, got %zu", layout->cells,
                     reader->count);
        return false;
    }
    const char *network = cell_of(reader, layout, NETWORK);
    const char *identifier = cell_of(reader, layout, IDENTIFIER);
    const char *cost = cell_of(reader, layout, COST);
    campaign_row row = {.line = reader->line, .has_cost = cost[0] != '\0'};
    if (!network[0]) {
        csv_complain(reader, layout->places[NETWORK], "expected an ad network's id, got nothing");
        return false;
    }
    if (!is_identifier(identifier)) {
        csv_complain(reader, layout->places[IDENTIFIER],
                     "expected two to four digits, or \"campaign-id N\" of SKAdNetwork before 4.0, got \"%s\"",
                     identifier);
        return false;
    }
    if (row.has_cost && !money_read(cost, &row.cost)) {
        csv_complain(reader, layout->places[COST],
                     "expected an amount as 1250.50, at most 12 places behind the point, got \"%s\"", cost);
        return false;
    }
    if (!take_currency(reader, layout, campaigns)) return false;
    row.network = memory_copy(network);
    row.identifier = memory_copy(identifier);
    row.campaign = memory_copy(cell_of(reader, layout, CAMPAIGN));
    row.ad_set = memory_copy(cell_of(reader, layout, AD_SET));
    campaigns->rows = memory_grow(campaigns->rows, (campaigns->count + 1) * sizeof *campaigns->rows);
    campaigns->rows[campaigns->count++] = row;
    return true;
}

/* ----------------------------------------------------------------------------------------------------- all lines */

static int compare_rows(const void *left, const void *right) {
    const campaign_row *one = left, *other = right;
    int order = strcmp(one->network, other->network);
    if (order == 0) order = strcmp(campaign_of(one->identifier), campaign_of(other->identifier));
    if (order == 0) order = (int)strlen(one->identifier) - (int)strlen(other->identifier);
    if (order == 0) order = strcmp(one->identifier, other->identifier);
    return order ? order : one->line < other->line ? -1 : one->line > other->line;
}

static bool rows_agree(const char *name, const campaigns *campaigns) {
    const char *called = NULL;
    for (size_t index = 1; index < campaigns->count; index++) {
        const campaign_row *before = &campaigns->rows[index - 1], *row = &campaigns->rows[index];
        if (strcmp(before->network, row->network) != 0 ||
            strcmp(campaign_of(before->identifier), campaign_of(row->identifier)) != 0) {
            called = NULL;
            continue;
        }
        if (strcmp(before->identifier, row->identifier) == 0) {
            complain(name, "line %llu: %s of %s is in line %llu already", (unsigned long long)row->line,
                     row->identifier, row->network, (unsigned long long)before->line);
            return false;
        }
        if (before->campaign[0]) called = before->campaign;
        if (called && row->campaign[0] && strcmp(called, row->campaign) != 0) {
            complain(name, "line %llu: expected campaign \"%s\" as for the other identifiers of %s that end with %s, "
                     "got \"%s\"", (unsigned long long)row->line, called, row->network, campaign_of(row->identifier),
                     row->campaign);
            return false;
        }
    }
    return true;
}

static bool read_rows(csv_reader *reader, campaigns *campaigns) {
    layout layout;
    csv_kind kind = csv_next(reader);
    if (kind == CSV_OVER) csv_complain(reader, 1, "expected the names of columns, got the end of the file");
    if (kind != CSV_ROW || !read_header(reader, &layout)) return false;
    while ((kind = csv_next(reader)) == CSV_ROW)
        if (!take_row(reader, &layout, campaigns)) return false;
    if (kind == CSV_FAILED) return false;
    if (campaigns->count > 0) qsort(campaigns->rows, campaigns->count, sizeof *campaigns->rows, compare_rows);
    return rows_agree(reader->name, campaigns);
}

bool campaigns_read(const char *path, campaigns *campaigns) {
    memset(campaigns, 0, sizeof *campaigns);
    bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "rb");
    if (!file) {
        complain(path, "%s", strerror(errno));
        return false;
    }
    csv_reader reader;
    errno = 0;
    csv_begin(&reader, is_input ? "standard input" : path, file);
    bool is_fine = read_rows(&reader, campaigns);
    csv_end(&reader);
    if (!is_input) fclose(file);
    if (!is_fine) campaigns_free(campaigns);
    return is_fine;
}

void campaigns_free(campaigns *campaigns) {
    for (size_t index = 0; index < campaigns->count; index++) {
        free(campaigns->rows[index].network);
        free(campaigns->rows[index].identifier);
        free(campaigns->rows[index].campaign);
        free(campaigns->rows[index].ad_set);
    }
    free(campaigns->rows);
    memset(campaigns, 0, sizeof *campaigns);
}

/* The first row not before (network, identifier). */
static size_t lower_bound(const campaigns *campaigns, const char *network, const char *identifier) {
    campaign_row sought = {.network = (char *)network, .identifier = (char *)identifier};
    size_t low = 0, high = campaigns->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_rows(&campaigns->rows[middle], &sought) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const campaign_row *campaigns_find(const campaigns *campaigns, const char *network, const char *identifier) {
    const char *shortest = campaign_of(identifier);
    for (const char *end = identifier; end <= shortest; end++) {
        size_t place = lower_bound(campaigns, network, end);
        if (place == campaigns->count) continue;
        const campaign_row *row = &campaigns->rows[place];
        if (strcmp(row->network, network) == 0 && strcmp(row->identifier, end) == 0) return row;
    }
    return NULL;
}

const char *campaigns_name(const campaigns *campaigns, const char *network, const char *campaign) {
    for (size_t place = lower_bound(campaigns, network, campaign); place < campaigns->count; place++) {
        const campaign_row *row = &campaigns->rows[place];
        if (strcmp(row->network, network) != 0 || strcmp(campaign_of(row->identifier), campaign) != 0) break;
        if (row->campaign[0]) return row->campaign;
    }
    return NULL;
}
