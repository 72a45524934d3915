/* README's receiver of postbacks in C, with one of Apple's that arrives. */
// README: imports

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int answered;

static void answer(int status) {
    answered = status;
}

int main(void) {
    static char body[SKAN_POSTBACK_MAX];
    const size_t length = fread(body, 1, sizeof body, stdin);
    assert(length > 0);
    // README: code
    assert(answered == 200);
    assert(receipt.outcome == SKAN_POSTBACK_COUNTED);
    return 0;
}
