/* What the fuzz targets share. A target ends its process where a promise of skan.h does not hold. */
#ifndef FUZZ_H
#define FUZZ_H

#include <skan/store.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process, saying which promise was broken. */
#define REQUIRE(holds)                                                          \
    do {                                                                        \
        if (!(holds)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #holds); \
            abort();                                                            \
        }                                                                       \
    } while (0)

/* Every status has a name, and exactly errors have an error object, of the same status. Frees it. */
skan_status settled(skan_status status, skan_error *error);

/* The bytes of an input, taken from its front. */
typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

uint8_t take_byte(input *input);
uint32_t take_number(input *input, uint32_t below);
/* Up to `most` bytes as a text, which may hold anything but NUL. The caller frees it. */
char *take_text(input *input, size_t most);

/* A clock that shows what it is told. */
skan_clock told_clock(int64_t *microseconds);

/* An engine with these options, which must be right. */
skan_engine *engine_with(const skan_options *options);

/* An engine with an in-memory store, and the clock it goes by. One for each protocol and purpose lives as long as the
 * process: who uses it forgets its installs. */
enum { MAIN_ENGINE, IMPORT_ENGINE };
skan_engine *lasting_engine(uint32_t protocol, int purpose, int64_t **microseconds);

/* The install's call to SKAdNetwork that waits; all zero where there is none. Answers the status of the list. */
skan_status waiting_call(skan_engine *engine, const char *install, skan_call *waiting);

/* Forgets an install, whatever it holds. */
void forget(skan_engine *engine, const char *install);

/* The details of an install, which must be there. The caller frees them with skan_free. */
char *details_of(skan_engine *engine, const char *install);

/* Imports details into a fresh engine, which must give the same details again. */
void require_imports_again(uint32_t protocol, const char *details);

#endif
