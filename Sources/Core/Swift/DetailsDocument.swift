internal import SKANCore
internal import SKANEngine

extension Details {
    /// A key of a details document, of either protocol.
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        init(_ key: DocumentKey) { self.init(stringValue: String { key.write(to: &$0) }) }

        static let fineValue = Key("skan_current_conversion_value")
        static let previousFineValue = Key("prev_fine_value")
        /// The fine value's key in SKAN 3.
        static let skan3Value = Key("skan_conversion_value")
        static let firstCall = Key("skan_first_call_to_skadnetwork_timestamp")
        static let lastCall = Key("skan_last_call_to_skadnetwork_timestamp")
        static let iapRevenue = Key("skan_total_revenue_by_currency")
        static let adRevenue = Key("skan_total_admon_revenue_by_currency")
    }

    enum Value {
        case integer(Int64?)
        case table([String: Amount])
    }

    /// The members of the document, in the order of Rules, "Details".
    var members: [(key: Key, value: Value)] {
        switch protocolVersion.core {
        case .skan3:
            [
                (.skan3Value, integer(fineValue)),
                (.firstCall, .integer(firstTimestamp)),
                (.lastCall, .integer(lastTimestamp)),
                (.iapRevenue, .table(iapRevenue)),
            ]
        case .skan4:
            [
                (.fineValue, integer(fineValue)),
                (.previousFineValue, integer(previousFineValue)),
                (.firstCall, .integer(firstTimestamp)),
                (.lastCall, .integer(lastTimestamp)),
                (.iapRevenue, .table(iapRevenue)),
                (.adRevenue, .table(adRevenue)),
            ]
                + Window.all.map { (Key(.coarse($0)), coarse(self[$0].coarseValue)) }
                + Window.all.map { (Key(.lock($0)), .integer(self[$0].lockTimestamp)) }
                + Window.all.map { (Key(.previousCoarse($0)), coarse(self[$0].previousCoarseValue)) }
                + Window.all.map { (Key(.revenue($0, .iap)), .table(self[$0].iapRevenue)) }
                + Window.all.map { (Key(.revenue($0, .ad)), .table(self[$0].adRevenue)) }
        }
    }

    private func integer(_ value: Int?) -> Value { .integer(value.map { Int64($0) }) }
    private func coarse(_ value: CoarseValue?) -> Value { integer(value?.rawValue) }
}

// MARK: Exact

extension Details {
    /// The details as a JSON object: every key, in the order of Rules, "Details", without spaces, with sorted
    /// currencies and exact decimal amounts. C's `skan_details` gives the same text.
    public var json: String {
        var members = members.map { "\"\($0.key.stringValue)\":\($0.value.json)" }
        if !reengagementsJSON.isEmpty { members.append("\"reengagements\":\(reengagementsJSON)") }
        return "{\(members.joined(separator: ","))}"
    }

    /// Reads a details document of this library or of the published snippet, as ``Engine/importDetails(_:json:)`` does:
    /// integers may be decimal text, keys may be missing, amounts are read exactly and rounded half-even to 12 places.
    ///
    /// - Throws: ``SKANError/Code/limitExceeded`` for more than 64 KiB, ``SKANError/Code/invalidDocument`` with the key
    ///   that breaks Rules, "Import".
    public init(
        json: some Collection<UInt8>, protocolVersion: ProtocolVersion = .skan4
    ) throws {
        self.init(try InstallState(json: json, protocolVersion.core))
    }
}

extension InstallState {
    init(json: some Collection<UInt8>, _ protocolVersion: SKANCore.ProtocolVersion) throws {
        self = try withBytes(of: json, "json") { document throws(Failure) in
            try InstallState(importing: document, protocolVersion)
        }
    }
}

extension Details.Value {
    fileprivate var json: String {
        switch self {
        case .integer(let value):
            return value.map { "\($0)" } ?? "null"
        case .table(let table):
            guard !table.isEmpty else { return "null" }
            let totals = table.sorted { $0.key < $1.key }
            return "{\(totals.map { "\(quoted($0.key)):\($0.value)" }.joined(separator: ","))}"
        }
    }
}

/// A currency as a JSON string. It can be any text; the reader of the document refuses one that is not three letters.
private func quoted(_ currency: String) -> String {
    var text = JSONWriter(capacity: 8)
    Array(currency.utf8).withUnsafeBytes { text.string(utf8: $0) }
    return String(text.finish())
}

// MARK: Codable

extension Details: Codable {
    /// Reads a document of either protocol; only SKAN 3's has the key `skan_conversion_value`. Keys may be missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let isSKAN3 = members.contains(.skan3Value) && !members.contains(.fineValue)
        self.init(protocolVersion: isSKAN3 ? .skan3 : .skan4)
        func table(_ key: Key) throws -> [String: Amount] {
            try members.decodeIfPresent([String: Amount].self, forKey: key) ?? [:]
        }
        func window(_ window: Window) throws -> WindowDetails {
            var details = WindowDetails()
            details.coarseValue = try members.decodeIfPresent(CoarseValue.self, forKey: Key(.coarse(window)))
            details.previousCoarseValue = try members.decodeIfPresent(
                CoarseValue.self, forKey: Key(.previousCoarse(window)))
            details.lockTimestamp = try members.decodeIfPresent(Int64.self, forKey: Key(.lock(window)))
            details.iapRevenue = try table(Key(.revenue(window, .iap)))
            details.adRevenue = try table(Key(.revenue(window, .ad)))
            return details
        }

        fineValue = try members.decodeIfPresent(Int.self, forKey: isSKAN3 ? .skan3Value : .fineValue)
        firstTimestamp = try members.decodeIfPresent(Int64.self, forKey: .firstCall)
        lastTimestamp = try members.decodeIfPresent(Int64.self, forKey: .lastCall)
        iapRevenue = try table(.iapRevenue)
        guard !isSKAN3 else { return }
        previousFineValue = try members.decodeIfPresent(Int.self, forKey: .previousFineValue)
        adRevenue = try table(.adRevenue)
        for number in Window.all { self[number] = try window(number) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, value) in members {
            switch value {
            case .integer(let value): try container.encode(value, forKey: key)
            case .table(let table) where table.isEmpty: try container.encodeNil(forKey: key)
            case .table(let table): try container.encode(table, forKey: key)
            }
        }
    }
}
