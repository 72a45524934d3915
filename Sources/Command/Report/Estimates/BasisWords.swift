import SKANCommandRows
import SKANCore
import SKANTruth

extension BroughtBasis {
    static var assumptions: [StaticString] {
        [
            "An install that an ad brought brings as much as the app's own installs with the same value.",
            "Apple hides values by the size of the crowd, not by what they are.",
            "The store of installs is of this app, and has all of them.",
            "Installs that are too young for a horizon will bring what older ones brought.",
            "Rates between currencies are those of the models.",
        ]
    }

    /// Returns the sentences that tell readers what the estimates are based on. `store`: the URL of the store of the
    /// app's own installs, without the password.
    func sentences(_ store: Message) -> [Message] {
        var sentences: [Message] = [ownInstalls(store)]
        for reason in left.reasons where reason.count > 0 {
            sentences.append("Left out: \(reason.count.readable) installs \(reason.words).")
        }
        for (version, installs) in left.versions {
            sentences.append("Model \(Message(writing: version.write)) was not given: \(installs.readable) installs.")
        }
        if left.unrated > 0 {
            sentences.append("Revenue without a rate counts as nothing: \(left.unrated.readable) installs have such.")
        }
        sentences.append(reportedInstalls)
        if let fewestBehindValue {
            sentences.append(
                "Each fine value that a postback carried stands for \(fewestBehindValue.readable) installs or more.")
        }
        for horizon in Horizon.ofWindows where young[horizon.rawValue] > 0 {
            sentences.append(tooYoung(horizon))
        }
        sentences.append(
            "Estimates include redownloads, of which there are \(redownloads.readable), and no re-engagements.")
        return sentences
    }

    /// Sentences that state, for each model, how many installs in the store have each value.
    var valueSentences: [Message] {
        var sentences: [Message] = []
        for (place, told) in behind.enumerated() {
            if place == 0 || behind[place - 1].model != told.model {
                sentences.append("Own installs behind each fine value, model \(Message(writing: told.model.write)):")
            }
            let separator: StaticString = sentences.last?.utf8.last == UInt8(ascii: ":") ? "" : ","
            sentences[sentences.count - 1] =
                """
                \(sentences.last ?? "")\(separator) \(told.value): \(told.installs.readable) for \
                \(told.postbacks.readable) reported
                """
        }
        return sentences.map { "\($0)." }
    }

    private func ownInstalls(_ store: Message) -> Message {
        var sentence: Message = "Own installs in \(store) that values are compared with"
        for horizon in Horizon.allCases where installs[horizon.rawValue] > 0 || horizon.window != nil {
            let separator: StaticString = horizon == .day2 ? ":" : ","
            sentence = "\(sentence)\(separator) \(installs[horizon.rawValue].readable) \(horizon.words)"
        }
        return "\(sentence)."
    }

    private var reportedInstalls: Message {
        """
        Of \(told.readable) installs and redownloads that postbacks report, \(part(fine)) have a fine value, \
        \(part(coarse)) only a coarse one, and \(part(hidden)) none.
        """
    }

    private func tooYoung(_ horizon: Horizon) -> Message {
        "Too young for \(horizon.words), and forecast: \(part(young[horizon.rawValue])) of them."
    }

    /// Returns a count of reported installs, and its share of all of them: "12 (3.4 %)".
    private func part(_ count: UInt64) -> Message { "\(count.readable) (\(percentText(count, of: told) ?? "0") %)" }
}

extension LeftInstalls {
    var reasons: [(key: StaticString, words: StaticString, count: UInt64)] {
        [
            ("unregistered", "not registered", unregistered),
            ("skan_3", "of SKAN 3", skan3),
            ("too_young_to_have_reported", "too young to have reported (less than three and a half days old)", young),
            ("without_model", "without a model", withoutModel),
            ("other_models", "of models that were not given", otherModels),
            ("damaged", "could not be read", damaged),
        ]
    }
}

extension LaterKind {
    /// The kind's name in JSON.
    var key: StaticString {
        switch self {
        case .any: "any"
        case .aboveLow: "above_low"
        case .high: "high"
        }
    }
}
