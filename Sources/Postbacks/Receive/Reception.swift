package import SKANCore
package import SKANEngine
package import SKANPostbackVerification

/// Rules, "Receiving postbacks", "Duplicate postbacks": the processing of one postback from its arrival until it is
/// stored. It is read and verified once, and counted if it is valid and the first copy; otherwise it is refused and
/// stored separately. A driver performs each step and reports its result. At the end the store holds the postback,
/// unless there is no room for refused ones.
package final class Reception {
    package let postback: VerifiedPostback
    /// The contents of the postback's record. A duplicate has no record; these are then the contents that it would
    /// have.
    package private(set) var record: PostbackRecord
    /// Whether the postback is stored. True also for a refused postback if an equal one is stored; false for a
    /// duplicate, and for a refused postback beyond the budget.
    package private(set) var isKept = true
    private let refused: RefusedBudget
    private let sender: UnverifiableSender
    private var counting: Transaction<FirstCopy>
    /// Whether the first copy, which was counted before, has the same values; nil if no earlier copy was found.
    private var hasSameValues: Bool?
    private var step = Step.done(.ok)
    /// The progress of saving a refused postback.
    private var keeping = WriteProgress(.save)
    private var share: RefusedShare?

    init(
        _ postback: VerifiedPostback, _ record: PostbackRecord, _ refused: RefusedBudget, _ sender: UnverifiableSender
    ) {
        self.postback = postback
        self.record = record
        self.refused = refused
        self.sender = sender
        counting = Transaction(on: FirstCopy(postback), writeID: record.writeID)
    }

    /// Whether the postback is valid and in scope, so that it is counted unless another copy came before.
    package var isToBeCounted: Bool { record.outcome == .counted }

    /// The key of the record. For a refused postback, it is a hash of the body, so that repetitions are stored once. If
    /// Apple's signature matches, it is a hash of the postback's id and values instead, because anybody who has such a
    /// postback can send it in many forms.
    package func key() -> ByteBuffer {
        var name = ByteBuffer(capacity: 82)
        if let key = postback.key { name.append(key) }
        if postback.key != nil, !isRefused { return name }
        guard postback.key != nil, sort == .other else { return postbackKey("refused/", sha256(postback.body)) }
        name.append(UInt8(truncatingIfNeeded: postback.fineValue))
        name.append(UInt8(truncatingIfNeeded: postback.coarseValue))
        return refusedKey(name)
    }

    package func recordBytes() -> ByteBuffer { record.bytes(keptBody) }

    /// The body, or only its beginning if the postback is malformed or invalid.
    private var keptBody: UnsafeRawBufferPointer { sort.keptBody(postback.canonicalBody) }
    private var sort: RefusedSort { RefusedSort(postback.result) }

    /// Begins without a load: the key is assumed to be new, and an existing record shows up as a conflict.
    @inline(never)
    package func begin() {
        if isRefused { keepRefused(as: record.outcome) } else { loaded(nil, version: 0) }
    }

    package func next() -> StoreStep {
        switch step {
        case .load(let pause): .load(after: pause)
        case .save: .save
        case .done, .fail: .done
        }
    }

    package var failure: Failure? {
        if case .fail(let failure) = step { failure } else { nil }
    }

    /// Reports the store's answer to saving a record under a new key.
    @inline(never)
    package func saved(_ end: Status) {
        if isRefused { step = refusedKept(end) } else { follow(counting.saved(writeEnd(end))) }
    }

    /// Reports the record that the store has under the key; nil if there is none.
    @inline(never)
    package func loaded(_ record: UnsafeRawBufferPointer?, version: UInt64) {
        guard !isRefused else {
            step = record == nil ? .save(expected: 0) : foundKept()
            return
        }
        // Rules, "Duplicate postbacks": the first copy is the one that counts.
        follow(
            counting.loaded(record, version: version) { first in
                hasSameValues = first.hasSameValues
                return hasSameValues == nil ? .changed() : .unchanged(.ok)
            })
    }

    package func loadFailed() {
        guard isRefused else { return follow(counting.loadFailed(message(.store))) }
        giveBack()
        step = keeping.failed(Failure(.store, message(.store)))
    }

    // MARK: Counting

    private func follow(_ step: Step) {
        self.step = step
        guard case .done = step, let hasSameValues else { return }
        guard hasSameValues else { return keepRefused(as: .conflict) }
        record.endUncounted(.duplicate)
        isKept = false
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

    private var isRefused: Bool { record.outcome != .counted && record.outcome != .duplicate }

    private func keepRefused(as outcome: PostbackOutcome) {
        record.endUncounted(outcome)
        let unknown = postback.version ?? postback.text(.keyID)
        share = refused.take(
            sort, RefusedSort.bytes(ofBody: keptBody.count), at: record.received, from: sender, unknown: unknown)
        isKept = share != nil
        step = isKept ? .save(expected: 0) : .done(.ok)
    }

    @inline(never)
    private func giveBack() {
        if let share { refused.giveBack(share) }
    }

    private func refusedKept(_ end: Status) -> Step {
        guard end != .storeConflict else { return foundKept() }
        let next = keeping.ended(writeEnd(end), .ok)
        if case .fail = next { giveBack() }
        return next
    }

    /// Ends the reception because an equal refused postback is stored already. After a save with an unknown outcome,
    /// the stored postback is taken to be the one of this reception, which therefore keeps its share of the budget.
    private func foundKept() -> Step {
        if keeping.doubt == nil { giveBack() }
        return .done(.ok)
    }

    private func message(_ status: Status) -> Message {
        let hook: StaticString = status == .storeUnknown ? "save" : "a hook"
        let key = Message(utf8: key().array)
        return "store: \(hook) of \"\(key)\" answered \(status.name)"
    }
}

/// Taking the name as a parameter keeps the buffer alive while its bytes are read.
private func refusedKey(_ name: borrowing ByteBuffer) -> ByteBuffer {
    postbackKey("refused/", name.withBytes { sha256($0) })
}
