import SKANCommandRows

/// A reason why items are not counted, or why their revenue is not known, with the number of items.
struct CountedReason {
    let count: UInt64
    /// The key in JSON.
    let key: StaticString
    /// The words in the table.
    let words: StaticString
    /// The sentence on the page.
    let sentence: StaticString

    init(_ count: UInt64, _ key: StaticString, _ words: StaticString, _ sentence: StaticString) {
        self.count = count
        self.key = key
        self.words = words
        self.sentence = sentence
    }
}

extension [CountedReason] {
    var sum: UInt64 { reduce(0) { $0 + $1.count } }
}

extension RefusedCounts {
    var reasons: [CountedReason] {
        RefusedReason.reported.map { CountedReason(self[$0], $0.key, $0.shortWords, $0.sentence) }
    }
}

extension RefusedReason {
    static var reported: [RefusedReason] {
        [.invalid, .unverifiable, .development, .malformed, .conflict, .otherNetwork, .otherApp]
    }

    fileprivate var key: StaticString { self == .conflict ? "conflicts" : name }

    fileprivate var shortWords: StaticString {
        switch self {
        case .invalid: "signature does not fit"
        case .unverifiable: "version or key not known"
        case .development: "of a development key"
        case .malformed: "malformed"
        case .conflict: "copies with other values"
        case .otherNetwork: "of another network than their sender"
        case .otherApp: "of another app"
        }
    }

    fileprivate var sentence: StaticString {
        switch self {
        case .invalid: "The signature does not fit"
        case .unverifiable: "Of a version, or signed with a key, that is not known"
        case .development: "Signed with a development key"
        case .malformed: "Malformed"
        case .conflict: "Copies with other values than the first"
        case .otherNetwork: "Of another ad network than their sender"
        case .otherApp: "Of another app"
        }
    }
}

extension UnpricedCounts {
    var reasons: [CountedReason] {
        UnpricedReason.allCases.map { CountedReason(self[$0], $0.key, $0.words, $0.sentence) }
    }
}

extension UnpricedReason {
    fileprivate var words: StaticString {
        switch self {
        case .notDecoded: "no model was given for them"
        case .undecodable: "no rule of the model has the value"
        case .ambiguous: "the model changed meanwhile"
        case .noModel: "older than the first model"
        case .modelMissing: "model not given to this report"
        case .noRevenue: "model without revenue in the window"
        case .cumulative: "revenue since the install, in window 1 or 2"
        }
    }

    fileprivate var sentence: StaticString {
        switch self {
        case .notDecoded: "No model was given for them, when they were received or now"
        case .undecodable: "No rule of the model has the value"
        case .ambiguous: "The model changed while the install or re-engagement may have happened"
        case .noModel: "The install or re-engagement is older than the first model"
        case .modelMissing: "The model was not given to this report"
        case .noRevenue: "The model does not speak of revenue in the window"
        case .cumulative: "Revenue since the install, in window 1 or 2"
        }
    }
}
