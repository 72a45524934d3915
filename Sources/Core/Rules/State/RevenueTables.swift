/// Rules, "Revenue tables": tables of exact totals by currency. IAP and ad revenue each have one table for the lifetime
/// and one for each window.

/// The source of revenue: purchases, or ad monetization ("admon").
package enum RevenueKind: UInt8, Sendable {
    case iap = 0
    case ad = 1
}

/// One of the eight revenue tables. Their numbers are part of the record's format.
package struct RevenueTable: Equatable, Sendable {
    package let number: UInt8

    package static var count: UInt8 { 2 &* (UInt8(truncatingIfNeeded: Window.count) &+ 1) }

    @inline(__always)
    package static func lifetime(_ kind: RevenueKind) -> RevenueTable { RevenueTable(number: kind.rawValue) }

    @inline(__always)
    package static func window(_ window: Window, _ kind: RevenueKind) -> RevenueTable {
        RevenueTable(number: 2 &+ window.rawValue &* 2 &+ kind.rawValue)
    }
}

/// The total for one currency in one table.
package struct RevenueTotal: Sendable {
    /// The table's number in the high byte, and the currency below it. Sorting by this key sorts by table, then by
    /// currency.
    package let key: UInt32
    package var total: Money

    @inline(__always)
    package init(key: UInt32, total: Money) {
        self.key = key
        self.total = total
    }

    @inline(__always)
    package static func key(_ table: RevenueTable, _ currency: Currency) -> UInt32 {
        UInt32(table.number) << 24 | currency.code
    }

    package var currency: Currency? { Currency(code: key & 0xFF_FFFF) }

    package var isLifetime: Bool { key >> 24 <= UInt32(RevenueTable.lifetime(.ad).number) }
}

/// All totals of an install, sorted by key. Most installs have few, which need no allocation.
package struct RevenueTables: Sendable {
    package private(set) var count = 0
    /// The totals, if there are at most six.
    private var few: InlineArray<6, RevenueTotal>
    /// The totals, if there are more than six.
    private var many: [RevenueTotal] = []

    @inline(__always)
    package init() { few = InlineArray(repeating: RevenueTotal(key: 0, total: .zero)) }

    package var isEmpty: Bool { count == 0 }

    /// Calls `body` with all totals, sorted by key.
    @inline(__always)
    package func withTotals<Result>(_ body: (Span<RevenueTotal>) throws(Never) -> Result) -> Result {
        if count <= few.count { return body(few.span.extracting(0..<count)) }
        return body(many.span)
    }

    private subscript(index: Int) -> RevenueTotal { count <= few.count ? few[index] : many[index] }

    /// Whether the total at an index has a greater key than the one before it, and a smaller one than the next.
    private func isInPlace(_ index: Int) -> Bool {
        (index == 0 || self[index - 1].key < self[index].key)
            && (index + 1 == count || self[index].key < self[index + 1].key)
    }

    /// Calls `body` with each total, without the copy that a span needs. It is mutating only to avoid that copy.
    @inline(__always)
    mutating func forEachInPlace(_ body: (RevenueTotal) -> Void) {
        if count <= few.count {
            for index in 0..<count { body(few[index]) }
        } else {
            for total in many { body(total) }
        }
    }

    /// Calls `body` with the totals of one table, sorted by currency.
    package func withTotals<Result>(
        of table: RevenueTable, _ body: (Span<RevenueTotal>) throws(Never) -> Result
    ) -> Result {
        withTotals { totals in body(totals.extracting(RevenueTables.part(totals, table))) }
    }

    /// The range of a table's totals among all totals.
    @inline(__always)
    package static func part(_ totals: Span<RevenueTotal>, _ table: RevenueTable) -> Range<Int> {
        let number = UInt32(table.number)
        var start = 0
        while start < totals.count, totals[start].key >> 24 < number { start &+= 1 }
        var end = start
        while end < totals.count, totals[end].key >> 24 == number { end &+= 1 }
        return start..<end
    }

    /// Nil if the table has no total of this currency.
    package func total(_ table: RevenueTable, _ currency: Currency) -> Money? {
        let key = RevenueTotal.key(table, currency)
        let index = withTotals { RevenueTables.position(key, in: $0) }
        guard index < count else { return nil }
        return self[index].key == key ? self[index].total : nil
    }

    /// The index of the first total whose key is not below `key`.
    @inline(__always)
    private static func position(_ key: UInt32, in totals: Span<RevenueTotal>) -> Int {
        var low = 0
        var high = totals.count
        while high &- low > 8 {
            let middle = (low &+ high) / 2
            if totals[middle].key < key { low = middle &+ 1 } else { high = middle }
        }
        while low < high, totals[low].key < key { low &+= 1 }
        return low
    }

    /// Appends a total whose key must be above all others, as is the case when a record or a document is read.
    @inline(__always)
    package mutating func append(_ total: RevenueTotal) {
        if count < few.count {
            few[count] = total
            count &+= 1
        } else {
            insertAmongMany(total, at: count)
        }
        assert(isInPlace(count - 1))
    }

    @inline(never)
    private mutating func insertAmongMany(_ total: RevenueTotal, at index: Int) {
        if count == few.count {
            many.reserveCapacity(2 &* few.count)
            for index in 0..<few.count { many.append(few[index]) }
        }
        many.insert(total, at: index)
        count &+= 1
        assert(many.count == count && isInPlace(index))
    }

    /// Adds an amount to a table. If that would exceed a limit, changes nothing and returns the limit.
    package mutating func add(_ amount: Money, _ currency: Currency, to table: RevenueTable) -> RevenueLimit? {
        let key = RevenueTotal.key(table, currency)
        guard count <= few.count else { return addAmongMany(amount, key, table) }
        guard amount.isWithinLimit else { return .total }
        let index = withTotals { RevenueTables.position(key, in: $0) }
        if index < count, few[index].key == key {
            guard let sum = few[index].total.adding(amount) else { return .total }
            few[index].total = sum
            return nil
        }
        let total = RevenueTotal(key: key, total: amount)
        guard count < few.count else {
            insertAmongMany(total, at: index)
            return nil
        }
        var place = count
        while place > index {
            few[place] = few[place &- 1]
            place &-= 1
        }
        few[index] = total
        count &+= 1
        assert(isInPlace(index))
        return nil
    }

    private mutating func addAmongMany(_ amount: Money, _ key: UInt32, _ table: RevenueTable) -> RevenueLimit? {
        let index = RevenueTables.position(key, in: many.span)
        if index < count, many[index].key == key {
            guard let sum = many[index].total.adding(amount) else { return .total }
            many[index].total = sum
            return nil
        }
        guard hasRoom(table) else { return .currencies }
        guard amount.isWithinLimit else { return .total }
        insertAmongMany(RevenueTotal(key: key, total: amount), at: index)
        return nil
    }

    /// Undoes a call of `add`. `before` is the number of totals before that call.
    package mutating func takeBack(_ amount: Money, _ currency: Currency, from table: RevenueTable, count before: Int) {
        assert(count == before || count == before + 1)
        let key = RevenueTotal.key(table, currency)
        let index = withTotals { RevenueTables.position(key, in: $0) }
        guard index < count, self[index].key == key else { return }
        if count > before {
            remove(at: index)
        } else if count <= few.count {
            few[index].total.units &-= amount.units
        } else {
            many[index].total.units &-= amount.units
        }
    }

    private mutating func remove(at index: Int) {
        if count <= few.count {
            for place in index..<(count &- 1) { few[place] = few[place &+ 1] }
        } else {
            many.remove(at: index)
            if many.count == few.count {
                for place in 0..<few.count { few[place] = many[place] }
                many = []
            }
        }
        count &-= 1
    }

    private func hasRoom(_ table: RevenueTable) -> Bool {
        withTotals { RevenueTables.part($0, table).count < Limits.currencies }
    }
}

/// A limit that adding an amount would exceed. Rules, "Revenue tables", lists the limits.
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

/// Revenue in JSON: amounts are plain decimal numbers, currencies are keys or strings.
extension JSONWriter {
    @inline(never)
    package mutating func money(_ money: Money) { json { money.write(to: &$0) } }

    @inline(never)
    package mutating func currency(_ currency: Currency) { string { currency.write(to: &$0) } }

    /// Writes an object of amounts by currency, sorted by currency.
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
