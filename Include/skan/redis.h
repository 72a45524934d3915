/*
 * redis.h - a store of libskan on a Redis or Valkey server, or on a cluster of them (library libskan-redis, over hiredis
 * and OpenSSL).
 *
 *     skan_store store;
 *     skan_error *error = NULL;
 *     skan_redis_store_open("redis://game:password@cache.internal:6379/0", NULL, &store, &error);
 *
 *     skan_options options = {.size = sizeof options, .store = &store};
 *     skan *engine = NULL;
 *     skan_create(&options, &engine, &error);      // the engine owns the store now ...
 *     skan_destroy(engine);                        // ... and closes it here
 *
 * Know before production:
 * - Threads, processes, machines: any number of each may use one server at once.
 * - Durability is the server's, and by default it is weak. SKAN_OK says that the server has the change in its memory,
 *   and what its settings add to that:
 *       appendonly no               the data of the last snapshot (`save`) outlives a crash or kill of the server, with
 *                                   `save ""` none: changes of minutes are lost though their calls answered SKAN_OK
 *       appendonly yes, appendfsync
 *         everysec (its default)    a power failure or a crash of the system loses up to about two seconds; a kill of
 *                                   the server, only where the disk is that slow
 *         always                    on the server's disk before the call answers: neither loses anything
 *         no                        as the operating system likes, often 30 seconds
 *       replicas                    are sent changes after they were answered: a failover (Sentinel, Cluster, a managed
 *                                   service's) loses those the new master had not received, also with appendfsync
 *                                   always. min-replicas-to-write and min-replicas-max-lag bound this by refusing
 *                                   changes (SKAN_ERROR_STORE, "NOREPLICAS"); they do not end it. WAIT would not help
 *                                   an engine: it looks for its change on the master, and finds it
 *       maxmemory-policy allkeys-*  drops records when memory is full, unasked: refused at opening, as volatile-* is
 *                                   together with expire_days_after_close; see options.allow_eviction. With noeviction,
 *                                   a full server refuses changes (SKAN_ERROR_STORE, "OOM") and keeps what it has
 *   A server set back to an older state, by any of these, holds older versions: its records are whole and are used from
 *   there. For revenue that must not be lost use appendonly yes with appendfsync always, or a database.
 * - Keys: prefix{install id}, "skan:{player-1}". What is in the braces is the hash tag, by which a cluster chooses the
 *   slot (up to the first "}" in an id). Every command names one key, so a proxy before a cluster (Envoy, twemproxy,
 *   Redis Cluster Proxy) will do that passes on GETRANGE, EVALSHA and EVAL.
 * - Clusters: with redis+cluster:// or rediss+cluster:// the store learns from any node which master has which slots,
 *   and keeps connections to each: max_connections is for each of them. MOVED and ASK are followed, slots are learned
 *   anew once a node has gone, and at TRYAGAIN, CLUSTERDOWN, LOADING and a master that is not reached a call waits
 *   within its time for what comes next, a failover for instance. A batch goes to all of its nodes at once. A master
 *   that says nothing is given up once the cluster has another in its place: a change that it was sent is
 *   SKAN_ERROR_STORE_UNKNOWN. With redis:// redirections are not followed: SKAN_ERROR_STORE.
 *   Moving slots (redis-cli --cluster reshard) loses nothing, nor does CLUSTER FAILOVER. A failover that nobody asked
 *   for may lose acknowledged changes, as above: of 107 231 purchases by 4 processes, under which 10 masters were
 *   killed, 1318 were gone, and of 110 073 under which 10 were stopped, 133 (make check-redis-full counts them).
 *   `list` goes over all masters. A key that moves meanwhile is given more than once, and never missed; a listing under
 *   which a server restarts may miss keys, on a cluster or not: begin anew.
 * - Values: strings, of "SK", 01, the version (8 bytes, most significant first) and the record. What else is under such
 *   a key, another program's or of a newer libskan-redis, is refused with SKAN_ERROR_STORE and left as it is.
 * - Memory: a record of 130 bytes under a key of 22 takes 232 bytes of the server (Redis 7.0, MEMORY USAGE), and the
 *   server's table of keys 8 to 16 more.
 * - Server: Redis 3.2 or newer, any Valkey; 6.2 or newer for expire_days_after_close. One Lua script compares and sets;
 *   its effect is replicated. A user needs the commands GETRANGE, EVALSHA, EVAL, SET, DEL; SELECT where the URL names a
 *   database, SCAN to list, INFO to be told of eviction, and in a cluster CLUSTER SLOTS, ASKING, and to list CLUSTER
 *   NODES (a new connection begins with AUTH, SELECT or else PING, whose refusal is of no matter):
 *       ACL SETUSER game on >password resetkeys ~skan:* -@all +getrange +evalsha +eval +set +del +scan +info +select
 *           +cluster|slots +cluster|nodes +asking
 * - TLS is spoken with rediss:// and rediss+cluster://, 1.2 or newer. The server's certificate has to be traced to an
 *   authority, and to name the host of the URL, or that by which a cluster knows the node: see `url`. Nobody can switch
 *   that off.
 * - Time: a call ends within options.timeout_ms, waiting for a connection, connecting and the server's answer together;
 *   only the system's look-up of a host's name is beyond it.
 * - Outcomes are exact. A call answers SKAN_ERROR_STORE only where the change was certainly not made: no connection, a
 *   command that was not sent whole, or a refusal that Redis gives before it writes (NOAUTH, NOPERM, WRONGTYPE, OOM,
 *   READONLY, LOADING, MISCONF, NOREPLICAS, BUSY, MOVED and their like). A connection lost, or a time-out, after a
 *   change was sent, and any other error, a proxy's own for instance, is SKAN_ERROR_STORE_UNKNOWN.
 * - A connection that the server has ended while it was idle is replaced at once, before anything is sent; reads are
 *   read again, once. A script that the server has forgotten is sent again. Nothing needs to be reopened once a trouble
 *   is mended.
 * - load_many and save_many send all their commands at once and take the answers as they come: one round trip. Each
 *   record of a batch stands for itself. `list` is SCAN: behind a proxy, what that makes of it.
 * - fork: a store opened before fork() may be used in the child, also while other threads of the parent are in calls.
 *   No connection is ever shared between the two: fork() first waits for those calls and closes the parent's
 *   connections, and both sides open new ones when they need them. Children made without fork()'s handlers (vfork,
 *   clone) that do more than exec are not covered.
 *
 * Errors and ownership are as in skan.h. The ABI only grows, as there.
 */
#ifndef SKAN_REDIS_H
#define SKAN_REDIS_H

#include "skan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a store is opened. Set `size`; everything else may be zero. Strings are copied. */
typedef struct skan_redis_options {
    size_t size; /* sizeof(skan_redis_options) */
    /* Of every key, up to 64 bytes without braces and bytes 00-1F and 7F; NULL = "skan:", "" = none. Stores with
     * different prefixes share nothing. */
    const char *prefix;
    uint32_t timeout_ms;         /* for a whole call, in milliseconds, up to 3 600 000; 0 = 5000 */
    uint32_t connect_timeout_ms; /* for connecting and AUTH within it; 0 = as long as the call has */
    uint32_t max_connections;    /* kept open by this process, to each master of a cluster, up to 1024; 0 = 8. A call
                                  * needs one; where all are in use it waits, and answers SKAN_ERROR_STORE after the
                                  * time-out */
    /* Up to 36 500: the server forgets a registered install's record so many days after its last postback window has
     * closed (closes_at of skan_record), and not within a day of its last change; an install that buys after that
     * begins anew. Records that are not registered, or cannot be read, are kept. Each change sets it anew; a record
     * that does not change keeps what it has. 0 = all records are kept. */
    uint32_t expire_days_after_close;
    /* 1 = open also where the server says that it drops records when its memory is full; for tests and caches. A server
     * that does not tell (no right to INFO, a proxy) is not asked again. */
    uint32_t allow_eviction;
    uint32_t reserved; /* 0 */
    /* Told what went wrong, in the server's own words, whenever a hook of the store is about to answer `status`,
     * SKAN_ERROR_STORE or SKAN_ERROR_STORE_UNKNOWN; once for a batch, with its first trouble; those words reach nobody
     * else. For a log: `message` is UTF-8, valid during the call, and names host, port and database, never a user, a
     * password, a key or a record. Called from any thread, several at once; it must not call back into the store or its
     * engine. May be NULL. */
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} skan_redis_options;

/* Opens a store: connects, proves that records may be read and the script run, and asks for the eviction policy.
 * Changes no record.
 *   url      redis://[user[:password]@]host[:port][/database]    port 6379, database 0 where they are left out; IPv6
 *                                                                addresses in brackets
 *            redis+unix://[user[:password]@]/path[?db=database]  a Unix socket; unix:// is the same
 *            redis+cluster://[user[:password]@]host[:port][,host[:port]...]  a cluster: up to 64 of its nodes, of which
 *                                                                one that answers is enough
 *            rediss://..., rediss+cluster://...                  the same with TLS, and at the end, as options of
 *                                                                redis-cli, ?name=value&name=value...:
 *                cacert   a file of authorities, PEM; without it, the system's
 *                cert     the client's certificate, PEM, followed by those between it and an authority; with `key`
 *                key      its private key, PEM, without a password
 *                sni      the name that certificates of all servers must have, in place of the host's
 *            User, password, host and path may be percent-encoded; @ : / ? # and % in them must be. Without a user a
 *            password is the default user's ("redis://:password@host").
 *   options  NULL = all defaults.
 *   out      filled for skan_create, whose engine then owns the store and closes it: give it to one engine. For two
 *            engines on one server, open it twice. A store that no engine took over is closed by
 *            skan_redis_store_close. All zero on any status but SKAN_OK.
 * Any thread.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  url or out is NULL, url cannot be read, an option is not as described
 * SKAN_ERROR_STORE             the server is not reached in time, refuses the user, is loading its data, or would drop
 *                              records; its certificate will not do, or a file of the URL; the message has the server's
 *                              or OpenSSL's words */
skan_status skan_redis_store_open(const char *url, const skan_redis_options *options, skan_store *out,
                                  skan_error **error);

/* Closes a store that no skan_create was given, or one whose skan_create left it to the caller (an illegal struct
 * size), and zeroes it. NULL, and one that is all zero, is fine; a store of another kind is left alone. No thread may
 * be in a call on it. */
void skan_redis_store_close(skan_store *store);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_REDIS_H */
