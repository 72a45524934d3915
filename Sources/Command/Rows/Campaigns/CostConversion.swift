package import SKANCommandOutput
package import SKANCore

extension Campaigns {
    /// Converts the costs to the models' currency. If several models have a rate for a currency, the model given last
    /// counts. `name`: the file's name, for messages. Throws if there is no rate for a cost, if a converted cost is too
    /// large, or if a cost has no currency although the file uses several.
    @export(interface)
    package mutating func convertCosts(_ models: RevenueModels, name: Message) throws(CommandEnd) {
        var told: [(currency: Currency, line: UInt64)] = []
        for row in rows.sorted(by: { $0.line < $1.line }) {
            guard let currency = row.currency, !told.contains(where: { $0.currency == currency }) else { continue }
            told.append((currency, row.line))
        }
        guard let target = models.currency ?? told.first?.currency else { return }
        let usual = told.isEmpty ? target : told.count == 1 ? told[0].currency : nil
        var costs = CostsInOneCurrency(target, models)
        var fault: (line: UInt64, why: Message)?
        for row in rows {
            guard let cost = row.cost else {
                costs.amounts.append(nil)
                continue
            }
            guard let currency = row.currency ?? usual else {
                fault = earlier(fault, row, missing(told))
                continue
            }
            guard let rate = costs.rate(of: currency) else {
                fault = earlier(fault, row, unrated(currency, told, models))
                continue
            }
            let converted = Money(units: product(cost.units, rate.units))
            if !converted.isPlain { fault = earlier(fault, row, "the cost is too large once it is converted") }
            costs.amounts.append(converted)
        }
        if let fault { throw .complaint(name, "line \(fault.line): \(fault.why)") }
        takeCosts(costs)
    }
}

// MARK: What is wrong

private typealias CostFault = (line: UInt64, why: Message)

/// Returns the fault that comes first in the file: `fault`, or the fault of `row` for the reason `why`.
private func earlier(_ fault: CostFault?, _ row: CampaignRow, _ why: Message) -> CostFault {
    guard let fault, fault.line < row.line else { return (row.line, why) }
    return fault
}

private func missing(_ told: [(currency: Currency, line: UInt64)]) -> Message {
    "expected a currency, since the file has costs in several: \(list(told.map { $0.currency }))"
}

private func unrated(
    _ currency: Currency, _ told: [(currency: Currency, line: UInt64)], _ models: RevenueModels
) -> Message {
    let letters = Message(writing: currency.write)
    guard let own = models.currency else {
        let (first, line) = told.first.map { ($0.currency, $0.line) } ?? (currency, 0)
        return """
            expected a cost in \(Message(writing: first.write)) as in line \(line), got \(letters); give --model FILE \
            with rates of these currencies, and costs are converted
            """
    }
    return """
        there is no rate to convert the cost from \(letters) to \(Message(writing: own.write)): expected \
        \(list(models.ratedCurrencies)), which the models given have; give the cost in one of these, or a --model FILE \
        whose "rates" have \(letters)
        """
}

/// The currencies as a list in words: "EUR, JPY or USD".
private func list(_ currencies: [Currency]) -> Message {
    var list: Message = ""
    for (place, currency) in currencies.enumerated() {
        let separator: StaticString = place == 0 ? "" : place + 1 < currencies.count ? ", " : " or "
        list = "\(list)\(separator)\(Message(writing: currency.write))"
    }
    return list
}
