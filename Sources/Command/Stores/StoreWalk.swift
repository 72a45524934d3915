import SKANCommandOutput
package import SKANCore
import SKANStorePool
package import SKANSystem

/// A walk through the records of a store, and its result. It visits each record once, even if the store lists a key
/// twice.
package struct StoreWalk {
    /// Whether the walk reached the end. If not, the reason was reported, unless it was a signal or a closed output.
    package private(set) var isComplete = false
    /// The number of records that could not be loaded. A message has named each of them.
    package private(set) var failed: UInt64 = 0

    /// Calls `visit` with each batch of loaded records until `visit` returns false. Shows a progress bar. `printsData`:
    /// whether `visit` prints lines to standard output.
    package init(_ store: OpenStore, printsData: Bool, visit: (RecordBatch) -> Bool) {
        walk(store, printsData, [WalkedPart()], visit)
    }

    /// Calls `visit` with each batch: first the records of kind `first`, at the end those of kind `last`, and all
    /// others in between.
    package init(
        _ store: OpenStore, first: RecordKind, last: RecordKind, printsData: Bool, visit: (RecordBatch) -> Bool
    ) {
        let (first, last) = (first.prefix ?? "", last.prefix ?? "")
        let others = WalkedPart(leftOut: [first, last])
        walk(store, printsData, [WalkedPart(prefix: first), others, WalkedPart(prefix: last)], visit)
    }

    /// Calls `visit` with each batch of records of these kinds. If the store can list keys by prefix, reads no other
    /// records.
    package init(_ store: OpenStore, of kinds: [RecordKind], printsData: Bool, visit: (RecordBatch) -> Bool) {
        walk(store, printsData, kinds.map { WalkedPart(prefix: $0.prefix ?? "") }, visit)
    }

    package init(
        _ store: OpenStore, printsData: Bool, each visit: (_ key: Bytes, _ record: Bytes, _ version: UInt64) -> Void
    ) {
        self.init(store, printsData: printsData) { batch in
            batch.show(visit)
            return true
        }
    }

    package init(
        _ store: OpenStore, of kinds: [RecordKind], printsData: Bool,
        each visit: (_ key: Bytes, _ record: Bytes, _ version: UInt64) -> Void
    ) {
        self.init(store, of: kinds, printsData: printsData) { batch in
            batch.show(visit)
            return true
        }
    }

    /// Returns a line such as "3 records read", followed by the other counts that are not 0.
    package func sum(_ line: Message, _ others: [(count: UInt64, words: StaticString)]) -> Message {
        var line: Message = isComplete ? line : "not all: \(line)"
        for other in others + [(failed, "could not be read")] where other.count > 0 {
            line = "\(line), \(other.count) \(other.words)"
        }
        return line
    }

    private mutating func walk(
        _ store: OpenStore, _ printsData: Bool, _ parts: [WalkedPart], _ visit: (RecordBatch) -> Bool
    ) {
        do throws(CommandEnd) {
            let isSeen = Progress.isSeen(printsData: printsData)
            let total = isSeen ? try count(store, parts) : 0
            Progress.begin(isSeen, unit: .things("records"), total: total)
            defer { Progress.end() }
            var done: UInt64 = 0
            for part in parts {
                isComplete = try walk(store, part, &done, visit)
                if !isComplete { return }
            }
        } catch {
            isComplete = false
            _ = error.say()
        }
    }

    private func count(_ store: OpenStore, _ parts: [WalkedPart]) throws(CommandEnd) -> UInt64 {
        if parts.contains(where: { !$0.leftOut.isEmpty }) { return try StoreListing.count(store) }
        var count: UInt64 = 0
        for part in parts { count += try StoreListing.count(store, beginningWith: part.prefix) }
        return count
    }

    /// Returns whether the walk reached the end of the part.
    private mutating func walk(
        _ store: OpenStore, _ part: WalkedPart, _ done: inout UInt64, _ visit: (RecordBatch) -> Bool
    ) throws(CommandEnd) -> Bool {
        var listing = try StoreListing(store, givesEachKeyOnce: true)
        let reading = BatchThreads<RecordBatch>(store.jobs > 1 ? store.jobs : 0) { $0.load(from: store) }
        defer { reading.stop() }
        var (ahead, free) = ([RecordBatch](), [RecordBatch]())
        var isListed = false
        while !Ending.isEnding {
            while ahead.count <= reading.count, !isListed {
                let batch = free.popLast() ?? RecordBatch()
                try listing.next(into: batch, beginningWith: part.prefix, leavingOut: part.leftOut)
                if Ending.isEnding { return false }
                isListed = batch.count == 0
                if isListed { break }
                reading.begin(batch)
                ahead.append(batch)
            }
            if ahead.isEmpty { return true }
            let batch = ahead.removeFirst()
            reading.wait(for: batch)
            nameFailed(batch)
            let goesOn = visit(batch)
            done += UInt64(batch.count)
            Progress.step(done)
            if !goesOn { return false }
            free.append(batch)
        }
        return false
    }

    private mutating func nameFailed(_ batch: RecordBatch) {
        for index in 0..<batch.count where batch.status(index) == .store {
            failed += 1
            let why = batch.failure ?? OpenStore.noReason
            complain(Message(utf8: [UInt8](batch.key(index))), "could not be read: \(why)")
        }
    }
}

/// A part of a store's keys: those that begin with `prefix`, except those that begin with one of `leftOut`.
private struct WalkedPart {
    var prefix: StaticString = ""
    var leftOut: [StaticString] = []
}

extension RecordBatch {
    /// Calls `visit` with each record that was loaded.
    fileprivate func show(_ visit: (_ key: Bytes, _ record: Bytes, _ version: UInt64) -> Void) {
        for index in 0..<count where status(index) == .ok && !Ending.isEnding {
            visit(key(index), record(index), version(index))
        }
    }
}
