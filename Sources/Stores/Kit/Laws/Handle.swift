internal import SKANCore
internal import SKANSystem

/// An open handle of the store under test, for any thread, with the calls by which laws load and save. Plain calls
/// return what the store answered; calls with an expectation break the law if the store answered anything else.
struct Handle: Sendable {
    let store: any StoreUnderTest
    /// The calls for many that are made, even for a single key. Without them each key is a call.
    private(set) var calls: OptionalCalls = []

    /// The same handle with these calls for many, as far as the store offers them.
    func by(_ calls: OptionalCalls) -> Handle { Handle(store: store, calls: calls.intersection(store.offers)) }

    /// The same handle with a call for each key.
    var singly: Handle { Handle(store: store) }

    func load(_ keys: [Key], over held: RecordBytes? = nil) -> Loads {
        let loans = keys.map { Loan($0) }
        defer { for loan in loans { loan.end() } }
        let lent = loans.map { UnsafePointer($0.key) }
        func answered(over held: Bytes?) -> Loads {
            let isOfMany = calls.contains(.loadMany)
            return Loads(keys, by: calls, isOfMany ? store.loadMany(lent, over: held) : store.load(lent, over: held))
        }
        guard let held else { return answered(over: nil) }
        return held.bytes.withUnsafeBytes { answered(over: $0) }
    }

    func save(_ saves: [Save]) -> Saves {
        let loans = saves.map { Loan($0.key, $0.record) }
        defer { for loan in loans { loan.end() } }
        return save(saves, loans)
    }

    func save(_ saves: [Save], _ loans: [Loan]) -> Saves {
        let lent = zip(saves, loans).map { LentSave(key: $1.key, record: Bytes($1.record), expected: $0.expected) }
        guard calls.contains(.saveMany) else {
            return Saves(saves, by: calls, lent.map { store.save($0.key, $0.record, expected: $0.expected) })
        }
        return Saves(saves, by: calls, store.saveMany(lent))
    }

    func load(_ key: Key) -> Loaded { load([key]).answers[0] }

    func remove(_ key: Key, over expected: UInt64) -> Status { store.remove(key.text, expected: expected) }

    func close() { store.close() }

    // MARK: What is expected

    /// The new version, which is neither 0 nor the expected one.
    @discardableResult
    func saves(_ key: Key, _ record: RecordBytes, over expected: UInt64 = 0) throws(LawEnd) -> UInt64 {
        try save([Save(key: key, record: record, expected: expected)]).version(at: 0)
    }

    func expect(_ wanted: Status, removing key: Key, over expected: UInt64) throws(LawEnd) {
        let came = remove(key, over: expected)
        guard came == wanted else {
            let what: Message = "expected \(wanted.name), got \(came.told)"
            throw .broken("remove of \(key.shown), expected_version \(expected): \(what)")
        }
    }

    /// Removes the record of a key if there is one.
    func clear(_ key: Key) throws(LawEnd) {
        for _ in 0..<3 {
            let loaded = load(key)
            if loaded.status == .notFound { return }
            if loaded.status == .ok { _ = remove(key, over: loaded.version) }
        }
        throw .broken("load of \(key.shown): the record of an earlier run or law cannot be removed")
    }
}
