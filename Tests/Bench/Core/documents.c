/* documents.c - endpoints' answers that are made to take long, beside plain ones of the same length. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define BYTES 60000

/* An object of that many keys, which differ only at their ends; they are as long as fits into BYTES. */
static char *keys(int count) {
    char *text = malloc(BYTES + 1), *end = text;
    if (text == NULL) abort();
    int length = BYTES / count - 10; /* without the number, quotes and so on */
    end += sprintf(end, "{");
    for (int i = 0; i < count; i++) {
        end += sprintf(end, "\"");
        for (int at = 0; at + 6 <= length; at += 6) end += sprintf(end, "\\u0061");
        end += sprintf(end, "%04d\":0,", i);
    }
    sprintf(end - 1, "}");
    return text;
}

/* An object with a number of BYTES, most of them zeros, and this exponent. */
static char *number(const char *exponent) {
    char *text = malloc(BYTES + 64);
    if (text == NULL) abort();
    int length = sprintf(text, "{\"conversion_value\":0.");
    memset(text + length, '0', BYTES);
    sprintf(text + length + BYTES, "%s}", exponent);
    return text;
}

/* Nanoseconds in which an answer is read. What it says is not looked at. */
static double time_answer(skan_engine *engine, const char *id, const char *body) {
    size_t length = strlen(body);
    double start = seconds_now();
    skan_error *error = NULL;
    skan_apply_response(engine, id, NULL, 0, body, length, NULL, &error);
    double time = (seconds_now() - start) * 1e9;
    skan_error_free(error);
    return time;
}

static void measure(const char *name, const char *plain, const char *slow, int rounds) {
    double plains[MAX_ROUNDS], slows[MAX_ROUNDS];
    skan_engine *engine = create_engine();
    call call;
    add_installs(engine, 1);
    prepare_call(&call, 0);
    for (int round = 0; round < rounds; round++) {
        plains[round] = time_answer(engine, call.id, plain);
        slows[round] = time_answer(engine, call.id, slow);
    }
    double time = median(slows, (size_t)rounds);
    print_measure(name, time, time / median(plains, (size_t)rounds));
    skan_destroy(engine);
}

void measure_documents(effort effort) {
    char *few = keys(100), *many = keys(1000), *zeros = number("e1"), *huge = number("e1000000000");
    printf("\nAnswers of %d bytes: ns a call, and how often a plain one is read meanwhile\n", BYTES);
    measure("1 000 keys, beside 100 longer ones", few, many, effort.rounds);
    measure("an exponent of a billion, beside one of 1", zeros, huge, effort.rounds);
    free(few), free(many), free(zeros), free(huge);
}
