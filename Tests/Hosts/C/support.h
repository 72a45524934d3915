/* What the tests share: cases that are counted, expectations that say what came, and answers of the C API checked for
 * what skan.h promises of every answer. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include <skan/skan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A case runs in a process of its own, so that one which ends its process fails alone. Answers whether it passed. */
typedef void case_function(const void *subject);
bool run_case(const char *name, case_function *function, const void *subject);

/* With a sanitizer, each case then runs in a thread that begins after fork(). For programs whose libraries start threads.
 * Programs whose cases fork must not call it: ThreadSanitizer allows no new threads in a child of a process that had
 * several. */
void run_cases_in_own_threads(void);

/* LeakSanitizer looks for leaks in every n-th case only. For programs with thousands of cases. */
void look_for_leaks_in_every(int interval);

/* So much time has a case, in place of ten minutes; one that takes longer fails. */
void let_cases_take(int seconds);

/* A case without a subject, by its function's name, now. */
#define RUN(function) run_plain_case(#function, (function))
bool run_plain_case(const char *name, void (*function)(void));

/* One that run_cases runs: CASE(name) { … } */
#define CASE(name) \
    static void name(void); \
    __attribute__((constructor)) static void add_##name(void) { add_case(#name, name); } \
    static void name(void)
void add_case(const char *name, void (*function)(void));

/* Ends an object of the running case when its function is over; the last one first. */
void at_end(void (*end)(void *object), void *object);

/* Prints "N passed, M failed"; the exit status of the test. */
int finish_cases(void);
/* The same, after every CASE of the program in the order of its file. */
int run_cases(void);

/* Waits for a child, -1 for any, which must end with 0. */
void expect_success(int child);

/* Memory that cases change and the test sees; zeroed. */
void *shared_memory(size_t size);

#define PRINTS(text, first) __attribute__((format(printf, text, first)))

/* Counts a failure of the running case where it does not hold, and says so; answers whether it held. */
bool expect(bool holds, const char *file, int line, const char *format, ...) PRINTS(4, 5);
bool expect_text(const char *expected, const char *actual, const char *what, const char *file, int line);
bool expect_number(long long expected, long long actual, const char *what, const char *file, int line);
bool expect_status(skan_status expected, skan_status actual, const char *what, const char *file, int line);

#define EXPECT(holds, ...) expect((holds), __FILE__, __LINE__, __VA_ARGS__)
#define EXPECT_TEXT(expected, actual) expect_text((expected), (actual), #actual, __FILE__, __LINE__)
#define EXPECT_NUMBER(expected, actual) \
    expect_number((long long)(expected), (long long)(actual), #actual, __FILE__, __LINE__)
#define EXPECT_STATUS(expected, call) expect_status((expected), (call), #call, __FILE__, __LINE__)

/* Said before each failure that follows, to tell rounds of a loop apart; "" for nothing. */
void in_round(const char *format, ...) PRINTS(1, 2);

/* Where calls inside ANSWER put their error. Between answers it holds a pointer that is none, so that a call which
 * does not write it is found out. */
extern skan_error *failure;

/* The status is `expected`; the error is there exactly for statuses of 100 and more, has the same status and a
 * message (empty only where the endpoint's reason is). Frees the error; `failure_message` keeps its text. */
#define ANSWER(expected, call) answer((expected), (call), #call, __FILE__, __LINE__)
bool answer(skan_status expected, skan_status actual, const char *what, const char *file, int line);

/* The same, whatever the status is; answers it. */
#define SETTLE(call) settle((call), #call, __FILE__, __LINE__)
skan_status settle(skan_status actual, const char *what, const char *file, int line);

const char *failure_message(void);

/* Text that no message may contain, an SDK key; NULL for none. */
extern const char *never_in_messages;

/* What was reported to the host: how often, and what at last. */
typedef struct reports {
    int count;
    skan_status status;
    char message[1024];
} reports;
void note_report(void *reports, skan_status status, const char *message);

/* Arguments of calls: EVENT(.name = "purchase", .event_id = "order-1"), AMOUNT(4.99). */
#define EVENT(...) (&(skan_event){.size = sizeof(skan_event), __VA_ARGS__})
#define AMOUNT(of_number) ((skan_amount){.number = (of_number)})

/* Texts that last as long as their case; one that makes many frees them with free(). */
char *text_of(const char *format, ...) PRINTS(1, 2);
char *repeated(const char *unit, size_t times);

#ifdef __cplusplus
}
#endif

#endif
