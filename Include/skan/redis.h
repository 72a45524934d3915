/*
 * redis.h - a store of libskan on a Redis or Valkey server, or on a cluster of them (library libskan-redis, over
 * hiredis and OpenSSL).
 *
 *     skan_store store;
 *     skan_error *error = NULL;
 *     skan_redis_store_open("redis://game:password@cache.internal:6379/0", NULL, &store, &error);
 *
 *     skan_options options = {.size = sizeof options, .store = &store};
 *     skan_engine *engine = NULL;
 *     skan_create(&options, &engine, &error);      // the engine owns the store now ...
 *     skan_destroy(engine);                        // ... and closes it here
 *
 * Know before production:
 * - Threads, processes, machines: any number of each may use one server at once.
 * - Durability is the server's, and by default it is weak. SKAN_OK means that the server has the change in its memory.
 *   What it guarantees beyond that depends on the server's settings:
 *       appendonly no               after a crash or kill of the server, only the data of the last snapshot (`save`) is
 *                                   left, and with `save ""` none: the changes of several minutes are lost although
 *                                   their calls answered SKAN_OK
 *       appendonly yes, appendfsync
 *         everysec (its default)    a power failure or a crash of the system loses up to about two seconds; a kill of
 *                                   the server does so only where the disk is that slow
 *         always                    the change is on the server's disk before the call answers: a kill of the server
 *                                   loses nothing, nor does a power failure or a crash of the system
 *         no                        the operating system chooses when it writes, often after 30 seconds
 *       replicas                    receive changes after the calls were answered: a failover (Sentinel, Cluster, a
 *                                   managed service's) loses those that the new master had not received, also with
 *                                   appendfsync always. min-replicas-to-write and min-replicas-max-lag limit this loss
 *                                   by refusing changes (SKAN_ERROR_STORE, "NOREPLICAS"); they do not prevent it. WAIT
 *                                   would not help an engine: it looks for its change on the master, and finds it
 *       maxmemory-policy allkeys-*  drops records without a request when memory is full. Opening refuses this policy,
 *                                   and also volatile-* together with expire_days_after_close; see
 *                                   options.allow_eviction. With noeviction, a full server refuses changes
 *                                   (SKAN_ERROR_STORE, "OOM") and keeps the records it has
 *   After any of these losses the server holds older versions of records. These records are complete, and the store
 *   continues from them. For revenue that must not be lost, use appendonly yes with appendfsync always,
 *   or a database.
 * - Keys: prefix{install id}, for example "skan:{player-1}". The text in the braces (up to the first "}" in an id) is
 *   the hash tag, by which a cluster chooses the slot. Every command names one key. A proxy in front of a cluster
 *   (Envoy, twemproxy, Redis Cluster Proxy) can therefore be used if it passes on GETRANGE, EVALSHA and EVAL.
 * - Clusters: with redis+cluster:// or rediss+cluster:// the store asks any node which master has which slots, and
 *   keeps connections to each master: max_connections applies to each of them. The store follows MOVED and ASK, and
 *   asks for the slots again when a node has gone. After TRYAGAIN, CLUSTERDOWN or LOADING, or if a master cannot be
 *   reached, a call waits, within its time, until it can continue, for instance after a failover. A batch is sent to
 *   all of its nodes at once. The store gives up a master that does not answer once the cluster has replaced it by
 *   another: a change that was sent to it is SKAN_ERROR_STORE_UNKNOWN. With redis:// the store does not follow
 *   redirections: they are SKAN_ERROR_STORE.
 *   The store logs in with the URL's user and password at every node that CLUSTER SLOTS, MOVED or ASK names. With
 *   redis+cluster:// it does so at any host: anyone who can change what servers send can learn the password. With
 *   rediss+cluster:// the node must first prove by its certificate that it is that host (or `sni`), and MOVED and ASK
 *   are followed only to hosts of the URL and of CLUSTER SLOTS. Until CLUSTER SLOTS names a host for the first time,
 *   calls for a slot that moves to it wait within their time.
 *   Moving slots (redis-cli --cluster reshard) loses nothing, and neither does CLUSTER FAILOVER. A failover that nobody
 *   requested may lose acknowledged changes, as described above: 4 processes made 33 387 purchases while 10 masters
 *   were killed, and 465 were lost; they made 94 354 while 10 masters were stopped, and 436 were lost (make
 *   check-redis-full counts them).
 *   `list` covers all masters. A key that moves during a listing is given more than once, but never missed. If a server
 *   restarts during a listing, on a cluster or not, the store lists it again from the beginning, so its keys are given
 *   more than once. The store recognizes a restart by the run_id of INFO. Without the right to INFO, or behind a proxy
 *   that does not know it, such a listing may miss keys. So may a listing during which the move of a slot is cancelled
 *   and keys return to their old master. Start such a listing again from the beginning.
 * - Values are strings: "SK", 01, the version (8 bytes, most significant first) and the record. Any other value under
 *   such a key, from another program or from a newer libskan-redis, is refused with SKAN_ERROR_STORE and left
 *   unchanged.
 * - Memory: a record of 130 bytes under a key of 22 bytes takes 232 bytes of the server's memory (Redis 7.0, MEMORY
 *   USAGE), and 8 to 16 bytes more in the server's table of keys.
 * - Server: Redis 3.2 or newer, or any Valkey; 6.2 or newer for expire_days_after_close. One Lua script compares and
 *   sets; its effect is replicated. A user needs the commands GETRANGE, EVALSHA, EVAL, SET and DEL. It also needs
 *   SELECT where the URL names a database, SCAN to list, INFO so that the store can check the eviction policy and
 *   notice a restart during a listing, and in a cluster CLUSTER SLOTS, ASKING, and CLUSTER NODES to list. (A new
 *   connection begins with AUTH, SELECT or otherwise PING; it does not matter if the server refuses the PING.)
 *       ACL SETUSER game on >password resetkeys ~skan:* -@all +getrange +evalsha +eval +set +del +scan +info +select
 *           +cluster|slots +cluster|nodes +asking
 * - TLS 1.2 or newer is used with rediss:// and rediss+cluster://. The server's certificate must be issued, directly or
 *   through others, by a trusted authority. It must name the host of the URL, or the host by which a cluster knows the
 *   node: see `url`. These checks cannot be disabled.
 * - Time: a call ends within options.timeout_ms. This includes waiting for a connection, connecting and waiting for the
 *   server's answer; only the system's look-up of a host's name may take longer.
 * - Outcomes are exact. A call answers SKAN_ERROR_STORE only where the change was certainly not made: there was no
 *   connection, the command was not sent completely, or the server refused it with an error that Redis gives before it
 *   writes (NOAUTH, NOPERM, WRONGTYPE, OOM, READONLY, LOADING, MISCONF, NOREPLICAS, BUSY, MOVED and similar ones). A
 *   call answers SKAN_ERROR_STORE_UNKNOWN where the connection was lost or the time was over after a change was sent,
 *   and after any other error, for instance one of a proxy.
 * - A connection that the server closed while it was idle is replaced at once, before anything is sent. A read that
 *   fails is repeated once. A script that the server has forgotten is sent again.
 * - load_many and save_many send all their commands at once and read the answers as they arrive: one round trip. Each
 *   record of a batch has an outcome of its own. `list` is SCAN; behind a proxy, it depends on how the proxy handles
 *   SCAN.
 *
 * Ownership, `report` and fork: store.h, for all of libskan's stores. Errors follow the rules of skan.h. As there, the
 * ABI only grows.
 */
#ifndef SKAN_REDIS_H
#define SKAN_REDIS_H

#include "store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a store is opened. Set `size`; everything else may be zero. Strings are copied. */
typedef struct skan_redis_options {
    size_t size; /* sizeof(skan_redis_options) */
    /* Prepended to every key: up to 64 bytes without braces and without the bytes 00-1F and 7F; NULL = "skan:", "" =
     * none. Stores with different prefixes share nothing. */
    const char *prefix;
    uint32_t timeout_ms;         /* the time limit of a whole call, in milliseconds, up to 3 600 000; 0 = 5000 */
    uint32_t connect_timeout_ms; /* the limit for connecting and AUTH within timeout_ms; 0 = all of the call's time */
    uint32_t max_connections;    /* connections that this process keeps open, in a cluster to each master, up to 1024;
                                  * 0 = 8. A call needs one. If all are in use, it waits, and answers SKAN_ERROR_STORE
                                  * after the time-out */
    /* The number of days, up to 36 500, after which the server drops a registered install's record, counted from the
     * end of its last postback window (closes_at of skan_record). A record is not dropped within a day of its last
     * change. An install that buys after its record was dropped begins anew. Records that are not registered or cannot
     * be read are kept. Each change sets the time again; a record that is not changed keeps its time. 0 = all records
     * are kept. */
    uint32_t expire_days_after_close;
    /* 1 = open the store even if the server reports that it drops records when its memory is full; for tests and
     * caches. A server that does not report its policy (no right to INFO, a proxy) is accepted and not asked again. */
    uint32_t allow_eviction;
    uint32_t reserved; /* 0 */
    /* Called as store.h describes, in the server's own words, with SKAN_ERROR_STORE or SKAN_ERROR_STORE_UNKNOWN. The
     * message names host, port and database. May be NULL. */
    void (*report)(void *context, skan_status status, const char *message);
    void *report_context;
} skan_redis_options;

/* Opens a store: connects, checks that records may be read and that the script runs, and asks for the eviction policy.
 * Changes no record.
 *   url      redis://[user[:password]@]host[:port][/database]    the default is port 6379 and database 0; IPv6
 *                                                                addresses are written in brackets
 *            redis+unix://[user[:password]@]/path[?db=database]  a Unix socket; unix:// is the same
 *            redis+cluster://[user[:password]@]host[:port][,host[:port]...]  a cluster: up to 64 of its nodes; it is
 *                                                                enough if one of them answers
 *            rediss://..., rediss+cluster://...                  the same with TLS. ?name=value&name=value... may
 *                                                                follow; the names are those of redis-cli's options:
 *                cacert   a file of trusted authorities, PEM; the default is the system's authorities
 *                cert     the client's certificate, PEM, followed by those between it and an authority; needs `key`
 *                key      its private key, PEM, without a password
 *                sni      the name that the certificates of all servers must have, instead of the host's
 *            User, password, host and path may be percent-encoded; the characters @ : / ? # and % in them must be. A
 *            password without a user is that of the default user ("redis://:password@host").
 *   options  NULL = all defaults.
 *   out      is filled for skan_create, whose engine then owns it: store.h. All zero on any status but SKAN_OK.
 * Any thread.
 * SKAN_OK
 * SKAN_ERROR_INVALID_ARGUMENT  url or out is NULL, url cannot be parsed, or an option is not as described
 * SKAN_ERROR_STORE             the server cannot be reached in time, refuses the user, is loading its data or would
 *                              drop records; or its certificate or a file of the URL is not acceptable; the message has
 *                              the server's or OpenSSL's words */
skan_status skan_redis_store_open(const char *url, const skan_redis_options *options, skan_store *out,
                                  skan_error **error);

/* Closes a store that no engine owns, and zeroes it, as store.h describes. */
void skan_redis_store_close(skan_store *store);

#ifdef __cplusplus
}
#endif

#endif /* SKAN_REDIS_H */
