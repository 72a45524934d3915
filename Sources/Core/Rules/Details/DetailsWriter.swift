/// Rules, "Details": writes the state under the names of the published reference, and in its order.

/// A writer of details, which receives the parts of a state one after the other.
package protocol DetailsWriter: ~Copyable {
    mutating func write(_ key: DocumentKey, integer: Int64?)
    mutating func write(_ key: DocumentKey, table: Span<RevenueTotal>)
}

extension InstallState {
    package func writeDetails<Writer: DetailsWriter & ~Copyable>(to writer: inout Writer) {
        switch conversion.protocolVersion {
        case .skan4: revenue.withTotals { writeSKAN4(to: &writer, $0) }
        case .skan3: revenue.withTotals { writeSKAN3(to: &writer, $0) }
        }
    }

    @inline(__always)
    private func writeSKAN4<Writer: DetailsWriter & ~Copyable>(to writer: inout Writer, _ totals: Span<RevenueTotal>) {
        func write(_ key: DocumentKey, _ table: RevenueTable) {
            writer.write(key, table: totals.extracting(RevenueTables.part(totals, table)))
        }

        writer.write("skan_current_conversion_value", integer: integer(conversion.fine))
        writer.write("prev_fine_value", integer: integer(conversion.previousFine))
        writer.write("skan_first_call_to_skadnetwork_timestamp", integer: conversion.first)
        writer.write("skan_last_call_to_skadnetwork_timestamp", integer: conversion.last)
        write("skan_total_revenue_by_currency", .lifetime(.iap))
        write("skan_total_admon_revenue_by_currency", .lifetime(.ad))
        for window in Window.all { writer.write(.coarse(window), integer: integer(conversion.windows[window].coarse)) }
        for window in Window.all { writer.write(.lock(window), integer: conversion.windows[window].lock) }
        for window in Window.all {
            writer.write(.previousCoarse(window), integer: integer(conversion.windows[window].previousCoarse))
        }
        for window in Window.all { write(.revenue(window, .iap), .window(window, .iap)) }
        for window in Window.all { write(.revenue(window, .ad), .window(window, .ad)) }
    }

    private func writeSKAN3<Writer: DetailsWriter & ~Copyable>(to writer: inout Writer, _ totals: Span<RevenueTotal>) {
        let lifetime = RevenueTables.part(totals, .lifetime(.iap))
        writer.write("skan_conversion_value", integer: integer(conversion.fine))
        writer.write("skan_first_call_to_skadnetwork_timestamp", integer: conversion.first)
        writer.write("skan_last_call_to_skadnetwork_timestamp", integer: conversion.last)
        writer.write("skan_total_revenue_by_currency", table: totals.extracting(lifetime))
    }

    @inline(__always)
    private func integer(_ value: UInt8?) -> Int64? { value.map { Int64($0) } }
}
