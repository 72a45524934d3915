internal import SKANCore
internal import SKANSystem

struct Save: Sendable {
    let key: Key
    let record: RecordBytes
    var expected: UInt64 = 0
}

/// Loads of several keys, and their results.
struct Loads {
    let answers: [Loaded]
    private let keys: [Key]
    private let isOfMany: Bool

    init(_ keys: [Key], by calls: OptionalCalls, _ answers: [Loaded]) {
        self.keys = keys
        self.answers = answers
        isOfMany = calls.contains(.loadMany)
    }

    /// Expects that the load at `index` returned this record with this version, or no record if `version` is 0.
    func holds(at index: Int, _ record: RecordBytes, _ version: UInt64) throws(LawEnd) {
        let answer = answers[index]
        if answer.isItemChanged { throw broken(index, "the key or the buffer of the item was changed") }
        let wanted: Status = version == 0 ? .notFound : .ok
        guard answer.status == wanted else {
            throw broken(index, "expected \(wanted.name), got \(answer.status.told)")
        }
        if version == 0 { return }
        guard answer.version == version else {
            throw broken(index, "expected version \(version), got \(answer.version)")
        }
        if !record.holds(answer.record) { throw broken(index, difference(record, answer.record)) }
    }

    private func broken(_ index: Int, _ what: Message) -> LawEnd {
        let call: Message = isOfMany ? "load_many, item \(index) of 0..<\(keys.count)," : "load of"
        return .broken("\(call) \(keys[index].shown): \(what)")
    }

    private func difference(_ wanted: RecordBytes, _ came: [UInt8]) -> Message {
        let same = wanted.sameBytes(as: came)
        guard same < came.count, same < wanted.bytes.count else {
            return "expected \(wanted.bytes.count) bytes, got \(came.count), which begin alike"
        }
        let (expected, found) = (hexadecimal(wanted.bytes[same]), hexadecimal(came[same]))
        return "expected \(wanted.bytes.count) bytes, got \(came.count); byte \(same) is \(expected), got \(found)"
    }

    private func hexadecimal(_ byte: UInt8) -> Message { Message(utf8: [hexDigit(byte >> 4), hexDigit(byte & 15)]) }
}

/// Several saves, and their results.
struct Saves {
    let answers: [Written]
    private let saves: [Save]
    private let isOfMany: Bool

    init(_ saves: [Save], by calls: OptionalCalls, _ answers: [Written]) {
        self.saves = saves
        self.answers = answers
        isOfMany = calls.contains(.saveMany)
    }

    /// Expects that the save at `index` succeeded. Returns the new version, which is neither 0 nor the expected one.
    func version(at index: Int) throws(LawEnd) -> UInt64 {
        try expect(.ok, at: index)
        let version = answers[index].version
        guard version != 0, version != saves[index].expected else {
            throw broken(index, "expected a new version, got \(version)")
        }
        return version
    }

    func conflicts(at index: Int) throws(LawEnd) { try expect(.storeConflict, at: index) }

    /// Returns the results of saves that compete with saves of other threads. Expects each result to be OK or a
    /// conflict.
    func arePlain() throws(LawEnd) -> [Written] {
        for (index, answer) in answers.enumerated() where answer.status != .storeConflict {
            try expect(.ok, at: index)
        }
        return answers
    }

    private func expect(_ wanted: Status, at index: Int) throws(LawEnd) {
        let answer = answers[index]
        if answer.isItemChanged { throw broken(index, "key, data, length or expected_version of the item was changed") }
        if answer.status != wanted { throw broken(index, "expected \(wanted.name), got \(answer.status.told)") }
    }

    private func broken(_ index: Int, _ what: Message) -> LawEnd {
        let call: Message = isOfMany ? "save_many, item \(index) of 0..<\(saves.count)," : "save of"
        return .broken("\(call) \(saves[index].key.shown), expected_version \(saves[index].expected): \(what)")
    }
}
