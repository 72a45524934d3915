#define _GNU_SOURCE
#include "run.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void *kit_allocate(size_t size) {
    void *memory = calloc(1, size ? size : 1);
    if (!memory) abort();
    return memory;
}

static void *grown(void *memory, size_t size) {
    void *larger = realloc(memory, size);
    if (!larger) abort();
    return larger;
}

/* --------------------------------------------------------------------------------------------------------- text */

static void print_values(kit_text *text, const char *format, va_list values) {
    va_list again;
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) abort();
    size_t end = text->length + (size_t)length;
    if (text->capacity <= end) {
        text->capacity = 2 * (end + 1);
        text->bytes = grown(text->bytes, text->capacity);
    }
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, values);
    text->length = end;
}

void kit_print(kit_text *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    print_values(text, format, values);
    va_end(values);
}

void kit_print_bytes(kit_text *text, const void *data, size_t length) {
    const unsigned char *bytes = data;
    kit_print(text, "\"");
    for (size_t i = 0; i < length && i < SKAN_INSTALL_ID_MAX; i++)
        if (bytes[i] < 0x20 || bytes[i] > 0x7E || bytes[i] == '"' || bytes[i] == '\\')
            kit_print(text, "\\x%02X", bytes[i]);
        else
            kit_print(text, "%c", bytes[i]);
    kit_print(text, "\"");
    if (length > SKAN_INSTALL_ID_MAX) kit_print(text, " ... (%zu bytes)", length);
}

bool kit_fail(kit_run *run, const char *format, ...) {
    if (run->failed) return false;
    run->failed = true;
    run->reason.length = 0;
    va_list values;
    va_start(values, format);
    print_values(&run->reason, format, values);
    va_end(values);
    return false;
}

void kit_not_applicable(kit_run *run, const char *why) {
    run->not_applicable = true;
    run->reason.length = 0;
    kit_print(&run->reason, "%s", why);
}

/* ------------------------------------------------------------------------------------------------------- chance */

/* SplitMix64. */
uint64_t kit_draw(kit_random *random) {
    uint64_t number = random->state += 0x9E3779B97F4A7C15;
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9;
    number = (number ^ number >> 27) * 0x94D049BB133111EB;
    return number ^ number >> 31;
}

uint64_t kit_draw_below(kit_random *random, uint64_t limit) {
    return kit_draw(random) % limit;
}

void kit_draw_order(kit_random *random, size_t *order, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t place = (size_t)kit_draw_below(random, i + 1);
        order[i] = order[place];
        order[place] = i;
    }
}

/* ------------------------------------------------------------------------------------------------------ threads */

void kit_run_threads(kit_run *run, void *(*work)(void *context), void *contexts, size_t size) {
    pthread_t threads[SKAN_STORE_KIT_THREADS_MAX];
    for (uint32_t i = 0; i < run->threads; i++)
        if (pthread_create(&threads[i], NULL, work, (char *)contexts + i * size) != 0) {
            perror("skan_store_kit_run: pthread_create");
            abort();
        }
    for (uint32_t i = 0; i < run->threads; i++) pthread_join(threads[i], NULL);
}

/* ----------------------------------------------------------------------------------------------------- versions */

void kit_versions_add(kit_versions *versions, uint64_t version) {
    if (versions->count == versions->capacity) {
        versions->capacity = versions->capacity ? 2 * versions->capacity : 64;
        versions->numbers = grown(versions->numbers, versions->capacity * sizeof *versions->numbers);
    }
    versions->numbers[versions->count++] = version;
}

static int order(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

uint64_t kit_versions_repeated(kit_versions *versions) {
    if (versions->count > 1) qsort(versions->numbers, versions->count, sizeof *versions->numbers, order);
    for (size_t i = 1; i < versions->count; i++)
        if (versions->numbers[i] == versions->numbers[i - 1]) return versions->numbers[i];
    return 0;
}

void kit_expect_no_repetition(kit_run *run, kit_versions *versions) {
    uint64_t repeated = kit_versions_repeated(versions);
    if (repeated != 0)
        kit_fail(run, "version %" PRIu64 " came more than once among %zu of one key", repeated, versions->count);
    kit_versions_end(versions);
}

void kit_versions_end(kit_versions *versions) {
    free(versions->numbers);
    *versions = (kit_versions){NULL, 0, 0};
}
