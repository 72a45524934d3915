#define _GNU_SOURCE
#include "tls_flood.h"

#include "Trouble/Stores/trouble.h"

#include <openssl/ssl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 16384 };

static char block[BLOCK];

static bool send_all(int socket, const char *bytes, long length) {
    while (length > 0) {
        const ssize_t sent = send(socket, bytes, (size_t)length, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes += sent;
        length -= sent;
    }
    return true;
}

/* Makes the block's records and sends them: many at a time, as small ones have to come faster than they can be read. */
static bool send_block(SSL *session, BIO *made, int socket, int record) {
    for (int at = 0; at + record <= BLOCK; at += record) SSL_write(session, block + at, record);
    char *bytes;
    const long length = BIO_get_mem_data(made, &bytes);
    const bool goes_on = send_all(socket, bytes, length);
    BIO_reset(made);
    return goes_on;
}

static void send_without_end(SSL *session, int socket, const flood *flood) {
    BIO *made = BIO_new(BIO_s_mem());
    SSL_set0_wbio(session, made);
    SSL_write(session, flood->beginning, (int)strlen(flood->beginning));
    for (int i = 0; i < flood->large; i++)
        if (!send_block(session, made, socket, BLOCK)) return;
    while (send_block(session, made, socket, flood->record)) continue;
}

/* Commands come one at a time and are small: each is one record. */
static void serve(SSL *session, int socket, const flood *flood) {
    char command[BLOCK + 1];
    for (int length; (length = SSL_read(session, command, BLOCK)) > 0;) {
        command[length] = '\0';
        if (strstr(command, PLAYER)) {
            send_without_end(session, socket, flood);
            return;
        }
        const char *answer = strstr(command, "GETRANGE") ? "$0\r\n\r\n"
                             : strstr(command, "EVAL")   ? ":0\r\n"
                                                         : "-ERR no\r\n";
        SSL_write(session, answer, (int)strlen(answer));
    }
}

static void run(SSL_CTX *context, int listener, const flood *flood) {
    for (int i = 0; i < BLOCK; i++) block[i] = flood->more[(size_t)i % strlen(flood->more)];
    while (true) {
        const int socket = accept(listener, NULL, NULL);
        SSL *session = SSL_new(context);
        SSL_set_fd(session, socket);
        if (SSL_accept(session) == 1) serve(session, socket, flood);
        SSL_free(session);
        close(socket);
    }
}

pid_t flood_start(const char *certificates, const flood *flood, int *port) {
    const int listener = listening_socket(16, port);
    const pid_t process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGPIPE, SIG_IGN);
        SSL_CTX *context = SSL_CTX_new(TLS_server_method());
        if (SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) != 1 ||
            SSL_CTX_use_certificate_file(context, text_of("%s/server.pem", certificates), SSL_FILETYPE_PEM) != 1 ||
            SSL_CTX_use_PrivateKey_file(context, text_of("%s/server.key", certificates), SSL_FILETYPE_PEM) != 1)
            end_with("flood", "no certificate");
        run(context, listener, flood);
    }
    close(listener);
    return process;
}

void flood_stop(pid_t process) {
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
}
