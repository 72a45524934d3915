/* A Redis Cluster as the database of disturbances.c. Nodes write no file: what is lost by a failover is what its replica
 * had not received. */
#include "Trouble/Stores/database.h"
#include "Trouble/Stores/disturbances.h"
#include "Trouble/Stores/trouble.h"
#include "redis_cluster.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static cluster running;

void database_start(bool survives_kills) {
    (void)survives_kills; /* The replicas do. */
    cluster_start(&running, "appendonly=no");
}

skan_store database_open(const char *user) {
    (void)user;
    return opened(running.whole.url, NULL);
}

void database_empty(void) {
    cluster_know(&running);
    await_whole(&running);
    for (int i = 0; i < NODES; i++)
        if (is_master(&running, i)) tell(&running.nodes[i], "FLUSHALL");
}

static bool is_replaced(int node) {
    for (int slot = 0; slot < SLOTS; slot += 97)
        if (owner_of(&running, slot) == node) return false;
    return true;
}

static double reshard(int number) {
    move_slots(&running, master_of(&running, number), master_of(&running, number + 1), 1000);
    await_whole(&running);
    return 0;
}

/* By the replica, which waits until it has everything. */
static double hand_over(int number) {
    double start = seconds_now();
    int master = master_of(&running, number), replica = 0;
    char *id = node_id(&running, master);
    for (; replica < NODES; replica++) {
        redisReply *reply = run_command(&running.nodes[replica], "CLUSTER NODES");
        const char *mine = strstr(reply->str, "myself,slave ");
        bool is_his = mine && strncmp(mine + strlen("myself,slave "), id, strlen(id)) == 0;
        freeReplyObject(reply);
        if (is_his) break;
    }
    tell(&running.nodes[replica], "CLUSTER FAILOVER");
    EVENTUALLY(is_master(&running, replica));
    double took = seconds_now() - start;
    await_whole(&running);
    free(id);
    return took;
}

/* It comes back once it has been replaced: without its data, it would be replicated as it is. */
static double kill_master(int number) {
    int master = master_of(&running, number);
    double start = seconds_now();
    node_kill(&running, master);
    EVENTUALLY(is_replaced(master));
    double took = seconds_now() - start;
    node_again(&running, master);
    await_whole(&running);
    return took;
}

static double stop_master(int number) {
    int master = master_of(&running, number);
    double start = seconds_now();
    node_stop(&running, master);
    EVENTUALLY(is_replaced(master));
    double took = seconds_now() - start;
    pass_milliseconds(500);
    node_continue(&running, master);
    await_whole(&running);
    return took;
}

const disturbance disturbances[] = {{"1000 slots move", reshard, false},
                                    {"a master hands over", hand_over, false},
                                    {"a master is killed", kill_master, true},
                                    {"a master is stopped", stop_master, true},
                                    {NULL, NULL, false}};
