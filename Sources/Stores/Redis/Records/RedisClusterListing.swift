internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

extension RedisConnection {
    /// Lists a page of a cluster's keys. `RedisClusterCursor` describes how no key is missed.
    func list(
        _ cluster: RedisCluster, beginningWith prefix: Bytes, after text: Bytes,
        _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        var cursor: RedisClusterCursor
        if text.isEmpty {
            cursor = RedisClusterCursor(try claims(cluster))
        } else {
            guard let given = RedisClusterCursor(text) else {
                throw failure(.store, "list", "the cursor was not made by this store")
            }
            cursor = given
        }
        var keys = ByteBuffer(capacity: 4096)
        while let part = cursor.parts.first {
            if let next = try scan(cluster, part, cursor.scan, beginningWith: prefix, &keys) {
                cursor.scan = next
                break
            }
            cursor.scan = RedisScan()
            cursor.parts.removeFirst()
            if keys.count > 0 && !cursor.parts.isEmpty { break }
        }
        var out = ByteBuffer(capacity: 1024)
        if !cursor.parts.isEmpty {
            cursor.write(to: &out)
        } else if let next = cursor.next(try claims(cluster)) {
            next.write(to: &out)
        }
        guard keys.count <= Limits.bufferBytes, out.count <= RedisClusterCursor.mostBytes,
            keys.withBytes({ keys in out.withBytes { take(keys, $0) } })
        else { throw failure(.store, "list", "the keys of a page do not fit into their buffer") }
    }

    /// Appends a page of a node's keys to `keys`. Returns where the next page begins, or nil after the last page. A
    /// node that is gone has no page, because its slots now belong to other nodes, which have gained them.
    private func scan(
        _ cluster: RedisCluster, _ part: RedisClusterCursor.Part, _ scan: RedisScan, beginningWith prefix: Bytes,
        _ keys: inout ByteBuffer
    ) throws(Failure) -> RedisScan? {
        var pause: Int64 = 5
        while true {
            do throws(Failure) {
                guard let node = cluster.node(part.place) else { return nil }
                let page = try page(of: node, "list", scan, beginningWith: prefix)
                page.keys.withUnsafeBytes { append($0, of: part, to: &keys) }
                return page.next
            } catch {
                try waitForChange(cluster, error, &pause)
            }
        }
    }

    private func append(_ found: Bytes, of part: RedisClusterCursor.Part, to keys: inout ByteBuffer) {
        guard let slots = part.slots else { return keys.append(found) }
        for key in found.split(separator: 0) where slots.contains(slot(Bytes(rebasing: key))) {
            keys.append(Bytes(rebasing: key))
            keys.append(0)
        }
    }

    private func slot(_ key: Bytes) -> Int { RedisLayout.slot(settings.prefix, key) }

    /// Asks each node of the cluster which slots it claims, and repeats this until every slot is claimed.
    private func claims(_ cluster: RedisCluster) throws(Failure) -> RedisWholeClaims {
        var pause: Int64 = 5
        while true {
            do throws(Failure) {
                do throws(RedisTrouble) {
                    try learn(cluster, since: Int64.max)
                } catch {
                    throw failure(.store, "list", error.words)
                }
                var whole = RedisWholeClaims()
                for node in cluster.masters {
                    var claims: RedisClaims?
                    try ask(node, "list") { out in
                        out.begin(2)
                        out.add("CLUSTER")
                        out.add("NODES")
                    } _: { reply throws(Failure) in
                        claims = RedisClaims(reply)
                        if claims == nil { throw failure(.store, "list", "CLUSTER NODES: \(reply.words(atMost: 255))") }
                    }
                    if let claims { whole.append(node, claims) }
                }
                if whole.cover(cluster.covered) { return whole }
                throw failure(.store, "list", "the slots of the cluster are changing")
            } catch {
                try waitForChange(cluster, error, &pause)
            }
        }
    }

    /// Waits before the nodes are asked again. Throws the failure if no time is left.
    private func waitForChange(
        _ cluster: RedisCluster, _ failure: Failure, _ pause: inout Int64
    ) throws(Failure) {
        if millisecondsNow() + pause >= deadline { throw failure }
        var rest = timespec(tv_sec: 0, tv_nsec: Int(pause) * 1_000_000)
        nanosleep(&rest, nil)
        pause = min(pause * 2, 100)
        do throws(RedisTrouble) { try learn(cluster, since: Int64.max) } catch { throw failure }
    }
}
