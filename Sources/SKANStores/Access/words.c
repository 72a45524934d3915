#include "access.h"

#include <stdio.h>

static _Thread_local char kept[2048];

void skan_access_words_clear(void) {
    kept[0] = '\0';
}

void skan_access_words_keep(const char *words) {
    snprintf(kept, sizeof kept, "%s", words ? words : "");
}

const char *skan_access_words(void) {
    return kept;
}
