/* A socket that takes nothing at first, and a server that has answered all of a batch when its last bytes are sent:
 *   sockets
 * libpq calls this program's send and recv in place of libc's. */
#define _GNU_SOURCE
#include "Stores/Library/hooks.h"
#include "Trouble/Servers/postgres.h"
#include "support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { ITEMS = 20, TIMEOUT_MS = 5000 };

/* How many sends the socket refuses yet; -1: it is as any other. */
static int refusals = -1;
static bool has_just_sent;

ssize_t send(int socket, const void *bytes, size_t length, int flags) {
    if (refusals > 0) {
        refusals--;
        errno = EAGAIN;
        return -1;
    }
    has_just_sent = refusals == 0;
    return sendto(socket, bytes, length, flags, NULL, 0);
}

ssize_t recv(int socket, void *bytes, size_t room, int flags) {
    if (has_just_sent) nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    has_just_sent = false;
    return recvfrom(socket, bytes, room, flags, NULL, NULL);
}

static void expect_batches(const skan_store *store, int refused) {
    char keys[ITEMS][32];
    skan_save_item saves[ITEMS];
    skan_load_item loads[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        snprintf(keys[i], sizeof keys[i], "%d refused, %d", refused, i);
        saves[i] = (skan_save_item){keys[i], "record", 6, 0, 0, -1};
        loads[i] = (skan_load_item){keys[i], skan_buffer_create(), 0, -1};
    }
    refusals = refused;
    store->save_many(store->context, saves, ITEMS);
    refusals = refused;
    store->load_many(store->context, loads, ITEMS);
    refusals = -1;
    for (int i = 0; i < ITEMS; i++) {
        EXPECT_STATUS(SKAN_OK, saves[i].status);
        EXPECT_STATUS(SKAN_OK, loads[i].status);
        skan_buffer_destroy(loads[i].out);
    }
}

/* The pipeline's end, libpq's flush and its reading each try to send what is left: the last of them to get through
 * may already read every answer. */
static void answers_that_came_while_sending_are_taken(void) {
    server running;
    server_start(&running, "fsync=off");
    skan_postgres_options options = making("batches");
    options.timeout_ms = TIMEOUT_MS;
    skan_store store = opened(running.url, &options);
    for (int refused = 0; refused < 6; refused++) {
        in_round("%d refused", refused);
        expect_batches(&store, refused);
    }
    skan_postgres_store_close(&store);
    server_stop(&running, "fast");
}

int main(void) {
    RUN(answers_that_came_while_sending_are_taken);
    return finish_cases();
}
