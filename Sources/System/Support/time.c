#include <time.h>

#include "support.h"

int64_t support_now(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0 || now.tv_sec < 0 || now.tv_sec > INT64_MAX / 1000000 - 1) return -1;
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t support_ticks(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void support_pause(uint32_t microseconds) {
    struct timespec left = {.tv_sec = microseconds / 1000000, .tv_nsec = (long)(microseconds % 1000000) * 1000};
    nanosleep(&left, NULL);
}
