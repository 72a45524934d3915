internal import SKANCommandOutput
package import SKANCore
internal import SKANStorePool
package import SKANSystem

/// How a walk through all records of a store went. It visits each record once, even where the store lists a key twice.
package struct StoreWalk {
    /// Whether the end was reached; why not was said, but for a signal or a reader that left.
    package private(set) var isComplete = false
    /// Records that could not be loaded; they were named.
    package private(set) var failed: UInt64 = 0

    /// Shows `visit` batch after batch, with its records loaded; false ends the walk. With a progress bar.
    /// `printsData`: on standard output, line by line.
    package init(_ store: OpenStore, printsData: Bool, visit: (RecordBatch) -> Bool) {
        walk(store, printsData, [WalkedPart()], visit)
    }

    /// The same, but the records whose keys begin with `prefix` come last.
    package init(_ store: OpenStore, last prefix: StaticString, printsData: Bool, visit: (RecordBatch) -> Bool) {
        walk(store, printsData, [WalkedPart(leftOut: prefix), WalkedPart(prefix: prefix)], visit)
    }

    /// The same, but only the records of some kinds: nothing else is read, where a store can list by the beginning of
    /// keys.
    package init(_ store: OpenStore, of kinds: [RecordKind], printsData: Bool, visit: (RecordBatch) -> Bool) {
        walk(store, printsData, kinds.map { WalkedPart(prefix: $0.prefix ?? "") }, visit)
    }

    /// Shows `visit` every record that was loaded, one after the other.
    package init(
        _ store: OpenStore, printsData: Bool, each visit: (_ key: Bytes, _ record: Bytes, _ version: UInt64) -> Void
    ) {
        self.init(store, printsData: printsData) { batch in
            batch.show(visit)
            return true
        }
    }

    /// Shows `visit` every record of some kinds that was loaded, one after the other.
    package init(
        _ store: OpenStore, of kinds: [RecordKind], printsData: Bool,
        each visit: (_ key: Bytes, _ record: Bytes, _ version: UInt64) -> Void
    ) {
        self.init(store, of: kinds, printsData: printsData) { batch in
            batch.show(visit)
            return true
        }
    }

    /// "3 records read" and what else there is to say, each with its count, where that is not 0.
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
        if parts.contains(where: { $0.leftOut != nil }) { return try StoreListing.count(store) }
        var count: UInt64 = 0
        for part in parts { count += try StoreListing.count(store, beginningWith: part.prefix) }
        return count
    }

    /// Whether the end of the part was reached.
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

/// A part of the keys of a store: those that begin with `prefix`, but for those that begin with `leftOut`.
private struct WalkedPart {
    var prefix: StaticString = ""
    var leftOut: StaticString?
}

extension RecordBatch {
    /// Shows the records that were loaded.
    fileprivate func show(_ visit: (_ key: Bytes, _ record: Bytes, _ version: UInt64) -> Void) {
        for index in 0..<count where status(index) == .ok && !Ending.isEnding {
            visit(key(index), record(index), version(index))
        }
    }
}
