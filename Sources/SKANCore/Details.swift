/// SPEC §4: the state under the names the published reference gives its parts, in its order.

/// Takes the parts of a state.
package protocol DetailsWriter: ~Copyable {
    mutating func write(_ key: StaticString, integer: Int64?)
    mutating func write(_ key: StaticString, table: ArraySlice<RevenueTotal>)
}

extension InstallState {
    package func writeDetails<Writer: DetailsWriter & ~Copyable>(to writer: inout Writer) {
        switch protocolVersion {
        case .skan4: writeSKAN4(to: &writer)
        case .skan3: writeSKAN3(to: &writer)
        }
    }

    @inline(__always)
    private func writeSKAN4<Writer: DetailsWriter & ~Copyable>(to writer: inout Writer) {
        let (w0, w1, w2) = (windows[.first], windows[.second], windows[.third])
        writer.write("skan_current_conversion_value", integer: integer(fine))
        writer.write("prev_fine_value", integer: integer(previousFine))
        writer.write("skan_first_call_to_skadnetwork_timestamp", integer: first)
        writer.write("skan_last_call_to_skadnetwork_timestamp", integer: last)
        writer.write("skan_total_revenue_by_currency", table: revenue[.lifetime(.iap)])
        writer.write("skan_total_admon_revenue_by_currency", table: revenue[.lifetime(.ad)])
        writer.write("p0_coarse", integer: integer(w0.coarse))
        writer.write("p1_coarse", integer: integer(w1.coarse))
        writer.write("p2_coarse", integer: integer(w2.coarse))
        writer.write("p0_window_lock", integer: w0.lock)
        writer.write("p1_window_lock", integer: w1.lock)
        writer.write("p2_window_lock", integer: w2.lock)
        writer.write("p0_prev_coarse_value", integer: integer(w0.previousCoarse))
        writer.write("p1_prev_coarse_value", integer: integer(w1.previousCoarse))
        writer.write("p2_prev_coarse_value", integer: integer(w2.previousCoarse))
        writer.write("p0_total_iap_revenue", table: revenue[.window(.first, .iap)])
        writer.write("p1_total_iap_revenue", table: revenue[.window(.second, .iap)])
        writer.write("p2_total_iap_revenue", table: revenue[.window(.third, .iap)])
        writer.write("p0_total_admon_revenue", table: revenue[.window(.first, .ad)])
        writer.write("p1_total_admon_revenue", table: revenue[.window(.second, .ad)])
        writer.write("p2_total_admon_revenue", table: revenue[.window(.third, .ad)])
    }

    private func writeSKAN3<Writer: DetailsWriter & ~Copyable>(to writer: inout Writer) {
        writer.write("skan_conversion_value", integer: integer(fine))
        writer.write("skan_first_call_to_skadnetwork_timestamp", integer: first)
        writer.write("skan_last_call_to_skadnetwork_timestamp", integer: last)
        writer.write("skan_total_revenue_by_currency", table: revenue[.lifetime(.iap)])
    }

    @inline(__always)
    private func integer(_ value: UInt8?) -> Int64? { value.map { Int64($0) } }
}
