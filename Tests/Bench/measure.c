#define _GNU_SOURCE
#include "measure.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, ascending);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

double resident_bytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    long total = 0, resident = 0;
    if (file == NULL || fscanf(file, "%ld %ld", &total, &resident) != 2) resident = 0;
    if (file != NULL) fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

double allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd);
}
