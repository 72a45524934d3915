/* measure.h - what all benches measure by: the monotonic clock, medians, and the size of this process. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

#define MAX_ROUNDS 201

double seconds_now(void);
/* Sorts the values. */
double median(double *values, size_t count);
/* Bytes of memory that this process holds, as the system counts them. */
double resident_bytes(void);
/* Bytes that it has from malloc and has not freed. */
double allocated_bytes(void);

#endif
