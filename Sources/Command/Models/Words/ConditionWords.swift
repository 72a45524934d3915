package import SKANCore

extension ConversionModel {
    /// "tutorial_complete, 3+ sessions, $5 to $10 IAP": the conditions of a rule or an envelope in words; `nothing` if
    /// there are none.
    @export(interface)
    package func words(of conditions: ModelEnvelope, nothing: StaticString = "always") -> Message {
        var words: [Message] = []
        let asked = conditions.conditions.filter { !$0.isEverything }
        // Events come first, then sessions, then all others in the order of their axes.
        for condition in asked {
            guard let event = event(of: condition) else { continue }
            words.append(CountWords(condition).event(Message(writing: event.write)))
        }
        for condition in asked where event(of: condition) == nil { words.append(self.words(of: condition)) }
        return words.isEmpty ? Message(stringLiteral: nothing) : listed(words)
    }

    /// Words for a condition that is not about an event.
    private func words(of condition: ModelCondition) -> Message {
        if let revenue = condition.axis.revenue { return revenueWords(condition, revenue, currency) }
        if condition.axis == .sessions { return CountWords(condition).sessions }
        guard let number = condition.axis.measure else {
            return condition.isOfWholeDays ? CountWords(condition.inDays).day : CountWords(condition).hours
        }
        let name = measures.list[number].nameWords
        return condition.isAmount ? "\(name) \(rangeWords(condition, currency))" : CountWords(condition).measure(name)
    }

    /// The conditions of a window's rule.
    @export(interface)
    package func conditions(ofRule number: Int, of window: Int) -> ModelEnvelope {
        ModelEnvelope(windows[window].list, [number])
    }

    /// The conditions of a coarse rule of window 0.
    func conditions(ofCoarseRule number: Int) -> ModelEnvelope {
        ModelEnvelope(windows[0].coarseList ?? RuleList(), [number])
    }
}

extension ModelEnvelope {
    /// Whether every install meets the condition.
    var isEverything: Bool {
        conditions.allSatisfy { $0.isEverything }
    }
}

extension ModelCondition {
    /// Whether the range of time consists of whole days.
    var isOfWholeDays: Bool { min % ModelCondition.hoursOfDay == 0 && (end ?? 0) % ModelCondition.hoursOfDay == 0 }
}

extension ModelMeasure {
    var nameWords: Message { Message(utf8: name) }
}
