#include "model_reason.h"

#include "model_words.h"

#include <inttypes.h>
#include <string.h>

typedef struct json_object json;

static const char first_key[] = "skan_first_call_to_skadnetwork_timestamp";

static int64_t of_window(json *details, const char *format, int64_t window) {
    char key[64];
    snprintf(key, sizeof key, format, (int)window);
    return model_number(details, key, -1);
}

static int64_t day_at(const model_result *result, int64_t time) {
    if (!model_member(result->details, first_key)) return -1;
    int64_t elapsed = time - model_number(result->details, first_key, time);
    return elapsed > 0 ? elapsed / 86400 : 0;
}

int64_t model_day(const model_step *step, const model_result *result) {
    return day_at(result, step->time);
}

bool model_counts(const model_step *step, const model_result *result) {
    if (step->kind != STEP_EVENT || strcmp(step->event, "__SESSION__") == 0) return true;
    return model_member(model_member(result->view, "events"), step->event) != NULL;
}

/* A rule holds whose value is not taken: the install's own value tells why. */
static void print_not_taken(FILE *out, const model_file *file, const model_result *result) {
    int64_t window = model_number(result->view, "window", 0);
    int64_t fine = model_number(result->view, "fine", -1);
    int64_t coarse = model_number(result->view, "coarse", -1);
    if (file->protocol == 3) {
        int64_t has = model_number(result->details, "skan_conversion_value", 0);
        fprintf(out, fine == has ? "the install has fine %" PRId64 " already" : "SKAN 3 takes only more than the "
                "install's fine %" PRId64, has);
        return;
    }
    int64_t has_fine = window == 0 ? model_number(result->details, "skan_current_conversion_value", -1) : -1;
    int64_t has_coarse = of_window(result->details, "p%d_coarse", window);
    bool is_same = fine == has_fine && coarse == has_coarse;
    fprintf(out, is_same ? "the install has " : "raise_only: lower than the install's ");
    value_print(out, has_fine, has_coarse, false);
    if (is_same) fputs(" already", out);
}

static void print_no_new_value(FILE *out, const model_file *file, const model_result *result) {
    if (model_member(result->view, "rule"))
        print_not_taken(out, file, result);
    else if (model_rule_count(file, (int)model_number(result->view, "window", 0)) == 0)
        fputs("this window has no rules", out);
    else
        fputs("no rule holds", out);
}

static void print_of_success(FILE *out, const model_step *step, const model_result *result) {
    if (step->kind != STEP_REVENUE)
        fputs("SKAN 3 gives none at registration", out);
    else if (result->seen_status == SKAN_NOT_REGISTERED)
        fputs("the install is not registered yet, only lifetime revenue grows", out);
    else if (result->seen_status == SKAN_WINDOW_CLOSED)
        fputs("the last window is closed, only lifetime revenue grows", out);
    else
        fputs("revenue waits for the next session or event", out);
}

static void print_of_status(FILE *out, const model_file *file, const model_step *step, const model_result *result) {
    int64_t window = model_number(result->view, "window", 0);
    switch (result->status) {
    case SKAN_ALREADY_REGISTERED: fputs("the install was registered before", out); return;
    case SKAN_DUPLICATE_EVENT: fputs("this id came before, nothing is counted twice", out); return;
    case SKAN_NO_NEW_VALUE: print_no_new_value(out, file, result); return;
    case SKAN_WINDOW_LOCKED:
        fprintf(out, "window %" PRId64 " was locked on day %" PRId64, window,
                day_at(result, of_window(result->details, "p%d_window_lock", window)));
        return;
    case SKAN_WINDOW_CLOSED:
        fputs(file->protocol == 3 ? "24 hours passed without a new value" : "the last window closed after day 34", out);
        return;
    case SKAN_NOT_REGISTERED: fputs("the install is not registered yet", out); return;
    default: print_of_success(out, step, result);
    }
}

void model_reason_print(FILE *out, const model_file *file, const model_step *step, const model_result *result) {
    if (result->update.id == 0) print_of_status(out, file, step, result);
}
