import CSKANSupport
import SKANCore

/// The in-memory store: records in 64 hash tables, each with a lock. Any number of threads may use it.
///
/// Unlike other stores it does not copy records: a rule runs under the lock of its key's table. Rules never call the
/// host, so a change cannot be interrupted and there are no conflicts.
package struct MemoryRecords: @unchecked Sendable {
    private let shards: UnsafeMutablePointer<Shard>
    private let seed: UInt64
    /// The shards' locks, registered so that a fork waits until they are free.
    private let forkedLocks: UnsafeMutablePointer<support_forked_locks>

    private static var shardCount: Int { 64 }

    package init() {
        seed = support_random()
        // Each shard has a cache line of its own, so that threads that use different shards do not slow each other
        // down.
        shards = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryRecords.shardCount * MemoryLayout<Shard>.stride, alignment: 64
        ).bindMemory(to: Shard.self, capacity: MemoryRecords.shardCount)
        for index in 0..<MemoryRecords.shardCount {
            (shards + index).initialize(to: Shard())
            (shards + index).createLock()
        }
        forkedLocks = UnsafeMutablePointer<support_forked_locks>.allocate(capacity: 1)
        forkedLocks.initialize(
            to: support_forked_locks(
                first: shards, count: MemoryRecords.shardCount, stride: MemoryLayout<Shard>.stride, next: nil))
        support_remember_locks(forkedLocks)
    }

    /// No thread may use the store any more.
    package func destroy() {
        support_forget_locks(forkedLocks)
        forkedLocks.deallocate()
        for index in 0..<MemoryRecords.shardCount {
            (shards + index).destroyLock()
            shards[index].destroy()
        }
        shards.deallocate()
    }

    @inline(__always)
    private func shard(_ hash: UInt64) -> UnsafeMutablePointer<Shard> { shards + Int(hash >> 58) }

    /// Runs a rule on the record of a key. `state` must be the state of an install without a record; afterwards it is
    /// the state that the rule left.
    package func perform<R: Rule>(
        _ state: inout InstallState, _ key: UnsafeRawBufferPointer, _ rule: inout R
    ) throws(Failure) -> Status {
        while true {
            if let status = try performIfSettled(&state, key, &rule) { return status }
            try settle(&state, key)
        }
    }

    /// Runs the rule and returns its status. If the record belongs to a rename that has to end first, runs nothing and
    /// returns nil.
    @inline(__always)
    private func performIfSettled<R: Rule>(
        _ state: inout InstallState, _ key: UnsafeRawBufferPointer, _ rule: inout R
    ) throws(Failure) -> Status? {
        let hash = keyHash(key, seed)
        let shard = self.shard(hash)
        shard.acquire()
        defer { shard.release() }
        let position = try shard.read(key, hash, into: &state)
        if state.unsettled != nil { return nil }
        let verdict = try rule.run(on: &state)
        if verdict.isChanged { shard.write(&state, key, hash, at: position) }
        return verdict.status
    }

    /// Removes the record of a key, and returns the number of the record's last update, or 0 if there is no record. If
    /// the record belongs to a rename, removes nothing and returns nil.
    func removeIfUnmarked(_ key: UnsafeRawBufferPointer) -> UInt64? {
        let hash = keyHash(key, seed)
        let shard = self.shard(hash)
        shard.acquire()
        defer { shard.release() }
        guard let entry = shard.pointee.find(key, hash) else { return 0 }
        if Record.hasRenameMark(entry.record) { return nil }
        let number = InstallState.lastUpdateNumber(of: entry.record, isOwn: true)
        shard.pointee.remove(key, hash)
        return number
    }

    // MARK: Rules, "Store contract", for hosts that use this store as any other

    /// Passes the record of a key and its version to `body`, or nil if there is no record.
    package func withRecord<Result>(
        _ key: UnsafeRawBufferPointer, _ body: ((record: UnsafeRawBufferPointer, version: UInt64)?) -> Result
    ) -> Result {
        let hash = keyHash(key, seed)
        let shard = self.shard(hash)
        shard.acquire()
        defer { shard.release() }
        guard let entry = shard.pointee.find(key, hash) else { return body(nil) }
        // The store's own writes leave out the checksum, so it is added here.
        Record.seal(UnsafeMutableRawBufferPointer(mutating: entry.record))
        return body((entry.record, entry.version))
    }

    /// Stores a record if the stored version is the expected one. Returns the new version, or nil for a conflict.
    package func save(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, expected: UInt64) -> UInt64? {
        let hash = keyHash(key, seed)
        let shard = self.shard(hash)
        shard.acquire()
        defer { shard.release() }
        let position = shard.pointee.position(key, hash)
        guard shard.pointee[position]?.version ?? 0 == expected else { return nil }
        return shard.pointee.put(key, hash, record, at: position)
    }

    /// Removes a record if the stored version is the expected one. Returns false for a conflict.
    package func remove(_ key: UnsafeRawBufferPointer, expected: UInt64) -> Bool {
        let hash = keyHash(key, seed)
        let shard = self.shard(hash)
        shard.acquire()
        defer { shard.release() }
        guard expected != 0, shard.pointee.find(key, hash)?.version == expected else { return false }
        shard.pointee.remove(key, hash)
        return true
    }
}

/// One hash table with its lock. It uses open addressing with linear probing and is at most three quarters full. The
/// struct has 64 bytes, one cache line, and begins with the lock.
private struct Shard {
    fileprivate var lock = support_lock()
    private var slots: UnsafeMutablePointer<Slot>
    private var slotCount: UInt32 = 16
    private var count: UInt32 = 0
    /// The version of the last write. It counts the writes to the whole table, so that no version is used twice for a
    /// key.
    private var lastVersion: UInt64 = 0

    private struct Slot {
        var hash: UInt64
        var entry: Entry?
    }

    init() { slots = Shard.emptySlots(16) }

    private var mask: Int {
        @inline(__always)
        get { Int(slotCount) &- 1 }
    }

    private static func emptySlots(_ count: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        slots.initialize(repeating: Slot(hash: 0, entry: nil), count: count)
        return slots
    }

    func destroy() {
        for index in 0...mask { slots[index].entry?.free() }
        slots.deallocate()
    }

    /// The slot that holds a key, or the free slot in which to insert the key.
    @inline(__always)
    func position(_ key: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
        var index = Int(truncatingIfNeeded: hash) & mask
        while let entry = slots[index].entry {
            if slots[index].hash == hash {
                entry.prefetch()
                if entry.hasKey(key) { return index }
            }
            index = (index &+ 1) & mask
        }
        return index
    }

    /// Nil if the slot is free.
    @inline(__always)
    subscript(position: Int) -> Entry? { slots[position].entry }

    @inline(__always)
    func find(_ key: UnsafeRawBufferPointer, _ hash: UInt64) -> Entry? { slots[position(key, hash)].entry }

    /// Stores a record in the slot at `index`, which `position` returned. Returns the record's version.
    @discardableResult
    mutating func put(
        _ key: UnsafeRawBufferPointer, _ hash: UInt64, _ record: UnsafeRawBufferPointer, at index: Int
    ) -> UInt64 {
        lastVersion &+= 1
        if let entry = slots[index].entry {
            if entry.hasRoom(record.count) {
                entry.set(record, lastVersion)
            } else {
                slots[index].entry = Entry(key, record, lastVersion)
                entry.free()
            }
        } else {
            slots[index] = Slot(hash: hash, entry: Entry(key, record, lastVersion))
            count &+= 1
            if UInt64(count) &* 4 > UInt64(slotCount) &* 3 { grow() }
        }
        return lastVersion
    }

    mutating func remove(_ key: UnsafeRawBufferPointer, _ hash: UInt64) {
        var hole = position(key, hash)
        guard let entry = slots[hole].entry else { return }
        entry.free()
        slots[hole].entry = nil
        count &-= 1
        // Moves a later entry into the hole if a search for that entry would otherwise stop at the hole.
        var index = (hole &+ 1) & mask
        while slots[index].entry != nil {
            let home = Int(truncatingIfNeeded: slots[index].hash) & mask
            if (index &- home) & mask >= (index &- hole) & mask {
                slots[hole] = slots[index]
                slots[index].entry = nil
                hole = index
            }
            index = (index &+ 1) & mask
        }
    }

    private mutating func grow() {
        let old = slots
        let oldCount = Int(slotCount)
        // A table of 2³¹ slots does not grow any more. No memory holds that many installs.
        guard slotCount < 1 << 31 else { return }
        slotCount &*= 2
        slots = Shard.emptySlots(Int(slotCount))
        for index in 0..<oldCount where old[index].entry != nil {
            var place = Int(truncatingIfNeeded: old[index].hash) & mask
            while slots[place].entry != nil { place = (place &+ 1) & mask }
            slots[place] = old[index]
        }
        old.deallocate()
    }
}

extension UnsafeMutablePointer<Shard> {
    fileprivate func createLock() { support_lock_create(&pointee.lock) }
    fileprivate func destroyLock() { support_lock_destroy(&pointee.lock) }

    @inline(__always)
    fileprivate func acquire() { support_acquire(&pointee.lock) }

    @inline(__always)
    fileprivate func release() { support_release(&pointee.lock) }

    /// Reads the record of a key into `state`, if there is one. Returns the key's slot, or the free slot for inserting
    /// the key.
    @inline(never)
    fileprivate func read(
        _ key: UnsafeRawBufferPointer, _ hash: UInt64, into state: inout InstallState
    ) throws(Failure) -> Int {
        let position = pointee.position(key, hash)
        if let entry = pointee[position] { try state.read(entry.record, isOwn: true) }
        return position
    }

    @inline(never)
    fileprivate func write(
        _ state: inout InstallState, _ key: UnsafeRawBufferPointer, _ hash: UInt64, at position: Int
    ) {
        state.withOwnRecord { pointee.put(key, hash, $0, at: position) }
    }
}

/// A key and its record in one allocation: version (8 bytes), length of the record and room for it (2 bytes each),
/// length of the key (1 byte), key, record.
private struct Entry {
    private let base: UnsafeMutableRawPointer

    private static var headerBytes: Int { 13 }

    init(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ version: UInt64) {
        // Leaves room for the record to grow as amounts get longer and ids are added. Blocks of malloc have 16 n + 8
        // usable bytes, so the size is rounded up to such a number.
        let needed = Entry.headerBytes &+ key.count &+ record.count
        let spare = record.count > 150 ? min(record.count / 2, 512) : 24
        let size = ((needed &+ spare &+ 8 &+ 15) & ~15) &- 8
        base = support_allocate(size)
        let room = record.count &+ (size &- needed)
        base.storeBytes(of: UInt16(truncatingIfNeeded: room), toByteOffset: 10, as: UInt16.self)
        base.storeBytes(of: UInt8(truncatingIfNeeded: key.count), toByteOffset: 12, as: UInt8.self)
        if let start = key.baseAddress { (base + Entry.headerBytes).copyMemory(from: start, byteCount: key.count) }
        set(record, version)
    }

    func free() { support_deallocate(base) }

    /// Prefetches two more cache lines of the entry, as many as a typical entry has.
    @inline(__always)
    func prefetch() {
        support_prefetch(base + 64)
        support_prefetch(base + 128)
    }

    var version: UInt64 { base.load(as: UInt64.self) }

    private var keyLength: Int { Int(base.load(fromByteOffset: 12, as: UInt8.self)) }

    @inline(__always)
    var record: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: base + (Entry.headerBytes &+ keyLength), count: Int(base.load(fromByteOffset: 8, as: UInt16.self)))
    }

    func hasRoom(_ count: Int) -> Bool { count <= Int(base.load(fromByteOffset: 10, as: UInt16.self)) }

    @inline(__always)
    func set(_ record: UnsafeRawBufferPointer, _ version: UInt64) {
        base.storeBytes(of: version, as: UInt64.self)
        base.storeBytes(of: UInt16(truncatingIfNeeded: record.count), toByteOffset: 8, as: UInt16.self)
        guard let start = record.baseAddress else { return }
        (base + (Entry.headerBytes &+ keyLength)).copyMemory(from: start, byteCount: record.count)
    }

    @inline(__always)
    func hasKey(_ key: UnsafeRawBufferPointer) -> Bool {
        guard key.count == keyLength, let other = key.baseAddress else { return false }
        return support_equal(base + Entry.headerBytes, other, key.count)
    }
}

/// A seeded hash of a key: multiplies its words to 128 bits and folds each product to 64.
@inline(__always)
package func keyHash(_ key: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
    guard let base = key.baseAddress else { return seed }
    var hash = seed ^ UInt64(truncatingIfNeeded: key.count)
    var offset = 0
    while key.count &- offset >= 8 {
        hash = folded(hash ^ base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset &+= 8
    }
    var tail: UInt64 = 0
    if key.count >= 8 {
        // The last 8 bytes, which may overlap the previous word.
        tail = base.loadUnaligned(fromByteOffset: key.count &- 8, as: UInt64.self)
    } else {
        while offset < key.count {
            tail = tail << 8 | UInt64(base.load(fromByteOffset: offset, as: UInt8.self))
            offset &+= 1
        }
    }
    return folded(folded(hash ^ tail) ^ 0xA076_1D64_78BD_642F)
}

@inline(__always)
private func folded(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
}
