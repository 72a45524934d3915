#include "companions.h"

#include "command.h"
#include "messages.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

companion_function *companion_find(const char *store_name, const char *file, const char *function) {
    /* Never closed: the companions stay once loaded. */
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        complain(store_name, "this needs %s, which could not be loaded: %s", file, dlerror());
        return NULL;
    }
    void *found = dlsym(library, function);
    if (!found) {
        complain(store_name, "%s has no %s: it is another version than this command", file, function);
        return NULL;
    }
    /* ISO C has no conversion between the two; POSIX says that they are of one form. */
    companion_function *called;
    memcpy(&called, &found, sizeof called);
    return called;
}

void companion_report(void *context, skan_status status, const char *message) {
    store *store = context;
    if (store->report)
        store->report(store->report_context, status, message);
    else
        snprintf(store->trouble, sizeof store->trouble, "%s", message);
}

int companion_refused(const store *store, skan_error *error) {
    complain(store->name, "%s", error ? skan_error_message(error) : "could not be opened");
    skan_error_free(error);
    return EXIT_FOUND;
}
