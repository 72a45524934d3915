/// The outcome of receiving a postback. The numbers are those of postback.h and of records.
package struct PostbackOutcome: RawRepresentable, Equatable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The postback is valid and the first copy: it is counted.
    package static var counted: PostbackOutcome { PostbackOutcome(rawValue: 0) }
    /// The postback was counted before, so nothing changes.
    package static var duplicate: PostbackOutcome { PostbackOutcome(rawValue: 1) }
    /// The postback was counted before, with other values. It is refused and stored separately.
    package static var conflict: PostbackOutcome { PostbackOutcome(rawValue: 2) }
    /// The postback is not valid. It is refused and stored separately.
    package static var refused: PostbackOutcome { PostbackOutcome(rawValue: 3) }
    /// The postback is valid, but it belongs to another ad network than its sender, or to a network outside the
    /// receiver's scope. It is refused and stored separately.
    package static var otherNetwork: PostbackOutcome { PostbackOutcome(rawValue: 4) }
    /// The postback is valid, but its app is outside the receiver's scope. It is refused and stored separately.
    package static var otherApp: PostbackOutcome { PostbackOutcome(rawValue: 5) }
}

/// The result of decoding a postback's value with a conversion model. The numbers are those of postback.h and of
/// records.
package struct PostbackDecoding: RawRepresentable, Equatable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The postback was not decoded: there is no model for conversions of its type, its conversion type is unknown, or
    /// it was not counted.
    package static var notDecoded: PostbackDecoding { PostbackDecoding(rawValue: 0) }
    package static var decoded: PostbackDecoding { PostbackDecoding(rawValue: 1) }
    /// The postback has no value, because Apple hid it.
    package static var hidden: PostbackDecoding { PostbackDecoding(rawValue: 2) }
    /// No rule of the model gives this value.
    package static var undecodable: PostbackDecoding { PostbackDecoding(rawValue: 3) }
    /// The model changed within the time in which the install, or the re-engagement, may have happened.
    package static var ambiguous: PostbackDecoding { PostbackDecoding(rawValue: 4) }
    /// The install, or the re-engagement, is older than the first model.
    package static var noModel: PostbackDecoding { PostbackDecoding(rawValue: 5) }
    /// The postback has a value that cannot be read, because whoever passed the postback on changed it. Apple did not
    /// hide it.
    package static var illegal: PostbackDecoding { PostbackDecoding(rawValue: 6) }

    /// The name in messages to partners and in rows; nil for a number that only a newer libskan knows.
    package var name: StaticString? {
        switch self {
        case .notDecoded: "none"
        case .decoded: "decoded"
        case .hidden: "hidden"
        case .undecodable: "undecodable"
        case .ambiguous: "ambiguous"
        case .noModel: "no_model"
        case .illegal: "illegal"
        default: nil
        }
    }
}
