import SKANCore
package import SKANPostbackReceiving
package import SKANPostbackVerification

/// The reason why a postback was refused and stored separately, as answers over HTTP name it.
package enum RefusedReason: Int, CaseIterable, Sendable {
    case malformed, invalid, unverifiable, development, conflict, otherNetwork, otherApp

    package init(_ outcome: PostbackOutcome, _ result: PostbackResult) {
        switch outcome {
        case .conflict: self = .conflict
        case .otherNetwork: self = .otherNetwork
        case .otherApp: self = .otherApp
        default: self.init(result)
        }
    }

    private init(_ result: PostbackResult) {
        switch result {
        case .malformed: self = .malformed
        case .unverifiable: self = .unverifiable
        case .development: self = .development
        default: self = .invalid
        }
    }

    package var name: StaticString {
        switch self {
        case .malformed: "malformed"
        case .invalid: "invalid"
        case .unverifiable: "unverifiable"
        case .development: "development"
        case .conflict: "conflict"
        case .otherNetwork: "other_network"
        case .otherApp: "other_app"
        }
    }

    /// The words that follow the number in the totals of a run: "3 of another app".
    package var words: StaticString {
        switch self {
        case .malformed: "malformed"
        case .invalid: "invalid"
        case .unverifiable: "unverifiable"
        case .development: "signed with a development key"
        case .conflict: "in conflict with a counted one"
        case .otherNetwork: "of another ad network"
        case .otherApp: "of another app"
        }
    }
}
