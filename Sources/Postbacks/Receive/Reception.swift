package import SKANCore
package import SKANPostbackVerification

/// Rules, "Receiving postbacks", "Duplicate postbacks": one postback on its way from its arrival to the store. It is
/// read and verified once, counted if it is valid and the first copy, or else kept apart. A driver does what each step
/// says and reports what came of it; once it is done, the store holds the postback.
package struct Reception: ~Copyable {
    package let postback: VerifiedPostback
    /// What its record holds, or, of a duplicate, would hold.
    package private(set) var record: PostbackRecord
    /// A record holds this copy, or one with the same bytes.
    package private(set) var isKept = true
    private let refused: RefusedPerHour
    private var counting = FirstSave()
    private var attemptsToKeep = 0

    init(_ postback: VerifiedPostback, _ record: PostbackRecord, _ refused: RefusedPerHour) {
        self.postback = postback
        self.record = record
        self.refused = refused
    }

    /// The key of the record; of what is kept apart by its body, so that what comes again is kept once.
    package func key() -> ByteBuffer {
        guard !isApart, let key = postback.key else { return postbackKey("refused/", SHA256(of: postback.body)) }
        var copy = ByteBuffer(capacity: 80)
        copy.append(key)
        return copy
    }

    /// What a step `save` saves.
    package func recordBytes() -> ByteBuffer { record.bytes(postback.body) }

    package mutating func begin() -> ReceptionStep { isApart ? keepApart(as: record.outcome) : .save }

    /// The store answered the save of a record that must not be there before.
    package mutating func saved(_ end: Status) -> ReceptionStep {
        isApart ? keptApart(end) : follow(counting.saved(end))
    }

    /// What stands under the key, nil for nothing.
    package mutating func loaded(_ bytes: UnsafeRawBufferPointer?) -> ReceptionStep {
        do throws(Failure) {
            return follow(counting.looked(try found(bytes)))
        } catch {
            return .fail(error)
        }
    }

    package mutating func loadFailed() -> ReceptionStep { follow(counting.lookFailed()) }

    // MARK: Counting

    private mutating func follow(_ step: FirstSave.Step) -> ReceptionStep {
        switch step {
        case .save:
            return .save
        case .look:
            return .load
        case .found(.other):
            return keepApart(as: .conflict)
        case .found(.same):
            record.endUncounted(.duplicate)
            isKept = false
            return .done
        case .found:
            return .done
        case .failed(let status):
            return .fail(failure(status))
        }
    }

    private func found(_ bytes: UnsafeRawBufferPointer?) throws(Failure) -> FoundPostback {
        guard let bytes else { return .none }
        let (first, body) = try PostbackRecord.read(bytes)
        if first.writeID == record.writeID { return .own }
        // The same bytes say the same.
        if isSame(body, postback.body) { return .same }
        return VerifiedPostback(restoring: body, first.verdict).hasValues(of: postback) ? .same : .other
    }

    // MARK: Keeping apart

    private var isApart: Bool { record.outcome != .counted && record.outcome != .duplicate }

    private mutating func keepApart(as outcome: PostbackOutcome) -> ReceptionStep {
        record.endUncounted(outcome)
        isKept = refused.take(at: record.received)
        return isKept ? .save : .done
    }

    private mutating func keptApart(_ end: Status) -> ReceptionStep {
        attemptsToKeep &+= 1
        switch end {
        case .ok:
            return .done
        case .storeConflict:
            refused.giveBack(at: record.received)
            return .done
        case .store:
            refused.giveBack(at: record.received)
            return .fail(failure(.store))
        default:
            guard attemptsToKeep == attemptLimit else { return .save }
            refused.giveBack(at: record.received)
            return .fail(failure(.storeUnknown))
        }
    }

    private func failure(_ status: Status) -> Failure {
        let hook: StaticString = status == .storeUnknown ? "save" : "a hook"
        let key = Message(utf8: bytes(of: key()))
        return Failure(status, "store: \(hook) of \"\(key)\" answered \(status.name)")
    }
}

/// What a driver does next.
package enum ReceptionStep {
    /// Save the record under its key, where there is none.
    case save
    /// Load what stands under the key.
    case load
    case done
    case fail(Failure)
}

/// The buffer has to live as long as its bytes are read: a parameter does.
private func bytes(of text: borrowing ByteBuffer) -> [UInt8] { [UInt8](text.bytes) }

extension VerifiedPostback {
    /// Whether two copies of a postback have the same values, signed and unsigned, as postback.h tells them.
    fileprivate func hasValues(of other: VerifiedPostback) -> Bool {
        let texts: [PostbackField] = [.sourceIdentifier, .sourceDomain, .countryCode, .interactionType]
        let integers: [PostbackField] = [
            .campaignID, .appID, .sourceAppID, .fidelityType, .didWin, .redownload, .conversionValue, .coarseValue,
        ]
        return framework == other.framework && window == other.window && conversion == other.conversion
            && isSameText(version, other.version) && texts.allSatisfy { isSameText(text($0), other.text($0)) }
            && integers.allSatisfy { integer($0) == other.integer($0) }
    }
}

/// Texts end at a NUL, as in C.
private func isSameText(_ one: UnsafeRawBufferPointer?, _ other: UnsafeRawBufferPointer?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.prefix { $0 != 0 }.elementsEqual(other.prefix { $0 != 0 })
}
