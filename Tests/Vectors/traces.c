#define _GNU_SOURCE
#include "traces.h"
#include "support.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const manner_names[] = {"on the host's store", "in memory", "together"};

static const char *top;
static const language *running;
static struct counts {
    size_t steps, checks, joined;
} *counts; /* shared with the cases, each of which is a process */

static void give_up(const char *path, const char *why) {
    fprintf(stderr, "%s: %s\n", path, why);
    exit(2);
}

/* --------------------------------------------------------------------------------------------------------- members */

json_object *member(json_object *object, const char *key) {
    json_object *value = NULL;
    return json_object_object_get_ex(object, key, &value) ? value : NULL;
}

const char *member_text(json_object *object, const char *key) {
    json_object *value = member(object, key);
    return value ? json_object_get_string(value) : NULL;
}

int64_t member_number(json_object *object, const char *key, int64_t none) {
    json_object *value = member(object, key);
    return value ? json_object_get_int64(value) : none;
}

bool member_flag(json_object *object, const char *key) {
    return json_object_get_boolean(member(object, key));
}

const char *install_of(json_object *op) {
    return member(op, "install") ? member_text(op, "install") : "install-1";
}

static bool is_text(json_object *object, const char *key, const char *text) {
    return member(object, key) && strcmp(member_text(object, key), text) == 0;
}

static void put(json_object *object, const char *key, json_object *value) {
    json_object_object_add(object, key, value);
}

static json_object *copy_of(json_object *value) {
    json_object *copy = NULL;
    if (value && json_object_deep_copy(value, &copy, NULL) != 0) abort();
    return copy;
}

/* ------------------------------------------------------------------------------------------------ answers of a call */

json_object *status_answer(skan_status status) {
    const char *name = skan_status_name(status);
    json_object *answer = json_object_new_object();
    size_t prefix = strncmp(name, "SKAN_ERROR_", 11) == 0 ? 11 : strncmp(name, "SKAN_", 5) == 0 ? 5 : 0;
    put(answer, "status", json_object_new_string(name + prefix));
    return answer;
}

static json_object *number_or_null(int number) {
    return number == -1 ? NULL : json_object_new_int(number);
}

json_object *update_answer(skan_status status, const skan_update *update) {
    json_object *answer = status_answer(status);
    if (update->id == 0) {
        skan_update none;
        memset(&none, 0, sizeof none);
        none.size = update->size;
        EXPECT(memcmp(&none, update, sizeof none) == 0, "no update, and not all of it is 0");
        return answer;
    }
    json_object *members = json_object_new_object();
    put(members, "id", json_object_new_int64((int64_t)update->id));
    put(members, "window", json_object_new_int(update->window));
    put(members, "fine_value", number_or_null(update->fine_value));
    put(members, "coarse_value", number_or_null(update->coarse_value));
    put(members, "lock_window", json_object_new_boolean(update->lock_window));
    put(members, "timestamp", json_object_new_int64(update->timestamp));
    put(answer, "update", members);
    return answer;
}

static int base64_digit(char character) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = character ? strchr(digits, character) : NULL;
    return at ? (int)(at - digits) : -1;
}

void *step_body(json_object *op, size_t *length) {
    json_object *plain = member(op, "body");
    const char *source = plain ? json_object_get_string(plain) : member_text(op, "body_b64");
    size_t size = plain ? (size_t)json_object_get_string_len(plain) : strlen(source);
    char *bytes = malloc(size + 1);
    if (!bytes) abort();
    *length = plain ? size : 0;
    if (plain) return memcpy(bytes, source, size);
    unsigned bits = 0;
    int have = 0;
    for (size_t i = 0; i < size && base64_digit(source[i]) >= 0; i++) {
        bits = bits << 6 | (unsigned)base64_digit(source[i]);
        have += 6;
        if (have < 8) continue;
        have -= 8;
        bytes[(*length)++] = (char)(bits >> have & 255);
    }
    return bytes;
}

/* ---------------------------------------------------------------------------------------------------------- details */

/* A number's source text as a plain decimal: no exponent, no trailing zeros. */
static void write_plain(FILE *out, const char *number) {
    char digits[512];
    long point = 0, length = 0;
    bool fraction = false, negative = *number == '-';
    for (number += negative; isdigit((unsigned char)*number) || *number == '.'; number++) {
        if (*number == '.') {
            fraction = true;
        } else {
            if (length == sizeof digits) abort();
            if (length > 0 || *number != '0') digits[length++] = *number;
            if (length > 0 && !fraction) point++;
            if (length == 0 && fraction) point--;
        }
    }
    if (*number == 'e' || *number == 'E') point += strtol(number + 1, NULL, 10);
    while (length > 0 && digits[length - 1] == '0') length--;
    if (length == 0) point = 0;
    if (negative && length > 0) fputc('-', out);
    if (point <= 0) fputc('0', out);
    for (long at = point < 0 ? point : 0; at < length || at < point; at++) {
        if (at == point && at < length) fputc('.', out);
        fputc(at >= 0 && at < length ? digits[at] : '0', out);
    }
}

static void write_details(FILE *out, json_object *details) {
    const char *separator = "{";
    json_object_object_foreach(details, key, value) {
        fprintf(out, "%s\"%s\":", separator, key);
        separator = ",";
        if (json_object_is_type(value, json_type_object))
            write_details(out, value);
        else if (value)
            write_plain(out, json_object_to_json_string(value));
        else
            fputs("null", out);
    }
    fputs("}", out);
}

/* The details as the library writes them: plain style, plain decimals. */
static char *details_text(json_object *details) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    write_details(out, details);
    fclose(out);
    return text;
}

/* The details of an install as they have to be; of one that is not known yet they are all null. */
static json_object *known_details(json_object *known, const char *install, const char *came) {
    json_object *details = member(known, install);
    if (details) return details;
    details = json_tokener_parse(came);
    json_object_object_foreach(details, key, value) EXPECT(value == NULL, "at first %s is not null", key);
    put(known, install, details);
    return details;
}

static void expect_details(void *run, json_object *known, const char *install, json_object *expected) {
    json_object *told = member(expected, "details");
    if (json_object_is_type(told, json_type_boolean)) return; /* not known */
    if (told) put(known, install, json_object_get(told));
    char *came = running->details(run, install), *text = details_text(known_details(known, install, came));
    EXPECT_TEXT(text, came);
    free(text);
    free(came);
    counts->checks++;
}

/* --------------------------------------------------------------------------------------------------------- answers */

static char *encoded_query(json_object *items) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    for (size_t i = 0; i < json_object_array_length(items); i++) {
        json_object *item = json_object_array_get_idx(items, i), *value = json_object_array_get_idx(item, 1);
        fprintf(out, "%s%s=", i ? "&" : "", json_object_get_string(json_object_array_get_idx(item, 0)));
        const char *bytes = json_object_get_string(value);
        for (int at = 0; at < json_object_get_string_len(value); at++) {
            unsigned char byte = (unsigned char)bytes[at];
            bool unreserved = byte < 128 && (isalnum(byte) || strchr("-._~", byte));
            fprintf(out, unreserved ? "%c" : "%%%02X", byte);
        }
    }
    fclose(out);
    return text;
}

/* What a call has to answer: query items as the text that they make, and without what is compared apart. */
static json_object *answer_expected(json_object *expected) {
    json_object *answer = copy_of(expected);
    if (member(answer, "query")) {
        char *query = encoded_query(member(answer, "query"));
        const char *path = member_text(answer, "path");
        char *text = path ? text_of("https://sdk-api-v1.singular.net%s?%s", path, query) : text_of("%s", query);
        put(answer, path ? "url" : "query", json_object_new_string(text));
        if (path) json_object_object_del(answer, "query");
        free(text);
        free(query);
    }
    json_object_object_del(answer, "path");
    json_object_object_del(answer, "details");
    json_object_object_del(answer, "message");
    return answer;
}

/* Whether every member of one is in the other; null is as good as none. */
static bool has_all(json_object *one, json_object *other) {
    json_object_object_foreach(one, key, value) if (!json_object_equal(value, member(other, key))) return false;
    return true;
}

/* A text is the whole message; of a list the message begins with the first text and holds the others. */
static void expect_message(json_object *expected, const char *message) {
    json_object *told = member(expected, "message");
    if (!told) return;
    if (!json_object_is_type(told, json_type_array)) {
        EXPECT_TEXT(json_object_get_string(told), message);
        return;
    }
    for (size_t i = 0; i < json_object_array_length(told); i++) {
        const char *part = json_object_get_string(json_object_array_get_idx(told, i));
        const char *found = strstr(message, part);
        EXPECT(found && (i > 0 || found == message), "the message should %s \"%s\", but is \"%s\"",
               i > 0 ? "hold" : "begin with", part, message);
    }
}

static void run_step(void *run, json_object *known, json_object *step) {
    json_object *op = member(step, "op"), *expected = member(step, "expect");
    char *message = NULL;
    json_object *came = running->call(run, member_text(op, "op"), op, &message);
    if (!EXPECT(came, "there is no such operation")) return;
    json_object *wanted = answer_expected(expected);
    EXPECT(has_all(wanted, came) && has_all(came, wanted), "expected %s, came %s %s",
           json_object_to_json_string(wanted), json_object_to_json_string(came), message ? message : "");
    expect_message(expected, message ? message : "");
    counts->checks++;
    expect_details(run, known, install_of(op), expected);
    json_object_put(wanted);
    json_object_put(came);
    free(message);
}

/* --------------------------------------------------------------------------------------------------------- together */

static json_object *part(json_object *steps, size_t index, const char *key) {
    return index < json_object_array_length(steps) ? member(json_object_array_get_idx(steps, index), key) : NULL;
}

/* A step that stands for `covers` of the trace. */
static json_object *made_step(const char *name, json_object *fields, json_object *expected, size_t covers) {
    json_object *step = json_object_new_object(), *op = fields ? fields : json_object_new_object();
    put(op, "op", json_object_new_string(name));
    put(step, "op", op);
    put(step, "expect", expected);
    put(step, "covers", json_object_new_int64((int64_t)covers));
    return step;
}

static bool is_with_ticket(json_object *op, const char *name, const char *ticket) {
    return op && is_text(op, "op", name) && is_text(op, "ticket", ticket);
}

/* Whether the step is a request that is answered by the next step and by no later one. */
static bool is_answered_at_once(json_object *steps, size_t index) {
    json_object *op = part(steps, index, "op");
    if (!is_text(op, "op", "request") || !is_text(part(steps, index, "expect"), "status", "OK")) return false;
    const char *ticket = member_text(op, "ticket");
    if (!is_with_ticket(part(steps, index + 1, "op"), "apply", ticket)) return false;
    for (size_t later = index + 2; part(steps, later, "op"); later++) {
        if (is_with_ticket(part(steps, later, "op"), "apply", ticket)) return false;
        if (is_with_ticket(part(steps, later, "op"), "request", ticket) &&
            is_text(part(steps, later, "expect"), "status", "OK"))
            return true;
    }
    return true;
}

static json_object *request_and_answer(json_object *steps, size_t index) {
    json_object *fields = copy_of(part(steps, index + 1, "op")), *expected = copy_of(part(steps, index + 1, "expect"));
    put(fields, "event", copy_of(member(part(steps, index, "op"), "event")));
    put(expected, "path", copy_of(member(part(steps, index, "expect"), "path")));
    put(expected, "query", copy_of(member(part(steps, index, "expect"), "query")));
    return made_step("convert", fields, expected, 2);
}

static bool is_error(const char *status) {
    return strcmp(status, "OK") != 0 && strcmp(status, "DUPLICATE_EVENT") != 0;
}

/* Amounts of one install that follow each other, as a batch. */
static json_object *batch_of(json_object *steps, size_t first, size_t count) {
    json_object *fields = json_object_new_object(), *items = json_object_new_array();
    json_object *expected = json_object_new_object(), *statuses = json_object_new_array();
    const char *all = "OK";
    for (size_t i = first; i < first + count; i++) {
        json_object *item = copy_of(part(steps, i, "op")), *told = part(steps, i, "expect");
        json_object_object_del(item, "op");
        json_object_array_add(items, item);
        json_object_array_add(statuses, copy_of(member(told, "status")));
        if (!is_error(all)) all = is_error(member_text(told, "status")) ? member_text(told, "status") : "OK";
        if (member(told, "details")) put(expected, "details", json_object_get(member(told, "details")));
    }
    put(fields, "items", items);
    put(expected, "statuses", statuses);
    put(expected, "status", json_object_new_string(all));
    return made_step("revenue_many", fields, expected, count);
}

/* The batch's message without "items[N]: ". */
static json_object *message_alone(json_object *message) {
    json_object *alone = copy_of(message), *first = json_object_array_get_idx(alone, 0);
    const char *space = strchr(json_object_get_string(first), ' ');
    if (!space) abort();
    json_object_array_put_idx(alone, 0, json_object_new_string(space + 1));
    return alone;
}

/* Each amount of a batch in a call of its own; the details are known again when all are counted. */
static void add_one_by_one(json_object *to, json_object *steps, size_t index) {
    json_object *items = member(part(steps, index, "op"), "items"), *told = part(steps, index, "expect");
    json_object *message = member(told, "message");
    for (size_t i = 0; i < json_object_array_length(items); i++) {
        json_object *expected = json_object_new_object();
        json_object *status = json_object_array_get_idx(member(told, "statuses"), i);
        put(expected, "status", copy_of(status));
        put(expected, "details", json_object_new_boolean(false));
        if (message && is_error(json_object_get_string(status))) {
            put(expected, "message", message_alone(message));
            message = NULL;
        }
        json_object_array_add(to, made_step("revenue", copy_of(json_object_array_get_idx(items, i)), expected, 0));
    }
    json_object *expected = json_object_new_object();
    put(expected, "status", json_object_new_string("OK"));
    if (member(told, "details")) put(expected, "details", json_object_get(member(told, "details")));
    json_object_array_add(to, made_step("details", NULL, expected, 1));
}

static json_object *together(json_object *steps) {
    json_object *made = json_object_new_array();
    for (size_t i = 0, count; part(steps, i, "op"); i += count) {
        for (count = 0; is_text(part(steps, i + count, "op"), "op", "revenue");) count++;
        if (count > 1) {
            json_object_array_add(made, batch_of(steps, i, count));
            continue;
        }
        count = is_answered_at_once(steps, i) ? 2 : 1;
        if (count == 2)
            json_object_array_add(made, request_and_answer(steps, i));
        else if (is_text(part(steps, i, "op"), "op", "revenue_many"))
            add_one_by_one(made, steps, i);
        else
            json_object_array_add(made, json_object_get(json_object_array_get_idx(steps, i)));
    }
    return made;
}

/* ----------------------------------------------------------------------------------------------------- whole traces */

/* Every member is one of the words. */
static bool has_only(json_object *object, const char *words, const char *what) {
    bool all = json_object_is_type(object, json_type_object);
    json_object_object_foreach(object, key, value) {
        (void)value;
        char *word = text_of(" %s ", key);
        all = EXPECT(strstr(words, word), "%s has no field \"%s\"", what, key) && all;
        free(word);
    }
    return all;
}

#define REVENUE " op install amount amount_text currency ad_monetization event_id "

static const struct {
    const char *name, *fields;
} operations[] = {{"now", " op t "},
                  {"register", " op install "},
                  {"revenue", REVENUE},
                  {"revenue_many", " op items "},
                  {"request", " op install event ticket "},
                  {"apply", " op install body body_b64 ticket "},
                  {"update", " op install event event_id "},
                  {"explain", " op install "},
                  {"decode", " op model window fine coarse "},
                  {"model", " op body body_b64 "},
                  {"pending", " op install "},
                  {"acknowledge", " op install id delivered "},
                  {"metadata", " op install "},
                  {"details", " op install "},
                  {"import", " op install body body_b64 "},
                  {"reopen", " op models "},
                  {"forget", " op install "}};

static bool is_step(json_object *step) {
    json_object *op = member(step, "op"), *items = member(op, "items");
    bool known = has_only(step, " op expect ", "a step") && member(step, "expect") && member(op, "op");
    for (size_t i = 0; known && i < sizeof operations / sizeof *operations; i++)
        if (is_text(op, "op", operations[i].name)) {
            for (size_t at = 0; items && at < json_object_array_length(items); at++)
                known = has_only(json_object_array_get_idx(items, at), REVENUE, "an item") && known;
            return has_only(op, operations[i].fields, operations[i].name) && known;
        }
    return EXPECT(false, "there is no such step: %s", json_object_to_json_string(step));
}

static bool is_trace(json_object *trace) {
    json_object *steps = member(trace, "steps");
    bool known = has_only(trace, " id protocol reference models listed steps ", "a trace") && steps;
    for (size_t i = 0; known && i < json_object_array_length(steps); i++)
        known = is_step(json_object_array_get_idx(steps, i));
    return known;
}

/* The documents of a trace's models as texts. */
static json_object *documents(json_object *models) {
    json_object *texts = models ? json_object_new_array() : NULL;
    for (size_t i = 0; models && i < json_object_array_length(models); i++) {
        json_object *model = json_object_array_get_idx(models, i), *text = copy_of(member(model, "document"));
        if (!text) {
            char content[SKAN_MODEL_MAX], *path = text_of("%s/%s", top, member_text(model, "file"));
            FILE *file = fopen(path, "rb");
            if (!file) give_up(path, "cannot be opened");
            text = json_object_new_string_len(content, (int)fread(content, 1, sizeof content, file));
            fclose(file);
            free(path);
        }
        json_object_array_add(texts, text);
    }
    return texts;
}

/* A new engine has a new memory: a trace that goes on with other models needs a store. */
static bool needs_a_store(json_object *steps) {
    for (size_t i = 0; part(steps, i, "op"); i++)
        if (is_text(part(steps, i, "op"), "op", "reopen") && member(part(steps, i, "op"), "models")) return true;
    return false;
}

static void run_trace_in(json_object *trace, manner manner) {
    json_object *told = member(trace, "steps");
    if (manner == IN_MEMORY && needs_a_store(told)) {
        counts->steps += json_object_array_length(told);
        return;
    }
    json_object *steps = manner == TOGETHER ? together(told) : json_object_get(told), *known = json_object_new_object();
    const engine_of_trace of = {manner, (uint32_t)member_number(trace, "protocol", 0),
                                documents(member(trace, "models")), member(trace, "listed")};
    void *run = running->open(&of);
    size_t number = 0;
    for (size_t i = 0; part(steps, i, "op"); i++) {
        in_round("%s, step %zu %s", manner_names[manner], number, json_object_to_json_string(part(steps, i, "op")));
        run_step(run, known, json_object_array_get_idx(steps, i));
        size_t covered = (size_t)member_number(json_object_array_get_idx(steps, i), "covers", 1);
        counts->joined += covered > 1;
        number += covered;
    }
    in_round("%s", manner_names[manner]);
    counts->steps += number;
    running->close(run);
    json_object_put(of.models);
    json_object_put(steps);
    json_object_put(known);
}

static void run_trace(const void *subject) {
    json_object *trace = (json_object *)subject;
    if (!EXPECT(is_trace(trace), "not a trace as README.md says")) return;
    for (manner manner = ON_HOST_STORE; manner <= TOGETHER; manner++) run_trace_in(trace, manner);
}

/* ------------------------------------------------------------------------------------------------------------ files */

/* The whole file before a trace is run, for its offset is every process's. Its steps are counted in its text, apart
 * from the reader. */
static json_object *traces_of(const char *path, size_t *steps) {
    FILE *stream = fopen(path, "r");
    if (!stream) give_up(path, "cannot be opened");
    json_object *traces = json_object_new_array();
    char *line = NULL;
    size_t capacity = 0;
    *steps = 0;
    for (ssize_t length; (length = getline(&line, &capacity, stream)) > 0;) {
        for (const char *at = line; (at = strstr(at, "{\"op\":{\"op\":")); at++) ++*steps;
        json_tokener *tokener = json_tokener_new();
        json_object *trace = json_tokener_parse_ex(tokener, line, (int)length);
        if (!trace) give_up(path, json_tokener_error_desc(json_tokener_get_error(tokener)));
        if (!member(trace, "id")) give_up(path, "a trace has no id");
        json_object_array_add(traces, trace);
        json_tokener_free(tokener);
    }
    free(line);
    fclose(stream);
    return traces;
}

static bool run_file(const char *path, size_t *all_traces, size_t *all_steps) {
    size_t steps;
    json_object *traces = traces_of(path, &steps);
    size_t count = json_object_array_length(traces);
    if (count == 0) give_up(path, "has no traces");
    counts->steps = 0;
    for (size_t i = 0; i < count; i++) {
        json_object *trace = json_object_array_get_idx(traces, i);
        run_case(member_text(trace, "id"), run_trace, trace);
    }
    json_object_put(traces);
    *all_traces += count;
    *all_steps += steps;
    if (counts->steps == 3 * steps) return true;
    printf("FAILED %s: %zu of 3 x %zu steps were run\n", path, counts->steps, steps);
    return false;
}

int run_vectors(int count, char **arguments, const language *language) {
    if (count != 3) give_up(arguments[0], "usage: FOLDER TOP");
    char *pattern = text_of("%s/*.jsonl", arguments[1]);
    glob_t files;
    if (glob(pattern, 0, NULL, &files) != 0) give_up(pattern, "there are no vectors");
    top = arguments[2];
    running = language;
    counts = (struct counts *)shared_memory(sizeof *counts);
    bool complete = true;
    size_t traces = 0, steps = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) complete = run_file(files.gl_pathv[i], &traces, &steps) && complete;
    globfree(&files);
    free(pattern);
    complete = EXPECT(counts->joined > 0, "no call stood for several") && complete;
    printf("%zu traces, %zu steps in three manners, %zu calls in place of several, %zu checks: ", traces, steps,
           counts->joined, counts->checks);
    int status = finish_cases();
    return complete ? status : 1;
}
