package import SKANCore

extension ConversionModel {
    /// "tutorial_complete, 3+ sessions, $5 to $10 IAP": what a rule asks for, or an envelope says; `nothing` where
    /// that is nothing.
    package func words(of conditions: ModelEnvelope, nothing: StaticString = "always") -> Message {
        var words: [Message] = []
        func addCounts(_ isAsked: (CountCondition) -> Bool, _ text: (CountCondition, CountWords) -> Message) {
            for condition in conditions.counts where isAsked(condition) {
                let counts = CountWords(condition)
                if !counts.isEverything { words.append(text(condition, counts)) }
            }
        }
        addCounts({ event(of: $0) != nil }) { condition, counts in
            counts.event(event(of: condition).map { Message(writing: $0.write) } ?? "")
        }
        addCounts({ $0.axis == CountCondition.sessions }) { _, counts in counts.sessions }
        addCounts({ $0.axis == CountCondition.day }) { _, counts in counts.day }
        for revenue in conditions.revenue where !revenue.isEverything { words.append(revenueWords(revenue, currency)) }
        return words.isEmpty ? Message(stringLiteral: nothing) : listed(words)
    }

    /// What a rule of a window asks for.
    package func conditions(ofRule number: Int, of window: Int) -> ModelEnvelope {
        ModelEnvelope(windows[window], [number])
    }
}

extension ModelEnvelope {
    /// Whether it holds for everyone.
    var isEverything: Bool {
        counts.allSatisfy { CountWords($0).isEverything } && revenue.allSatisfy { $0.isEverything }
    }
}

extension RevenueCondition {
    fileprivate var isEverything: Bool { least == nil && end == nil }
}
