/* The C side of overhead.py: runs each call in rounds and prints its name and the nanoseconds of the best round. */
#include <skan/skan.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char install_id[] = "player-1";

static void check(skan_status status) {
    if (status != SKAN_OK) {
        fprintf(stderr, "%s\n", skan_status_name(status));
        exit(1);
    }
}

static void pending_calls(skan_engine *engine) {
    skan_call calls[SKAN_CALLS_MAX] = {{.size = sizeof *calls}};
    size_t count = 0;
    skan_error *error = NULL;
    check(skan_pending_calls(engine, install_id, NULL, calls, SKAN_CALLS_MAX, &count, &error));
}

static void update_revenue(skan_engine *engine) {
    skan_error *error = NULL;
    check(skan_update_revenue(engine, install_id, (skan_amount){.number = 0.99}, "USD", SKAN_IAP, NULL, &error));
}

static double round_of(void (*call)(skan_engine *), skan_engine *engine, long calls) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (long index = 0; index < calls; index++) {
        call(engine);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / (double)calls;
}

static double nanoseconds(void (*call)(skan_engine *), skan_engine *engine, long calls, long rounds) {
    double best = round_of(call, engine, calls);
    for (long index = 1; index < rounds; index++) {
        double next = round_of(call, engine, calls);
        best = next < best ? next : best;
    }
    return best;
}

int main(int count, char **arguments) {
    if (count != 3) {
        return 2;
    }
    long calls = strtol(arguments[1], NULL, 10);
    long rounds = strtol(arguments[2], NULL, 10);
    skan_engine *engine = NULL;
    const skan_options options = {.size = sizeof options, .endpoint_url = "https://skan.example.com"};
    check(skan_create(&options, &engine, NULL));
    check(skan_register(engine, install_id, NULL, NULL, NULL));
    printf("pending_calls %.1f\n", nanoseconds(pending_calls, engine, calls, rounds));
    printf("update_revenue %.1f\n", nanoseconds(update_revenue, engine, calls, rounds));
    skan_destroy(engine);
    return 0;
}
