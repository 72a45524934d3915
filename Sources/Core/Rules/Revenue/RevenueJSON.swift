/// Revenue in JSON: amounts are plain decimal numbers, currencies keys or texts.
extension JSONWriter {
    @inline(never)
    package mutating func money(_ money: Money) { json { money.write(to: &$0) } }

    @inline(never)
    package mutating func currency(_ currency: Currency) { string { currency.write(to: &$0) } }

    /// An object of amounts by currency, in the order of currencies.
    package mutating func table(_ table: Span<RevenueTotal>) {
        beginObject()
        for index in table.indices {
            guard let currency = table[index].currency else { continue }
            key { currency.write(to: &$0) }
            money(table[index].total)
        }
        endObject()
    }
}
