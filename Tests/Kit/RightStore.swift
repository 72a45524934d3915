import Glibc
import SKANCore
import Synchronization

@testable import SKANStoreLaws

/// Records with their versions, in the order of their keys.
struct Records: Sendable {
    struct Record: Sendable {
        let bytes: [UInt8]
        var version: UInt64
    }

    private(set) var keys: [[UInt8]] = []
    private var records: [[UInt8]: Record] = [:]
    /// The newest version of any record, also of removed ones: versions are never used twice.
    var newestVersion: UInt64 = 0

    subscript(key: [UInt8]) -> Record? { records[key] }

    func version(of key: [UInt8]) -> UInt64 { records[key]?.version ?? 0 }

    /// Whatever was there before; by default with the next version.
    @discardableResult
    mutating func put(_ key: [UInt8], _ bytes: [UInt8], version: UInt64? = nil) -> UInt64 {
        newestVersion += 1
        if records[key] == nil { keys.insert(key, at: place { comesBefore($0, key) }) }
        records[key] = Record(bytes: bytes, version: version ?? newestVersion)
        return version ?? newestVersion
    }

    mutating func drop(_ key: [UInt8]) {
        if records.removeValue(forKey: key) == nil { return }
        keys.remove(at: place { comesBefore($0, key) })
    }

    mutating func dropAll() { for key in keys { drop(key) } }

    /// The first key for which this does not hold any more.
    private func place(_ isBefore: ([UInt8]) -> Bool) -> Int {
        var range = keys.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isBefore(keys[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    // MARK: Pages

    /// The cursor is the last key of a page, behind this.
    private static let mark = Array("after ".utf8)

    func cursor(before place: Int) -> [UInt8] { place < keys.count ? Records.mark + keys[place - 1] : [] }

    /// Nil for a cursor that is none.
    func place(after cursor: [UInt8]) -> Int? {
        if cursor.isEmpty { return 0 }
        guard cursor.starts(with: Records.mark), cursor.count <= Records.mark.count + Limits.installIDBytes else {
            return nil
        }
        let key = Array(cursor.dropFirst(Records.mark.count))
        return place { !comesBefore(key, $0) }
    }

    /// Keys from a place on, as many as a buffer holds, and the place after them.
    func page(from place: Int, atMost limit: Int = 1000) -> (keys: [UInt8], end: Int) {
        var (page, end) = ([UInt8](), place)
        while end < keys.count, end - place < limit, page.count + keys[end].count < Limits.bufferBytes {
            page += keys[end] + [0]
            end += 1
        }
        return (page, end)
    }
}

/// Compares as lexicographicallyPrecedes does, which takes half of the time of these tests where nothing is optimized.
private func comesBefore(_ key: [UInt8], _ other: [UInt8]) -> Bool {
    let order = memcmp(key, other, min(key.count, other.count))
    return order != 0 ? order < 0 : key.count < other.count
}

/// A store that keeps every law, in memory. From any thread.
final class RightStore: Sendable {
    private let records = Mutex(Records())

    func locked<Output: Sendable>(_ body: (inout Records) -> Output) -> Output { records.withLock { body(&$0) } }

    func version(of key: [UInt8]) -> UInt64 { locked { $0.version(of: key) } }

    func load(_ key: [UInt8]) -> Loaded {
        guard let record = locked({ $0[key] }) else { return Loaded(.notFound, version: 0, []) }
        return Loaded(.ok, version: record.version, record.bytes)
    }

    /// `version` chooses the new one, where it is not the next one.
    func save(
        _ key: [UInt8], _ bytes: [UInt8], over expected: UInt64, version: ((Records) -> UInt64)? = nil
    ) -> Written {
        locked { records in
            guard records.version(of: key) == expected else { return Written(.storeConflict, version: 0) }
            return Written(.ok, version: records.put(key, bytes, version: version?(records)))
        }
    }

    /// Saves without comparing versions.
    func saveAnyway(_ key: [UInt8], _ bytes: [UInt8]) -> Written {
        Written(.ok, version: locked { $0.put(key, bytes) })
    }

    func remove(_ key: [UInt8], over expected: UInt64) -> Status {
        locked { records in
            guard expected != 0, records.version(of: key) == expected else { return .storeConflict }
            records.drop(key)
            return .ok
        }
    }

    func list(after cursor: [UInt8]) -> Listed {
        locked { records in
            guard let place = records.place(after: cursor) else { return Listed(.store, keys: [], cursor: []) }
            let (keys, end) = records.page(from: place)
            return Listed(.ok, keys: keys, cursor: records.cursor(before: end))
        }
    }

    func list(withPrefix prefix: [UInt8], after cursor: [UInt8]) -> Listed {
        list(after: cursor) { $0.starts(with: prefix) }
    }

    /// The keys of a page that begin so, whatever that is.
    func list(after cursor: [UInt8], whereKeys beginSo: (ArraySlice<UInt8>) -> Bool) -> Listed {
        let page = list(after: cursor)
        let keys = page.keys.split(separator: 0).filter(beginSo).flatMap { $0 + [0] }
        return Listed(page.status, keys: keys, cursor: page.cursor)
    }
}
