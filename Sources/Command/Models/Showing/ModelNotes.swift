import SKANCommandOutput
package import SKANCore

extension ModelFile {
    /// Notes on parts of the model that are valid, but may not be intended.
    package var notes: [Message] {
        var notes: [Message] = []
        if model.isForReengagements {
            notes.append("decides for re-engagements: an engine takes it among reengagement_models")
        }
        for window in model.windows.indices {
            if model.windows[window].rules.isEmpty, model.windows[window].coarseList == nil {
                notes.append("window \(window) has no rules, it gets no value")
            } else {
                notes += model.notes(ofWindow: window)
            }
        }
        notes += model.notesOnMeasures
        if model.asksRevenue { notes.append("revenue counts as nothing unless it is in \(listed(countedCurrencies))") }
        return notes
    }

    /// The currencies in which revenue counts, the model's own first.
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
        if protocolVersion == .skan3 { return notes + notesOnTimer }
        if isFirst { notes += notesOnMissingCoarse }
        if windows[window].coarseList?.rules.isEmpty != true {
            notes += unused.coarse.map { "window \(window): no rule has the coarse value \(coarseName(UInt8($0)))" }
        }
        return notes + notesOnDays(window)
    }

    private var notesOnRegistration: [Message] {
        guard let rule = registrationRule, sharesRegistrationValue else { return [] }
        let fine = registrationFine
        let alone: StaticString = "is also what registering alone gives, so a postback cannot tell them apart"
        return ["window 0: rule \(rule) for fine \(fine) has conditions, but fine \(fine) \(alone)"]
    }

    /// Notes on rules without a coarse value, because a coarse value is all that postbacks of small campaigns carry.
    private var notesOnMissingCoarse: [Message] {
        if let list = windows[0].coarseList {
            return list.rules.isEmpty ? ["window 0: coarse_rules is empty, the window gets no coarse value"] : []
        }
        let missing = windows[0].rules.count { $0.coarse == nil }
        if missing == 0 { return [] }
        let rules: StaticString = missing == 1 ? "rule has" : "rules have"
        return [
            "window 0: \(missing) \(rules) no coarse value, which is all that postbacks of small campaigns carry"
        ]
    }

    /// Rules, "Windows": notes on rules of SKAN 4 that hold only on days outside their window.
    private func notesOnDays(_ window: Int) -> [Message] {
        guard let open = daysOfWindow(window) else { return [] }
        var notes: [Message] = []
        func look(_ list: RuleList, _ what: StaticString) {
            for (number, rule) in list.rules.enumerated() {
                guard let time = list.time(of: rule) else { continue }
                let (least, end) = (Int128(open.lowerBound) * Day.hours, Int128(open.upperBound) * Day.hours)
                if time.min < end && time.max > least { continue }
                notes.append("window \(window): \(what) \(number) never holds, the window has \(windowWords(window))")
            }
        }
        look(windows[window].list, "rule")
        if let list = windows[window].coarseList { look(list, "coarse rule") }
        return notes
    }
}

extension ConversionModel {
    fileprivate var notesOnMeasures: [Message] {
        var notes: [Message] = []
        for number in measures.list.indices {
            let measure = measures.list[number]
            if !asks(measure: number) { notes.append("measure \(measure.nameWords): no rule asks for it") }
            if measure.asksAmount {
                let call: StaticString = "by skan_update_conversion_values"
                notes.append("measure \(measure.nameWords): counts amounts that come with events, \(call)")
            }
        }
        return notes
    }
}

extension RuleList {
    /// The range of hours since install in which a rule can hold; nil if it can hold at any time.
    func time(of rule: ModelRule) -> ModelCondition? {
        conditions[rule.conditions].first { $0.axis == .time }
    }
}

/// Prints the results of `skan model check` for a valid model.
@export(interface)
package func printModelCheck(_ file: ModelFile) {
    let model = file.model
    StandardOutput.line("OK")
    StandardOutput.line("id        \(Message(utf8: model.id))")
    StandardOutput.line("version   \(Message(writing: model.version.write))")
    StandardOutput.line("protocol  SKAN \(model.protocolVersion.rawValue)")
    let rules: [Message] = model.windows.indices.map { "window \($0): \(model.windows[$0].rules.count)" }
    StandardOutput.line("rules     \(listed(rules))")
    for note in file.notes { StandardOutput.line("note: \(note)") }
}
