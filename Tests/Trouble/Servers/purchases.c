/* Engines of several processes on one server:
 *   purchases [purchases of each process] */
#include "Trouble/Stores/purchases.h"

#include "Trouble/Stores/database.h"
#include "support.h"

#include <stdlib.h>

static void check_sums(const void *subject) {
    sums_are_exact(*(const long *)subject);
}

int main(int count, char **texts) {
    long purchases = count > 1 ? strtol(texts[1], NULL, 10) : 500;
    database_start(false);
    run_case("sums are exact", check_sums, &purchases);
    return finish_cases();
}
