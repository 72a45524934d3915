package import SKANCore
internal import SKANSystem

extension RedisConnection {
    /// Makes a connection. The first one connects at once and checks the server; others connect when they are needed.
    package convenience init(_ settings: Settings, isFirst: Bool) throws(Failure) {
        self.init(settings)
        guard isFirst else { return }
        do throws(Failure) {
            try learnCluster()
            try probe()
            if !settings.allowsEviction {
                for master in masters { try refuseEviction(master) }
            }
        } catch {
            end()
            // Only the outcome of the probe can be unknown, and the probe changes nothing.
            throw Failure(.store, error.message)
        }
    }

    private func learnCluster() throws(Failure) {
        guard let cluster = settings.cluster else { return }
        do throws(RedisTrouble) {
            try learn(cluster, since: Int64.max)
        } catch {
            throw failure(.store, "open", error.words)
        }
    }

    /// Checks that this user may read records and run the script. Changes nothing, because it uses the key of an
    /// install without an id, which does not exist.
    private func probe() throws(Failure) {
        let nobody = Bytes(start: nil, count: 0)
        _ = try load(nobody) { _, _ in true }
        _ = try remove(nobody, expected: 1)
    }

    /// Refuses a server that may evict records. If the user may not ask for the policy, or a proxy does not know the
    /// command, nothing is refused.
    private func refuseEviction(_ master: RedisNode) throws(Failure) {
        try ask(master, "open") { out in
            out.begin(2)
            out.add("INFO")
            out.add("memory")
        } _: { reply throws(Failure) in
            let name: StaticString = "\nmaxmemory_policy:"
            guard let facts = reply.string, let start = facts.firstIndex(of: name) else { return }
            let line = facts[(start + name.utf8CodeUnitCount)...].prefix { $0 > 0x20 }
            let policy = Bytes(rebasing: line)
            let takesAll = policy.hasPrefix("allkeys-")
            guard takesAll || (policy.hasPrefix("volatile-") && settings.expireDays > 0) else { return }
            let other: StaticString = takesAll ? " or volatile-*" : ""
            throw failure(
                .store, "open",
                """
                maxmemory-policy is \(RedisReply.words(policy, atMost: 64)), so the server drops records when its \
                memory is full; expected noeviction\(other), or options.allow_eviction
                """
            )
        }
    }
}
