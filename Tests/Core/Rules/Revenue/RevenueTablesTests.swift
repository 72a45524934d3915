import SKANCore
import Testing

/// Rules, "Revenue tables": eight tables of exact totals, at most 64 currencies each. Vectors fill the lifetime table
/// of purchases. These tests alone fill each of the eight, mix many currencies, and judge every byte of a currency's
/// name.
struct RevenueTablesTests {
    private func contents(_ tables: RevenueTables, _ table: RevenueTable) -> [(String, Int128)] {
        tables.withTotals(of: table) { totals in
            totals.indices.map { index in
                (written { totals[index].currency?.write(to: &$0) }, totals[index].total.units)
            }
        }
    }

    @Test func aTableHolds64CurrenciesAndStillTakesTheirAmounts() {
        for table in RevenueTable.all {
            var tables = RevenueTables()
            for number in 0..<64 {
                #expect(tables.add(Money(units: Int128(number)), .number(63 - number), to: table) == nil)
            }
            guard case .currencies = tables.add(Money(units: 1), .number(64), to: table) else {
                Issue.record("a 65th currency in table \(table.number)")
                continue
            }
            #expect(tables.count == 64)
            #expect(tables.total(table, .number(64)) == nil)
            #expect(tables.add(Money(units: 5), .number(63), to: table) == nil)
            #expect(tables.total(table, .number(63))?.units == 5)
            // The other tables have room of their own.
            for other in RevenueTable.all where other != table {
                #expect(tables.add(Money(units: 1), .number(700), to: other) == nil)
            }
        }
    }

    @Test(arguments: [0, 1, 5, 6, 7, 20])
    func aTotalStaysBelow1e18AndARefusedAmountChangesNothing(others: Int) {
        var tables = RevenueTables()
        for number in 0..<others { _ = tables.add(Money(units: 1), .number(number), to: .lifetime(.iap)) }
        let euro = Currency.number(500)
        let most = Money(units: Money.limit - 1)
        guard case .total = tables.add(Money(units: Money.limit), euro, to: .lifetime(.ad)) else {
            Issue.record("an amount of 1e18")
            return
        }
        #expect(tables.total(.lifetime(.ad), euro) == nil)
        #expect(tables.add(most, euro, to: .lifetime(.ad)) == nil)
        guard case .total = tables.add(Money(units: 1), euro, to: .lifetime(.ad)) else {
            Issue.record("a total of 1e18")
            return
        }
        #expect(tables.total(.lifetime(.ad), euro) == most)
        #expect(tables.add(Money(units: -2 * (Money.limit - 1) / 2), euro, to: .lifetime(.ad)) == nil)
        // What comes back to 0 stays.
        #expect(tables.total(.lifetime(.ad), euro) == .zero)
        #expect(contents(tables, .lifetime(.ad)).count == 1)
        #expect(tables.count == others + 1)
    }

    @Test func anyOrderOfAmountsGivesTheSameTotals() {
        var chance = Chance(12)
        for currencies in [1, 3, 6, 7, 8, 30, 64] {
            var tables = RevenueTables()
            var model: [UInt8: [String: Int128]] = [:]
            for _ in 0..<600 {
                let table = RevenueTable.all[chance.number(0...7)]
                let currency = Currency.number(chance.number(0...currencies - 1) * 7)
                let amount = Money(units: Int128(chance.number(-1_000_000...1_000_000)))
                #expect(tables.add(amount, currency, to: table) == nil)
                let name = written { currency.write(to: &$0) }
                model[table.number, default: [:]][name, default: 0] += amount.units
                expect(tables.total(table, currency)?.units == model[table.number]?[name], "\(name)")
            }
            #expect(tables.count == model.values.reduce(0) { $0 + $1.count })
            for table in RevenueTable.all {
                let expected = (model[table.number] ?? [:]).sorted { $0.key < $1.key }
                let found = contents(tables, table)
                #expect(found.map(\.0) == expected.map(\.key))
                #expect(found.map(\.1) == expected.map(\.value))
            }
        }
    }

    @Test func aCurrencyIsThreeASCIILetters() {
        func name(_ text: String) -> String? {
            text.withBytes { Currency($0) }.map { currency in written { currency.write(to: &$0) } }
        }
        for text in ["USD", "eur", "gBp", "AZz"] { #expect(name(text) == text.uppercased()) }
        for text in ["", "U", "US", "USDT", " USD"] { #expect(name(text) == nil, "\(text)") }
        // Every byte at every place.
        for byte in UInt8(0)...255 {
            let isLetter = (65...90).contains(byte) || (97...122).contains(byte)
            for place in 0..<3 {
                var text: [UInt8] = [65, 66, 67]
                text[place] = byte
                expect((text.withUnsafeBytes { Currency($0) } != nil) == isLetter, "byte \(byte) at \(place)")
            }
        }
    }
}
