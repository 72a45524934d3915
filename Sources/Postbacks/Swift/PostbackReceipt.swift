internal import SKANCore
internal import SKANPostbackReceiving

/// A report of how a received postback was judged, decoded and stored.
public struct PostbackReceipt: Hashable, Sendable {
    /// The outcome. Rules, "Receiving postbacks", "Duplicate postbacks".
    public enum Outcome: Int32, Sendable {
        /// The postback is valid and the first copy, so it is counted.
        case counted = 0
        /// The postback was counted before, so nothing changes.
        case duplicate = 1
        /// The postback was counted before, with other values. The first copy stays; this one is stored separately.
        case conflict = 2
        /// The postback is not valid. It is stored separately and never counted.
        case refused = 3
        /// The postback is valid, but it belongs to another ad network than its sender, or to none of the receiver's
        /// networks. It is stored separately.
        case otherNetwork = 4
        /// The postback is valid, but it belongs to none of the receiver's apps. It is stored separately.
        case otherApp = 5
    }

    /// The result of decoding the postback's value with the receiver's models. Rules, "Decoding postbacks",
    /// "Re-engagements".
    public enum Decoding: Int32, Sendable {
        /// There is no model for this kind of conversion, its type is unknown, or the postback was not counted.
        case notDecoded = 0
        /// The model has a rule for the value: `ConversionModel.decode(window:fine:coarse:)` returns its meaning.
        case decoded = 1
        /// The postback has no value, because Apple hid it.
        case hidden = 2
        /// The model has no rule for this value.
        case undecodable = 3
        /// The model changed within the time in which the install, or the re-engagement, may have happened.
        case ambiguous = 4
        /// The install, or the re-engagement, is older than the first model.
        case noModel = 5
        /// The value has no meaning, such as 64, because whoever passed the postback on changed it. Apple did not hide
        /// it.
        case illegal = 6
    }

    public let outcome: Outcome
    /// The result of verifying the postback.
    public let result: Postback.Result
    public let decoding: Decoding
    /// Whether the postback is stored. True also for a refused postback if one with the same content is stored; false
    /// for a duplicate, and for a refused postback beyond the limit.
    public let isKept: Bool
    /// The time of arrival in microseconds since 1970.
    public let received: Int64
    /// The key of the postback's record: "postback/..." or "refused/...".
    public let key: String
    /// The version of the model that applies; nil if there is none.
    public let model: String?
    /// The field that makes the postback malformed or unverifiable; nil for other results.
    public let problemField: String?
    /// Whether the postback was not written as Apple writes it. It is then stored as Apple would have written it.
    public let isRespelled: Bool
    /// The type, version or key that this library does not know, as in ``Postback/unknownType``.
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
