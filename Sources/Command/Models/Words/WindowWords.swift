internal import SKANCore

extension ConversionModel {
    /// Words for the days on which a window is open: "days 0 and 1".
    func windowWords(_ window: Int) -> Message {
        if protocolVersion == .skan3 { return "open until 24 hours pass without a new value" }
        guard let days = daysOfWindow(window) else { return "" }
        let (first, last) = (days.lowerBound, days.upperBound - 1)
        return last - first == 1 ? "days \(first) and \(last)" : "days \(first) to \(last)"
    }

    /// SKAN 4: the days since the first call on which it is open.
    func daysOfWindow(_ window: Int) -> Range<Int64>? { UInt8(exactly: window).flatMap { Window(rawValue: $0) }?.days }
}
