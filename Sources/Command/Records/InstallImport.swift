package import CSKANSystem
package import SKANCommandOutput
package import SKANCommandStores
package import SKANCore
import SKANStorePool
import SKANSystem

/// Imports the installs of a file. Each line was written by skan export, or has only the details of an install, whose
/// protocol is `protocolVersion`.
@export(interface)
package func importInstalls(
    _ file: UnsafeMutablePointer<FILE>, named name: Message, into store: OpenStore, _ protocolVersion: ProtocolVersion
) -> ExitCode {
    var taking = InstallImport(store, name, protocolVersion)
    Progress.begin(Progress.isSeen(printsData: false), unit: .bytes, total: size(of: file))
    let isWhole = taking.take(FileLines(file))
    Progress.end()
    let counts = taking.settlement.counts
    StandardOutput.line(counts.summary(isWhole: isWhole))
    return isWhole && counts.refused == 0 && counts.failed == 0 ? .fine : .found
}

/// The size of a file in bytes; 0 if it is not known in advance.
private func size(of file: UnsafeMutablePointer<FILE>) -> UInt64 {
    var found = stat()
    guard fstat(fileno(file), &found) == 0, found.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG) else { return 0 }
    return UInt64(max(found.st_size, 0))
}

/// Reads the lines of a file, and saves many of them in one call.
private struct InstallImport {
    private let store: OpenStore
    private let name: Message
    private let protocolVersion: ProtocolVersion
    private let waiting = WaitingLines()
    private(set) var settlement: ImportSettlement

    init(_ store: OpenStore, _ name: Message, _ protocolVersion: ProtocolVersion) {
        self.store = store
        self.name = name
        self.protocolVersion = protocolVersion
        settlement = ImportSettlement(store, name)
    }

    /// Returns false if the file was not read to its end, or if the store accepts no more.
    mutating func take(_ lines: FileLines) -> Bool {
        var goesOn = true
        var isRead = false
        while goesOn && !isRead && !Ending.isEnding {
            switch lines.next() {
            case .over:
                isRead = true
            case .failed(let reason):
                if !Ending.isEnding { complain(name, Message(systemError: reason)) }
                _ = end(lines, goesOn)
                return false
            case .tooLong:
                settlement.counts.lines += 1
                refuse(lines.number, "longer than 256 KiB")
            case .whole(let text):
                settlement.counts.lines += 1
                if !text.isEmpty { goesOn = take(text, lines.number) }
            }
            Progress.step(lines.bytes)
        }
        return end(lines, goesOn) && isRead
    }

    /// Saves the lines that still wait; returns false if the store accepts no more.
    private mutating func end(_ lines: FileLines, _ goesOn: Bool) -> Bool {
        let goesOn = saveWaiting() && goesOn
        if !goesOn { complain(store.name, "the import ends after line \(lines.number)") }
        return goesOn
    }

    /// Returns false if the store accepts no more.
    private mutating func take(_ text: Bytes, _ number: UInt64) -> Bool {
        let line: InstallLine
        do throws(Failure) {
            line = try InstallLine(text, protocolVersion)
        } catch {
            refuse(number, error.message)
            return true
        }
        let goesOn = !waiting.isFull || saveWaiting()
        if waiting.add(line, number: number) { return goesOn }
        // The same install occurs twice: the first line is saved now, and this one will find its record.
        let isSaved = saveWaiting()
        return waiting.add(line, number: number) && isSaved && goesOn
    }

    private mutating func refuse(_ number: UInt64, _ why: Message) {
        settlement.counts.refused += 1
        complain(name, "line \(number): \(why)")
    }

    /// Saves the waiting lines. Returns false if the store failed for all of them; the import then ends.
    private mutating func saveWaiting() -> Bool {
        let failed = settlement.counts.failed
        store.calm()
        var items = waiting.items
        items.withUnsafeMutableBufferPointer { store.save($0) }
        for (index, item) in items.enumerated() { settlement.settle(waiting, index, item.status) }
        waiting.removeAll()
        return items.isEmpty || settlement.counts.failed - failed < UInt64(items.count)
    }
}
