package import SKANCore

/// A rate at which costs in one currency were converted.
package struct CostRate {
    package let currency: Currency
    /// The value of one unit of the currency, in the report's currency.
    package let rate: Money
    package let model: ConversionModel

    /// A sentence about the rate: "Costs in EUR were converted to USD at 1.09, the rate of model "game" (version
    /// 3fa9c1d2e4b6)."
    package func sentence(to currency: Message) -> Message {
        let version = Message(utf8: [UInt8](Message(writing: model.version.write).utf8.prefix(12)))
        return """
            Costs in \(Message(writing: self.currency.write)) were converted to \(currency) at \(rate.shortestText), \
            the rate of model "\(Message(utf8: model.id))" (version \(version)).
            """
    }
}

extension Money {
    /// The amount without trailing zeros, as rates are written: "1.09", "156".
    package var shortestText: Message {
        var text = text(places: Money.decimals).utf8
        while text.last == UInt8(ascii: "0") { text.removeLast() }
        if text.last == UInt8(ascii: ".") { text.removeLast() }
        return Message(utf8: text)
    }
}
