/* The client from within: when it tries again, and that whoever waits does not depend on the client's thread.
 *   inside server.py */
#define _GNU_SOURCE
#include "../../Sources/SKANHTTP/Client/retry.h"
#include "server.h"
#include "skanhttp.h"
#include "support.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int64_t read_line(const char *line) {
    return skanhttp_retry_after_read(line, strlen(line));
}

static void reads_retry_after(const void *unused) {
    (void)unused;
    EXPECT_NUMBER(0, read_line("Retry-After: 0\r\n"));
    EXPECT_NUMBER(120000, read_line("Retry-After: 120\r\n"));
    EXPECT_NUMBER(120000, read_line("retry-after:120"));
    EXPECT_NUMBER(7000, read_line("RETRY-AFTER:\t 007 \t\r\n"));
    EXPECT(read_line("Retry-After: 99999999999999999999999999999999\r\n") > INT64_C(1000000000000), "it is short");
    EXPECT(read_line("Retry-After: 9223372036854775807\r\n") > INT64_C(1000000000000), "it is short");
    EXPECT_NUMBER(-1, read_line("Retry-After:\r\n"));
    EXPECT_NUMBER(-1, read_line("Retry-After: soon\r\n"));
    EXPECT_NUMBER(-1, read_line("Retry-After: -1\r\n"));
    EXPECT_NUMBER(-1, read_line("Retry-Later: 1\r\n"));
    EXPECT_NUMBER(-1, read_line("X-Retry-After: 1\r\n"));
    EXPECT_NUMBER(-1, read_line("Retry-After"));
    EXPECT_NUMBER(-1, read_line(""));
    EXPECT_NUMBER(0, read_line("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n"));

    char line[128];
    const time_t later = time(NULL) + 3600;
    strftime(line, sizeof line, "Retry-After: %a, %d %b %Y %H:%M:%S GMT\r\n", gmtime(&later));
    const int64_t read = read_line(line);
    EXPECT(read > 3500000 && read <= 3600000, "%lld ms", (long long)read);

    char *digits = repeated("1", 10000);
    char *long_line = text_of("Retry-After: %s", digits);
    EXPECT_NUMBER(-1, read_line(long_line));
    free(long_line);
    free(digits);
}

/* From a half of the whole to the whole, both ends drawn from now and then. */
static void draws_pauses(const void *unused) {
    (void)unused;
    static const struct {
        uint32_t attempts, first, longest;
        int64_t whole;
    } pauses[] = {{1, 200, 2000, 200},     {2, 200, 2000, 400},   {4, 200, 2000, 1600},
                  {5, 200, 2000, 2000},    {100, 200, 2000, 2000}, {1, 3600000, 1000, 1000},
                  {100, 3600000, 3600000, 3600000}};
    for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++) {
        in_round("pause %zu", i);
        const int64_t whole = pauses[i].whole;
        int64_t least = INT64_MAX, most = 0;
        for (int draw = 0; draw < 2000; draw++) {
            const int64_t pause = skanhttp_retry_pause(pauses[i].attempts, pauses[i].first, pauses[i].longest);
            least = pause < least ? pause : least;
            most = pause > most ? pause : most;
        }
        EXPECT(least >= whole / 2 && least < whole * 6 / 10, "the least is %lld of %lld", (long long)least,
               (long long)whole);
        EXPECT(most <= whole && most > whole * 9 / 10, "the most is %lld of %lld", (long long)most, (long long)whole);
    }
}

static void sleep_inside(void *context, skanhttp_outcome outcome, const void *body, size_t length,
                         const char *message) {
    (void)context, (void)outcome, (void)body, (void)length, (void)message;
    sleep(4);
}

/* Its thread is kept from its work, as by a libcurl that waits for a name. */
static void waits_no_longer_than_promised(const void *unused) {
    (void)unused;
    skanhttp_settings settings = skanhttp_defaults();
    settings.timeout_ms = 300;
    settings.proxy = "";
    char why[SKANHTTP_MESSAGE_SIZE];
    skanhttp_client *client = skanhttp_client_create(&settings, why);
    skanhttp_refusal refusal;
    char *url = plain("/ok");
    EXPECT(skanhttp_start(client, url, sleep_inside, NULL, &refusal) != 0, "not started");
    usleep(200000);
    const long long begin = milliseconds();
    skanhttp_answer answer;
    skanhttp_get(client, url, &answer);
    const long long took = milliseconds() - begin;
    EXPECT_NUMBER(SKANHTTP_FAILED, answer.outcome);
    EXPECT(strstr(answer.message, "gave no answer in time"), "it says \"%s\"", answer.message);
    EXPECT(took < 300 + 200 + LATENESS, "it took %lld ms", took);
    skanhttp_client_destroy(client);
    free(url);
}

int main(int count, char **arguments) {
    if (count != 2) return 2;
    start_server(arguments[1]);
    run_case("Retry-After", reads_retry_after, NULL);
    run_case("pauses", draws_pauses, NULL);
    run_case("no longer than promised", waits_no_longer_than_promised, NULL);
    return finish_cases();
}
