/// Rules, "Model explanation": what an install's conversion model sees now, and which of its rules holds, as a JSON
/// document.
extension ConversionModel {
    @_optimize(size)
    package func explain(_ state: borrowing InstallState, _ window: Window, now: Int64) -> ByteBuffer {
        let progress = state.model ?? InstallModel(version)
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.key("model")
        json.string { version.write(to: &$0) }
        json.key("id")
        id.withUnsafeBytes { json.string(utf8: $0) }
        json.key("window")
        json.integer(Int64(window.rawValue))
        json.key("day")
        json.integer(day(of: state.conversion, now: now))
        json.key("sessions")
        json.integer(Int64(progress.count(0, in: window)))
        json.key("events")
        write(progress, window, to: &json)
        json.key("currency")
        json.currency(currency)
        json.key("revenue")
        json.beginObject()
        write(state.revenue, window, lifetime: false, to: &json)
        write(state.revenue, window, lifetime: true, to: &json)
        json.endObject()
        json.key("currencies_without_rate")
        json.beginArray()
        for currency in uncountedCurrencies(of: state.revenue) { json.currency(currency) }
        json.endArray()
        let winner = winner(state.conversion, state.revenue, progress, window, now: now)
        let rule = winner < 0 ? nil : self.window(window)?.rules[winner]
        json.key("rule")
        json.integer(rule.map { _ in Int64(winner) })
        json.write(fine: rule?.fine, coarse: rule?.coarse, locksWindow: rule?.locksWindow ?? false)
        json.endObject()
        return json.finish()
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

    /// The three sums of a scope. SKAN 3 has one table, for both scopes.
    @_optimize(size)
    private func write(
        _ tables: borrowing RevenueTables, _ window: Window, lifetime: Bool, to json: inout JSONWriter
    ) {
        json.key(lifetime ? "lifetime" : "window")
        json.beginObject()
        for number in UInt8(0)..<3 {
            let isLifetime = lifetime || protocolVersion == .skan3
            let axis = RevenueAxis(number: number &+ (isLifetime ? 3 : 0))
            json.key(axis.kindName)
            json.money(Money(units: total(axis, of: tables, in: window)))
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
