#include "install_table.h"

#include "memory.h"
#include "record_kind.h"
#include "text.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LABEL 17
#define COLUMN 14
#define TIME_MAX 64

typedef struct json_object json;

/* Seconds from the first call to the end of each of SKAN 4's windows. Rules, "Windows". */
static const int64_t window_ends[] = {172800, 604800, 3024000};

static const char *format_time(int64_t seconds, char text[TIME_MAX]) {
    time_t value = (time_t)seconds;
    struct tm parts;
    if (!gmtime_r(&value, &parts) || strftime(text, TIME_MAX, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
        snprintf(text, TIME_MAX, "%" PRId64, seconds);
    return text;
}

static void label(const char *name) {
    printf("%-*s", LABEL, name);
}

static json *member(json *details, const char *key) {
    json *found = NULL;
    json_object_object_get_ex(details, key, &found);
    return found;
}

static json *member_of_window(json *details, const char *format, int window) {
    char key[64];
    snprintf(key, sizeof key, format, window);
    return member(details, key);
}

static const char *coarse_name(int64_t value) {
    static const char *const names[] = {"low", "medium", "high"};
    return value >= 0 && value <= 2 ? names[value] : "-";
}

static void print_window(const skan_record *record) {
    char text[TIME_MAX];
    label("window");
    int64_t now = (int64_t)time(NULL);
    if (!record->is_registered) {
        printf("none: not registered\n");
        return;
    }
    if (now >= record->closes_at) {
        printf("closed since %s\n", format_time(record->closes_at, text));
        return;
    }
    int window = 0;
    int64_t end = record->closes_at;
    if (record->protocol == 4) {
        while (window < 2 && now - record->first_timestamp >= window_ends[window]) window++;
        end = record->first_timestamp + window_ends[window];
    }
    printf("%d, until %s\n", window, format_time(end, text));
}

static void print_times(const skan_record *record) {
    char text[TIME_MAX];
    label("registered");
    printf("%s\n", record->is_registered ? format_time(record->first_timestamp, text) : "no");
    if (!record->is_registered) return;
    label("last call");
    printf("%s\n", format_time(record->last_timestamp, text));
}

static void print_pending(const skan_update *pending) {
    char text[TIME_MAX];
    label("pending update");
    if (pending->id == 0) {
        printf("none\n");
        return;
    }
    printf("number %" PRIu64 ", window %d", pending->id, (int)pending->window);
    if (pending->fine_value >= 0) printf(", fine value %d", (int)pending->fine_value);
    if (pending->coarse_value >= 0) printf(", coarse value %s", coarse_name(pending->coarse_value));
    printf("%s, of %s\n", pending->lock_window ? ", locks the window" : "", format_time(pending->timestamp, text));
}

static void print_number(json *details, const char *name, const char *key) {
    json *value = member(details, key);
    label(name);
    printf("%s\n", value ? json_object_get_string(value) : "-");
}

static void print_coarse_row(json *details, const char *name, const char *key) {
    label(name);
    for (int window = 0; window < 3; window++) {
        json *value = member_of_window(details, key, window);
        const char *text = value ? coarse_name(json_object_get_int64(value)) : "-";
        printf(window < 2 ? "%-25s" : "%s", text);
    }
    putchar('\n');
}

static void print_locks(json *details) {
    label("locked");
    for (int window = 0; window < 3; window++) {
        char text[TIME_MAX];
        json *value = member_of_window(details, "p%d_window_lock", window);
        printf(window < 2 ? "%-25s" : "%s", value ? format_time(json_object_get_int64(value), text) : "-");
    }
    putchar('\n');
}

static void print_values(json *details, const skan_record *record) {
    if (record->protocol == 3) {
        print_number(details, "value", "skan_conversion_value");
        return;
    }
    print_number(details, "fine value", "skan_current_conversion_value");
    print_number(details, "fine before", "prev_fine_value");
    printf("\n%-*s%-25s%-25s%s\n", LABEL, "", "window 0", "window 1", "window 2");
    print_coarse_row(details, "coarse value", "p%d_coarse");
    print_coarse_row(details, "coarse before", "p%d_prev_coarse_value");
    print_locks(details);
}

/* ---------------------------------------------------------------------------------------------------------- revenue */

/* One kind of revenue: the keys of its tables, for the lifetime and by window; NULL = there is none. */
typedef struct kind {
    const char *name;
    const char *keys[4];
} kind;

#define COLUMNS 4

static const kind kinds_4[] = {
    {"IAP", {"skan_total_revenue_by_currency", "p0_total_iap_revenue", "p1_total_iap_revenue", "p2_total_iap_revenue"}},
    {"ads",
     {"skan_total_admon_revenue_by_currency", "p0_total_admon_revenue", "p1_total_admon_revenue",
      "p2_total_admon_revenue"}},
};
static const kind kinds_3[] = {{"IAP", {"skan_total_revenue_by_currency", NULL, NULL, NULL}}};

static int compare_texts(const void *first, const void *second) {
    return strcmp(*(const char *const *)first, *(const char *const *)second);
}

/* The currencies of a kind's tables, each once, in their order; the array is the caller's, its texts the details'. */
static size_t currencies_of(json *details, const kind *kind, const char ***out) {
    size_t most = 0;
    for (int column = 0; column < COLUMNS; column++) {
        json *table = kind->keys[column] ? member(details, kind->keys[column]) : NULL;
        if (table) most += (size_t)json_object_object_length(table);
    }
    const char **found = memory_take(most * sizeof *found);
    size_t used = 0;
    for (int column = 0; column < COLUMNS; column++) {
        json *table = kind->keys[column] ? member(details, kind->keys[column]) : NULL;
        if (!table) continue;
        json_object_object_foreach(table, currency, amount) {
            (void)amount;
            found[used++] = currency;
        }
    }
    if (used > 0) qsort(found, used, sizeof *found, compare_texts);
    size_t distinct = 0;
    for (size_t index = 0; index < used; index++)
        if (index == 0 || strcmp(found[index], found[distinct - 1]) != 0) found[distinct++] = found[index];
    *out = found;
    return distinct;
}

static const char *amount_of(json *details, const char *key, const char *currency) {
    json *table = member(details, key);
    json *amount = table ? member(table, currency) : NULL;
    return amount ? json_object_get_string(amount) : "-";
}

static void print_revenue(json *details, const kind *kind) {
    const char **currencies = NULL;
    size_t rows = currencies_of(details, kind, &currencies);
    if (rows == 0) {
        printf("%s %-*s none\n", kind->name, LABEL - 5, "revenue");
    } else {
        printf("\n%s %-*s", kind->name, LABEL - 4, "revenue");
        printf(" %*s", COLUMN, "lifetime");
        for (int column = 1; column < COLUMNS && kind->keys[column]; column++)
            printf(" %*s%d", COLUMN - 1, "window ", column - 1);
        putchar('\n');
    }
    for (size_t row = 0; row < rows; row++) {
        label(currencies[row]);
        for (int column = 0; column < COLUMNS && kind->keys[column]; column++)
            printf(" %*s", COLUMN, amount_of(details, kind->keys[column], currencies[row]));
        putchar('\n');
    }
    free(currencies);
}

/* skan serve keeps what its users' requests do not tell. */
static void print_served_user(const char *id) {
    served_user user;
    if (!record_served_user(id, &user)) return;
    char app[SKAN_INSTALL_ID_MAX + 1];
    snprintf(app, sizeof app, "%.*s", user.app_length, user.app);
    label("named as");
    printf("a user of skan serve, app ");
    text_print(stdout, app);
    printf(", %s ", user.sort);
    text_print(stdout, user.user);
    putchar('\n');
}

void install_table_print(const char *id, const skan_record *record, const char *details, const skan_update *pending) {
    json *document = json_tokener_parse(details);
    label("install");
    text_print(stdout, id);
    putchar('\n');
    print_served_user(id);
    label("protocol");
    printf("SKAN %u\n", (unsigned)record->protocol);
    print_times(record);
    print_window(record);
    print_pending(pending);
    print_values(document, record);
    const kind *kinds = record->protocol == 3 ? kinds_3 : kinds_4;
    size_t count = record->protocol == 3 ? sizeof kinds_3 / sizeof kinds_3[0] : sizeof kinds_4 / sizeof kinds_4[0];
    for (size_t index = 0; index < count; index++) print_revenue(document, &kinds[index]);
    json_object_put(document);
}
