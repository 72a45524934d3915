internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// Loads many records with one statement, whose parameter is an array of all keys.
struct ManyLoads {
    private let items: UnsafeMutableBufferPointer<LoadItem>
    private let order: KeyOrder

    init(_ items: UnsafeMutableBufferPointer<LoadItem>) {
        self.items = items
        order = KeyOrder(items.map { $0.key })
    }

    /// The keys as an array in PostgreSQL's binary form: number of dimensions, whether there are NULLs, type, length,
    /// lower bound, elements.
    func arrayOfKeys() -> ByteBuffer {
        var array = ByteBuffer(capacity: items.reduce(20) { $0 + 4 + $1.key.count })
        array.append(bigEndian: 1)
        array.append(bigEndian: 0)
        array.append(bigEndian: ColumnType.bytes)
        array.append(bigEndian: UInt32(clamping: items.count))
        array.append(bigEndian: 1)
        for item in items {
            array.append(bigEndian: UInt32(clamping: item.key.count))
            array.append(item.key)
        }
        return array
    }

    /// Takes the records from the rows and sets the status of every item. If any item failed, throws a failure to
    /// report.
    func takeRows(
        _ found: borrowing ServerAnswer, _ settings: PostgresSettings, _ take: (Int, Bytes) -> Bool
    ) throws(Failure) {
        var spoiled: Failure?
        for index in items.indices { items[index].status = .notFound }
        for row in 0..<found.rows {
            guard found.columns == 3, let key = found.value(row, 2), let index = order.place(of: key) else {
                for index in items.indices { items[index].status = .store }
                throw settings.failure(.store, "load: the server returned a row that was not asked for")
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
}

extension ByteBuffer {
    @inline(__always)
    fileprivate mutating func append(bigEndian number: UInt32) {
        withUnsafeBytes(of: number.bigEndian) { append($0) }
    }
}
