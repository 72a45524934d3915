import SKANCommandOutput
import SKANCore

func printTrialWords(_ step: HistoryStep, _ result: TrialResult) {
    printHead(step, result)
    StandardOutput.line("  what     \(result.whatHappened(step))")
    if result.window != nil {
        StandardOutput.line("  counts   \(result.countWords)")
        StandardOutput.line("  revenue  \(result.revenueWords)")
        StandardOutput.line("  rule     \(result.ruleWords)")
    }
    StandardOutput.line("  update   \(result.updateWords(step))")
}

private func printHead(_ step: HistoryStep, _ result: TrialResult) {
    let time: Message = step.writtenTime.map { "time \($0), " } ?? ""
    let day: Message = result.day(at: step.time).map { "day \($0), " } ?? ""
    let window: Message =
        result.window.map { "window \($0.rawValue)" }
        ?? (result.conversion.isRegistered ? "windows closed" : result.notBegun)
    StandardOutput.line("line \(step.number): \(time)\(day)\(window)")
}

extension TrialResult {
    fileprivate var notBegun: Message { model.isForReengagements ? "no re-engagement" : "not registered" }

    fileprivate func whatHappened(_ step: HistoryStep) -> Message {
        switch step.action {
        case .register:
            return "register"
        case .reengage:
            return "re-engagement"
        case .session(let revenue):
            return "session\(withRevenue(revenue))"
        case .event(let name, let revenue):
            let place = name.withUnsafeBytes { EventName($0) }.flatMap { model.place(of: $0) }
            let isMeasured = name.withUnsafeBytes { EventName($0) }.map { model.measures.names($0) } ?? false
            let unnamed: StaticString = window != nil && place == nil && !isMeasured ? ", which no rule names" : ""
            return "event \(escaped(name))\(unnamed)\(withRevenue(revenue))"
        case .revenue(let revenue):
            return words(revenue)
        }
    }

    private func withRevenue(_ revenue: HistoryRevenue?) -> Message {
        revenue.map { " with \(words($0))" } ?? ""
    }

    private func words(_ revenue: HistoryRevenue) -> Message {
        let kind: StaticString = revenue.isAd ? "ad revenue" : "IAP"
        return "\(kind) \(Message(utf8: revenue.amount)) \(escaped(revenue.currency))"
    }

    fileprivate var countWords: Message {
        let sessions = count(ofPlace: 0)
        var words: [Message] = ["\(sessions) session\(plural(UInt64(sessions)))"]
        for index in model.events.indices {
            let number = count(ofPlace: index + 1)
            if number > 0 { words.append("\(Message(writing: model.events[index].write)) \(number)") }
        }
        guard let window else { return listed(words) }
        for number in model.measures.list.indices {
            let measure = model.measures.list[number]
            let value = model.measured(number, conversion, window)
            if value == 0 { continue }
            let number: Message =
                measure.counting == .sum
                ? moneyWords(Money(units: value), model.currency) : "\(Int64(truncatingIfNeeded: value))"
            words.append("\(measure.nameWords) \(number)")
        }
        return listed(words)
    }

    fileprivate var revenueWords: Message {
        guard let window else { return "" }
        let uncounted = uncountedCurrencies.map { Message(writing: $0.write) }
        let others: Message = uncounted.isEmpty ? "" : "; no rate, counts as nothing: \(listed(uncounted))"
        if model.protocolVersion == .skan3 { return "\(total(.iap, .lifetime, window))\(others)" }
        let tap: Message = model.isForReengagements ? "since the tap \(sums(.conversion, window)); " : ""
        return "\(tap)window \(sums(.window, window)); lifetime \(sums(.lifetime, window))\(others)"
    }

    private func sums(_ scope: RevenueScope, _ window: Window) -> Message {
        "\(total(.iap, scope, window)) IAP + \(total(.ad, scope, window)) ads = \(total(nil, scope, window))"
    }

    private func total(_ kind: RevenueKind?, _ scope: RevenueScope, _ window: Window) -> Message {
        moneyWords(total(RevenueAxis(kind, scope), in: window), model.currency)
    }

    fileprivate var ruleWords: Message {
        guard let window, let part = model.window(window), rule != nil || coarseRule != nil else { return "none holds" }
        var words: [Message] = []
        if let rule {
            let conditions = model.conditions(ofRule: rule, of: Int(window.rawValue))
            words.append("\(rule), \(model.words(of: conditions)): \(part.rules[rule].valueWords)")
        }
        if let coarseRule {
            let conditions = model.conditions(ofCoarseRule: coarseRule)
            let value = part.coarseRules[coarseRule].valueWords
            words.append("coarse rule \(coarseRule), \(model.words(of: conditions)): \(value)")
        }
        return words.count == 2 ? "\(words[0]); \(words[1])" : words[0]
    }

    fileprivate func updateWords(_ step: HistoryStep) -> Message {
        if let update {
            let values = valueWords(fine: update.fine, coarse: update.coarse, locks: update.locksWindow)
            return "\(update.id): \(values)"
        }
        let name: Message = status == .ok ? "" : " (\(Message(utf8: [UInt8](status.name.bytes.dropFirst(5)))))"
        return "none: \(reason(step) ?? "")\(name)"
    }
}

private func escaped(_ text: [UInt8]) -> Message { text.withUnsafeBytes { escapedForTerminal($0) } }
