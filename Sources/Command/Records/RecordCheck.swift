package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
import SKANPostbackReceiving
import SKANSystem

/// Reads every record, and names those that are damaged, too new, or have a wrong key.
@export(interface)
package func checkRecords(_ store: OpenStore) -> ExitCode {
    var check = RecordCheck()
    let walk = StoreWalk(store, printsData: false) { key, record, _ in check.take(key, record) }
    return check.end(walk)
}

private struct RecordCheck {
    private var kinds = RecordCounts()
    private var damaged: UInt64 = 0
    private var tooNew: UInt64 = 0
    private var wrongNames: UInt64 = 0
    /// The number of records that carry the mark of a rename.
    private var renamed: UInt64 = 0

    mutating func take(_ key: Bytes, _ record: Bytes) {
        let kind = RecordKind(of: record, under: key)
        kinds.count(kind)
        if let problem = installIDProblem(key) ?? kind.nameProblem(key) {
            wrongNames += 1
            name(key, "wrong name", "\(problem)")
        }
        do throws(Failure) {
            try read(record, kind, under: key)
        } catch {
            let isTooNew = error.status == .recordTooNew
            if isTooNew { tooNew += 1 } else { damaged += 1 }
            name(key, isTooNew ? "too new" : "damaged", error.message)
        }
    }

    private mutating func read(_ record: Bytes, _ kind: RecordKind, under key: Bytes) throws(Failure) {
        switch kind {
        case .install:
            if try InstallState(record: record).rename != nil { renamed += 1 }
        case .postback, .refused:
            _ = try PostbackRecord.read(record)
        case .outbox:
            if OutboxEntry(record, under: key) == nil {
                throw Failure(.corruptRecord, "outbox: not an entry of this key")
            }
        case .model:
            _ = try StoredModel(record, under: key)
        }
    }

    private func name(_ key: Bytes, _ what: StaticString, _ why: Message) {
        Progress.hide()
        let why = why.utf8.withUnsafeBytes { escapedForTerminal($0) }
        StandardOutput.line("\(escapedForTerminal(key)): \(what): \(why)")
    }

    func end(_ walk: StoreWalk) -> ExitCode {
        let records = kinds.sum
        if records != kinds[.install] { StandardOutput.line("found \(kinds.words)") }
        StandardOutput.line(
            walk.sum(
                "\(records) record\(plural(records)) read, \(damaged) damaged, \(tooNew) too new",
                [(wrongNames, "under wrong names"), (renamed, "in a rename that has not ended")]))
        let isFine = walk.isComplete && damaged == 0 && tooNew == 0 && wrongNames == 0 && walk.failed == 0
        return isFine ? .fine : .found
    }
}
