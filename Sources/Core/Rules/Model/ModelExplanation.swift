/// Rules, "Model explanation": what an install's conversion model sees now, and which of its rules holds, as a JSON
/// document.
extension ConversionModel {
    @_optimize(size)
    package func explain(_ state: borrowing InstallState, _ window: Window, now: Int64) -> ByteBuffer {
        let progress = state.model ?? InstallModel(version)
        var text = ByteBuffer(capacity: 1024)
        text.put("{\"model\":\"")
        version.write(to: &text)
        text.put("\",\"id\":")
        id.withUnsafeBytes { text.append(json: $0) }
        text.put(",\"window\":")
        text.append(decimal: UInt64(window.rawValue))
        text.put(",\"day\":")
        text.append(decimal: day(of: state, now: now))
        text.put(",\"sessions\":")
        text.append(decimal: UInt64(progress.count(0, in: window)))
        text.put(",\"events\":{")
        for index in events.indices {
            if index > 0 { text.put(",") }
            text.append(name: events[index])
            text.put(":")
            text.append(decimal: UInt64(progress.count(index &+ 1, in: window)))
        }
        text.put("},\"currency\":\"")
        currency.write(to: &text)
        text.put("\",\"revenue\":{")
        write(state.revenue, window, lifetime: false, to: &text)
        text.put(",")
        write(state.revenue, window, lifetime: true, to: &text)
        text.put("},\"currencies_without_rate\":[")
        writeUncounted(state.revenue, to: &text)
        text.put("],\"rule\":")
        let winner = winner(state, progress, window, now: now)
        let rule = winner < 0 ? nil : self.window(window)?.rules[winner]
        if rule == nil { text.put("null") } else { text.append(decimal: UInt64(winner)) }
        text.put(",\"fine\":")
        text.append(value: rule?.fine)
        text.put(",\"coarse\":")
        text.append(value: rule?.coarse)
        text.put(rule?.locksWindow == true ? ",\"lock\":true}" : ",\"lock\":false}")
        return text
    }

    /// The three sums of a scope. SKAN 3 has one table, for both scopes.
    @_optimize(size)
    private func write(
        _ tables: borrowing RevenueTables, _ window: Window, lifetime: Bool, to text: inout ByteBuffer
    ) {
        text.put(lifetime ? "\"lifetime\":{" : "\"window\":{")
        for number in UInt8(0)..<3 {
            let isLifetime = lifetime || protocolVersion == .skan3
            let axis = RevenueAxis(number: number &+ (isLifetime ? 3 : 0))
            text.put(number > 0 ? ",\"" : "\"")
            text.put(axis.kindName)
            text.put("\":")
            Money(units: total(axis, of: tables, in: window)).write(to: &text)
        }
        text.put("}")
    }

    /// Currencies in which there is revenue that counts as nothing, for want of a rate.
    @_optimize(size)
    private func writeUncounted(_ tables: borrowing RevenueTables, to text: inout ByteBuffer) {
        // Codes in the order of the alphabet; the tables hold at most 64 each.
        var found: [UInt32] = []
        tables.withTotals { totals in
            for index in totals.indices {
                guard totals[index].total != .zero, let currency = totals[index].currency, rate(of: currency) == nil,
                    !found.contains(currency.code)
                else { continue }
                found.append(currency.code)
                var place = found.count &- 1
                while place > 0, found[place] < found[place &- 1] {
                    found.swapAt(place, place &- 1)
                    place &-= 1
                }
            }
        }
        for index in found.indices {
            text.put(index == 0 ? "\"" : ",\"")
            Currency(known: found[index]).write(to: &text)
            text.put("\"")
        }
    }
}
