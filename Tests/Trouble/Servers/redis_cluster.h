/* A Redis Cluster of the test's own: three masters with a replica each. */
#ifndef REDIS_CLUSTER_H
#define REDIS_CLUSTER_H

#include "redis.h"

enum { NODES = 6, SLOTS = 16384, CLUSTER_TIMEOUT_MS = 1000 };

typedef struct cluster {
    server whole;
    server nodes[NODES];   /* the masters first, at the beginning; each is told by run_command and its like */
    bool is_silent[NODES]; /* killed or stopped by this process */
} cluster;

/* With these settings of all nodes, and tls=yes. */
void cluster_start(cluster *cluster, const char *settings);
/* Learns the processes of nodes that another process has started. */
void cluster_know(cluster *cluster);
void cluster_stop(cluster *cluster);
void node_kill(cluster *cluster, int node); /* SIGKILL */
/* Starts a node that was killed. */
void node_again(cluster *cluster, int node);
void node_stop(cluster *cluster, int node); /* SIGSTOP */
void node_continue(cluster *cluster, int node);

/* Whether a node is a master, in its own view. */
bool is_master(const cluster *cluster, int node);
/* A running node that is a master with slots; the `number`-th of them, counted around. */
int master_of(const cluster *cluster, int number);
/* The node that has a slot. */
int owner_of(const cluster *cluster, int slot);
/* Whether each node sees six, three of them masters, with all slots, and no failure. */
bool is_whole(const cluster *cluster);
void await_whole(const cluster *cluster);
/* The cluster's name of a node; freed by the caller. */
char *node_id(const cluster *cluster, int node);

/* Gives slots of one node to another with all their keys, as redis-cli does: so many of the first that it has. */
void move_slots(const cluster *cluster, int from, int to, int count);
/* The slot of a key of the store's, with its default prefix. */
int slot_of(const cluster *cluster, const char *key);

#endif
