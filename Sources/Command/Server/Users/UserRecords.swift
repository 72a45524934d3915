import CSKANSystem
package import SKANCore
import SKANEngine
package import SKANSystem

/// Records of users in memory, up to a maximum number; beyond it the least recently seen are dropped. Thread-safe.
package final class UserRecords: @unchecked Sendable {
    private let shards: [UserShard]
    private let seed: UInt64

    /// Below this maximum number of users, all users share one LRU list. Otherwise there are `parts` shards, each with
    /// a lock and an LRU list of its own, so that threads do not wait for each other.
    private static var few: Int { 65_536 }
    private static var parts: Int { 16 }

    /// nil if there is not enough memory, or if the system gives no random numbers.
    package convenience init?(most: Int) {
        var seed: UInt64 = 0
        guard fillRandom(&seed) else { return nil }
        let count = most < UserRecords.few ? 1 : UserRecords.parts
        var shards: [UserShard] = []
        for number in 0..<count {
            // Each of the first shards takes one user of the remainder.
            let part = most / count + (number < most % count ? 1 : 0)
            guard let shard = UserShard(most: part) else { return nil }
            shards.append(shard)
        }
        self.init(shards, seed)
    }

    private init(_ shards: [UserShard], _ seed: UInt64) {
        self.shards = shards
        self.seed = seed
    }

    /// `gone`: the number of users dropped to make room.
    package var counts: (users: Int, gone: UInt64) {
        shards.reduce(into: (users: 0, gone: 0)) { sum, shard in
            let (users, gone) = shard.counts
            sum.users += users
            sum.gone += gone
        }
    }

    func users(of model: SHA256) -> UInt64 { shards.reduce(0) { $0 + $1.users(of: model) } }

    @export(interface)
    package func perform(
        _ key: Bytes, _ protocolVersion: ProtocolVersion,
        _ rule: (inout InstallState) throws(Failure) -> Verdict
    ) throws(Failure) -> Status {
        let hash = keyHash(key, seed)
        let shard = shards[Int(truncatingIfNeeded: hash >> 33) % shards.count]
        return try shard.perform(key, hash, protocolVersion, rule)
    }
}
