package import SKANCore
internal import SKANEngine
package import SKANPostbackVerification

/// Rules, "Receiving postbacks", "Duplicate postbacks": one postback on its way from its arrival to the store. It is
/// read and verified once, counted if it is valid and the first copy, or else kept apart. A driver does what each step
/// says and reports what came of it; once it is done, the store holds the postback.
package struct Reception: ~Copyable {
    package let postback: VerifiedPostback
    /// What its record holds, or, of a duplicate, would hold.
    package private(set) var record: PostbackRecord
    /// A record holds this copy, or one that says the same.
    package private(set) var isKept = true
    private let refused: RefusedBudget
    private let sender: UnverifiableSender
    private var counting: Transaction<Counting>
    private var attemptsToKeep = 0
    /// Of the budget, for what is kept apart.
    private var share: RefusedShare?

    init(
        _ postback: VerifiedPostback, _ record: PostbackRecord, _ refused: RefusedBudget, _ sender: UnverifiableSender
    ) {
        self.postback = postback
        self.record = record
        self.refused = refused
        self.sender = sender
        counting = Transaction(Counting(), on: FirstCopy(postback), writeID: record.writeID)
    }

    /// Unless another copy was before: it is valid, and ours.
    package var isToBeCounted: Bool { record.outcome == .counted }

    /// The key of the record. What is kept apart is named by its body, so that what comes again is kept once; what only
    /// Apple can sign by its postback and value, since anybody who has one can send it in many forms.
    package func key() -> ByteBuffer {
        var name = ByteBuffer(capacity: 82)
        if let key = postback.key { name.append(key) }
        if postback.key != nil, !isApart { return name }
        guard postback.key != nil, sort == .other else { return postbackKey("refused/", sha256(postback.body)) }
        name.append(UInt8(truncatingIfNeeded: postback.fineValue))
        name.append(UInt8(truncatingIfNeeded: postback.coarseValue))
        return refusedKey(name)
    }

    /// What a step `save` saves.
    package func recordBytes() -> ByteBuffer { record.bytes(keptBody) }

    /// Of a refused one that anybody can make, its beginning.
    private var keptBody: UnsafeRawBufferPointer { sort.keptBody(postback.body) }
    private var sort: RefusedSort { RefusedSort(postback.result) }

    /// It is taken that nothing stands under the key: if there is something, the save is a conflict.
    @inline(never)
    package mutating func begin() -> ReceptionStep {
        isApart ? keepApart(as: record.outcome) : follow(counting.loaded(nil, version: 0))
    }

    /// The store answered the save of a record that must not be there before.
    @inline(never)
    package mutating func saved(_ end: Status) -> ReceptionStep {
        isApart ? keptApart(end) : follow(counting.saved(writeEnd(end)))
    }

    /// What stands under the key, nil for nothing.
    @inline(never)
    package mutating func loaded(_ record: UnsafeRawBufferPointer?, version: UInt64) -> ReceptionStep {
        follow(counting.loaded(record, version: version))
    }

    package mutating func loadFailed() -> ReceptionStep { follow(counting.loadFailed(message(.store))) }

    // MARK: Counting

    private mutating func follow(_ step: Step) -> ReceptionStep {
        switch step {
        case .load(let pause):
            return .load(after: pause)
        case .save:
            return .save
        case .fail(let failure):
            return .fail(failure)
        case .done:
            guard let hasSameValues = counting.rule.hasSameValues else { return .done }
            guard hasSameValues else { return keepApart(as: .conflict) }
            record.endUncounted(.duplicate)
            isKept = false
            return .done
        }
    }

    private func writeEnd(_ end: Status) -> WriteEnd {
        switch end {
        case .ok: .applied
        case .storeConflict: .conflict
        case .store: .failed(message(.store))
        default: .unknown(message(.storeUnknown))
        }
    }

    // MARK: Keeping apart

    private var isApart: Bool { record.outcome != .counted && record.outcome != .duplicate }

    private mutating func keepApart(as outcome: PostbackOutcome) -> ReceptionStep {
        record.endUncounted(outcome)
        let unknown = postback.version ?? postback.text(.keyID)
        share = refused.take(
            sort, RefusedSort.bytes(ofBody: keptBody.count), at: record.received, from: sender, unknown: unknown)
        isKept = share != nil
        return isKept ? .save : .done
    }

    @inline(never)
    private func giveBack() {
        if let share { refused.giveBack(share) }
    }

    private mutating func keptApart(_ end: Status) -> ReceptionStep {
        attemptsToKeep &+= 1
        switch end {
        case .ok:
            return .done
        case .storeConflict:
            giveBack()
            return .done
        case .store:
            giveBack()
            return .fail(Failure(.store, message(.store)))
        default:
            guard attemptsToKeep == 100 else { return .save }
            giveBack()
            return .fail(Failure(.storeUnknown, message(.storeUnknown)))
        }
    }

    private func message(_ status: Status) -> Message {
        let hook: StaticString = status == .storeUnknown ? "save" : "a hook"
        let key = Message(utf8: key().array)
        return "store: \(hook) of \"\(key)\" answered \(status.name)"
    }
}

/// What a driver does next.
package enum ReceptionStep {
    /// Save the record under its key, where there is none.
    case save
    /// Load what stands under the key, after so many microseconds.
    case load(after: UInt32)
    case done
    case fail(Failure)
}

/// The buffer has to live as long as its bytes are read: a parameter does.
private func refusedKey(_ name: borrowing ByteBuffer) -> ByteBuffer { postbackKey("refused/", sha256(name.bytes)) }
