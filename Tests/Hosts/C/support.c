#define _GNU_SOURCE
#include "support.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A case that takes longer hangs: it fails, and what it started is ended. Few take minutes. */
static int case_seconds = 600;

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SWIFT_RUNTIME true
#else
#define HAS_SWIFT_RUNTIME false
#endif

static int passed_cases, failed_cases;
static const char *running_case = "";
static int failures_of_case;
static char round_name[256];

/* What the case ends, the last one first. */
static struct ending {
    struct ending *before;
    void (*end)(void *object);
    void *object;
} *endings;

void at_end(void (*end)(void *object), void *object) {
    struct ending *last = malloc(sizeof *last);
    if (!last) abort();
    *last = (struct ending){endings, end, object};
    endings = last;
}

static void end_all(void) {
    while (endings) {
        struct ending last = *endings;
        free(endings);
        endings = last.before;
        last.end(last.object);
    }
}

typedef struct case_call {
    case_function *function;
    const void *subject;
} case_call;

static void *call_case(void *argument) {
    const case_call *call = argument;
    call->function(call->subject);
    end_all();
    exit(failures_of_case == 0 ? 0 : 1);
}

/* LeakSanitizer calls this at the end of each process. A search for leaks reads all memory in use, which takes long in
 * programs with thousands of cases and much memory. */
static int leak_interval = 1;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return (passed_cases + failed_cases) % leak_interval != 0;
}

void look_for_leaks_in_every(int interval) {
    leak_interval = interval;
}

void let_cases_take(int seconds) {
    case_seconds = seconds;
}

static bool have_own_threads;

void run_cases_in_own_threads(void) {
    have_own_threads = HAS_SWIFT_RUNTIME;
}

/* Swift's runtime for Linux caches each thread's id in thread-local memory, and takes its locks with this id. In a forked
 * process the first thread still has the id of the parent's thread. Two threads that want the same lock may then wait
 * forever. A thread that begins after fork() has the right id. libskan's libraries are Embedded Swift and do not contain
 * this runtime, but programs with a sanitizer do. */
static void call_in_own_thread(case_call *call) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, call_case, call) == 0) pthread_join(thread, NULL);
    perror("pthread_create");
    exit(2);
}

/* Prints the stack of each thread of a case that hangs; without gdb, the system call that each thread is in. */
static void tell_where(pid_t child) {
    char command[512];
    snprintf(command, sizeof command,
             "gdb -batch -p %d -ex 'thread apply all backtrace 40' 2>&1 || "
             "for task in /proc/%d/task/*; do echo \"$task\"; cat \"$task/wchan\" \"$task/syscall\"; done",
             (int)child, (int)child);
    fflush(NULL);
    if (system(command) != 0) printf("no stack of process %d can be shown\n", (int)child);
}

/* Waits until the child has ended, and ends it if it hangs. If the kernel has no process descriptors, the child's alarm
 * ends it. */
static void wait_for_end(pid_t child, const char *name) {
    const int process = (int)syscall(SYS_pidfd_open, child, 0);
    if (process < 0) return;
    struct pollfd end = {.fd = process, .events = POLLIN};
    if (poll(&end, 1, case_seconds * 1000) == 0) {
        printf("%s has not ended after %d s:\n", name, case_seconds);
        tell_where(child);
        kill(child, SIGKILL);
    }
    close(process);
}

bool run_case(const char *name, case_function *function, const void *subject) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(2);
    }
    if (child == 0) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(case_seconds + 60);
        running_case = name;
        failures_of_case = 0;
        case_call call = {function, subject};
        if (have_own_threads) call_in_own_thread(&call);
        call_case(&call);
    }
    setpgid(child, child);
    wait_for_end(child, name);
    int ending = 0;
    if (waitpid(child, &ending, 0) != child) {
        perror("waitpid");
        exit(2);
    }
    if (WIFSIGNALED(ending)) {
        printf("FAILED %s: ended by signal %s\n", name, strsignal(WTERMSIG(ending)));
        kill(-child, SIGKILL);
    }
    if (WIFEXITED(ending) && WEXITSTATUS(ending) > 1)
        printf("FAILED %s: ended with exit status %d\n", name, WEXITSTATUS(ending));
    bool passed = WIFEXITED(ending) && WEXITSTATUS(ending) == 0;
    if (passed)
        passed_cases++;
    else
        failed_cases++;
    return passed;
}

typedef void plain_function(void);

static void call_plain(const void *subject) {
    (*(plain_function *const *)subject)();
}

bool run_plain_case(const char *name, plain_function *function) {
    return run_case(name, call_plain, &function);
}

static struct {
    const char *name;
    plain_function *function;
} plain_cases[128];
static size_t plain_count;

void add_case(const char *name, plain_function *function) {
    if (plain_count == sizeof plain_cases / sizeof *plain_cases) abort();
    plain_cases[plain_count].name = name;
    plain_cases[plain_count++].function = function;
}

int finish_cases(void) {
    printf("%d passed, %d failed\n", passed_cases, failed_cases);
    return failed_cases == 0 && passed_cases > 0 ? 0 : 1;
}

int run_cases(void) {
    for (size_t i = 0; i < plain_count; i++) run_plain_case(plain_cases[i].name, plain_cases[i].function);
    return finish_cases();
}

void expect_success(int child) {
    int ending = 1;
    waitpid(child, &ending, 0);
    EXPECT_NUMBER(0, ending);
}

void *shared_memory(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
    return memory;
}

bool expect(bool holds, const char *file, int line, const char *format, ...) {
    if (holds) return true;
    if (++failures_of_case > 20) return false; /* enough to see what is wrong */
    printf("FAILED %s%s%s at %s:%d: ", running_case, round_name[0] ? ", " : "", round_name, file, line);
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    printf("\n");
    return false;
}

bool expect_text(const char *expected, const char *actual, const char *what, const char *file, int line) {
    return expect(actual && strcmp(expected, actual) == 0, file, line, "%s\n  expected %s\n  came     %s", what,
                  expected, actual ? actual : "(NULL)");
}

bool expect_number(long long expected, long long actual, const char *what, const char *file, int line) {
    return expect(expected == actual, file, line, "%s: expected %lld, came %lld", what, expected, actual);
}

bool expect_status(skan_status expected, skan_status actual, const char *what, const char *file, int line) {
    return expect(expected == actual, file, line, "%s: expected %s, came %s (%d)", what, skan_status_name(expected),
                  skan_status_name(actual), (int)actual);
}

void in_round(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(round_name, sizeof round_name, format, values);
    va_end(values);
}

static char no_error;
skan_error *failure = (skan_error *)&no_error;
static char *last_message;
const char *never_in_messages;

skan_status settle(skan_status actual, const char *what, const char *file, int line) {
    skan_error *error = failure;
    failure = (skan_error *)&no_error;
    free(last_message);
    last_message = strdup("");
    if (!expect(error != (skan_error *)&no_error, file, line, "%s: the error was not written", what)) return actual;
    if (!expect((error != NULL) == (actual >= 100), file, line, "%s: %s with %s error", what, skan_status_name(actual),
                error ? "an" : "no"))
        return actual;
    if (!error) return actual;
    expect_status(actual, skan_error_code(error), what, file, line);
    if (expect(skan_error_message(error) != NULL, file, line, "%s: the error has no message", what)) {
        free(last_message);
        last_message = strdup(skan_error_message(error));
        expect(!never_in_messages || !strstr(last_message, never_in_messages), file, line, "%s: a secret is told: %s",
               what, last_message);
        expect(last_message[0], file, line, "%s: the message is empty", what);
    }
    skan_error_free(error);
    return actual;
}

bool answer(skan_status expected, skan_status actual, const char *what, const char *file, int line) {
    settle(actual, what, file, line);
    return expect(expected == actual, file, line, "%s: expected %s, came %s%s%s", what, skan_status_name(expected),
                  skan_status_name(actual), last_message[0] ? ": " : "", last_message);
}

const char *failure_message(void) {
    return last_message ? last_message : "";
}

void note_report(void *context, skan_status status, const char *message) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    reports *reports = context;
    pthread_mutex_lock(&mutex);
    reports->count++;
    reports->status = status;
    snprintf(reports->message, sizeof reports->message, "%s", message);
    pthread_mutex_unlock(&mutex);
}

/* Of the leak sanitizer, where there is one. */
void __lsan_ignore_object(const void *memory) __attribute__((weak));

static char *lasting(char *text) {
    if (__lsan_ignore_object) __lsan_ignore_object(text);
    return text;
}

char *text_of(const char *format, ...) {
    char *text = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0) abort();
    va_end(values);
    return lasting(text);
}

char *repeated(const char *unit, size_t times) {
    size_t length = strlen(unit);
    char *text = malloc(length * times + 1);
    if (!text) abort();
    for (size_t i = 0; i < times; i++) memcpy(text + i * length, unit, length);
    text[length * times] = '\0';
    return lasting(text);
}
