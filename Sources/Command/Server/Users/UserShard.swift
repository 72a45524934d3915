import CSKANSystem
import SKANCore
import SKANEngine
import SKANSystem

/// A hash table of users with an LRU list, which orders them by when they were last seen. Indices of entries begin at
/// 1; 0 means none.
final class UserShard: @unchecked Sendable {
    private struct Entry {
        var hash: UInt64
        /// The key, followed by the record.
        var bytes: UnsafeMutableRawPointer?
        var keyLength: UInt16
        var recordLength: UInt16
        /// The index of the next entry in the chain of its bucket.
        var next: UInt32
        var newer: UInt32
        var older: UInt32
    }

    private let lock = Lock()
    private let most: Int
    private let mask: UInt64
    private let buckets: UnsafeMutablePointer<UInt32>
    /// The entries, allocated at full size, since memory that was never written to takes no space.
    private let entries: UnsafeMutablePointer<Entry>
    private var count = 0
    private var gone: UInt64 = 0
    private var newest: UInt32 = 0
    private var oldest: UInt32 = 0

    /// nil if there is not enough memory.
    convenience init?(most: Int) {
        var bucketCount = 16
        while bucketCount < most { bucketCount *= 2 }
        guard let buckets = calloc(bucketCount, MemoryLayout<UInt32>.stride) else { return nil }
        guard let entries = calloc(most + 1, MemoryLayout<Entry>.stride) else {
            free(buckets)
            return nil
        }
        self.init(
            most: most, buckets.bindMemory(to: UInt32.self, capacity: bucketCount), bucketCount,
            entries.bindMemory(to: Entry.self, capacity: most + 1))
    }

    /// Owns the memory of `buckets` and `entries`.
    private init(
        most: Int, _ buckets: UnsafeMutablePointer<UInt32>, _ bucketCount: Int, _ entries: UnsafeMutablePointer<Entry>
    ) {
        self.most = most
        mask = UInt64(bucketCount - 1)
        self.buckets = buckets
        self.entries = entries
    }

    deinit {
        for place in 0...count { free(entries[place].bytes) }
        free(entries)
        free(buckets)
    }

    var counts: (users: Int, gone: UInt64) { lock.hold { (count, gone) } }

    func users(of model: SHA256) -> UInt64 {
        lock.hold {
            var users: UInt64 = 0
            for place in 0..<count {
                var state = InstallState(.skan4)
                do throws(Failure) { try state.read(record(UInt32(place + 1)), isOwn: true) } catch { continue }
                if state.conversion.model?.isOf(model) == true { users += 1 }
            }
            return users
        }
    }

    func perform(
        _ key: Bytes, _ hash: UInt64, _ protocolVersion: ProtocolVersion,
        _ rule: (inout InstallState) throws(Failure) -> Verdict
    ) throws(Failure) -> Status {
        lock.take()
        defer { lock.give() }
        let place = find(key, hash)
        var state = InstallState(protocolVersion)
        if place != 0 {
            touch(place)
            try state.read(record(place), isOwn: true)
        }
        let verdict = try rule(&state)
        if verdict.isChanged {
            var isStored = false
            state.withOwnRecord { isStored = put(key, hash, $0, at: place) }
            guard isStored else { throw Failure(.store, "no memory for a user") }
        }
        return verdict.status
    }

    // MARK: The lock is held

    private func bucket(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash & mask) }

    private func key(_ place: UInt32) -> Bytes {
        Bytes(start: entries[Int(place)].bytes, count: Int(entries[Int(place)].keyLength))
    }

    private func record(_ place: UInt32) -> Bytes {
        let entry = entries[Int(place)]
        return Bytes(start: entry.bytes.map { $0 + Int(entry.keyLength) }, count: Int(entry.recordLength))
    }

    private func find(_ key: Bytes, _ hash: UInt64) -> UInt32 {
        var place = buckets[bucket(hash)]
        while place != 0 {
            if entries[Int(place)].hash == hash, self.key(place).elementsEqual(key) { return place }
            place = entries[Int(place)].next
        }
        return 0
    }

    /// Stores a record at the index `place`, or at a new index if `place` is 0. Returns false if there is no memory.
    private func put(_ key: Bytes, _ hash: UInt64, _ record: Bytes, at place: UInt32) -> Bool {
        let isNew = place == 0
        let old = isNew ? nil : entries[Int(place)].bytes
        guard let bytes = realloc(old, key.count + record.count) else { return false }
        if isNew, let start = key.baseAddress { bytes.copyMemory(from: start, byteCount: key.count) }
        if let start = record.baseAddress { (bytes + key.count).copyMemory(from: start, byteCount: record.count) }
        let place = isNew ? newPlace() : place
        entries[Int(place)].bytes = bytes
        entries[Int(place)].keyLength = UInt16(truncatingIfNeeded: key.count)
        entries[Int(place)].recordLength = UInt16(truncatingIfNeeded: record.count)
        guard isNew else { return true }
        entries[Int(place)].hash = hash
        entries[Int(place)].next = buckets[bucket(hash)]
        buckets[bucket(hash)] = place
        link(place)
        return true
    }

    /// Returns a free index. If there is none, drops the least recently seen user and returns that user's index.
    private func newPlace() -> UInt32 {
        guard count == most else {
            count += 1
            return UInt32(truncatingIfNeeded: count)
        }
        let place = oldest
        unlink(place)
        free(entries[Int(place)].bytes)
        gone += 1
        let bucket = bucket(entries[Int(place)].hash)
        if buckets[bucket] == place {
            buckets[bucket] = entries[Int(place)].next
            return place
        }
        var before = buckets[bucket]
        while entries[Int(before)].next != place { before = entries[Int(before)].next }
        entries[Int(before)].next = entries[Int(place)].next
        return place
    }

    private func touch(_ place: UInt32) {
        if place == newest { return }
        unlink(place)
        link(place)
    }

    private func link(_ place: UInt32) {
        entries[Int(place)].older = newest
        entries[Int(place)].newer = 0
        if newest != 0 { entries[Int(newest)].newer = place } else { oldest = place }
        newest = place
    }

    private func unlink(_ place: UInt32) {
        let (newer, older) = (entries[Int(place)].newer, entries[Int(place)].older)
        if newer != 0 { entries[Int(newer)].older = older } else { newest = older }
        if older != 0 { entries[Int(older)].newer = newer } else { oldest = newer }
    }
}
