internal import CSKANSystem
internal import SKANCommandOutput
internal import SKANCommandStores
internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// Saves new records, many at a time.
struct Saving {
    private let store: OpenStore
    private var bytes: [UInt8] = []
    /// The ends of each key and of its record.
    private var ends: [Int] = []

    init(_ store: OpenStore) { self.store = store }

    mutating func add(_ key: [UInt8], _ record: Bytes) throws(CommandEnd) {
        bytes += key
        ends.append(bytes.count)
        bytes += record
        ends.append(bytes.count)
        if ends.count == 1024 { try end() }
    }

    mutating func end() throws(CommandEnd) {
        var failed = 0
        bytes.withUnsafeBytes { bytes in
            func part(_ place: Int) -> Bytes {
                Bytes(rebasing: bytes[(place == 0 ? 0 : ends[place - 1])..<ends[place]])
            }
            var items = stride(from: 0, to: ends.count, by: 2).map {
                SaveItem(key: part($0), record: part($0 + 1), expected: 0)
            }
            items.withUnsafeMutableBufferPointer { store.save($0) }
            failed = items.count { $0.status != .ok }
        }
        if failed > 0 { throw .complaint(store.name, store.words) }
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}

func write(_ text: [UInt8], _ path: Message) throws(CommandEnd) {
    guard let file = fopen(CText(path.utf8).characters, "w") else {
        throw .complaint(path, Message(systemError: systemError))
    }
    let written = fwrite(text, 1, text.count, file)
    guard fclose(file) == 0, written == text.count else { throw .complaint(path, "could not be written") }
}
