/* Engines of several processes on one database: no revenue is lost or counted twice. */
#ifndef PURCHASES_H
#define PURCHASES_H

#include <skan/skan.h>

/* On a database that was started. */
void sums_are_exact(long purchases_of_each);

/* In halves of a dollar. */
void expect_revenue(skan *engine, const char *id, long long halves);

#endif
