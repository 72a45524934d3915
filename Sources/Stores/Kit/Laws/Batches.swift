internal import SKANCore
internal import SKANSystem

/// One of many saves.
struct Save: Sendable {
    let key: Key
    let record: RecordBytes
    var expected: UInt64 = 0
}

extension Handle {
    /// Loads by the call for many, or one by one where the store has none.
    func loadMany(_ keys: [Key], over held: RecordBytes? = nil) -> LoadedBatch {
        guard store.offers.contains(.loadMany) else {
            return LoadedBatch(keys: keys, answers: keys.map { load($0, over: held) })
        }
        let loans = keys.map { Loan($0) }
        defer { for loan in loans { loan.end() } }
        let lent = loans.map { UnsafePointer($0.key) }
        guard let held else { return LoadedBatch(keys: keys, answers: store.loadMany(lent, over: nil)) }
        return LoadedBatch(keys: keys, answers: held.bytes.withUnsafeBytes { store.loadMany(lent, over: $0) })
    }

    /// One load after the other, each into a buffer of its own.
    func loadEach(_ keys: [Key]) -> [Loaded] {
        let loans = keys.map { Loan($0) }
        defer { for loan in loans { loan.end() } }
        return store.loadEach(loans.map { UnsafePointer($0.key) })
    }

    func saveMany(_ saves: [Save], isOneByOne: Bool = false) -> SavedBatch {
        guard store.offers.contains(.saveMany), !isOneByOne else {
            return SavedBatch(saves: saves, answers: saves.map { save($0.key, $0.record, over: $0.expected) })
        }
        let loans = saves.map { Loan($0.key, $0.record) }
        defer { for loan in loans { loan.end() } }
        return SavedBatch(saves: saves, answers: saveMany(saves, loans))
    }

    func saveMany(_ saves: [Save], _ loans: [Loan]) -> [Written] {
        store.saveMany(
            zip(saves, loans).map { LentSave(key: $1.key, record: Bytes($1.record), expected: $0.expected) })
    }
}

/// Many loads, and what each was answered.
struct LoadedBatch {
    let keys: [Key]
    let answers: [Loaded]

    /// The record with its version, or nothing where that is 0.
    func holds(at index: Int, _ record: RecordBytes, _ version: UInt64) throws(LawEnd) {
        let answer = answers[index]
        let wanted: Status = version == 0 ? .notFound : .ok
        guard answer.status == wanted else {
            throw broken(index, "expected \(wanted.name), came \(answer.status.told)")
        }
        if version == 0 { return }
        guard answer.version == version else {
            throw broken(index, "expected version \(version), came \(answer.version)")
        }
        guard record.holds(answer.record) else {
            let (wanted, came) = (record.bytes.count, answer.record.count)
            let same = record.sameBytes(as: answer.record)
            throw broken(index, "expected \(wanted) bytes, came \(came), of which the first \(same) are equal")
        }
    }

    private func broken(_ index: Int, _ what: Message) -> LawEnd {
        .broken("load_many, item \(index) of 0..<\(keys.count), \(keys[index].shown): \(what)")
    }
}

/// Many saves, and what each was answered.
struct SavedBatch {
    let saves: [Save]
    let answers: [Written]

    /// The new version of each: all are saved.
    func versions() throws(LawEnd) -> [UInt64] {
        var versions: [UInt64] = []
        for index in answers.indices { versions.append(try version(at: index)) }
        return versions
    }

    func version(at index: Int) throws(LawEnd) -> UInt64 {
        let answer = answers[index]
        try expect(.ok, at: index)
        guard answer.version != 0, answer.version != saves[index].expected else {
            throw broken(index, "expected a new version, came \(answer.version)")
        }
        return answer.version
    }

    func conflicts(at index: Int) throws(LawEnd) { try expect(.storeConflict, at: index) }

    private func expect(_ wanted: Status, at index: Int) throws(LawEnd) {
        let came = answers[index].status
        if came != wanted { throw broken(index, "expected \(wanted.name), came \(came.told)") }
    }

    private func broken(_ index: Int, _ what: Message) -> LawEnd {
        let (key, expected) = (saves[index].key.shown, saves[index].expected)
        return .broken("save_many, item \(index) of 0..<\(saves.count), \(key), expected_version \(expected): \(what)")
    }
}
