package import SKANPostbackVerification

/// Rules, "Receiving postbacks": the refused postbacks that are stored separately, by what it takes to make one.
package enum RefusedSort: Int, CaseIterable, Sendable {
    /// No postback; anybody can make one.
    case malformed
    /// The signature does not fit; anybody can make one.
    case invalid
    /// The version or key is not known; anybody can make one.
    case unverifiable
    /// Apple's signature fits: a conflict, a postback of another app or ad network, or one with a development key.
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

    /// How much of a body is kept: of what can never be verified, no more than a postback of Apple's has.
    package var bodyBytes: Int { self == .malformed || self == .invalid ? 2048 : PostbackRecord.bodyBytes }

    /// What a record takes: the body that it keeps, and what stands beside it in a store, not less than it is: SQLite
    /// begins a page of 4 KB for what exceeds a quarter of one.
    package static func bytes(ofBody count: Int) -> UInt64 { UInt64(count) &+ 5120 }

    func keptBody(_ body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        body.count <= bodyBytes ? body : UnsafeRawBufferPointer(rebasing: body[..<bodyBytes])
    }
}
