internal import SKANCore

/// Rules, "Duplicate postbacks", "Unknown saves": saves a record unless there is one under its key. After an answer
/// that leaves it open the key is looked up: the write id tells whether it was this call's. A save that comes late meets
/// the one that was made since.
struct FirstSave {
    private var attempts = 0
    /// A save ended unknown: an earlier attempt may still have been made.
    private var isUnknown = false

    enum Step {
        case save, look
        case found(FoundPostback)
        case failed(Status)
    }

    mutating func saved(_ end: Status) -> Step {
        switch end {
        case .ok: return .found(.own)
        case .store: return .failed(isUnknown ? .storeUnknown : .store)
        case .storeConflict: return .look
        default:
            isUnknown = true
            return .look
        }
    }

    mutating func looked(_ found: FoundPostback) -> Step {
        guard found == .none else { return .found(found) }
        attempts &+= 1
        guard attempts < attemptLimit else { return .failed(isUnknown ? .storeUnknown : .storeConflict) }
        return .save
    }

    /// The key could not be looked up.
    func lookFailed() -> Step { .failed(isUnknown ? .storeUnknown : .store) }
}

/// What stands under a postback's key.
enum FoundPostback {
    case none
    /// Of this call.
    case own
    /// Another copy, with the same values.
    case same
    /// Another copy, with other values.
    case other
}

/// Rules, "Conflicts": after so many attempts one is answered.
var attemptLimit: Int { 100 }
