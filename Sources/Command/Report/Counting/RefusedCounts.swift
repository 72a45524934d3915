import SKANPostbackReceiving
import SKANPostbackVerification

/// The numbers of postbacks that were refused and stored separately. They are never counted.
struct RefusedCounts {
    var invalid: UInt64 = 0
    var unverifiable: UInt64 = 0
    var development: UInt64 = 0
    var malformed: UInt64 = 0
    /// Copies that have other values than the first.
    var conflicts: UInt64 = 0
    /// Postbacks of another ad network than their sender, or of a network outside the receiver's scope.
    var otherNetwork: UInt64 = 0
    /// Postbacks of an app outside the receiver's scope.
    var otherApp: UInt64 = 0

    mutating func add(_ outcome: PostbackOutcome, _ result: PostbackResult) {
        if outcome == .conflict {
            conflicts += 1
        } else if outcome == .otherNetwork {
            otherNetwork += 1
        } else if outcome == .otherApp {
            otherApp += 1
        } else {
            switch result {
            case .unverifiable: unverifiable += 1
            case .development: development += 1
            case .malformed: malformed += 1
            case .invalid, .valid: invalid += 1
            }
        }
    }
}
