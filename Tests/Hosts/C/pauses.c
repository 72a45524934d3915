/* Pauses of libskan's are over at once in a program that has this file: what goes on for seconds is then tested in
 * moments. */
#define _GNU_SOURCE
#include <time.h>

int nanosleep(const struct timespec *time, struct timespec *left) {
    (void)time, (void)left;
    return 0;
}
