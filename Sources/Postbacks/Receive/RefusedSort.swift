package import SKANPostbackVerification

/// Rules, "Receiving postbacks": the sorts of refused postbacks that are stored separately, by who can make them.
package enum RefusedSort: Int, CaseIterable, Sendable {
    /// The document is not a postback; anybody can make one.
    case malformed
    /// The signature does not match; anybody can make one.
    case invalid
    /// The version or key is unknown; anybody can make one.
    case unverifiable
    /// Apple's signature matches: a conflict, a postback of another app or ad network, or one with a development key.
    case other

    package init(_ result: PostbackResult) {
        switch result {
        case .malformed: self = .malformed
        case .invalid: self = .invalid
        case .unverifiable: self = .unverifiable
        default: self = .other
        }
    }

    package var name: StaticString {
        switch self {
        case .malformed: "malformed"
        case .invalid: "invalid"
        case .unverifiable: "unverifiable"
        case .other: "other"
        }
    }

    /// The maximum number of bytes of a body that are stored. Malformed and invalid postbacks, which can never be
    /// verified, are cut to the size of Apple's postbacks.
    package var bodyBytes: Int { self == .malformed || self == .invalid ? 2048 : PostbackRecord.bodyBytes }

    /// The number of bytes that the budget counts for a record: the stored part of the body, plus an upper bound for
    /// everything else in the store. SQLite moves the part of a record that exceeds a quarter of a page to a new page
    /// of 4 KB.
    package static func bytes(ofBody count: Int) -> UInt64 { UInt64(count) &+ 5120 }

    func keptBody(_ body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        body.count <= bodyBytes ? body : UnsafeRawBufferPointer(rebasing: body[..<bodyBytes])
    }
}
