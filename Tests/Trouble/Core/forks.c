/*
 * An engine made before fork() works in the child, whatever other threads of the parent were doing at that moment; the
 * in-memory store is copied:
 *   forks [forks]
 */
#include "functions.h"
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INSTALLS 20
#define THREADS 4

static skan_engine *engine;
static atomic_bool over;

static void install_id(int number, char *id) {
    snprintf(id, 32, "install-%d", number % INSTALLS);
}

/* What goes in goes into two tables: a copy taken in the middle of a call would show in their difference. */
static void *buy(void *argument) {
    char id[32];
    for (int i = (int)(intptr_t)argument; !atomic_load(&over); i++) {
        install_id(i, id);
        skan_update_revenue(engine, id, AMOUNT(0.01), "USD", SKAN_IAP, NULL, NULL);
    }
    return NULL;
}

static void expect_whole(const char *id) {
    char *details = details_of(engine, id);
    const char *lifetime = strstr(details, "\"skan_total_revenue_by_currency\":{");
    const char *window = strstr(details, "\"p0_total_iap_revenue\":{");
    if (EXPECT(lifetime && window, "%s has no revenue: %s", id, details)) {
        lifetime = strchr(lifetime, '{');
        window = strchr(window, '{');
        EXPECT(strncmp(lifetime, window, strcspn(window, "}") + 1) == 0, "half a call: %s", details);
    }
    free(details);
}

static void in_a_child(const void *subject) {
    (void)subject;
    alarm(120); /* a lock that another thread of the parent held would never be released */
    char id[32];
    for (int i = 0; i < INSTALLS; i++) {
        install_id(i, id);
        in_round("%s", id);
        expect_whole(id);
        ANSWER(SKAN_OK, skan_update_revenue(engine, id, AMOUNT(1), "USD", SKAN_IAP, NULL, &failure));
        expect_whole(id);
        ANSWER(SKAN_ALREADY_REGISTERED, skan_register(engine, id, NULL, NULL, &failure));
        ANSWER(SKAN_OK, skan_apply_response(engine, id, NULL, 0, "{\"conversion_value\":3}", 22, NULL, &failure));
        ANSWER(SKAN_OK, skan_forget(engine, id, &failure));
        ANSWER(SKAN_OK, skan_register(engine, id, NULL, NULL, &failure));
    }
    skan_destroy(engine);
}

int main(int count, char **texts) {
    int forks = count > 1 ? atoi(texts[1]) : 100;
    const skan_options options = {.size = sizeof options, .endpoint_url = "https://skan.example.com"};
    ANSWER(SKAN_OK, skan_create(&options, &engine, &failure));
    char id[32];
    for (int i = 0; i < INSTALLS; i++) {
        install_id(i, id);
        ANSWER(SKAN_OK, skan_register(engine, id, NULL, NULL, &failure));
        ANSWER(SKAN_OK, skan_update_revenue(engine, id, AMOUNT(0.01), "USD", SKAN_IAP, NULL, &failure));
    }
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, buy, (void *)i) != 0) abort();
    bool works = true;
    for (int i = 0; works && i < forks; i++) works = run_case("a fork while threads call", in_a_child, NULL);
    atomic_store(&over, true);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    run_case("a fork while nobody calls", in_a_child, NULL);
    skan_destroy(engine);
    return finish_cases();
}
