#define _GNU_SOURCE
#include "trouble.h"
#include "support.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

reports told;

void pass_milliseconds(int milliseconds) {
    nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

/* ------------------------------------------------------------------------------------------------------ what is told */

void expect_told(skan_status status, const char *words) {
    EXPECT_NUMBER(1, told.count);
    EXPECT_STATUS(status, told.status);
    EXPECT_WORDS(words, told.message);
    EXPECT_WORDS(kind.told_as, told.message);
    EXPECT(!strstr(told.message, "nobodys-business"), "a key is told: %s", told.message);
    EXPECT(!never_in_messages || !strstr(told.message, never_in_messages), "a password is told");
    told.count = 0;
}

void expect_refused(const char *place, const void *options, skan_status status, const char *words) {
    skan_store store;
    if (ANSWER(status, kind.open(place, options, &store, &failure)) && status == SKAN_OK) kind.close(&store);
    EXPECT_WORDS(words, failure_message());
}

void expect_late(const char *place, const void *options, double seconds, const char *words) {
    double start = seconds_now();
    expect_refused(place, options, SKAN_ERROR_STORE, words);
    EXPECT_TIME(seconds, seconds_now() - start);
}

/* ------------------------------------------------------------------------------------------------------------ changes */

skan_store store_with_record(const char *place, const void *options, uint64_t *version) {
    skan_store store = opened(place, options);
    EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", 0, version));
    return store;
}

skan_status save_two(const skan_store *store, uint64_t version) {
    skan_save_item items[] = {{"another", "new", 3, 0, 0, -1}, {PLAYER, "lost", 4, version, 0, -1}};
    save_many(store, items, 2);
    EXPECT_STATUS(items[0].status, items[1].status);
    return items[0].status;
}

void expect_changes_refused(const skan_store *store, uint64_t version, const char *words) {
    EXPECT_TOLD(SKAN_ERROR_STORE, words, save_text(store, PLAYER, "lost", version, NULL));
    EXPECT_TOLD(SKAN_ERROR_STORE, words, save_text(store, "another", "lost", 0, NULL));
    EXPECT_TOLD(SKAN_ERROR_STORE, words, save_two(store, version));
}

void expect_mended(skan_store *store, uint64_t version) {
    told.count = 0;
    EXPECT(holds_text(store, PLAYER, "kept") && load(store, PLAYER)->version == version, "what was saved is kept");
    EXPECT(holds_text(store, "another", NULL), "what was refused is not there");
    EXPECT_STATUS(SKAN_OK, save_text(store, PLAYER, "more", version, &version));
    EXPECT_STATUS(SKAN_OK, remove_key(store, PLAYER, version));
    EXPECT(told.count == 0, "trouble after it was mended: %s", told.message);
    kind.close(store);
}

static void *make_call(void *argument) {
    aside *call = argument;
    double start = seconds_now();
    call->status = call->what == SAVING       ? save_text(call->store, PLAYER, "lost", call->version, NULL)
                   : call->what == SAVING_TWO ? save_two(call->store, call->version)
                                              : load(call->store, PLAYER)->status;
    call->took = seconds_now() - start;
    return NULL;
}

void begin_aside(aside *call) {
    pthread_create(&call->thread, NULL, make_call, call);
}

void end_aside(aside *call, skan_status expected) {
    pthread_join(call->thread, NULL);
    EXPECT_STATUS(expected, call->status);
}

/* ------------------------------------------------------------------------------------------------------------ places */

int listening_socket(int backlog, int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(made, (struct sockaddr *)&address, length) != 0 || (backlog >= 0 && listen(made, backlog) != 0) ||
        getsockname(made, (struct sockaddr *)&address, &length) != 0)
        abort();
    *port = ntohs(address.sin_port);
    return made;
}

const char *small_disk(void) {
    char *folder = text_of("/tmp/skan-small-XXXXXX");
    if (!mkdtemp(folder)) abort();
    bool is_mounted = unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
                      mount("tmpfs", folder, "tmpfs", 0, "mode=0777,size=3m") == 0;
    return EXPECT(is_mounted, "no small file system can be made: %s", strerror(errno)) ? folder : NULL;
}

void enlarge_disk(const char *folder) {
    if (mount("tmpfs", folder, "tmpfs", MS_REMOUNT, "size=30m") != 0) abort();
}

void remove_disk(const char *folder) {
    umount2(folder, MNT_DETACH);
    rmdir(folder);
}

static char record[SKAN_RECORD_MAX];

int fill(const skan_store *store, skan_status *status) {
    int count = 0;
    for (; count < 1000; count++) {
        for (size_t i = 0; i < sizeof record; i++) record[i] = (char)(rand() >> 7);
        *status = save(store, text_of("large-%d", count), record, sizeof record, 0, NULL);
        if (*status != SKAN_OK) break;
    }
    EXPECT(count > 10, "only %d records had room", count);
    return count;
}

/* Who had no room may take a moment to see that there is. */
void expect_filled(const skan_store *store, int count) {
    const char *key = text_of("large-%d", count);
    EVENTUALLY(save(store, key, record, sizeof record, load(store, key)->version, NULL) == SKAN_OK);
    for (int i = 0; i <= count; i++) {
        key = text_of("large-%d", i);
        EXPECT(load(store, key)->status == SKAN_OK, "%s is lost", key);
    }
}
