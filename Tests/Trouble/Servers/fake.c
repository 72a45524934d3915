#define _GNU_SOURCE
#include "fake.h"

#include "Trouble/Stores/trouble.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };

static int listener, port;
static pthread_t thread;
static _Atomic(const char *) reply, login_reply, cluster_reply;
static atomic_bool is_over;

static void say(int socket, const char *words, size_t length) {
    while (length > 0) {
        ssize_t sent = send(socket, words, length, MSG_NOSIGNAL);
        if (sent <= 0) return;
        words += sent;
        length -= (size_t)sent;
    }
}

/* Whether the connection goes on. Commands come one at a time and are small: each is one packet. */
static bool serve(int socket) {
    char command[65536];
    ssize_t length = recv(socket, command, sizeof command - 1, 0);
    if (length <= 0) return false;
    command[length] = '\0';
    const char *words = strstr(command, "AUTH")      ? atomic_load(&login_reply)
                        : strstr(command, "CLUSTER") ? atomic_load(&cluster_reply)
                                                     : NULL;
    if (!words) words = atomic_load(&reply);
    if (!words) words = strstr(command, "GETRANGE") ? "$0\r\n\r\n" : strstr(command, "EVAL") ? ":0\r\n" : "-ERR no\r\n";
    if (strcmp(words, FAKE_CLOSES) == 0) return false;
    if (strcmp(words, FAKE_FLOODS) == 0) {
        static char block[1 << 20];
        memset(block, 'x', sizeof block);
        say(socket, "$33554432\r\n", 11);
        for (int i = 0; i < 32; i++) say(socket, block, sizeof block);
        return false;
    }
    if (strcmp(words, FAKE_COUNTS) == 0) {
        static char block[1 << 20];
        for (size_t i = 0; i < sizeof block; i += 32) memcpy(block + i, "$25\r\nxxxxxxxxxxxxxxxxxxxxxxxxx\r\n", 32);
        say(socket, "*1000000\r\n", 10);
        for (int i = 0; i < 30; i++) say(socket, block, sizeof block);
        return false;
    }
    say(socket, words, strlen(words));
    return true;
}

static void *run(void *unused) {
    struct pollfd places[MOST] = {{listener, POLLIN, 0}};
    nfds_t count = 1;
    while (!atomic_load(&is_over)) {
        poll(places, count, 20);
        if ((places[0].revents & POLLIN) && count < MOST)
            places[count++] = (struct pollfd){accept4(listener, NULL, NULL, SOCK_CLOEXEC), POLLIN, 0};
        for (nfds_t i = 1; i < count; i++) {
            if (!places[i].revents || serve(places[i].fd)) continue;
            close(places[i].fd);
            places[i--] = places[--count];
        }
    }
    for (nfds_t i = 0; i < count; i++) close(places[i].fd);
    return unused;
}

void fake_start(void) {
    listener = listening_socket(16, &port);
    if (pthread_create(&thread, NULL, run, NULL) != 0) abort();
}

void fake_stop(void) {
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
}

int fake_port(void) {
    return port;
}

void fake_answers(const char *words) {
    atomic_store(&reply, words);
}

void fake_answers_to(const char *word, const char *words) {
    atomic_store(strcmp(word, "AUTH") == 0 ? &login_reply : &cluster_reply, words);
}
