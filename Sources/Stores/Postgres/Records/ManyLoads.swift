internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// Many loads by one statement, which is given all keys as an array.
struct ManyLoads {
    private let items: UnsafeMutableBufferPointer<LoadItem>
    /// By key.
    private let sorted: [Int]

    init(_ items: UnsafeMutableBufferPointer<LoadItem>) {
        self.items = items
        sorted = sortedPlaces(items.map { $0.key })
    }

    /// The keys in binary form: dimensions, whether there are NULLs, type, length, lower bound, elements.
    func arrayOfKeys() -> [UInt8] {
        var array: [UInt8] = []
        func append(_ number: UInt32) {
            for shift in stride(from: 24, through: 0, by: -8) {
                array.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
            }
        }
        array.reserveCapacity(items.reduce(20) { $0 + 4 + $1.key.count })
        for number in [1, 0, ColumnType.bytes, UInt32(clamping: items.count), 1] { append(number) }
        for item in items {
            append(UInt32(clamping: item.key.count))
            array.append(contentsOf: item.key)
        }
        return array
    }

    /// Answers every item; throws what is to be reported of them.
    func takeRows(
        _ found: borrowing ServerAnswer, _ settings: PostgresSettings, _ take: (Int, Bytes) -> Bool
    ) throws(Failure) {
        var spoiled: Failure?
        for index in items.indices { items[index].status = .notFound }
        for row in 0..<found.rows {
            guard found.columns == 3, let key = found.value(row, 2), let index = index(of: key) else {
                for index in items.indices { items[index].status = .store }
                throw settings.failure(.store, "load: a row that was not asked for")
            }
            do throws(Failure) {
                try found.showRecord(row, settings) { record, version in
                    items[index].version = version
                    return take(index, record)
                }
                items[index].status = .ok
            } catch {
                items[index].status = error.status
                spoiled = error
            }
        }
        if let spoiled { throw spoiled }
    }

    /// The item of a key; nil where none has it.
    private func index(of key: Bytes) -> Int? {
        var range = sorted.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let order = compareKeys(key, items[sorted[middle]].key)
            if order == 0 { return sorted[middle] }
            range = order > 0 ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
