/* Versions of records, drawn at random. */
#ifndef VERSIONS_H
#define VERSIONS_H

#include "trouble.h"

/* The greatest version that is drawn: the greatest signed 64-bit number, as databases know them. */
#define VERSION_MAX ((uint64_t)INT64_MAX)

/*
 * 63 bits from the system, neither 0 nor `other_than`. A counter of the whole store would be a second page, or row, to
 * write for every change; and it would give numbers a second time after a power failure that lost some, or when an
 * older copy is put back under running processes. Only two versions of the same key can be taken for each other: with a
 * million changes of one install the odds that any two are equal are 1 in 18 million, and harm needs a caller that
 * still waits with the first of them, 1 in 9 * 10^18 for each such caller and change.
 */
skan_status version_draw(uint64_t other_than, uint64_t *version, trouble *trouble);

#endif
