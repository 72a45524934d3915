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
    size_t steps, checks;
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

json_object *pending_answer(skan_status status, const skan_call *calls, size_t count) {
    skan_update update = {.size = sizeof update};
    for (const skan_call *call = calls; call < calls + count && update.id == 0; call++)
        if (call->conversion == 0 && call->framework == SKAN_SKADNETWORK)
            update = (skan_update){sizeof update,      call->id,          call->window,   call->fine_value,
                                   call->coarse_value, call->lock_window, call->timestamp};
    return update_answer(status == SKAN_OK && update.id == 0 ? SKAN_NOTHING_PENDING : status, &update);
}

json_object *call_answer(const skan_call *call) {
    const char *type = call->conversion_type == SKAN_CONVERSION_INSTALL        ? "install"
                       : call->conversion_type == SKAN_CONVERSION_REENGAGEMENT ? "re-engagement"
                                                                               : NULL;
    json_object *members = json_object_new_object();
    put(members, "id", json_object_new_int64((int64_t)call->id));
    put(members, "conversion", json_object_new_int64(call->conversion));
    put(members, "framework", json_object_new_string(call->framework ? "AdAttributionKit" : "SKAdNetwork"));
    put(members, "types", type ? json_object_new_string(type) : NULL);
    put(members, "window", json_object_new_int(call->window));
    put(members, "fine_value", json_object_new_int(call->fine_value));
    put(members, "coarse_value", number_or_null(call->coarse_value));
    put(members, "lock_window", json_object_new_boolean(call->lock_window));
    put(members, "timestamp", json_object_new_int64(call->timestamp));
    put(members, "valid_until", json_object_new_int64(call->valid_until));
    put(members, "tag", call->tag[0] ? json_object_new_string(call->tag) : NULL);
    return members;
}

int32_t call_result(const char *name) {
    static const char *const names[] = {"failed", "delivered", "invalid tag", "tag not supported"};
    for (int32_t result = 0; result < 4; result++)
        if (strcmp(names[result], name) == 0) return result;
    abort();
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

/* The details of an install as they have to be; of one that is not known yet they are all null. */
static json_object *known_details(json_object *known, const char *install, const char *came) {
    json_object *details = member(known, install);
    if (details) return details;
    details = json_tokener_parse(came);
    json_object_object_foreach(details, key, value) EXPECT(value == NULL, "at first %s is not null", key);
    put(known, install, details);
    return details;
}

/* `asks`: the trace tells details only where it asks for them. */
static void expect_details(void *run, json_object *known, const char *install, json_object *expected, bool asks) {
    json_object *told = member(expected, "details");
    if (json_object_is_type(told, json_type_boolean)) return; /* not known */
    if (asks && !told) return;
    if (told) put(known, install, json_object_get(told));
    char *came = running->details(run, install);
    EXPECT_TEXT(json_object_to_json_string_ext(known_details(known, install, came),
                                               JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE),
                came);
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
        char *text = path ? text_of(ENDPOINT "%s?%s", path, query) : text_of("%s", query);
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

/* A call carries the install's fine value where its update has none. */
static void put_fine_value(void *run, json_object *op, json_object *wanted) {
    json_object *update = member(wanted, "update");
    if (strcmp(member_text(op, "op"), "pending") != 0 || !update || member(update, "fine_value")) return;
    char *details = running->details(run, install_of(op));
    json_object *known = json_tokener_parse(details);
    put(update, "fine_value", json_object_new_int64(member_number(known, "skan_current_conversion_value", 0)));
    json_object_put(known);
    free(details);
}

static void run_step(void *run, json_object *known, json_object *step, bool asks) {
    json_object *op = member(step, "op"), *expected = member(step, "expect");
    char *message = NULL;
    json_object *came = running->call(run, member_text(op, "op"), op, &message);
    if (!EXPECT(came, "there is no such operation")) return;
    json_object *wanted = answer_expected(expected);
    put_fine_value(run, op, wanted);
    EXPECT(has_all(wanted, came) && has_all(came, wanted), "expected %s, came %s %s",
           json_object_to_json_string(wanted), json_object_to_json_string(came), message ? message : "");
    expect_message(expected, message ? message : "");
    counts->checks++;
    expect_details(run, known, install_of(op), expected, asks);
    json_object_put(wanted);
    json_object_put(came);
    free(message);
}

/* ----------------------------------------------------------------------------------------------------- whole traces */

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
    for (size_t i = 0; i < json_object_array_length(steps); i++) {
        json_object *op = member(json_object_array_get_idx(steps, i), "op");
        bool others = member(op, "models") || member(op, "reengagement_models");
        if (strcmp(member_text(op, "op"), "reopen") == 0 && others) return true;
    }
    return false;
}

static void run_trace_in(manner manner, json_object *trace) {
    json_object *steps = member(trace, "steps");
    counts->steps += json_object_array_length(steps);
    if (manner == IN_MEMORY && needs_a_store(steps)) return;
    const char *credit = member_text(trace, "credit");
    const engine_of_trace of = {manner,
                                (uint32_t)member_number(trace, "protocol", 0),
                                documents(member(trace, "models")),
                                member(trace, "listed"),
                                member(trace, "reengagement_listed"),
                                credit && strcmp(credit, "newest") == 0,
                                (uint32_t)member_number(trace, "cooldown_hours", 0),
                                member_flag(trace, "transport")};
    json_object *known = json_object_new_object();
    void *run = running->open(&of);
    for (size_t i = 0; i < json_object_array_length(steps); i++) {
        json_object *step = json_object_array_get_idx(steps, i);
        in_round("%s, step %zu %s", manner_names[manner], i, json_object_to_json_string(member(step, "op")));
        run_step(run, known, step, member_flag(trace, "asked"));
    }
    in_round("%s", manner_names[manner]);
    running->close(run);
    json_object_put(of.models);
    json_object_put(known);
}

static void as_told(const void *trace) {
    run_trace_in(ON_HOST_STORE, (json_object *)trace);
    run_trace_in(IN_MEMORY, (json_object *)trace);
}

static void as_put_together(const void *trace) {
    run_trace_in(TOGETHER, (json_object *)trace);
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

/* Each step once in every manner that `run` has. */
static bool run_file(const char *path, void (*run)(const void *trace), size_t manners) {
    size_t steps, before = counts->steps;
    json_object *traces = traces_of(path, &steps);
    size_t count = json_object_array_length(traces);
    if (count == 0) give_up(path, "has no traces");
    for (size_t i = 0; i < count; i++) {
        json_object *trace = json_object_array_get_idx(traces, i);
        run_case(member_text(trace, "id"), run, trace);
    }
    json_object_put(traces);
    if (counts->steps - before == manners * steps) return true;
    printf("FAILED %s: %zu of %zu x %zu steps were run\n", path, counts->steps - before, manners, steps);
    return false;
}

int run_vectors(int count, char **arguments, const language *language) {
    if (count != 4) give_up(arguments[0], "usage: FOLDER TOGETHER TOP");
    char *pattern = text_of("%s/*.jsonl", arguments[1]);
    glob_t files;
    if (glob(pattern, 0, NULL, &files) != 0) give_up(pattern, "there are no vectors");
    top = arguments[3];
    running = language;
    counts = (struct counts *)shared_memory(sizeof *counts);
    bool complete = run_file(arguments[2], as_put_together, 1);
    for (size_t i = 0; i < files.gl_pathc; i++) complete = run_file(files.gl_pathv[i], as_told, 2) && complete;
    globfree(&files);
    free(pattern);
    printf("%zu steps, %zu checks: ", counts->steps, counts->checks);
    int status = finish_cases();
    return complete ? status : 1;
}
