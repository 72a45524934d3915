internal import SKANCore

/// A rate that costs in one currency were converted by.
struct CostRate {
    let currency: Currency
    /// The value of one unit in the report's currency, in 10⁻¹².
    let rate: Money
    let model: ConversionModel

    /// "Costs in EUR were converted to USD at 1.09, a rate of model "game" (version 3fa9c1d2e4b6)."
    func sentence(to currency: Message) -> Message {
        let version = Message(utf8: [UInt8](Message(writing: model.version.write).utf8.prefix(12)))
        return """
            Costs in \(Message(writing: self.currency.write)) were converted to \(currency) at \(rate.shortestText), \
            the rate of model "\(Message(utf8: model.id))" (version \(version)).
            """
    }
}

extension Money {
    /// The rate without trailing zeros: "1.09", "156".
    var shortestText: Message {
        var text = text(places: Money.decimals).utf8
        while text.last == UInt8(ascii: "0") { text.removeLast() }
        if text.last == UInt8(ascii: ".") { text.removeLast() }
        return Message(utf8: text)
    }
}
