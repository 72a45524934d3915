package import SKANCore

extension ConversionModel {
    /// Returns the conditions of a rule or an envelope in words, such as "tutorial_complete, 3+ sessions, $5 to $10
    /// IAP"; `nothing` if there are none.
    @export(interface)
    package func words(of conditions: ModelEnvelope, nothing: StaticString = "always") -> Message {
        var words: [Message] = []
        let asked = conditions.conditions.filter { !$0.isEverything }
        // Events come first, then sessions, then all others in the order of their axes.
        for condition in asked where event(of: condition) != nil { words.append(row(of: condition).words) }
        for condition in asked where event(of: condition) == nil { words.append(row(of: condition).words) }
        return words.isEmpty ? Message(stringLiteral: nothing) : listed(words)
    }

    @export(interface)
    package func conditions(ofRule number: Int, of window: Int) -> ModelEnvelope {
        ModelEnvelope(windows[window].list, [number])
    }

    /// The rule is one of window 0, since only window 0 has coarse rules.
    func conditions(ofCoarseRule number: Int) -> ModelEnvelope {
        ModelEnvelope(windows[0].coarseList ?? RuleList(), [number])
    }
}

extension ModelEnvelope {
    /// Whether every install meets all conditions.
    var isEverything: Bool {
        conditions.allSatisfy { $0.isEverything }
    }
}

extension ModelMeasure {
    var nameWords: Message { Message(utf8: name) }
}
