/// Rules, "Details": the state under the names of the published reference, in its order.

/// Receives the parts of a state.
package protocol DetailsWriter: ~Copyable {
    mutating func write(_ key: DocumentKey, integer: Int64?)
    mutating func write(_ key: DocumentKey, table: Span<RevenueTotal>)
}

extension InstallState {
    package func writeDetails<Writer: DetailsWriter & ~Copyable>(to writer: inout Writer) {
        switch protocolVersion {
        case .skan4: revenue.withTotals { writeSKAN4(to: &writer, $0) }
        case .skan3: revenue.withTotals { writeSKAN3(to: &writer, $0) }
        }
    }

    @inline(__always)
    private func writeSKAN4<Writer: DetailsWriter & ~Copyable>(to writer: inout Writer, _ totals: Span<RevenueTotal>) {
        func write(_ key: DocumentKey, _ table: RevenueTable) {
            writer.write(key, table: totals.extracting(RevenueTables.part(totals, table)))
        }

        writer.write("skan_current_conversion_value", integer: integer(fine))
        writer.write("prev_fine_value", integer: integer(previousFine))
        writer.write("skan_first_call_to_skadnetwork_timestamp", integer: first)
        writer.write("skan_last_call_to_skadnetwork_timestamp", integer: last)
        write("skan_total_revenue_by_currency", .lifetime(.iap))
        write("skan_total_admon_revenue_by_currency", .lifetime(.ad))
        for window in Window.all { writer.write(.coarse(window), integer: integer(windows[window].coarse)) }
        for window in Window.all { writer.write(.lock(window), integer: windows[window].lock) }
        for window in Window.all {
            writer.write(.previousCoarse(window), integer: integer(windows[window].previousCoarse))
        }
        for window in Window.all { write(.revenue(window, .iap), .window(window, .iap)) }
        for window in Window.all { write(.revenue(window, .ad), .window(window, .ad)) }
    }

    private func writeSKAN3<Writer: DetailsWriter & ~Copyable>(to writer: inout Writer, _ totals: Span<RevenueTotal>) {
        let lifetime = RevenueTables.part(totals, .lifetime(.iap))
        writer.write("skan_conversion_value", integer: integer(fine))
        writer.write("skan_first_call_to_skadnetwork_timestamp", integer: first)
        writer.write("skan_last_call_to_skadnetwork_timestamp", integer: last)
        writer.write("skan_total_revenue_by_currency", table: totals.extracting(lifetime))
    }

    @inline(__always)
    private func integer(_ value: UInt8?) -> Int64? { value.map { Int64($0) } }
}
