/// Rules, "Model decision": which rule of a conversion model holds for an install.
extension ConversionModel {
    /// Rules, "Model counts": days since the first call, the first day is 0, also where the clock went back; not before
    /// the window that is counted.
    package func day(of conversion: borrowing Conversion, now: Int64) -> Int64 {
        max(0, (conversion.modelTime(now) &- (conversion.first ?? now)) / 86_400)
    }

    /// The number of the last rule that holds for a conversion, -1 where none does.
    package func winner(
        _ conversion: borrowing Conversion, _ tables: borrowing RevenueTables, _ progress: InstallModel,
        _ window: Window, now: Int64
    ) -> Int {
        guard let rules = self.window(window), !rules.rules.isEmpty else { return -1 }
        let day = day(of: conversion, now: now)
        // Read in place, many times: what `CountCondition` names, and what `RevenueAxis` names.
        return withUnsafeTemporaryAllocation(of: Int64.self, capacity: CountCondition.axes) { counts in
            withUnsafeTemporaryAllocation(of: Int128.self, capacity: Int(RevenueAxis.count)) { revenue in
                for place in 0...events.count { counts[place] = Int64(progress.count(place, in: window)) }
                counts[CountCondition.day] = day
                for number in 0..<RevenueAxis.count {
                    let axis = RevenueAxis(number: number)
                    let isAsked = rules.revenueAxes & axis.bit != 0
                    revenue[Int(number)] = isAsked ? total(axis, of: tables, in: window) : 0
                }
                return rules.winner(UnsafeBufferPointer(counts), UnsafeBufferPointer(revenue))
            }
        }
    }
}

extension ModelWindow {
    fileprivate func winner(_ counts: UnsafeBufferPointer<Int64>, _ revenue: UnsafeBufferPointer<Int128>) -> Int {
        let rules = rules.span
        let conditions = conditions.span
        var number = rules.count
        while number > 0 {
            number &-= 1
            var holds = true
            for index in rules[number].conditions {
                let value = counts[conditions[index].axis]
                guard value >= conditions[index].min, value < conditions[index].max else {
                    holds = false
                    break
                }
            }
            guard holds else { continue }
            guard let condition = rules[number].revenue else { return number }
            let value = revenue[Int(condition.axis.number)]
            if value >= condition.min, value < condition.max { return number }
        }
        return -1
    }
}

extension ConversionModel {
    /// Rules, "Model revenue": revenue in units of the model's currency. A currency without a rate counts as nothing.
    package func total(_ axis: RevenueAxis, of tables: borrowing RevenueTables, in window: Window) -> Int128 {
        func table(_ kind: RevenueKind) -> RevenueTable {
            axis.isLifetime ? .lifetime(kind) : .window(window, kind)
        }
        return tables.withTotals { totals in
            var sum: Int128 = 0
            switch axis.kind {
            case let kind?:
                for index in RevenueTables.part(totals, table(kind)) {
                    sum &+= converted(totals[index].key, totals[index].total.units)
                }
            case nil:
                // Each currency's total of both kinds is rounded once.
                let ad = RevenueTables.part(totals, table(.ad))
                var position = ad.lowerBound
                for index in RevenueTables.part(totals, table(.iap)) {
                    let currency = totals[index].key & 0xFF_FFFF
                    while position < ad.upperBound, totals[position].key & 0xFF_FFFF < currency {
                        sum &+= converted(totals[position].key, totals[position].total.units)
                        position &+= 1
                    }
                    var units = totals[index].total.units
                    if position < ad.upperBound, totals[position].key & 0xFF_FFFF == currency {
                        units &+= totals[position].total.units
                        position &+= 1
                    }
                    sum &+= converted(currency, units)
                }
                while position < ad.upperBound {
                    sum &+= converted(totals[position].key, totals[position].total.units)
                    position &+= 1
                }
            }
            return sum
        }
    }

    /// What one of a currency counts, nil for one without a rate.
    package func rate(of currency: Currency) -> Int128? {
        if currency == self.currency { return Money.scale }
        var (low, high) = (0, rates.count)
        while low < high {
            let middle = (low &+ high) / 2
            if rates[middle].currency < currency { low = middle &+ 1 } else { high = middle }
        }
        return low < rates.count && rates[low].currency == currency ? rates[low].units : nil
    }

    /// A total by its key in a table, as an amount of the model's currency.
    @inline(__always)
    private func converted(_ key: UInt32, _ units: Int128) -> Int128 {
        guard let currency = Currency(code: key & 0xFF_FFFF), let rate = rate(of: currency) else { return 0 }
        return rate == Money.scale ? units : product(units, rate)
    }
}

/// Units times a rate, rounded half-even to units. Beyond ±10³⁶ units, far above what rules can ask for, it stays
/// there, so that a sum over all currencies has room.
package func product(_ units: Int128, _ rate: Int128) -> Int128 {
    assert(rate >= 0)
    let scale: UInt64 = 1_000_000_000_000
    let limit: UInt128 = UInt128(scale) * UInt128(scale) * UInt128(scale)
    let (high, low) = units.magnitude.multipliedFullWidth(by: rate.magnitude)
    // Long division, a word at a time. Totals and rates have at most 181 bits together.
    let (top, first) = UInt64(truncatingIfNeeded: high).quotientAndRemainder(dividingBy: scale)
    let (middle, second) = scale.dividingFullWidth((first, UInt64(truncatingIfNeeded: low >> 64)))
    let (bottom, rest) = scale.dividingFullWidth((second, UInt64(truncatingIfNeeded: low)))
    var quotient = (UInt128(middle) << 64 | UInt128(bottom)).roundedHalfEven(CutPart(rest, of: scale))
    if top > 0 || quotient > limit { quotient = limit }
    let magnitude = Int128(truncatingIfNeeded: quotient)
    return units < 0 ? -magnitude : magnitude
}
