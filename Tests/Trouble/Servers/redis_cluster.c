#define _GNU_SOURCE
#include "redis_cluster.h"

#include "Trouble/Stores/trouble.h"
#include "support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_pid(cluster *cluster, int node) {
    char path[192], line[32] = "";
    snprintf(path, sizeof path, "%s/pid", cluster->nodes[node].directory);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file)) end_with(path, "no process");
    fclose(file);
    cluster->nodes[node].pid = (pid_t)atol(line);
}

void cluster_start(cluster *cluster, const char *settings) {
    memset(cluster, 0, sizeof *cluster);
    server_start_by("Tests/Trouble/Servers/redis_cluster.sh", &cluster->whole, settings);
    for (int i = 0; i < NODES; i++) {
        server *node = &cluster->nodes[i];
        snprintf(node->directory, sizeof node->directory, "%.120s/%d", cluster->whole.directory, i);
        node->port = cluster->whole.port + i;
        read_pid(cluster, i);
    }
}

void cluster_know(cluster *cluster) {
    for (int i = 0; i < NODES; i++) read_pid(cluster, i);
}

void cluster_stop(cluster *cluster) { server_stop(&cluster->whole, "immediate"); }

static bool listens(const server *node) {
    char path[160];
    snprintf(path, sizeof path, "%s/socket", node->directory);
    redisContext *session = redisConnectUnix(path);
    bool listens = session && !session->err;
    if (session) redisFree(session);
    return listens;
}

void node_kill(cluster *cluster, int node) {
    kill(cluster->nodes[node].pid, SIGKILL);
    cluster->is_silent[node] = true;
    /* Its connections end with it, and not with the signal. */
    EVENTUALLY(!listens(&cluster->nodes[node]));
}

void node_again(cluster *cluster, int node) {
    char number[16];
    snprintf(number, sizeof number, "%d", node);
    server_again(&cluster->whole, number);
    read_pid(cluster, node);
    cluster->is_silent[node] = false;
}

void node_stop(cluster *cluster, int node) {
    kill(cluster->nodes[node].pid, SIGSTOP);
    cluster->is_silent[node] = true;
}

void node_continue(cluster *cluster, int node) {
    kill(cluster->nodes[node].pid, SIGCONT);
    cluster->is_silent[node] = false;
}

static bool says(const cluster *cluster, int node, const char *command, const char *words) {
    redisReply *reply = run_command(&cluster->nodes[node], command);
    bool found = strstr(reply->str, words) != NULL;
    freeReplyObject(reply);
    return found;
}

bool is_master(const cluster *cluster, int node) { return says(cluster, node, "INFO replication", "role:master"); }

/* The part of a node's own line. */
static bool has_slots(const cluster *cluster, int node) {
    redisReply *reply = run_command(&cluster->nodes[node], "CLUSTER NODES");
    const char *mine = strstr(reply->str, "myself,"), *connected = mine ? strstr(mine, " connected") : NULL;
    bool has = connected && connected[10] == ' ';
    freeReplyObject(reply);
    return has;
}

int master_of(const cluster *cluster, int number) {
    int masters[NODES], count = 0;
    for (int i = 0; i < NODES; i++)
        if (!cluster->is_silent[i] && is_master(cluster, i) && has_slots(cluster, i)) masters[count++] = i;
    if (count == 0) end_with("cluster", "no master");
    return masters[number % count];
}

int owner_of(const cluster *cluster, int slot) {
    redisReply *reply = run_command(&cluster->nodes[master_of(cluster, 0)], "CLUSTER SLOTS");
    int owner = -1;
    for (size_t i = 0; i < reply->elements; i++) {
        redisReply **range = reply->element[i]->element;
        if (range[0]->integer > slot || range[1]->integer < slot) continue;
        owner = (int)range[2]->element[1]->integer - cluster->whole.port;
    }
    freeReplyObject(reply);
    return owner;
}

static int count_in(const char *text, const char *words) {
    int count = 0;
    for (; (text = strstr(text, words)); text += strlen(words)) count++;
    return count;
}

static int in_order(const void *one, const void *other) {
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* The masters by their ids, each with its epoch and slots, in one order, as what CLUSTER NODES answered has them. */
static char *masters_in(char *nodes) {
    char *masters[NODES], *rest = NULL, *all = strdup("");
    int count = 0;
    for (char *line = strtok_r(nodes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *epoch = strstr(line, " connected");
        if (!strstr(line, "master") || !epoch || count == NODES) continue;
        while (epoch[-1] != ' ') epoch--;
        masters[count++] = text_of("%.40s %s", line, epoch);
    }
    qsort(masters, (size_t)count, sizeof *masters, in_order);
    for (int i = 0; i < count; i++) {
        char *longer = NULL;
        if (asprintf(&longer, "%s%s\n", all, masters[i]) < 0) abort();
        free(all);
        all = longer;
    }
    return all;
}

/* The line of a node's CLUSTER INFO. */
static char *current_epoch(const server *node) {
    redisReply *reply = run_command(node, "CLUSTER INFO");
    const char *line = strstr(reply->str, "cluster_current_epoch:");
    char *epoch = line ? strndup(line, strcspn(line, "\n") + 1) : strdup("no epoch");
    freeReplyObject(reply);
    return epoch;
}

/* A node that was stopped takes itself for the master that it was, until it hears of the one that took over: all nodes
 * must know the same masters. They must also know the same epochs: a master that is given slots raises its own epoch,
 * and one that takes over from it before the others have heard of that is older, and loses its changes to it. */
bool is_whole(const cluster *cluster) {
    bool is_whole = true;
    char *epoch = current_epoch(&cluster->nodes[0]);
    char *known = NULL;
    for (int i = 0; i < NODES && is_whole; i++) {
        redisReply *reply = run_command(&cluster->nodes[i], "CLUSTER NODES");
        is_whole = count_in(reply->str, " connected") == NODES && count_in(reply->str, "fail") == count_in(reply->str, "nofailover") &&
                   count_in(reply->str, "master") == 3;
        char *masters = masters_in(reply->str);
        is_whole = is_whole && (!known || strcmp(known, masters) == 0);
        free(known);
        known = masters;
        freeReplyObject(reply);
        is_whole = is_whole && says(cluster, i, "CLUSTER INFO", "cluster_slots_ok:16384") &&
                   says(cluster, i, "CLUSTER INFO", epoch) &&
                   (is_master(cluster, i) || says(cluster, i, "INFO replication", "master_link_status:up"));
    }
    free(known), free(epoch);
    return is_whole;
}

void await_whole(const cluster *cluster) { EVENTUALLY(is_whole(cluster)); }

char *node_id(const cluster *cluster, int node) {
    redisReply *reply = run_command(&cluster->nodes[node], "CLUSTER MYID");
    char *id = strdup(reply->str);
    freeReplyObject(reply);
    return id;
}

/* redis-cli, with what it says in a file of the cluster's folder, and TLS where the cluster speaks that. */
static bool manage(const cluster *cluster, const char *command) {
    char *line = NULL;
    const char *folder = cluster->whole.directory;
    const char *tls = "";
    if (strncmp(cluster->whole.url, "rediss", 6) == 0)
        tls = text_of("--tls --cacert %s/tls/authority.pem --cert %s/tls/client.pem --key %s/tls/client.key", folder,
                      folder, folder);
    if (asprintf(&line, "redis-cli %s --cluster %s > %s/redis-cli.log 2>&1", tls, command, folder) < 0) abort();
    bool succeeded = system(line) == 0;
    free(line);
    return succeeded;
}

void move_slots(const cluster *cluster, int from, int to, int count) {
    /* Nodes hear from each other after a while. */
    EVENTUALLY(manage(cluster, text_of("check 127.0.0.1:%d", cluster->nodes[from].port)));
    char *source = node_id(cluster, from), *target = node_id(cluster, to);
    const char *command = text_of("reshard 127.0.0.1:%d --cluster-from %s --cluster-to %s --cluster-slots %d "
                                  "--cluster-yes --cluster-pipeline 100",
                                  cluster->nodes[from].port, source, target, count);
    EXPECT(manage(cluster, command), "%s failed", command);
    free(source), free(target);
}

int slot_of(const cluster *cluster, const char *key) {
    return (int)ask_number(&cluster->nodes[master_of(cluster, 0)], "CLUSTER KEYSLOT skan:{%s}", key);
}
