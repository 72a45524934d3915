internal import SKANCommandOutput
package import SKANCore

extension ModelFile {
    /// What is right by the rules, but perhaps not meant.
    package var notes: [Message] {
        var notes: [Message] = []
        for window in model.windows.indices {
            if model.windows[window].rules.isEmpty {
                notes.append("window \(window) has no rules, it gets no value")
            } else {
                notes += model.notes(ofWindow: window)
            }
        }
        if model.asksRevenue { notes.append("revenue counts as nothing unless it is in \(listed(countedCurrencies))") }
        return notes
    }

    /// The model's own first.
    private var countedCurrencies: [Message] {
        [Message(writing: model.currency.write)]
            + rates.filter { !$0.isOf(model.currency) }.map { $0.currency }
    }
}

extension ConversionModel {
    fileprivate func notes(ofWindow window: Int) -> [Message] {
        let unused = UnusedValues(self, window: window)
        let isFirst = window == 0
        var notes: [Message] = []
        if !unused.fine.isEmpty {
            notes.append(
                "window 0: \(unused.fine.count) of 64 fine values are not used: \(numberWords(unused.fine))")
        }
        if isFirst { notes += notesOnRegistration }
        if protocolVersion == .skan3 { return notes }
        if isFirst { notes += notesOnMissingCoarse }
        notes += unused.coarse.map { "window \(window): no rule has the coarse value \(coarseName(UInt8($0)))" }
        return notes + notesOnDays(window)
    }

    private var notesOnRegistration: [Message] {
        guard let rule = registrationRule, sharesRegistrationValue else { return [] }
        let fine = registrationFine
        let alone: StaticString = "is also what registering alone gives, so a postback cannot tell them apart"
        return ["window 0: rule \(rule) for fine \(fine) has conditions, but fine \(fine) \(alone)"]
    }

    /// A postback has the fine value only where Apple counts enough installs.
    private var notesOnMissingCoarse: [Message] {
        let missing = windows[0].rules.count { $0.coarse == nil }
        if missing == 0 { return [] }
        let rules: StaticString = missing == 1 ? "rule has" : "rules have"
        return [
            "window 0: \(missing) \(rules) no coarse value, which is all that postbacks of small campaigns carry"
        ]
    }

    /// Rules, "Windows": the days that a window of SKAN 4 has.
    private func notesOnDays(_ window: Int) -> [Message] {
        guard let open = daysOfWindow(window) else { return [] }
        var notes: [Message] = []
        for (number, rule) in windows[window].rules.enumerated() {
            for index in rule.conditions where windows[window].conditions[index].axis == CountCondition.day {
                let day = windows[window].conditions[index]
                if day.min < open.upperBound && day.max > open.lowerBound { continue }
                notes.append("window \(window): rule \(number) never holds, the window has \(windowWords(window))")
            }
        }
        return notes
    }
}
