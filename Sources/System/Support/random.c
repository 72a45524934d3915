#include <errno.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "thread.h"

/* getrandom, and where a sandbox forbids it, what differs between threads, processes and moments. */
static uint64_t seed(void) {
    uint64_t bits = 0;
    ssize_t got;
    do {
        got = getrandom(&bits, sizeof bits, 0);
    } while (got < 0 && errno == EINTR);
    if (got == (ssize_t)sizeof bits) return bits;
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^ (uint64_t)getpid() << 48 ^ (uintptr_t)&support_thread;
}

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators). */
uint64_t support_random(void) {
    struct support_thread *thread = &support_thread;
    if (thread->seeded_in != support_fork_generation) {
        support_watch_forks();
        thread->random_state = seed();
        thread->seeded_in = support_fork_generation;
    }
    uint64_t bits = thread->random_state += 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}
