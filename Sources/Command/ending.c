#include "ending.h"

#include "command.h"
#include "messages.h"
#include "progress.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t noted;
static int output_reason; /* errno of the first line that could not be written */

static void note(int number) {
    noted = number;
}

void signals_watch(void) {
    static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t index = 0; index < sizeof watched / sizeof watched[0]; index++) {
        struct sigaction before;
        /* One that the parent ignores, nohup's for instance, stays ignored. */
        if (sigaction(watched[index], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
        sigaction(watched[index], &action, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
}

bool is_ending(void) {
    return noted || ferror(stdout);
}

void output_line(const char *line) {
    errno = 0;
    if (fputs(line, stdout) == EOF || putchar('\n') == EOF) output_reason = errno;
}

static bool reader_is_gone(void) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

static void end_by(int number) {
    fflush(stderr);
    signal(number, SIG_DFL);
    raise(number);
}

int finish(int code) {
    progress_end();
    bool has_failed = ferror(stdout);
    errno = 0;
    if (fflush(stdout) != 0) {
        if (!has_failed) output_reason = errno;
        has_failed = true;
    }
    if (has_failed && (output_reason == EPIPE || reader_is_gone()))
        end_by(SIGPIPE);
    else if (has_failed)
        complain("standard output", "%s", output_reason ? strerror(output_reason) : "could not be written");
    if (noted) end_by(noted);
    return has_failed ? EXIT_FOUND : code;
}
