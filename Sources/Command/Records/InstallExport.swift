package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
import SKANSystem

/// Prints every install as a line of JSON, in the order of the store's listing.
@export(interface)
package func exportInstalls(_ store: OpenStore) -> ExitCode {
    var export = InstallExport(store)
    let walk = StoreWalk(store, printsData: true) { id, record, _ in export.take(id, record) }
    return export.end(walk, store)
}

private struct InstallExport {
    private let store: OpenStore
    private var lines: UInt64 = 0
    /// The number of records that are damaged or too new; they are exported with "error".
    private var damaged: UInt64 = 0
    /// The number of records that were skipped because their keys cannot be written in JSON.
    private var unnamed: UInt64 = 0
    /// The numbers of records of other kinds, which are skipped.
    private var others = RecordCounts()

    init(_ store: OpenStore) { self.store = store }

    mutating func take(_ id: Bytes, _ record: Bytes) {
        let kind = RecordKind(of: record, under: id)
        if kind != .install {
            others.count(kind)
        } else if let problem = installIDProblem(id) {
            unnamed += 1
            complain(Message(utf8: [UInt8](id)), "left out, because it is not an install id: \(problem)")
        } else {
            printLine(id, record)
        }
    }

    /// Rules, "Rename": prints a record. Of the two records of a rename, only the one that counts as the install is
    /// printed, without the mark of the rename.
    private mutating func printLine(_ id: Bytes, _ record: Bytes) {
        guard Record.hasRenameMark(record) else { return print(id, record) }
        do throws(Failure) {
            var state = try InstallState(record: record)
            guard store.isInstall(state, under: id) else { return }
            state.rename = nil
            state.bytes.withUnsafeBytes { print(id, $0) }
        } catch {
            print(id, record)
        }
    }

    private mutating func print(_ id: Bytes, _ record: Bytes) {
        var line = JSONWriter(capacity: 4096)
        line.beginObject()
        line.key("install_id")
        line.string(utf8: id)
        line.key("details")
        if let failure = writeDetails(of: record, to: &line) {
            damaged += 1
            line.null()
            line.key("error")
            failure.message.utf8.withUnsafeBytes { line.string(utf8: $0) }
            complain(Message(utf8: [UInt8](id)), failure.message)
        }
        line.key("record")
        Base64.standard.encode(record).withUnsafeBytes { line.string(utf8: $0) }
        line.endObject()
        StandardOutput.line(line.finish())
        lines += 1
    }

    /// Writes the details. If they cannot be read, writes nothing and returns the failure.
    private func writeDetails(of record: Bytes, to line: inout JSONWriter) -> Failure? {
        do throws(Failure) {
            try InstallState(record: record).withDetails { line.json(utf8: $0) }
            return nil
        } catch {
            return error
        }
    }

    func end(_ walk: StoreWalk, _ store: OpenStore) -> ExitCode {
        var isFine = walk.isComplete && damaged == 0 && unnamed == 0 && walk.failed == 0
        if !isFine && !Ending.isEnding {
            complain(
                store.name,
                """
                \(walk.isComplete ? "" as StaticString : "not all: ")\(lines) line\(plural(lines)) exported, \
                \(damaged) of them with an error; \(walk.failed) could not be read, \(unnamed) left out
                """)
        }
        if walk.isComplete {
            let own = lines + unnamed + walk.failed
            isFine = others.tellOthers(in: store.name, own: "installs", count: own) && isFine
        }
        return isFine ? .fine : .found
    }
}
