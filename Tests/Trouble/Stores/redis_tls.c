/* What goes wrong with TLS: certificates and keys that will not do, servers that say nothing, connections that end:
 *   trouble_of_tls */
#define _GNU_SOURCE
#include "Trouble/Servers/redis.h"
#include "Trouble/Servers/tls_flood.h"
#include "support.h"
#include "trouble.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECRET "s3cr3t"

/* Sanitizers keep what was freed. */
#define HAS_SANITIZER false
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef HAS_SANITIZER
#define HAS_SANITIZER true
#endif
#endif

static server running;
static char files[160]; /* the folder of its certificates */

static skan_redis_options reporting(uint32_t timeout_ms) {
    return (skan_redis_options){.size = sizeof(skan_redis_options),
                                .timeout_ms = timeout_ms,
                                .report = note_report,
                                .report_context = &told};
}

static void use_certificate(const char *name) {
    tell(&running, "CONFIG SET tls-cert-file %s/%s.pem tls-key-file %s/%s.key", files, name, files, name);
}

/* Of a server whose certificate has this name, with these files. */
static char *url_with(const char *host, const char *cacert, const char *client) {
    return text_of("rediss://game:right-" SECRET "@%s:%d/?cacert=%s/%s.pem%s", host, running.port, files, cacert,
                   client ? text_of("&cert=%s/%s.pem&key=%s/%s.key", files, client, files, client) : "");
}

static void expect_works(const char *url) {
    skan_redis_options options = reporting(5000);
    tell(&running, "FLUSHALL");
    uint64_t version = 0;
    skan_store store = store_with_record(url, &options, &version);
    expect_mended(&store, version);
}

static void expect_unfit(const char *url, const char *words) {
    skan_redis_options options = reporting(5000);
    expect_refused(url, &options, SKAN_ERROR_STORE, words);
}

static void servers_certificates(void) {
    expect_works(url_with("127.0.0.1", "authority", "client"));
    expect_works(url_with("localhost", "authority", "client"));
    expect_unfit(url_with("127.0.0.1", "stranger", "client"), "certificate: self-signed certificate in certificate chain");
    use_certificate("expired");
    expect_unfit(url_with("127.0.0.1", "authority", "client"), "certificate: certificate has expired");
    use_certificate("elsewhere");
    expect_unfit(url_with("127.0.0.1", "authority", "client"), "certificate: IP address mismatch");
    expect_unfit(url_with("localhost", "authority", "client"), "certificate: hostname mismatch");
    expect_works(text_of("%s&sni=elsewhere.example", url_with("127.0.0.1", "authority", "client")));
    use_certificate("server");
    expect_unfit(text_of("%s&sni=elsewhere.example", url_with("127.0.0.1", "authority", "client")),
                 "certificate: hostname mismatch");
    /* The system's authorities have not signed it. */
    expect_unfit(text_of("rediss://game:right-" SECRET "@127.0.0.1:%d", running.port), "certificate: ");
}

/* A server of several names, as many hosts of Redis have: it shows the certificate of localhost to those who ask for that
 * name, and that of elsewhere.example to all others. It is no Redis server, and answers nothing. */
static pid_t start_server_of_several_names(int *port) {
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) abort();
    const pid_t child = fork();
    if (child == 0) {
        dup2(in[0], 0), dup2(out[1], 1);
        close(in[1]), close(out[0]);
        if (chdir(files) != 0) _exit(126);
        execlp("openssl", "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "elsewhere.pem", "-key", "elsewhere.key",
               "-servername", "localhost", "-cert2", "server.pem", "-key2", "server.key", (char *)NULL);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    FILE *said = fdopen(out[0], "r");
    *port = 0;
    for (char line[256]; *port == 0 && fgets(line, sizeof line, said);) sscanf(line, "ACCEPT 127.0.0.1:%d", port);
    EXPECT(*port != 0, "the server has a port");
    return child; /* its pipes stay open as long as this process */
}

static void servers_of_several_names(void) {
    int port;
    const pid_t other = start_server_of_several_names(&port);
    skan_redis_options options = reporting(400);
    const char *const form = "rediss://%s:%d/?cacert=%s/authority.pem%s";
    expect_refused(text_of(form, "localhost", port, files, ""), &options, SKAN_ERROR_STORE, "no answer in time");
    expect_refused(text_of(form, "127.0.0.1", port, files, "&sni=localhost"), &options, SKAN_ERROR_STORE, "no answer in time");
    expect_refused(text_of(form, "localhost", port, files, "&sni=elsewhere.example"), &options, SKAN_ERROR_STORE, "no answer in time");
    expect_unfit(text_of(form, "127.0.0.1", port, files, ""), "certificate: IP address mismatch");
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}

/* A cluster of tls_nodes.py, whose first node is named `host` by CLUSTER SLOTS and sends each command elsewhere. */
typedef struct nodes {
    pid_t process;
    FILE *said;
    int port; /* of the first node */
    char log[16384];
} nodes;

static void start_nodes(nodes *nodes, const char *host, const char *word, const char *target) {
    int out[2];
    if (pipe(out) != 0) abort();
    memset(nodes, 0, sizeof *nodes);
    nodes->process = fork();
    if (nodes->process == 0) {
        dup2(out[1], 1);
        close(out[0]);
        execlp("python3", "python3", "Tests/Trouble/Servers/tls_nodes.py", files, host, word, target, (char *)NULL);
        _exit(127);
    }
    close(out[1]);
    nodes->said = fdopen(out[0], "r");
    EXPECT(fscanf(nodes->said, "%d%*[^\n]", &nodes->port) == 1, "the nodes have no port");
}

/* Ends them; then `log` is what they noted. */
static void end_nodes(nodes *nodes) {
    kill(nodes->process, SIGTERM);
    waitpid(nodes->process, NULL, 0);
    nodes->log[fread(nodes->log, 1, sizeof nodes->log - 1, nodes->said)] = '\0';
    fclose(nodes->said);
}

/* Every node of a cluster is asked for the name that its certificate has to have: that of the host by which it is
 * reached, where that is a name, or that of the URL. A command is sent on to another node of these hosts. */
static void nodes_of_a_cluster(void) {
    static const struct {
        const char *host, *more, *name;
    } clusters[] = {{"localhost", "", "localhost"},
                    {"127.0.0.1", "", "no name"},
                    {"127.0.0.1", "&sni=elsewhere.example", "elsewhere.example"}};
    static const char *const words[] = {"MOVED", "ASK"};
    for (size_t i = 0; i < 6; i++) {
        in_round("%s%s, %s", clusters[i / 2].host, clusters[i / 2].more, words[i % 2]);
        nodes nodes;
        start_nodes(&nodes, clusters[i / 2].host, words[i % 2], "nodes");
        skan_redis_options options = reporting(5000);
        expect_refused(text_of("rediss+cluster://game:right-" SECRET "@%s:%d/?cacert=%s/authority.pem%s",
                               clusters[i / 2].host, nodes.port, files, clusters[i / 2].more),
                       &options, SKAN_OK, "");
        end_nodes(&nodes);
        EXPECT_WORDS(text_of("first asked for %s\n", clusters[i / 2].name), nodes.log);
        EXPECT_WORDS(text_of("second asked for %s\n", clusters[i / 2].name), nodes.log);
        EXPECT_WORDS("second GETRANGE\n", nodes.log);
        EXPECT(!strstr(nodes.log, "stranger"), "%s", nodes.log);
    }
    in_round("%s", "");
}

/* A host that CLUSTER SLOTS does not name is not even connected to, whoever sends a command there. */
static void nodes_that_send_to_a_stranger(void) {
    static const char *const words[] = {"MOVED", "ASK"};
    for (size_t i = 0; i < 2; i++) {
        in_round("%s", words[i]);
        nodes nodes;
        start_nodes(&nodes, "127.0.0.1", words[i], "stranger");
        skan_redis_options options = reporting(5000);
        expect_refused(text_of("rediss+cluster://game:right-" SECRET "@127.0.0.1:%d/?cacert=%s/authority.pem",
                               nodes.port, files),
                       &options, SKAN_ERROR_STORE, "CLUSTER SLOTS names no node on this host");
        end_nodes(&nodes);
        EXPECT_WORDS("first GETRANGE\n", nodes.log);
        EXPECT(!strstr(nodes.log, "stranger"), "%s", nodes.log);
    }
    in_round("%s", "");
}

static void clients_certificates(void) {
    expect_unfit(url_with("127.0.0.1", "authority", NULL), "certificate required");
    expect_unfit(url_with("127.0.0.1", "authority", "stranger"), "alert unknown ca");
    tell(&running, "CONFIG SET tls-auth-clients no");
    expect_works(url_with("127.0.0.1", "authority", NULL));
    tell(&running, "CONFIG SET tls-auth-clients yes");
}

static void files_that_will_not_do(void) {
    expect_unfit(url_with("127.0.0.1", "nowhere", NULL), "cacert ");
    expect_unfit(url_with("127.0.0.1", "nowhere", NULL), "No such file or directory");
    const char *none = text_of("rediss://127.0.0.1:%d/?cacert=/dev/null", running.port);
    expect_unfit(none, "cacert /dev/null: ");
    expect_unfit(text_of("rediss://127.0.0.1:%d/?cert=%s/client.pem&key=%s/server.key", running.port, files, files),
                 "key values mismatch");
    expect_unfit(text_of("rediss://127.0.0.1:%d/?cert=%s/client.key&key=%s/client.key", running.port, files, files),
                 "no start line");
    /* Nobody is asked for its password. */
    EXPECT_NUMBER(0, system(text_of("openssl ec -aes128 -passout pass:x -in %s/client.key -out %s/locked.key 2> /dev/null",
                                    files, files)));
    expect_unfit(text_of("rediss://127.0.0.1:%d/?cert=%s/client.pem&key=%s/locked.key", running.port, files, files),
                 "key ");
    skan_redis_options options = reporting(5000);
    static const char *const wrong[] = {"rediss://h/?x=1", "rediss://h/?cacert=", "rediss://h/?cert=a",
                                        "rediss://h/?cacert=a&cacert=b", "redis://h/?cacert=a", "rediss://h?"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_refused(wrong[i], &options, SKAN_ERROR_INVALID_ARGUMENT, "url: ");
}

static void versions_of_tls(void) {
    const char *url = url_with("127.0.0.1", "authority", "client");
    static const char *const fit[] = {"TLSv1.2", "TLSv1.3"};
    for (int i = 0; i < 2; i++) {
        in_round("%s", fit[i]);
        tell(&running, "CONFIG SET tls-protocols %s", fit[i]);
        expect_works(url);
    }
    in_round("%s", "");
    tell(&running, "CONFIG SET tls-protocols TLSv1.1 tls-ciphers DEFAULT@SECLEVEL=0");
    expect_unfit(url, "protocol version");
    tell(&running, "CONFIG SET tls-protocols %s tls-ciphers %s", "", "");
}

/* Who does not speak TLS, or says nothing. */
static void no_handshake(void) {
    skan_redis_options options = reporting(400);
    server plain;
    server_start(&plain, "appendfsync=no");
    expect_refused(text_of("rediss://:" SECRET "@127.0.0.1:%d", plain.port), &options, SKAN_ERROR_STORE, "TLS: ");
    expect_refused(text_of("redis://:" SECRET "@127.0.0.1:%d", running.port), &options, SKAN_ERROR_STORE, "lost");
    server_stop(&plain, "immediate");
    int port;
    listening_socket(16, &port);
    expect_late(text_of("rediss://:" SECRET "@127.0.0.1:%d", port), &options, 0.4, "TLS: no answer in time");
}

/* A connection that is at rest may have anything of TLS alone; one that has ended is made anew. */
static void restarts(void) {
    skan_redis_options options = reporting(5000);
    uint64_t version = 0;
    tell(&running, "FLUSHALL");
    skan_store store = store_with_record(url_with("127.0.0.1", "authority", "client"), &options, &version);
    for (int i = 0; i < 4; i++) {
        in_round("round %d", i);
        if (i % 2 == 0) server_stop(&running, "fast"), server_again(&running, "");
        else tell(&running, "CLIENT KILL TYPE normal SKIPME yes");
        EXPECT_STATUS(SKAN_OK, save_text(&store, PLAYER, "kept", version, &version));
        EXPECT_NUMBER(0, told.count);
    }
    in_round("%s", "");
    expect_mended(&store, version);
}

static void changes_without_an_answer(void) {
    skan_redis_options options = reporting(1000);
    uint64_t version = 0;
    tell(&running, "FLUSHALL");
    skan_store store = store_with_record(url_with("127.0.0.1", "authority", "client"), &options, &version);
    kill(running.pid, SIGSTOP);
    EXPECT_TOLD(SKAN_ERROR_STORE_UNKNOWN, "no answer in time", save_text(&store, PLAYER, "lost", version, NULL));
    kill(running.pid, SIGCONT);
    EVENTUALLY(holds_text(&store, PLAYER, "lost"));
    told.count = 0;
    static char large[SKAN_BUFFER_MAX];
    skan_buffer *found = skan_buffer_create();
    for (size_t i = 0; i < sizeof large; i++) large[i] = (char)(rand() >> 7);
    EXPECT_STATUS(SKAN_OK, save(&store, "large", large, sizeof large, 0, NULL));
    EXPECT_STATUS(SKAN_OK, store.load(store.context, "large", found, &version));
    EXPECT(skan_buffer_size(found) == sizeof large && memcmp(skan_buffer_data(found), large, sizeof large) == 0,
           "a record of the largest size comes back as it was");
    skan_buffer_destroy(found);
    EXPECT_NUMBER(0, told.count);
    kind.close(&store);
}

/* The most memory that this process has had, in kilobytes. */
static long peak_memory(void) {
    long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    for (char line[256]; fgets(line, sizeof line, status);) sscanf(line, "VmHWM: %ld", &kilobytes);
    fclose(status);
    EXPECT(kilobytes > 0, "the system tells how much memory this process has had");
    return kilobytes;
}

/* What a server sends without end, and how a call ends that waits for its answer. */
typedef struct endless {
    const char *name;
    flood flood;
    uint32_t timeout_ms;
    const char *words;
    long megabytes; /* what it may take: the 8 MB of an answer, room to grow, and the objects made of small texts */
} endless;

static void expect_end(const endless *answer, const skan_store *store) {
    const bool is_late = strcmp(answer->words, "no answer in time") == 0;
    const long before = peak_memory();
    const double start = seconds_now();
    EXPECT_TOLD(SKAN_ERROR_STORE_UNKNOWN, answer->words, save_text(store, PLAYER, "text", 0, NULL));
    const double between = seconds_now();
    EXPECT_TOLD(SKAN_ERROR_STORE, answer->words, load(store, PLAYER)->status);
    if (is_late) {
        EXPECT_TIME(answer->timeout_ms / 1000.0, between - start);
        EXPECT_TIME(answer->timeout_ms / 1000.0, seconds_now() - between);
    }
    const long more = (peak_memory() - before) / 1024;
    EXPECT(HAS_SANITIZER || more < answer->megabytes, "%ld MB; expected less than %ld", more, answer->megabytes);
}

/* An answer without end ends the call: where it has more bytes than an answer may have, and at the time-out where it
 * has not. Small records of a line come faster than they are read, because its end is looked for from its beginning
 * each time, so there is always something more to read. */
static void answers_without_end(void) {
    static const endless answers[] = {
        {"a line in small records", {"+", "\r", 256, 43}, 5000, "no answer in time", 32},
        {"a text", {"$500000000\r\n", "x", 0, 16384}, 60000, "an answer of more than 8388608 bytes", 32},
        {"an array", {"*1000000\r\n", "$25\r\nxxxxxxxxxxxxxxxxxxxxxxxxx\r\n", 0, 16384}, 60000,
         "an answer of more than 8388608 bytes", 64},
    };
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        in_round("%s", answers[i].name);
        int port;
        const pid_t process = flood_start(files, &answers[i].flood, &port);
        skan_redis_options options = reporting(answers[i].timeout_ms);
        skan_store store = opened(text_of("rediss://127.0.0.1:%d/?cacert=%s/authority.pem", port, files), &options);
        told.count = 0;
        expect_end(&answers[i], &store);
        kind.close(&store);
        flood_stop(process);
    }
    in_round("%s", "");
}

int main(void) {
    server_start(&running,
                 "tls=server appendonly=yes appendfsync=no 'user=game on >right-" SECRET " ~* +@all'");
    snprintf(files, sizeof files, "%s/tls", running.directory);
    never_in_messages = SECRET;
    RUN(servers_certificates);
    RUN(servers_of_several_names);
    RUN(nodes_of_a_cluster);
    RUN(nodes_that_send_to_a_stranger);
    RUN(clients_certificates);
    RUN(files_that_will_not_do);
    RUN(versions_of_tls);
    RUN(no_handshake);
    RUN(changes_without_an_answer);
    RUN(restarts);
    RUN(answers_without_end);
    server_stop(&running, "immediate");
    return finish_cases();
}
