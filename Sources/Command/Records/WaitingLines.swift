import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem

/// Lines of an import that are to be saved together, each of a different install.
final class WaitingLines {
    private let ids = RecordBatch()
    private var records = ByteBuffer(capacity: 65_536)
    private var ranges: [Range<Int>] = []
    private var numbers: [UInt64] = []

    var count: Int { ids.count }
    var isFull: Bool { ids.isFull }

    /// Returns false if the install is waiting already, or if there is no room.
    func add(_ line: InstallLine, number: UInt64) -> Bool {
        guard line.id.withUnsafeBytes({ ids.add($0) }) else { return false }
        let start = records.count
        line.record.withUnsafeBytes { records.append($0) }
        ranges.append(start..<records.count)
        numbers.append(number)
        return true
    }

    func removeAll() {
        ids.removeAll()
        records.removeAll()
        ranges.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
    }

    func id(_ index: Int) -> Bytes { ids.key(index) }
    func record(_ index: Int) -> Bytes { records.lent(ranges[index]) }
    /// The line's number in the file.
    func number(_ index: Int) -> UInt64 { numbers[index] }

    /// The saves of all lines as new records, valid until another line is added.
    var items: [SaveItem] { (0..<count).map { SaveItem(key: id($0), record: record($0), expected: 0) } }
}
