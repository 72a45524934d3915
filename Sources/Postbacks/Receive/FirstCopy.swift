internal import SKANCore
internal import SKANPostbackVerification

/// The record under a postback's key. It holds the first copy that arrived, and is never replaced.
struct FirstCopy: StoredState {
    /// The copy that arrived now and would be saved.
    private let postback: VerifiedPostback
    /// The first copy, as found in the store; nil if the store has none.
    private var found: (writeID: PostbackWriteID, hasSameValues: Bool)?

    init(_ postback: VerifiedPostback) { self.postback = postback }

    /// Whether both copies have the same values; nil if the store has no first copy.
    var hasSameValues: Bool? { found?.hasSameValues }

    static func drawWriteID(_ random: () -> UInt64) -> PostbackWriteID {
        PostbackWriteID(low: random(), high: random())
    }

    mutating func clear() { found = nil }

    mutating func read(_ record: UnsafeRawBufferPointer) throws(Failure) {
        let (first, body) = try PostbackRecord.read(record)
        // Copies with the same bytes have the same values.
        let isCopy =
            isSame(body, postback.canonicalBody)
            || VerifiedPostback(restoring: body, first.verdict).hasValues(of: postback)
        found = (first.writeID, isCopy)
    }

    mutating func add(_ write: PostbackWriteID, _ random: () -> UInt64) {}

    func holds(_ write: PostbackWriteID) -> Bool { found?.writeID == write }

    var writeCount: UInt64 { 0 }

    /// Whether a save in doubt can no longer succeed, because another copy is stored.
    func excludes(_ write: PostbackWriteID, since doubt: WriteBase) -> Bool { found != nil }
}

extension VerifiedPostback {
    /// Whether two copies of a postback have the same values, signed and unsigned, as postback.h reports them.
    @_optimize(size)
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

/// Whether two texts are equal up to their first NUL, as in C.
private func isSameText(_ one: UnsafeRawBufferPointer?, _ other: UnsafeRawBufferPointer?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.prefix { $0 != 0 }.elementsEqual(other.prefix { $0 != 0 })
}
