/// SPEC §1: revenue by currency, IAP and ad, lifetime and per window: eight tables of exact totals.

/// Purchases, or ad monetization ("admon").
package enum RevenueKind: UInt8, Sendable {
    case iap = 0
    case ad = 1
}

/// One of the eight tables. The numbers are part of the record's format.
package struct RevenueTable: Equatable, Sendable {
    package let number: UInt8

    package static var count: UInt8 { 8 }

    @inline(__always)
    package static func lifetime(_ kind: RevenueKind) -> RevenueTable { RevenueTable(number: kind.rawValue) }

    @inline(__always)
    package static func window(_ window: Window, _ kind: RevenueKind) -> RevenueTable {
        RevenueTable(number: 2 &+ window.rawValue &* 2 &+ kind.rawValue)
    }
}

/// The total of one currency in one table.
package struct RevenueTotal: Sendable {
    /// Table number in the high byte, the currency below: ordered by table, then alphabetically.
    package let key: UInt32
    package var total: Money

    package init(key: UInt32, total: Money) {
        self.key = key
        self.total = total
    }

    package var currency: Currency? { Currency(code: key & 0xFF_FFFF) }
}

/// All totals of an install, sorted by key.
package struct RevenueTables: Sendable {
    package private(set) var totals: [RevenueTotal] = []

    package init() {}

    /// Totals as a record or a document holds them; the caller has checked that they are sorted and without doubles.
    package init(sorted totals: [RevenueTotal]) { self.totals = totals }

    package var isEmpty: Bool { totals.isEmpty }

    @inline(__always)
    package static func key(_ table: RevenueTable, _ currency: Currency) -> UInt32 {
        UInt32(table.number) << 24 | currency.code
    }

    /// The totals of one table, in the order of currencies.
    package subscript(table: RevenueTable) -> ArraySlice<RevenueTotal> {
        let start = position(UInt32(table.number) << 24)
        var end = start
        while end < totals.count, totals[end].key >> 24 == UInt32(table.number) { end &+= 1 }
        return totals[start..<end]
    }

    /// The total of one currency, nil where the table has none.
    package func total(_ table: RevenueTable, _ currency: Currency) -> Money? {
        let key = RevenueTables.key(table, currency)
        let index = position(key)
        return index < totals.count && totals[index].key == key ? totals[index].total : nil
    }

    /// The first position whose key is not below `key`.
    @inline(__always)
    private func position(_ key: UInt32) -> Int {
        var low = 0
        var high = totals.count
        while low < high {
            let middle = (low &+ high) / 2
            if totals[middle].key < key { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// Adds an amount to a table. Says what stands in the way, where something does; then nothing is changed.
    package mutating func add(_ amount: Money, _ currency: Currency, to table: RevenueTable) -> RevenueLimit? {
        let key = RevenueTables.key(table, currency)
        let index = position(key)
        if index < totals.count, totals[index].key == key {
            guard let sum = totals[index].total.adding(amount) else { return .total }
            totals[index].total = sum
        } else {
            guard self[table].count < Limits.currencies else { return .currencies }
            guard amount.isWithinLimit else { return .total }
            totals.insert(RevenueTotal(key: key, total: amount), at: index)
        }
        return nil
    }
}

/// A limit of SPEC §2 that an amount would break.
package enum RevenueLimit {
    case currencies
    case total

    package var description: Message {
        switch self {
        case .currencies: "a revenue table holds at most \(Limits.currencies) currencies"
        case .total: "a revenue total stays below 1e18"
        }
    }
}
