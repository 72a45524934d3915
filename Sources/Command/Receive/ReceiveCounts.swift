import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification

/// The numbers of postbacks from files, by result.
struct ReceiveCounts {
    private(set) var postbacks: UInt64 = 0
    private(set) var wrong: UInt64 = 0
    private(set) var failed: UInt64 = 0
    private(set) var counted: UInt64 = 0
    private var duplicates: UInt64 = 0
    private var refused = RefusedCounts()
    /// The number of counted postbacks that were not written as Apple writes them.
    private var respelled: UInt64 = 0
    /// The number of counted postbacks that have an illegal value and no legal one.
    private var illegal: UInt64 = 0
    /// The number of counted postbacks of an unknown type.
    private var unknownTypes: UInt64 = 0
    /// The number of refused postbacks that were not stored, because the store already has as many as it may keep.
    private var dropped: UInt64 = 0

    mutating func countWrong() { wrong += 1 }

    mutating func countFailed() {
        postbacks += 1
        failed += 1
    }

    /// Counts a postback that was stored, or that did not need to be stored.
    mutating func count(_ arrived: ArrivedPostback) {
        postbacks += 1
        let outcome = arrived.reception.record.outcome
        if !arrived.reception.isKept && outcome != .duplicate { dropped += 1 }
        switch outcome {
        case .counted: countGood(arrived.reception.postback)
        case .duplicate: duplicates += 1
        default: refused[arrived.reason] += 1
        }
    }

    private mutating func countGood(_ postback: VerifiedPostback) {
        counted += 1
        if postback.isRespelled { respelled += 1 }
        if postback.hasIllegalValue { illegal += 1 }
        if postback.unknownType != nil { unknownTypes += 1 }
    }

    /// Returns the line that ends the run. `links`: the number of links in folders that were skipped.
    func summary(isWhole: Bool, links: UInt64) -> Message {
        let not: StaticString = isWhole ? "" : "not all: "
        var line: Message = "\(not)\(postbacks) postback\(plural(postbacks)) read, \(counted) counted"
        let conflicts = refused[.conflict]
        var others: [(UInt64, Message)] = [
            (duplicates, "duplicate\(plural(duplicates))"), (conflicts, "conflict\(plural(conflicts))"),
        ]
        for reason in [.otherApp, .otherNetwork, .invalid, .unverifiable, .development] as [RefusedReason] {
            others.append((refused[reason], "\(reason.words)"))
        }
        others.append((failed, "could not be saved"))
        for (count, words) in others where count > 0 { line = "\(line), \(count) \(words)" }
        let ofCounted: [(UInt64, Message)] = [
            (respelled, "respelled"), (illegal, "with an illegal value"), (unknownTypes, "of an unknown type"),
        ]
        var separator: StaticString = "; of those counted, "
        for (count, words) in ofCounted where count > 0 {
            line = "\(line)\(separator)\(count) \(words)"
            separator = ", "
        }
        if dropped > 0 { line = "\(line); \(dropped) of those not counted were not stored: see --refused-bytes-in-all" }
        if links > 0 { line = "\(line); \(links) symbolic link\(plural(links)) left out" }
        return wrong > 0 ? "\(line); not postbacks: \(wrong)" : line
    }
}
