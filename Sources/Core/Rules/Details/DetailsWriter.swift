/// Rules, "Details": the state under the names the published reference gives its parts, in its order.

/// Takes the parts of a state.
package protocol DetailsWriter: ~Copyable {
    mutating func write(_ key: StaticString, integer: Int64?)
    mutating func write(_ key: StaticString, table: Span<RevenueTotal>)
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
        func write(_ key: StaticString, _ table: RevenueTable) {
            writer.write(key, table: totals.extracting(RevenueTables.part(totals, table)))
        }

        let (w0, w1, w2) = (windows[.first], windows[.second], windows[.third])
        writer.write("skan_current_conversion_value", integer: integer(fine))
        writer.write("prev_fine_value", integer: integer(previousFine))
        writer.write("skan_first_call_to_skadnetwork_timestamp", integer: first)
        writer.write("skan_last_call_to_skadnetwork_timestamp", integer: last)
        write("skan_total_revenue_by_currency", .lifetime(.iap))
        write("skan_total_admon_revenue_by_currency", .lifetime(.ad))
        writer.write("p0_coarse", integer: integer(w0.coarse))
        writer.write("p1_coarse", integer: integer(w1.coarse))
        writer.write("p2_coarse", integer: integer(w2.coarse))
        writer.write("p0_window_lock", integer: w0.lock)
        writer.write("p1_window_lock", integer: w1.lock)
        writer.write("p2_window_lock", integer: w2.lock)
        writer.write("p0_prev_coarse_value", integer: integer(w0.previousCoarse))
        writer.write("p1_prev_coarse_value", integer: integer(w1.previousCoarse))
        writer.write("p2_prev_coarse_value", integer: integer(w2.previousCoarse))
        write("p0_total_iap_revenue", .window(.first, .iap))
        write("p1_total_iap_revenue", .window(.second, .iap))
        write("p2_total_iap_revenue", .window(.third, .iap))
        write("p0_total_admon_revenue", .window(.first, .ad))
        write("p1_total_admon_revenue", .window(.second, .ad))
        write("p2_total_admon_revenue", .window(.third, .ad))
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
