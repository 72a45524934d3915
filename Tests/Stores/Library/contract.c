#include "cases.h"
#include "support.h"

#include <skan/store_kit.h>

typedef struct subject {
    const char *name;
    skan_status (*open)(void *context, skan_store *out);
    skan_status (*reopen)(void *context);
    void *context;
    int laws_passed;
} subject;

static skan_status open_subject(void *context, skan_store *out) {
    const subject *subject = context;
    return subject->open(subject->context, out);
}

static skan_status reopen_subject(void *context) {
    const subject *subject = context;
    return subject->reopen(subject->context);
}

static void take_law(void *context, const skan_store_kit_result *result) {
    subject *subject = context;
    EXPECT(result->outcome == SKAN_STORE_KIT_PASSED, "%s: law %zu, %s: %s", subject->name, result->number, result->law,
           result->reason);
    subject->laws_passed += result->outcome == SKAN_STORE_KIT_PASSED;
}

void keep_contract(const char *name, skan_status (*open)(void *context, skan_store *out),
                   skan_status (*reopen)(void *context), void *context) {
    subject subject = {name, open, reopen, context, 0};
    skan_store_kit kit = {.size = sizeof kit,
                          .context = &subject,
                          .open = open_subject,
                          .reopen = reopen_subject,
                          .durable = true,
                          .shared = true,
                          .prefix = "",
                          .rounds = 30,
                          .steps = 1500,
                          .report = take_law};
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    EXPECT(subject.laws_passed > 20, "only %d laws", subject.laws_passed);
}
