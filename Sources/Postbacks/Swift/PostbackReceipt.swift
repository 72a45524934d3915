internal import SKANCore
internal import SKANPostbackReceiving

/// What became of a postback that was received.
public struct PostbackReceipt: Hashable, Sendable {
    /// The outcome. Rules, "Receiving postbacks", "Duplicate postbacks".
    public enum Outcome: Int32, Sendable {
        /// Valid and the first copy: it counts.
        case counted = 0
        /// Counted before: nothing changes.
        case duplicate = 1
        /// Counted before, with other values: the first copy stays, this one is stored separately.
        case conflict = 2
        /// It is not valid: stored separately, never counted.
        case refused = 3
        /// Valid, but of another ad network than its sender, or of none of the receiver's: stored separately.
        case otherNetwork = 4
        /// Valid, but for none of the receiver's apps: stored separately.
        case otherApp = 5
    }

    /// What the value means by the receiver's models. Rules, "Decoding postbacks", "Re-engagements".
    public enum Decoding: Int32, Sendable {
        /// There are no models for this kind, or the postback was not counted.
        case notDecoded = 0
        /// `ConversionModel.decode(window:fine:coarse:)` of this model gives the meaning of the value.
        case decoded = 1
        /// There is no value: Apple hid it.
        case hidden = 2
        /// The model has no rule with this value.
        case undecodable = 3
        /// The model changed while the install, or the re-engagement, may have happened.
        case ambiguous = 4
        /// The install, or the re-engagement, is older than the first model.
        case noModel = 5
        /// The value has no meaning, such as 64: whoever passed the postback on changed it. Apple did not hide it.
        case illegal = 6
    }

    public let outcome: Outcome
    /// The result of verifying it.
    public let result: Postback.Result
    public let decoding: Decoding
    /// Whether a record holds this copy, or one with the same content.
    public let isKept: Bool
    /// The time of its arrival, microseconds since 1970.
    public let received: Int64
    /// The key of its record: "postback/..." or "refused/...".
    public let key: String
    /// The version of the model that applies; nil if there is none.
    public let model: String?
    /// The field that makes it malformed or unverifiable; nil for other results.
    public let problemField: String?
    /// Whether it was written otherwise than Apple writes it. It is stored as Apple would have written it.
    public let isRespelled: Bool
    /// The type, version or key that is not known, as ``Postback/unknownType`` has it.
    public let unknownType: String?
}

extension PostbackReceipt {
    init(_ reception: Reception) {
        let record = reception.record
        outcome = Outcome(rawValue: record.outcome.rawValue) ?? .refused
        result = Postback.Result(rawValue: reception.postback.result.rawValue)
        decoding = Decoding(rawValue: record.decoding.rawValue) ?? .notDecoded
        isKept = reception.isKept
        received = record.received
        key = string(reception.key())
        model = record.model.map { version in
            var text = ByteBuffer(capacity: 64)
            version.write(to: &text)
            return string(text)
        }
        problemField = reception.postback.problemField?.description
        isRespelled = reception.postback.isRespelled
        unknownType = reception.postback.unknownType.map { String(decoding: $0.name.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
