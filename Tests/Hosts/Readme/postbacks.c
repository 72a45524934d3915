/* README's receiver of postbacks in C, with one of Apple's that arrives. */
// README: imports

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition) \
    do \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    while (0)

static int answered;

static void answer(int status) {
    answered = status;
}

int main(void) {
    static char body[SKAN_POSTBACK_MAX];
    const size_t length = fread(body, 1, sizeof body, stdin);
    REQUIRE(length > 0);
    // README: code
    REQUIRE(answered == 200);
    REQUIRE(receipt.outcome == SKAN_POSTBACK_COUNTED);
    return 0;
}
