/* Amounts of money: exact decimals of one currency, never binary fractions. */
#ifndef REPORT_MONEY_H
#define REPORT_MONEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In units of 10^-12, never negative. */
__extension__ typedef __int128 money;

#define MONEY_PLACES 12
#define MONEY_TEXT_MAX 64

/* Reads "12", "0.5", "1000.25": digits, and at most 12 after the point; below 10^15. */
bool money_read(const char *text, money *amount);

/* False where the sum would leave the range: it is unchanged then. */
bool money_add(money *sum, money amount);

/* sum * times / parts, half to even; `parts` is not 0. False where it would leave the range. */
bool money_share(money sum, uint64_t times, uint64_t parts, money *amount);

/* All places that are not 0, two at least: "0.50", "0.015". */
const char *money_exact(money amount, char text[MONEY_TEXT_MAX]);
/* So many places, 0 to 12, half to even. */
const char *money_rounded(money amount, int places, char text[MONEY_TEXT_MAX]);

/* The quotient of two amounts or counts, with so many places, half to even; NULL where `under` is 0. */
const char *money_quotient(money over, money under, int places, char text[MONEY_TEXT_MAX]);

#endif
