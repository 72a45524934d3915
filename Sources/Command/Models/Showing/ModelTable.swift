import SKANCommandOutput
import SKANCore

/// Prints the table of `skan model table`: every value and its meaning.
@export(interface)
package func printModelTable(_ file: ModelFile) {
    printHead(file)
    printMeasures(file.model)
    for window in file.model.windows.indices { printWindow(window, of: file.model) }
}

private func printHead(_ file: ModelFile) {
    let model = file.model
    let currency = Message(writing: model.currency.write)
    let revenue: Message = model.asksRevenue ? ", revenue in \(currency)" : ""
    let raising: StaticString = model.raiseOnly || model.protocolVersion == .skan3 ? ", values are only raised" : ""
    StandardOutput.line(
        "\(Message(utf8: model.id)), SKAN \(model.protocolVersion.rawValue)\(revenue)\(raising)")
    if model.asksRevenue {
        let rates: [Message] = file.rates.filter { !$0.isOf(model.currency) }.map {
            "1 \($0.currency) = \($0.rate) \(currency)"
        }
        StandardOutput.line(
            rates.isEmpty
                ? "Other currencies count as nothing."
                : "\(listed(rates)); other currencies count as nothing.")
    }
    let range: StaticString = model.asksRevenue ? "; a range of money ends below its second amount" : ""
    StandardOutput.line("In each window the last rule that holds wins\(range).")
}

private func printMeasures(_ model: ConversionModel) {
    if model.measures.isEmpty { return }
    StandardOutput.line("\nmeasures")
    for measure in model.measures.list {
        StandardOutput.line("  \(measure.nameWords): \(model.words(of: measure))")
    }
}

private func printWindow(_ window: Int, of model: ConversionModel) {
    StandardOutput.line("\nwindow \(window), \(model.windowWords(window))")
    let rules = model.windows[window].rules
    let coarseList = model.windows[window].coarseList
    if rules.isEmpty, coarseList == nil { return StandardOutput.line("  no rules: it gets no value") }
    let isFirst = window == 0
    let hasCoarse = model.protocolVersion == .skan4 && coarseList == nil
    let fine: StaticString = isFirst ? "fine" : ""
    let coarse: StaticString = !hasCoarse ? "" : isFirst ? "  coarse" : "coarse"
    StandardOutput.line("  \(fine)\(coarse)")
    if isFirst, model.registrationRule == nil {
        let none: StaticString = hasCoarse ? "-       " : ""
        StandardOutput.line("     \(registrationFine)  \(none)only registered")
    }
    for number in rules.indices { StandardOutput.line(model.line(ofRule: number, of: window)) }
    if isFirst { printFineOfCoarse(rules) }
    let unused = UnusedValues(model, window: window)
    if !unused.fine.isEmpty { StandardOutput.line("  not used: fine \(numberWords(unused.fine))") }
    if let coarseList { printCoarseRules(coarseList.rules, of: model) }
    for value in unused.coarse { StandardOutput.line("  not used: coarse \(coarseName(UInt8(value)))") }
}

extension ConversionModel {
    fileprivate func line(ofRule number: Int, of window: Int) -> Message {
        let rule = windows[window].rules[number]
        let fine: Message = window > 0 ? "" : "\(padded("\(rule.fine ?? 0)", to: 4, atRight: true))  "
        let coarse: Message =
            protocolVersion == .skan3 || windows[window].coarseList != nil
            ? "" : "\(padded("\(rule.coarse.map { coarseName($0) } ?? "-")", to: 6))  "
        let meaning = words(of: conditions(ofRule: number, of: window))
        let lock: StaticString = rule.locksWindow ? "; locks the window" : ""
        let isShared = window == 0 && number == registrationRule && sharesRegistrationValue
        let registered: StaticString = isShared ? "; or only registered" : ""
        return "  \(fine)\(coarse)\(meaning)\(lock)\(registered)"
    }
}

/// Prints the rules of window 0 that decide the coarse value separately from the fine one.
private func printCoarseRules(_ rules: [ModelRule], of model: ConversionModel) {
    StandardOutput.line("  coarse")
    for number in rules.indices {
        let rule = rules[number]
        let name = padded("\(rule.coarse.map { coarseName($0) } ?? "-")", to: 6)
        let lock: StaticString = rule.locksWindow ? "; locks the window" : ""
        StandardOutput.line("  \(name)  \(model.words(of: model.conditions(ofCoarseRule: number)))\(lock)")
    }
}

/// Prints, for each coarse value, the fine values that a postback of window 0 can stand for if it carries only that
/// coarse value.
private func printFineOfCoarse(_ rules: [ModelRule]) {
    for coarse in UInt8(0)..<3 {
        let fine = rules.filter { $0.coarse == coarse }.compactMap { $0.fine }.map { Int($0) }
        let distinct = Array(Set(fine)).sorted()
        if fine.isEmpty { continue }
        let name = padded("\(coarseName(coarse))", to: 6)
        StandardOutput.line("  coarse \(name)  fine \(numberWords(distinct))")
    }
}
