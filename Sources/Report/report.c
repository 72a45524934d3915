/* skan report. */
#include "figures.h"
#include "seen.h"

#include "../Command/arguments.h"
#include "../Command/messages.h"
#include "../Command/model_time.h"
#include "../Command/record_kind.h"
#include "../Command/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DAY = 86400 };
typedef enum form { FORM_TABLE, FORM_JSON, FORM_CSV, FORM_HTML } form;

typedef struct request {
    report report;
    form form;
    level deepest;
    const char *campaigns;
    const char **models;
    size_t model_count;
} request;

typedef struct reading {
    report *report;
    seen *seen;        /* NULL where the store lists each key once */
    uint64_t damaged;
    uint64_t own;      /* records of a receiver, the outbox's too */
    record_counts others;
} reading;

/* ------------------------------------------------------------------------------------------------------- records */

static bool is_asked(const report *report, const sighting *sighting) {
    if (sighting->received < report->from || sighting->received >= report->to) return false;
    if (report->has_app && (!sighting->has_app || sighting->app != report->app)) return false;
    return !report->network || (sighting->network && strcmp(sighting->network, report->network) == 0);
}

/* Whether it is a postback's; others are counted. */
static bool is_postback(reading *reading, const skan_load_item *item, record_kind kind) {
    bool is_own = kind == RECORD_POSTBACK || kind == RECORD_APART;
    if (is_own || kind == RECORD_OUTBOX)
        reading->own++;
    else
        record_count(&reading->others, kind);
    const char *problem = is_own ? record_name_problem(item->key, kind) : NULL;
    if (problem) {
        reading->damaged++;
        complain(item->key, "wrong name: %s", problem);
    }
    return is_own && !problem;
}

static void take_record(reading *reading, const skan_load_item *item) {
    if (item->status != SKAN_OK) return;
    record_kind kind = record_kind_of(item->key, skan_buffer_data(item->out), skan_buffer_size(item->out));
    if (!is_postback(reading, item, kind)) return;
    if (reading->seen && !seen_add(reading->seen, item->key)) return;
    sighting sighting;
    if (!sighting_read(item->key, skan_buffer_data(item->out), skan_buffer_size(item->out), &sighting)) {
        reading->damaged++;
        return;
    }
    report *report = reading->report;
    if (is_asked(report, &sighting)) {
        if (kind == RECORD_POSTBACK && sighting.is_counted)
            tally_add(&report->tally, &sighting, &report->models, &report->campaigns);
        else
            tally_add_apart(&report->tally, &sighting);
    }
    sighting_end(&sighting);
}

static bool take_batch(void *context, batch *batch) {
    for (size_t index = 0; index < batch->count; index++) take_record(context, &batch->items[index]);
    return true;
}

static int read_store(report *report, const char *url) {
    store store;
    int code = store_open(url, STORE_READS, &store);
    if (code != EXIT_FINE) return code;
    report->store = strdup(store.name);
    reading reading = {.report = report};
    /* Of Redis, a listing may give a key twice while the server makes its table larger. */
    bool is_ordered = strncmp(store.name, "sqlite:", 7) == 0 || strncmp(store.name, "postgres", 8) == 0;
    if (!is_ordered) reading.seen = seen_create();
    walk walk = {.store = &store, .visit = take_batch, .context = &reading};
    bool is_over = walk_all(&walk);
    seen_destroy(reading.seen);
    if (is_over && !record_counts_tell(store.name, "postbacks", reading.own + walk.failed, &reading.others)) {
        free((char *)report->store);
        report->store = NULL; /* there is nothing to report */
    }
    store_close(&store);
    if (!is_over || !report->store) return EXIT_FOUND;
    if (reading.damaged + walk.failed == 0) return EXIT_FINE;
    complain("report", "%llu record%s could not be read and %s not in it",
             (unsigned long long)(reading.damaged + walk.failed), plural(reading.damaged + walk.failed),
             reading.damaged + walk.failed == 1 ? "is" : "are");
    return EXIT_FOUND;
}

/* ------------------------------------------------------------------------------------------------------- request */

/* A day, or a moment; `is_end`: a day is meant with its last second. */
static bool take_time(const command *self, const char *name, const char *text, bool is_end, int64_t *seconds) {
    char whole[64];
    bool is_day = strlen(text) == 10;
    snprintf(whole, sizeof whole, "%s%s", text, is_day ? "T00:00:00Z" : "");
    if (strlen(text) > 40 || !model_time_read(whole, seconds)) {
        usage_error(self, name, "expected a day as 2026-01-31 or a moment as 2026-01-31T10:00:00Z, got \"%s\"", text);
        return false;
    }
    if (is_day && is_end) *seconds += DAY;
    return true;
}

static bool take_level(const command *self, const char *text, level *deepest) {
    static const char *const names[] = {"total", "network", "campaign", "ad-set"};
    for (int level = LEVEL_TOTAL; level <= LEVEL_AD_SET; level++)
        if (strcmp(text, names[level]) == 0) {
            *deepest = (enum level)level;
            return true;
        }
    usage_error(self, "--by", "expected total, network, campaign or ad-set, got \"%s\"", text);
    return false;
}

static bool take_form(const command *self, form form, request *request) {
    if (request->form != FORM_TABLE && request->form != form) {
        usage_error(self, self->name, "expected one of --json, --csv and --html");
        return false;
    }
    request->form = form;
    return true;
}

/* Takes one option; false where its value is wrong, which was said. */
static bool take(const command *self, int option, request *request) {
    report *report = &request->report;
    switch (option) {
    case 'j': return take_form(self, FORM_JSON, request);
    case 'v': return take_form(self, FORM_CSV, request);
    case 'l': return take_form(self, FORM_HTML, request);
    case 'c': request->campaigns = optarg; return true;
    case 'm': request->models[request->model_count++] = optarg; return true;
    case 'n': report->network = optarg; return true;
    case 'b': return take_level(self, optarg, &request->deepest);
    case 'f': return take_time(self, "--from", optarg, false, &report->from);
    case 't': return take_time(self, "--to", optarg, true, &report->to);
    case 'a': report->has_app = true; return argument_number(self, "--app", optarg, 0, INT64_MAX, &report->app);
    default: return take_time(self, "--at", optarg, false, &report->made_at);
    }
}

static int prepare(request *request) {
    report *report = &request->report;
    if (!sightings_begin()) return EXIT_FOUND;
    if (request->campaigns && !campaigns_read(request->campaigns, &report->campaigns)) return EXIT_FOUND;
    for (size_t index = 0; index < request->model_count; index++) {
        int code = value_models_add(&report->models, request->models[index]);
        if (code != EXIT_FINE) return code;
    }
    const char *paid = report->campaigns.currency;
    if (paid[0] && report->models.currency && strcmp(paid, report->models.currency) != 0) {
        complain(request->campaigns, "expected costs in %s, the currency of the models, got %s",
                 report->models.currency, paid);
        return EXIT_FOUND;
    }
    return EXIT_FINE;
}

static void print(const request *request) {
    switch (request->form) {
    case FORM_TABLE: report_print_table(&request->report, request->deepest); break;
    case FORM_JSON: report_print_json(&request->report); break;
    case FORM_CSV: report_print_csv(&request->report); break;
    case FORM_HTML: report_print_html(&request->report); break;
    }
}

static int make(request *request, const char *url) {
    report *report = &request->report;
    int code = prepare(request);
    if (code != EXIT_FINE) return code;
    code = read_store(report, url);
    if (!report->store || code == EXIT_USAGE) return code;
    tally_add_costs(&report->tally, &report->campaigns, report->network);
    if (!report_make_lines(report)) {
        complain("report", "a sum of money is larger than this command can tell exactly");
        return EXIT_FOUND;
    }
    print(request);
    return code;
}

static void end(request *request) {
    free((char *)request->report.store);
    free(request->report.lines);
    free(request->models);
    tally_free(&request->report.tally);
    value_models_free(&request->report.models);
    campaigns_free(&request->report.campaigns);
}

static int run(const command *self, int argc, char **argv) {
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'},          {"csv", no_argument, NULL, 'v'},
        {"html", no_argument, NULL, 'l'},          {"campaigns", required_argument, NULL, 'c'},
        {"model", required_argument, NULL, 'm'},   {"network", required_argument, NULL, 'n'},
        {"app", required_argument, NULL, 'a'},     {"from", required_argument, NULL, 'f'},
        {"to", required_argument, NULL, 't'},      {"by", required_argument, NULL, 'b'},
        {"at", required_argument, NULL, 'w'},      HELP_OPTION};
    request request = {.deepest = LEVEL_CAMPAIGN,
                       .report = {.from = INT64_MIN, .to = INT64_MAX, .made_at = time(NULL)}};
    request.models = calloc((size_t)argc, sizeof *request.models);
    if (!request.models) return EXIT_FOUND;
    int code = -1, option;
    while (code < 0 && (option = option_next(self, argc, argv, options)) != -1) {
        if (option == 'h' || option == '?') code = option_exit(option);
        else if (!take(self, option, &request)) code = EXIT_USAGE;
    }
    if (code < 0 && !arguments_are(self, argc, argv, 1)) code = EXIT_USAGE;
    if (code < 0) code = make(&request, argv[optind]);
    end(&request);
    return code;
}

const command report_command = {
    .name = "report",
    .arguments = "STORE [--json|--csv|--html] [--campaigns FILE] [--model FILE]...",
    .summary = "what postbacks tell of ads: installs, revenue, costs",
    .help =
        "Counts the postbacks that a receiver keeps in a store: installs, redownloads and\n"
        "re-engagements of window 0, apart from each other; windows 1 and 2 tell more of the\n"
        "same installs and add none; postbacks that another network won, apart; refused\n"
        "ones and those of development keys only as numbers. A re-engagement is no install:\n"
        "values, revenue and dates of re-engagements are told apart, in no figure of installs,\n"
        "and costs are compared with installs and redownloads alone. Exit code 1, also with\n"
        "a report, where a record could not be read. Times are UTC.\n"
        "  --json, --csv, --html  in place of a table; the page needs no network. Amounts in\n"
        "                    JSON are exact decimals as text\n"
        "  --campaigns FILE  names and costs, in CSV; columns network, identifier and, as you\n"
        "                    like, campaign, ad_set, cost, currency. An identifier is a source\n"
        "                    identifier, or \"campaign-id N\" before SKAN 4. \"39\", \"239\" and\n"
        "                    \"5239\" are one campaign, by their last two digits; an ad set is\n"
        "                    the longest end that FILE has. Costs are those of the time that\n"
        "                    the report is about\n"
        "  --model FILE      a conversion model that was in use, of installs or re-engagements;\n"
        "                    again for each version. Without models there is no revenue\n"
        "  --from TIME, --to TIME  when postbacks arrived: a day, the last one with all of it,\n"
        "                    or a moment, the last one not included\n"
        "  --network ID, --app ID  of one ad network, of one app of the App Store\n"
        "  --by LEVEL        how deep the table goes: total, network, campaign, ad-set\n"
        "  --at TIME         what the report says of when it was made\n"
        "Revenue \"min\" is what values stand for at least. The estimate takes the middle of\n"
        "each range, the lower end where there is no upper one and for fine 0 in window 0,\n"
        "which registering alone gives too, and the mean of known values for hidden ones.\n"
        "Installs beside postbacks are left alone, which is said; a store that has nothing\n"
        "else gives no report, and exit code 1.\n\n" STORE_HELP,
    .run = run,
};
