#include "cases.h"
#include "support.h"

static int laws_passed;

static void take_law(void *context, const skan_store_kit_result *result) {
    (void)context;
    EXPECT(result->outcome == SKAN_STORE_KIT_PASSED, "law %zu, %s: %s", result->number, result->law, result->reason);
    laws_passed += result->outcome == SKAN_STORE_KIT_PASSED;
}

void keep_contract(skan_store_kit kit) {
    kit.size = sizeof kit;
    kit.durable = kit.shared = true;
    kit.report = take_law;
    EXPECT_NUMBER(0, skan_store_kit_run(&kit));
    EXPECT(laws_passed > 20, "only %d laws", laws_passed);
}
