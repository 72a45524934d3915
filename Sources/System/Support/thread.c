#include "thread.h"

_Thread_local struct support_thread support_thread __attribute__((tls_model("initial-exec")));

void support_enter_hook(struct support_hook *hook, const void *engine) {
    hook->engine = engine;
    hook->outer = support_thread.innermost_hook;
    support_thread.innermost_hook = hook;
}

void support_leave_hook(const struct support_hook *hook) { support_thread.innermost_hook = hook->outer; }

bool support_is_in_hook(const void *engine) {
    for (const struct support_hook *hook = support_thread.innermost_hook; hook != NULL; hook = hook->outer) {
        if (hook->engine == engine) return true;
    }
    return false;
}
