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
        let revenue = asked(window) { axis in total(axis, of: tables, in: window) }
        return winner(progress, window, day: day(of: conversion, now: now), revenue)
    }

    /// The revenue that the rules of a window ask for, by the numbers of axes.
    @inline(__always)
    func asked(_ window: Window, _ total: (RevenueAxis) -> Int128) -> RevenueByAxis {
        var revenue = RevenueByAxis(repeating: 0)
        guard let rules = self.window(window), rules.revenueAxes != 0 else { return revenue }
        for number in 0..<RevenueAxis.count {
            let axis = RevenueAxis(number: number)
            if rules.revenueAxes & axis.bit != 0 { revenue[Int(number)] = total(axis) }
        }
        return revenue
    }

    /// The number of the last rule that holds for counts, a day and revenue, -1 where none does.
    @inline(never)
    func winner(_ progress: InstallModel, _ window: Window, day: Int64, _ revenue: RevenueByAxis) -> Int {
        guard let rules = self.window(window), !rules.rules.isEmpty else { return -1 }
        // Read in place, many times: what `CountCondition` names.
        return withUnsafeTemporaryAllocation(of: Int64.self, capacity: CountCondition.axes) { counts in
            for place in 0...events.count { counts[place] = Int64(progress.count(place, in: window)) }
            counts[CountCondition.day] = day
            return rules.winner(UnsafeBufferPointer(counts), revenue)
        }
    }
}

extension ModelWindow {
    fileprivate func winner(_ counts: UnsafeBufferPointer<Int64>, _ revenue: borrowing RevenueByAxis) -> Int {
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
