internal import SKANCore

/// An open handle of the store that is tried. From any thread. What is only called is told as it was answered; what
/// is expected breaks the law where something else came.
struct Handle: Sendable {
    let store: any StoreUnderTest

    func load(_ key: Key, over held: RecordBytes? = nil) -> Loaded {
        guard let held else { return store.load(key.text, over: nil) }
        return held.bytes.withUnsafeBytes { store.load(key.text, over: $0) }
    }

    func save(_ key: Key, _ record: RecordBytes, over expected: UInt64) -> Written {
        let loan = Loan(key, record)
        defer { loan.end() }
        return save(loan, over: expected)
    }

    func save(_ loan: Loan, over expected: UInt64) -> Written {
        store.save(loan.key, UnsafeRawBufferPointer(loan.record), expected: expected)
    }

    func remove(_ key: Key, over expected: UInt64) -> Status { store.remove(key.text, expected: expected) }

    func close() { store.close() }

    // MARK: What is expected

    /// The new version, which is neither 0 nor the expected one.
    @discardableResult
    func saves(_ key: Key, _ record: RecordBytes, over expected: UInt64 = 0) throws(LawEnd) -> UInt64 {
        let saved = save(key, record, over: expected)
        try expect(.ok, saved.status, "save", key, over: expected)
        guard saved.version != 0, saved.version != expected else {
            throw broken("save", key, over: expected, "expected a new version, came \(saved.version)")
        }
        return saved.version
    }

    func saveConflicts(_ key: Key, _ record: RecordBytes, over expected: UInt64) throws(LawEnd) {
        try expect(.storeConflict, save(key, record, over: expected).status, "save", key, over: expected)
    }

    func removes(_ key: Key, over expected: UInt64) throws(LawEnd) {
        try expect(.ok, remove(key, over: expected), "remove", key, over: expected)
    }

    func removeConflicts(_ key: Key, over expected: UInt64) throws(LawEnd) {
        try expect(.storeConflict, remove(key, over: expected), "remove", key, over: expected)
    }

    /// A load gives exactly this record with this version.
    func holds(_ key: Key, _ record: RecordBytes, _ version: UInt64, over held: RecordBytes? = nil) throws(LawEnd) {
        let loaded = load(key, over: held)
        try expect(.ok, loaded.status, "load", key)
        guard loaded.version == version else {
            throw broken("load", key, "expected version \(version), came \(loaded.version)")
        }
        if !record.holds(loaded.record) { throw broken("load", key, difference(record, loaded.record)) }
    }

    func holdsNothing(_ key: Key) throws(LawEnd) {
        try expect(.notFound, load(key).status, "load", key)
    }

    /// The record with its version, or nothing where that is 0.
    func holds(_ key: Key, asSaved record: RecordBytes, _ version: UInt64) throws(LawEnd) {
        if version == 0 { try holdsNothing(key) } else { try holds(key, record, version) }
    }

    /// Removes the record of a key if there is one.
    func clear(_ key: Key) throws(LawEnd) {
        for _ in 0..<3 {
            let loaded = load(key)
            if loaded.status == .notFound { return }
            if loaded.status == .ok { _ = remove(key, over: loaded.version) }
        }
        throw broken("load", key, "the record of an earlier run or law cannot be removed")
    }

    private func expect(
        _ wanted: Status, _ came: Status, _ call: StaticString, _ key: Key, over expected: UInt64? = nil
    ) throws(LawEnd) {
        if came != wanted { throw broken(call, key, over: expected, "expected \(wanted.name), came \(came.told)") }
    }

    private func broken(_ call: StaticString, _ key: Key, over expected: UInt64? = nil, _ what: Message) -> LawEnd {
        let version: Message = expected.map { ", expected_version \($0)" } ?? ""
        return .broken("\(call) of \(key.shown)\(version): \(what)")
    }

    private func difference(_ wanted: RecordBytes, _ came: [UInt8]) -> Message {
        let same = wanted.sameBytes(as: came)
        guard same < came.count, same < wanted.bytes.count else {
            return "expected \(wanted.bytes.count) bytes, came \(came.count), which begin alike"
        }
        let (expected, found) = (hexadecimal(wanted.bytes[same]), hexadecimal(came[same]))
        return "expected \(wanted.bytes.count) bytes, came \(came.count); byte \(same) is \(expected), came \(found)"
    }

    private func hexadecimal(_ byte: UInt8) -> Message { Message(utf8: [hexDigit(byte >> 4), hexDigit(byte & 15)]) }
}
