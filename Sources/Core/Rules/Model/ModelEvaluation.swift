/// Rules, "Model decision", "Coarse rules": finds the rules of a conversion model whose conditions a conversion meets.
/// `reengagement`: the re-engagement that has the conversion, whose own revenue then counts; nil for an install's
/// conversion.
extension ConversionModel {
    /// Returns the winning rule of each list of the window's rules: the last one whose conditions are met.
    package func winners(
        _ conversion: borrowing Conversion, _ tables: borrowing RevenueTables, _ reengagement: Reengagement? = nil,
        in window: Window, at now: Int64
    ) -> WinningRules {
        let number = Int(window.rawValue)
        guard number < windows.count else { return WinningRules(rule: -1, coarseRule: -1) }
        let rule = winner(windows[number].index, conversion, tables, reengagement, window, now)
        guard let coarse = windows[number].coarseIndex else { return WinningRules(rule: rule, coarseRule: -1) }
        return WinningRules(rule: rule, coarseRule: winner(coarse, conversion, tables, reengagement, window, now))
    }

    private func winner(
        _ index: RuleIndex, _ conversion: borrowing Conversion, _ tables: borrowing RevenueTables,
        _ reengagement: Reengagement?, _ window: Window, _ now: Int64
    ) -> Int {
        var holding = RuleSet(first: index.ruleCount)
        for axis in index.axes {
            let value = value(axis.axis, conversion, tables, reengagement, window, now)
            holding.formIntersection(index.rules(axis, taking: value))
        }
        return holding.last
    }

    /// The value of a conversion on an axis, for example its number of sessions.
    @inline(__always)
    func value(
        _ axis: ModelAxis, _ conversion: borrowing Conversion, _ tables: borrowing RevenueTables,
        _ reengagement: Reengagement?, _ window: Window, _ now: Int64
    ) -> Int128 {
        switch axis.subject {
        case .count(let place): Int128(conversion.model?.count(place, in: window) ?? 0)
        case .time: Int128(hours(of: conversion, now: now))
        case .revenue(let axis): total(axis, of: tables, reengagement, in: window)
        case .measure(let number): measured(number, conversion, window)
        }
    }

    /// The value of a measure: units of money, or a count.
    package func measured(_ number: Int, _ conversion: borrowing Conversion, _ window: Window) -> Int128 {
        let measure = measures.list[number]
        guard let value = conversion.model?.measure(number, isLifetime: measure.isLifetime, in: window) else {
            return 0
        }
        return measure.counting == .sum ? value.units : Int128(value.count)
    }

    /// Rules, "Model counts": the hours since the first call. They are 0 if the clock is before the first call, and
    /// never less than at the start of the latest window in which anything was counted or updated.
    package func hours(of conversion: borrowing Conversion, now: Int64) -> Int64 {
        max(0, (conversion.time(now) &- (conversion.first ?? now)) / 3600)
    }
}

/// The numbers of the winning rules: in each list of a window's rules, the last one whose conditions are met.
package struct WinningRules: Sendable {
    /// -1 if no rule wins.
    package let rule: Int
    /// The number of the winning coarse rule; -1 if none wins or the window has no coarse rules.
    package let coarseRule: Int
}

extension ConversionModel {
    /// Rules, "Model revenue": the total revenue on an axis, in units of the model's currency. Revenue in a currency
    /// without a rate counts as nothing. For a re-engagement it is the revenue credited to it, except that lifetime
    /// revenue is that of the install.
    package func total(
        _ axis: RevenueAxis, of tables: borrowing RevenueTables, _ reengagement: Reengagement? = nil, in window: Window
    ) -> Int128 {
        if let reengagement, !axis.isLifetime { return reengagement.total(axis, in: window) }
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
                // The sum of both kinds is rounded once for each currency.
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

    /// An amount in units of the model's currency, rounded half-even; nil for a currency without a rate.
    @inline(never)
    func converted(_ amount: Money, _ currency: Currency) -> Int128? {
        guard let rate = rate(of: currency) else { return nil }
        return rate == Money.scale ? amount.units : product(amount.units, rate)
    }

    /// The rate in units of 10⁻¹²; nil if the currency has none.
    package func rate(of currency: Currency) -> Int128? {
        if currency == self.currency { return Money.scale }
        var (low, high) = (0, rates.count)
        while low < high {
            let middle = (low &+ high) / 2
            if rates[middle].currency < currency { low = middle &+ 1 } else { high = middle }
        }
        return low < rates.count && rates[low].currency == currency ? rates[low].units : nil
    }

    /// A total in units of the model's currency; 0 for a currency without a rate. `key`: the total's key in its table.
    @inline(__always)
    private func converted(_ key: UInt32, _ units: Int128) -> Int128 {
        guard let currency = Currency(code: key & 0xFF_FFFF), let rate = rate(of: currency) else { return 0 }
        return rate == Money.scale ? units : product(units, rate)
    }
}

extension Reengagement {
    /// The revenue of the re-engagement since the tap, or of a window, in units of the model's currency.
    fileprivate func total(_ axis: RevenueAxis, in window: Window) -> Int128 {
        let isOfWindow = axis.scope == .window
        return isOfWindow && window != self.window ? 0 : sums.seen(axis.kind, ofWindow: isOfWindow).units
    }
}
