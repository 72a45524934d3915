/// Rules, "Model explanation", "Model measures": what an install's conversion model sees now, and which of its rules
/// holds, as a JSON document.

/// What a conversion is explained by.
struct ModelView {
    let progress: InstallModel
    let window: Window
    let hours: Int64
    let winners: WinningRules
    /// Revenue by the numbers of axes.
    var totals: InlineArray<9, Int128> = InlineArray(repeating: 0)

    init(progress: InstallModel, window: Window, hours: Int64, winners: WinningRules) {
        self.progress = progress
        self.window = window
        self.hours = hours
        self.winners = winners
    }
}

extension ConversionModel {
    @_optimize(size)
    package func explain(_ state: borrowing InstallState, _ window: Window, now: Int64) -> ByteBuffer {
        let progress = state.model ?? InstallModel(self)
        var seen = ModelView(
            progress: progress, window: window, hours: hours(of: state.conversion, now: now),
            winners: winners(state.conversion, state.revenue, progress, window, now: now))
        for number in UInt8(0)..<6 {
            // SKAN 3 has one table, for both scopes.
            let axis = RevenueAxis(number: protocolVersion == .skan3 ? number % 3 &+ 3 : number)
            seen.totals[Int(number)] = total(axis, of: state.revenue, in: window)
        }
        return explain(seen, state.revenue)
    }

    @inline(never)
    @_optimize(size)
    func explain(_ seen: ModelView, _ tables: borrowing RevenueTables) -> ByteBuffer {
        let (progress, window) = (seen.progress, seen.window)
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.key("model")
        json.string { version.write(to: &$0) }
        json.key("id")
        id.withUnsafeBytes { json.string(utf8: $0) }
        json.key("window")
        json.integer(Int64(window.rawValue))
        json.key("day")
        json.integer(seen.hours / 24)
        if asksHours {
            json.key("hours")
            json.integer(seen.hours)
        }
        json.key("sessions")
        json.integer(Int64(progress.count(0, in: window)))
        json.key("events")
        write(progress, window, to: &json)
        if !measures.isEmpty {
            json.key("measures")
            write(measuresOf: progress, window, to: &json)
        }
        json.key("currency")
        json.currency(currency)
        json.key("revenue")
        json.beginObject()
        write(seen, .window, to: &json)
        if isForReengagements { write(seen, .conversion, to: &json) }
        write(seen, .lifetime, to: &json)
        json.endObject()
        json.key("currencies_without_rate")
        json.beginArray()
        for currency in uncountedCurrencies(of: tables) { json.currency(currency) }
        json.endArray()
        write(seen.winners, window, to: &json)
        json.endObject()
        return json.finish()
    }

    /// The rules that hold, and what they set.
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

    /// The measures by name, in the document's order.
    @_optimize(size)
    private func write(measuresOf progress: InstallModel, _ window: Window, to json: inout JSONWriter) {
        json.beginObject()
        for number in measures.list.indices {
            let measure = measures.list[number]
            let value = progress.measure(number, isLifetime: measure.isLifetime, in: window)
            measure.name.withUnsafeBytes { json.key(utf8: $0) }
            if measure.counting == .sum { json.money(Money(units: value.units)) } else { json.integer(value.count) }
        }
        json.endObject()
    }

    /// The counts of all events, by name.
    @_optimize(size)
    private func write(_ progress: InstallModel, _ window: Window, to json: inout JSONWriter) {
        json.beginObject()
        for index in events.indices {
            json.name(key: events[index])
            json.integer(Int64(progress.count(index &+ 1, in: window)))
        }
        json.endObject()
    }

    /// The three sums of a scope.
    @_optimize(size)
    private func write(_ seen: ModelView, _ scope: RevenueScope, to json: inout JSONWriter) {
        json.key(scope.name)
        json.beginObject()
        for kind in UInt8(0)..<3 {
            let axis = RevenueAxis(number: scope.rawValue &* 3 &+ kind)
            json.key(axis.kindName)
            json.money(Money(units: seen.totals[Int(axis.number)]))
        }
        json.endObject()
    }

    /// Currencies in which there is revenue that counts as nothing, for want of a rate; in the order of the alphabet.
    @_optimize(size)
    package func uncountedCurrencies(of tables: borrowing RevenueTables) -> [Currency] {
        // The tables hold at most 64 each.
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
