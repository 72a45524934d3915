import SKANCore

/// Returns an amount in words, such as "$5" or "5 EUR".
func moneyWords(_ money: Money, _ currency: Currency) -> Message {
    let amount = amountWords(money, currency)
    return currency.isDollar ? amount : "\(amount) \(Message(writing: currency.write))"
}

/// Returns a range of revenue in words, such as "$5 to $10 lifetime IAP" or "$5 to $10 IAP since the tap".
func revenueWords(_ revenue: ModelCondition, _ axis: RevenueAxis, _ currency: Currency) -> Message {
    let scope: StaticString = axis.isLifetime ? " lifetime" : ""
    let since: StaticString = axis.scope == .conversion ? " since the tap" : ""
    let noun: StaticString =
        switch axis.kind {
        case .iap: "IAP"
        case .ad: "ad revenue"
        case nil: "revenue"
        }
    return "\(rangeWords(revenue, currency))\(scope) \(noun)\(since)"
}

/// Returns a range of money in words, such as "$5 to $10".
func rangeWords(_ range: ModelCondition, _ currency: Currency) -> Message {
    switch (range.leastAmount, range.endAmount) {
    case (let least?, let end?): "\(amountWords(least, currency)) to \(moneyWords(end, currency))"
    case (let least?, nil): "\(moneyWords(least, currency)) or more"
    case (nil, let end?): "less than \(moneyWords(end, currency))"
    case (nil, nil): "any"
    }
}

private func amountWords(_ money: Money, _ currency: Currency) -> Message {
    let amount = Message(writing: money.write)
    if !currency.isDollar { return amount }
    return money.units < 0 ? "-$\(Message(utf8: [UInt8](amount.utf8.dropFirst())))" : "$\(amount)"
}

extension Currency {
    fileprivate var isDollar: Bool { Message(writing: write).utf8 == [UInt8](StaticString("USD").bytes) }
}
