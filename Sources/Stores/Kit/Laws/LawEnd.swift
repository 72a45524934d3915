package import SKANCore

/// Why a law ends before its end.
package enum LawEnd: Error {
    /// What came instead.
    case broken(Message)
    /// It is about what the store does not claim or offer.
    case notApplicable(Message)
}

/// What became of a law.
package typealias LawOutcome = Result<Void, LawEnd>

extension Status {
    /// The status's name and number: foreign stores answer numbers that have no name.
    package var told: Message { "\(name) (\(rawValue))" }
}
