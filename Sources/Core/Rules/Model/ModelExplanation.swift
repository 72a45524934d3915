/// Rules, "Model explanation": what an install's conversion model sees now, and which of its rules holds, as a JSON
/// document.

/// What a conversion is explained by.
struct ModelView {
    let progress: InstallModel
    let window: Window
    let day: Int64
    /// The rule that holds, -1 for none.
    let winner: Int
    /// Revenue by the numbers of axes.
    var totals = RevenueByAxis(repeating: 0)

    init(progress: InstallModel, window: Window, day: Int64, winner: Int) {
        self.progress = progress
        self.window = window
        self.day = day
        self.winner = winner
    }
}

extension ConversionModel {
    @_optimize(size)
    package func explain(_ state: borrowing InstallState, _ window: Window, now: Int64) -> ByteBuffer {
        let progress = state.model ?? InstallModel(version)
        var seen = ModelView(
            progress: progress, window: window, day: day(of: state.conversion, now: now),
            winner: winner(state.conversion, state.revenue, progress, window, now: now))
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
        json.integer(seen.day)
        json.key("sessions")
        json.integer(Int64(progress.count(0, in: window)))
        json.key("events")
        write(progress, window, to: &json)
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
        let winner = seen.winner
        let rule = winner < 0 ? nil : self.window(window)?.rules[winner]
        json.key("rule")
        json.integer(rule.map { _ in Int64(winner) })
        json.write(fine: rule?.fine, coarse: rule?.coarse, locksWindow: rule?.locksWindow ?? false)
        json.endObject()
        return json.finish()
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
