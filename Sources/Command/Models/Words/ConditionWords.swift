package import SKANCore

extension ConversionModel {
    /// "tutorial_complete, 3+ sessions, $5 to $10 IAP": what a rule asks for, or an envelope says; `nothing` where
    /// that is nothing.
    @export(interface)
    package func words(of conditions: ModelEnvelope, nothing: StaticString = "always") -> Message {
        var words: [Message] = []
        let asked = conditions.conditions.filter { !$0.isEverything }
        // Events come first, then sessions; all others in the order of their axes.
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

    /// What a rule of a window asks for.
    @export(interface)
    package func conditions(ofRule number: Int, of window: Int) -> ModelEnvelope {
        ModelEnvelope(windows[window].list, [number])
    }

    /// What a coarse rule of window 0 asks for.
    func conditions(ofCoarseRule number: Int) -> ModelEnvelope {
        ModelEnvelope(windows[0].coarseList ?? RuleList(), [number])
    }
}

extension ModelEnvelope {
    /// Whether it holds for everyone.
    var isEverything: Bool {
        conditions.allSatisfy { $0.isEverything }
    }
}

extension ModelCondition {
    /// A time that days can say.
    var isOfWholeDays: Bool { min % ModelCondition.hoursOfDay == 0 && (end ?? 0) % ModelCondition.hoursOfDay == 0 }
}

extension ModelMeasure {
    var nameWords: Message { Message(utf8: name) }
}
