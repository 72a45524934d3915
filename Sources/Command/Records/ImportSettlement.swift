import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANSystem

/// Determines the outcomes of an import's saves, and counts them.
struct ImportSettlement {
    private let store: OpenStore
    private let file: Message
    var counts = ImportCounts()

    private static var attempts: Int { 5 }

    init(_ store: OpenStore, _ file: Message) {
        self.store = store
        self.file = file
    }

    mutating func settle(_ waiting: WaitingLines, _ index: Int, _ status: Status) {
        switch status {
        case .ok: counts.imported += 1
        case .storeConflict: settleConflict(waiting, index)
        case .storeUnknown: settleUnknown(waiting, index)
        default: countFailed(waiting, index)
        }
    }

    private mutating func settleConflict(_ waiting: WaitingLines, _ index: Int) {
        let found = store.load(waiting.id(index))
        switch found.status {
        case .ok: countThere(waiting.record(index), found.bytes)
        // The record was removed since, so there is none now.
        case .notFound: settleUnknown(waiting, index)
        default: countFailed(waiting, index)
        }
    }

    /// Looks for the record of a line, and saves it again if there is none.
    private mutating func settleUnknown(_ waiting: WaitingLines, _ index: Int) {
        let (id, record) = (waiting.id(index), waiting.record(index))
        for _ in 0..<ImportSettlement.attempts {
            let found = store.load(id)
            if found.status == .ok, record.elementsEqual(found.bytes) {
                counts.imported += 1
                return
            }
            if found.status == .ok { return countThere(record, found.bytes) }
            guard found.status == .notFound else { break }
            if store.save(id, record, expected: 0).status == .ok {
                counts.imported += 1
                return
            }
        }
        countFailed(waiting, index)
    }

    private mutating func countThere(_ record: Bytes, _ found: [UInt8]) {
        counts.there += 1
        if !found.withUnsafeBytes({ tellTheSame(record, $0) }) { counts.other += 1 }
    }

    private mutating func countFailed(_ waiting: WaitingLines, _ index: Int) {
        counts.failed += 1
        complain(file, "line \(waiting.number(index)): could not be saved: \(store.words)")
    }
}

/// Whether two records have the same details. Records made separately from the same details may have different bytes.
private func tellTheSame(_ record: Bytes, _ other: Bytes) -> Bool {
    if record.elementsEqual(other) { return true }
    guard let ours = details(of: record), let theirs = details(of: other) else { return false }
    return ours == theirs
}

private func details(of record: Bytes) -> [UInt8]? {
    do throws(Failure) { return try InstallState(record: record).withDetails { [UInt8]($0) } } catch { return nil }
}

struct ImportCounts {
    var lines: UInt64 = 0
    var imported: UInt64 = 0
    /// The number of installs for which the store already had a record.
    var there: UInt64 = 0
    /// The number of installs for which the store had a record with other contents.
    var other: UInt64 = 0
    var refused: UInt64 = 0
    var failed: UInt64 = 0

    func summary(isWhole: Bool) -> Message {
        let not: StaticString = isWhole ? "" : "not all: "
        var line: Message = "\(not)\(lines) line\(plural(lines)) read, \(imported) imported, \(there) already there"
        if other > 0 { line = "\(line) (\(other) of them with other contents)" }
        line = "\(line), \(refused) refused"
        return failed > 0 ? "\(line), \(failed) could not be saved" : line
    }
}
