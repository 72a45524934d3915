#include "cases.h"
#include "hooks.h"
#include "support.h"

static int laws_passed;

static void take_law(void *context, const skan_store_kit_result *result) {
    (void)context;
    EXPECT(result->outcome == SKAN_STORE_KIT_PASSED, "law %zu, %s: %s", result->number, result->law, result->reason);
    laws_passed += result->outcome == SKAN_STORE_KIT_PASSED;
}

static skan_status open_for_kit(void *context, skan_store *out) {
    const kit_subject *subject = context;
    return kind.open(subject->place, subject->options, out, NULL);
}

void keep_contract(const void *given) {
    kit_subject subject = *(const kit_subject *)given;
    subject.kit.size = sizeof subject.kit;
    subject.kit.context = &subject;
    subject.kit.open = open_for_kit;
    subject.kit.durable = subject.kit.shared = true;
    subject.kit.report = take_law;
    EXPECT_NUMBER(0, skan_store_kit_run(&subject.kit));
    EXPECT(laws_passed > 20, "only %d laws", laws_passed);
}
