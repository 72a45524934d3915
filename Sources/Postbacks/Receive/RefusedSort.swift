package import SKANPostbackVerification

/// Rules, "Receiving postbacks": what is kept apart, by what it takes to make one.
package enum RefusedSort: Int, CaseIterable, Sendable {
    /// Anybody makes one.
    case malformed
    /// So too: its signature does not fit.
    case invalid
    /// A conflict, another app's or ad network's, of a development key, unverifiable.
    case other

    static var count: Int { 3 }

    package init(_ result: PostbackResult) {
        self = result == .malformed ? .malformed : result == .invalid ? .invalid : .other
    }

    package var name: StaticString {
        switch self {
        case .malformed: "malformed"
        case .invalid: "invalid"
        case .other: "other"
        }
    }

    /// How much of a body is kept: of what anybody makes, no more than a postback of Apple's has.
    package var bodyBytes: Int { self == .other ? PostbackRecord.bodyBytes : 2048 }

    /// What a record takes: the body that it keeps, and what stands beside it in a store, not less than it is: SQLite
    /// begins a page of 4 KB for what exceeds a quarter of one.
    package static func bytes(ofBody count: Int) -> UInt64 { UInt64(count) &+ 5120 }

    func keptBody(_ body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        body.count <= bodyBytes ? body : UnsafeRawBufferPointer(rebasing: body[..<bodyBytes])
    }
}
