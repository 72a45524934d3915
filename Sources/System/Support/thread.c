#include "thread.h"

_Thread_local struct support_thread support_thread __attribute__((tls_model("initial-exec")));

struct support_hook *support_enter_hook(const void *engine) {
    struct support_hook *hook = &support_thread.own_hook;
    if (hook->engine != NULL) hook = malloc(sizeof *hook);
    if (hook == NULL) return NULL;
    *hook = (struct support_hook){.engine = engine, .older = support_thread.newest_hook};
    if (hook->older != NULL) hook->older->newer = hook;
    support_thread.newest_hook = hook;
    return hook;
}

void support_leave_hook(struct support_hook *hook) {
    if (hook == NULL) return;
    if (hook->newer != NULL) hook->newer->older = hook->older;
    else support_thread.newest_hook = hook->older;
    if (hook->older != NULL) hook->older->newer = hook->newer;
    if (hook == &support_thread.own_hook) hook->engine = NULL;
    else free(hook);
}

bool support_is_in_hook(const void *engine) {
    for (const struct support_hook *hook = support_thread.newest_hook; hook != NULL; hook = hook->older) {
        if (hook->engine == engine) return true;
    }
    return false;
}
