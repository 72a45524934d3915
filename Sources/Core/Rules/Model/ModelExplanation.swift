/// Rules, "Model explanation", "Model measures": writes what a conversion's model sees now, and which of its rules
/// wins, as a JSON document. `reengagement` is nil for an install's conversion.
extension ConversionModel {
    @inline(never)
    @_optimize(size)
    package func explain(
        _ conversion: borrowing Conversion, _ tables: borrowing RevenueTables, _ reengagement: Reengagement? = nil,
        in window: Window, at now: Int64
    ) -> ByteBuffer {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.key("model")
        json.string { version.write(to: &$0) }
        json.key("id")
        id.withUnsafeBytes { json.string(utf8: $0) }
        json.key("window")
        json.integer(Int64(window.rawValue))
        for key in ConditionKey.explained where shows(key) {
            if key == .revenue {
                json.key("currency")
                json.currency(currency)
            }
            json.key(key.row.name)
            if case .range(let axis, let unit) = key.row.form {
                let value = value(axis, conversion, tables, reengagement, window, now) / unit
                json.integer(Int64(truncatingIfNeeded: value))
                continue
            }
            json.beginObject()
            switch key {
            case .events: write(eventsOf: conversion, window, to: &json)
            case .measures: write(measuresOf: conversion, window, to: &json)
            default: write(revenueOf: reengagement, tables, window, to: &json)
            }
            json.endObject()
        }
        json.key("currencies_without_rate")
        json.beginArray()
        for currency in uncountedCurrencies(of: tables) { json.currency(currency) }
        json.endArray()
        write(winners(conversion, tables, reengagement, in: window, at: now), window, to: &json)
        json.endObject()
        return json.finish()
    }

    @_optimize(size)
    private func write(_ winners: WinningRules, _ window: Window, to json: inout JSONWriter) {
        let part = self.window(window)
        let rule = winners.rule < 0 ? nil : part?.list.rules[winners.rule]
        let coarseRule = winners.coarseRule < 0 ? nil : part?.coarseList?.rules[winners.coarseRule]
        json.member("rule", rule.map { _ in Int64(winners.rule) })
        if windows.contains(where: { $0.coarseList != nil }) {
            json.member("coarse_rule", coarseRule.map { _ in Int64(winners.coarseRule) })
        }
        json.write(
            fine: rule?.fine, coarse: part?.coarseList == nil ? rule?.coarse : coarseRule?.coarse,
            locksWindow: (rule?.locksWindow ?? false) || (coarseRule?.locksWindow ?? false))
    }

    @_optimize(size)
    private func write(measuresOf conversion: borrowing Conversion, _ window: Window, to json: inout JSONWriter) {
        for number in measures.list.indices {
            let value = measured(number, conversion, window)
            measures.list[number].name.withUnsafeBytes { json.key(utf8: $0) }
            if measures.list[number].counting == .sum {
                json.money(Money(units: value))
            } else {
                json.integer(Int64(truncatingIfNeeded: value))
            }
        }
    }

    @_optimize(size)
    private func write(eventsOf conversion: borrowing Conversion, _ window: Window, to json: inout JSONWriter) {
        for index in events.indices {
            json.name(key: events[index])
            json.integer(Int64(conversion.model?.count(index &+ 1, in: window) ?? 0))
        }
    }

    /// Writes the revenue of each scope that rules can have conditions on: IAP, ad, and both together.
    @_optimize(size)
    private func write(
        revenueOf reengagement: Reengagement?, _ tables: borrowing RevenueTables, _ window: Window,
        to json: inout JSONWriter
    ) {
        for scope in [RevenueScope.window, .conversion, .lifetime] where scope != .conversion || isForReengagements {
            json.key(scope.name)
            json.beginObject()
            for kind in UInt8(0)..<3 {
                // SKAN 3 has one table of revenue, which is shown for both scopes.
                let seen = protocolVersion == .skan3 ? RevenueScope.lifetime : scope
                let axis = RevenueAxis(number: seen.rawValue &* 3 &+ kind)
                json.key(axis.kindName)
                json.money(Money(units: total(axis, of: tables, reengagement, in: window)))
            }
            json.endObject()
        }
    }

    /// The currencies for which the model has no rate, so that revenue in them counts as nothing. Only currencies with
    /// revenue are returned, in alphabetical order.
    @_optimize(size)
    package func uncountedCurrencies(of tables: borrowing RevenueTables) -> [Currency] {
        // Each table has at most 64 currencies.
        var found: [Currency] = []
        tables.withTotals { totals in
            for index in totals.indices {
                guard totals[index].total != .zero, let currency = totals[index].currency, rate(of: currency) == nil,
                    !found.contains(currency)
                else { continue }
                found.append(currency)
                var place = found.count &- 1
                while place > 0, found[place] < found[place &- 1] {
                    found.swapAt(place, place &- 1)
                    place &-= 1
                }
            }
        }
        return found
    }
}
