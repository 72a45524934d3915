internal import SKANCore

/// The whole state of an install: a snapshot from ``Engine/details(_:)``, or a state to import with
/// ``Engine/importDetails(_:_:)``. Rules, "Details".
///
/// As a document, by ``json`` or `Codable`, it has all the keys of the published reference for its protocol; each
/// property below names its key. A missing value and an empty table are `null`. ``json`` and
/// ``init(json:protocolVersion:)`` are exact; for `Codable` see ``Amount``.
public struct Details: Hashable, Sendable {
    public var protocolVersion: ProtocolVersion

    /// The current fine value, 0...63. Its key is `skan_current_conversion_value`; in SKAN 3 `skan_conversion_value`.
    public var fineValue: Int?
    /// The previous fine value. Key: `prev_fine_value`.
    public var previousFineValue: Int?
    /// The time of the install's registration, Unix seconds; nil = not registered. Key:
    /// `skan_first_call_to_skadnetwork_timestamp`.
    public var firstTimestamp: Int64?
    /// The time at which the newest value was accepted, Unix seconds. Key: `skan_last_call_to_skadnetwork_timestamp`.
    public var lastTimestamp: Int64?

    /// All revenue from purchases, by currency. Key: `skan_total_revenue_by_currency`.
    public var iapRevenue: [String: Amount] = [:]
    /// All ad revenue, by currency. Key: `skan_total_admon_revenue_by_currency`.
    public var adRevenue: [String: Amount] = [:]

    /// The three postback windows; their values are all empty in SKAN 3.
    public var windows = [WindowDetails](repeating: WindowDetails(), count: 3)

    /// The install's re-engagements, by number. ``json`` contains them; `Codable` and reading a document leave them
    /// out.
    public internal(set) var reengagements: [Reengagement] = []
    /// The re-engagements as a JSON array; an empty text if there are none.
    var reengagementsJSON = ""

    /// Creates the details of an unknown install.
    public init(protocolVersion: ProtocolVersion = .skan4) { self.protocolVersion = protocolVersion }
}

/// The state of one postback window.
public struct WindowDetails: Hashable, Sendable {
    /// The current coarse value. Its key is `p0_coarse` for window 0, and so on.
    public var coarseValue: CoarseValue?
    /// The previous coarse value. Key, for window 0: `p0_prev_coarse_value`.
    public var previousCoarseValue: CoarseValue?
    /// The time at which the window was locked, Unix seconds; nil = not locked. Key, for window 0: `p0_window_lock`.
    public var lockTimestamp: Int64?
    /// Revenue from purchases in this window, by currency. Key, for window 0: `p0_total_iap_revenue`.
    public var iapRevenue: [String: Amount] = [:]
    /// Ad revenue in this window, by currency. Key, for window 0: `p0_total_admon_revenue`.
    public var adRevenue: [String: Amount] = [:]

    public init() {}
}

extension Details {
    init(_ state: InstallState) {
        self.init(protocolVersion: ProtocolVersion(core: state.conversion.protocolVersion))
        fineValue = state.conversion.fine.map { Int($0) }
        previousFineValue = state.conversion.previousFine.map { Int($0) }
        firstTimestamp = state.conversion.first
        lastTimestamp = state.conversion.last
        iapRevenue = table(state.revenue, .lifetime(.iap))
        adRevenue = table(state.revenue, .lifetime(.ad))
        for window in Window.all { self[window] = WindowDetails(state, window) }
        if !state.reengagements.isEmpty {
            var array = JSONWriter(capacity: 512)
            state.writeReengagements(to: &array)
            reengagementsJSON = String(array.finish())
            reengagements = state.reengagements.map { Reengagement($0) }
        }
    }

    /// If ``windows`` has too few elements for the window, reading gives empty details and setting does nothing.
    subscript(window: Window) -> WindowDetails {
        get { windows.dropFirst(Int(window.rawValue)).first ?? WindowDetails() }
        set { if windows.indices.contains(Int(window.rawValue)) { windows[Int(window.rawValue)] = newValue } }
    }
}

extension WindowDetails {
    fileprivate init(_ state: InstallState, _ window: Window) {
        let values = state.conversion.windows[window]
        coarseValue = values.coarse.flatMap { CoarseValue(rawValue: Int($0)) }
        previousCoarseValue = values.previousCoarse.flatMap { CoarseValue(rawValue: Int($0)) }
        lockTimestamp = values.lock
        iapRevenue = table(state.revenue, .window(window, .iap))
        adRevenue = table(state.revenue, .window(window, .ad))
    }
}

private func table(_ tables: RevenueTables, _ table: RevenueTable) -> [String: Amount] {
    tables.withTotals(of: table) { totals in
        var amounts: [String: Amount] = [:]
        for index in totals.indices {
            guard let currency = totals[index].currency else { continue }
            amounts[String { currency.write(to: &$0) }] = Amount(totals[index].total)
        }
        return amounts
    }
}
