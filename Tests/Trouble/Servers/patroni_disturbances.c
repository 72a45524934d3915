/* PostgreSQL under Patroni as the database of disturbances.c: synchronous, so that nothing may be lost. */
#define _GNU_SOURCE
#include "Trouble/Stores/database.h"
#include "Trouble/Stores/disturbances.h"
#include "Trouble/Stores/trouble.h"
#include "postgres.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static const char script[] = "Tests/Trouble/Servers/patroni.sh";
static server running;

void database_start(bool survives_kills) {
    (void)survives_kills; /* A standby does. */
    server_start_by(script, &running, "");
}

skan_store database_open(const char *user) {
    (void)user;
    skan_postgres_options options = making(NULL);
    return opened(running.url, &options);
}

/* Whether the script's command succeeds. */
static bool manage(const char *command, const char *arguments) {
    char line[256];
    snprintf(line, sizeof line, "%s %s %s %s > /dev/null 2>&1", script, command, running.directory, arguments);
    return system(line) == 0;
}

static int leader(void) {
    char line[256];
    int node = -1;
    snprintf(line, sizeof line, "%s leader %s", script, running.directory);
    FILE *said = popen(line, "r");
    if (!said || fscanf(said, "%d", &node) != 1) node = -1;
    if (said) pclose(said);
    return node;
}

static void await_whole(void) { EVENTUALLY(manage("whole", "")); }

void database_empty(void) {
    await_whole();
    skan_store store = database_open("test"); /* which makes the table */
    kind.close(&store);
    run_sql(running.url, "DELETE FROM skan_records");
}

/* How long it takes until another node than this one writes. */
static double await_another(int node) {
    double start = seconds_now();
    int now = node;
    EVENTUALLY((now = leader()) >= 0 && now != node);
    return seconds_now() - start;
}

static double hand_over(int number) {
    (void)number;
    int node = leader();
    double start = seconds_now();
    EXPECT(manage("switch", ""), "no switchover");
    await_another(node);
    double took = seconds_now() - start;
    await_whole();
    return took;
}

static double kill_server(int number) {
    (void)number;
    int node = leader();
    EXPECT(manage("signal", text_of("%d KILL server", node)), "no server");
    double took = await_another(node);
    await_whole();
    return took;
}

/* With its Patroni: nobody is left to say that it has gone. */
static double kill_node(int number) {
    (void)number;
    int node = leader();
    EXPECT(manage("signal", text_of("%d KILL", node)), "no node");
    double took = await_another(node);
    server_again(&running, text_of("%d", node));
    await_whole();
    return took;
}

/* Its machine stands still, and is reset once it was replaced, as a watchdog does. Without one, a Patroni that goes on
 * may take the leader's place back from the one that has just been promoted (seen with 3.0.2), and neither server can
 * follow the other. */
static double cut_off(int number) {
    (void)number;
    int node = leader();
    EXPECT(manage("signal", text_of("%d STOP", node)), "no node");
    double took = await_another(node);
    EXPECT(manage("signal", text_of("%d KILL", node)), "no node");
    server_again(&running, text_of("%d", node));
    await_whole();
    return took;
}

static double restart_etcd(int number) {
    (void)number;
    EXPECT(manage("signal", "etcd KILL"), "no etcd");
    pass_milliseconds(500);
    server_again(&running, "etcd");
    await_whole();
    return 0;
}

const disturbance disturbances[] = {{"the leader hands over", hand_over, false},
                                    {"the leader's server is killed", kill_server, false},
                                    {"the leader is killed", kill_node, false},
                                    {"the leader stands still", cut_off, false},
                                    {"etcd is killed and started", restart_etcd, false},
                                    {NULL, NULL, false}};
