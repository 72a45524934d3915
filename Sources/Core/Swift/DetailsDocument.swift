internal import SKANCore
internal import SKANEngine

extension Details {
    /// The keys of both protocols' documents, in their order.
    enum Key: String, CodingKey {
        case fineValue = "skan_current_conversion_value"
        case previousFineValue = "prev_fine_value"
        /// The fine value's key in SKAN 3.
        case skan3Value = "skan_conversion_value"
        case firstCall = "skan_first_call_to_skadnetwork_timestamp"
        case lastCall = "skan_last_call_to_skadnetwork_timestamp"
        case iapRevenue = "skan_total_revenue_by_currency"
        case adRevenue = "skan_total_admon_revenue_by_currency"
        case p0Coarse = "p0_coarse"
        case p1Coarse = "p1_coarse"
        case p2Coarse = "p2_coarse"
        case p0Lock = "p0_window_lock"
        case p1Lock = "p1_window_lock"
        case p2Lock = "p2_window_lock"
        case p0PreviousCoarse = "p0_prev_coarse_value"
        case p1PreviousCoarse = "p1_prev_coarse_value"
        case p2PreviousCoarse = "p2_prev_coarse_value"
        case p0IAPRevenue = "p0_total_iap_revenue"
        case p1IAPRevenue = "p1_total_iap_revenue"
        case p2IAPRevenue = "p2_total_iap_revenue"
        case p0AdRevenue = "p0_total_admon_revenue"
        case p1AdRevenue = "p1_total_admon_revenue"
        case p2AdRevenue = "p2_total_admon_revenue"
    }

    enum Value {
        case integer(Int64?)
        case table([String: Amount])
    }

    /// The members of the document, in its order.
    var members: [(key: Key, value: Value)] {
        switch protocolVersion.core {
        case .skan3:
            [
                (.skan3Value, integer(fineValue)),
                (.firstCall, .integer(firstCallTimestamp)),
                (.lastCall, .integer(lastCallTimestamp)),
                (.iapRevenue, .table(iapRevenue)),
            ]
        case .skan4:
            [
                (.fineValue, integer(fineValue)),
                (.previousFineValue, integer(previousFineValue)),
                (.firstCall, .integer(firstCallTimestamp)),
                (.lastCall, .integer(lastCallTimestamp)),
                (.iapRevenue, .table(iapRevenue)),
                (.adRevenue, .table(adRevenue)),
                (.p0Coarse, coarse(p0.coarseValue)),
                (.p1Coarse, coarse(p1.coarseValue)),
                (.p2Coarse, coarse(p2.coarseValue)),
                (.p0Lock, .integer(p0.lockTimestamp)),
                (.p1Lock, .integer(p1.lockTimestamp)),
                (.p2Lock, .integer(p2.lockTimestamp)),
                (.p0PreviousCoarse, coarse(p0.previousCoarseValue)),
                (.p1PreviousCoarse, coarse(p1.previousCoarseValue)),
                (.p2PreviousCoarse, coarse(p2.previousCoarseValue)),
                (.p0IAPRevenue, .table(p0.iapRevenue)),
                (.p1IAPRevenue, .table(p1.iapRevenue)),
                (.p2IAPRevenue, .table(p2.iapRevenue)),
                (.p0AdRevenue, .table(p0.adRevenue)),
                (.p1AdRevenue, .table(p1.adRevenue)),
                (.p2AdRevenue, .table(p2.adRevenue)),
            ]
        }
    }

    private func integer(_ value: Int?) -> Value { .integer(value.map { Int64($0) }) }
    private func coarse(_ value: CoarseValue?) -> Value { integer(value?.rawValue) }
}

// MARK: Exact

extension Details {
    /// The details as a JSON object: every key, in the order of Rules, "Details", without spaces, currencies sorted,
    /// amounts as exact decimal numbers. The same text as `skan_details` gives in C.
    public var json: String {
        let members = members.map { "\"\($0.key.rawValue)\":\($0.value.json)" }
        return "{\(members.joined(separator: ","))}"
    }

    /// Reads a details document, this library's or the published snippet's, as ``Engine/importDetails(_:json:)`` does:
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
    /// The state that a details document describes.
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

/// A currency as a JSON string. Those that are no three letters are refused where the document is read.
private func quoted(_ currency: String) -> String {
    var text = "\""
    for scalar in currency.unicodeScalars {
        switch scalar {
        case "\"", "\\": text += "\\\(scalar)"
        case "\0"..<" ": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: text.unicodeScalars.append(scalar)
        }
    }
    return text + "\""
}

// MARK: Codable

extension Details: Codable {
    /// Reads the document of either protocol; SKAN 3's is known by its key `skan_conversion_value`. Keys may be
    /// missing.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        let isSKAN3 = members.contains(.skan3Value) && !members.contains(.fineValue)
        self.init(protocolVersion: isSKAN3 ? .skan3 : .skan4)
        func table(_ key: Key) throws -> [String: Amount] {
            try members.decodeIfPresent([String: Amount].self, forKey: key) ?? [:]
        }
        func window(
            _ coarse: Key, _ previous: Key, _ lock: Key, _ iapRevenue: Key, _ adRevenue: Key
        ) throws -> WindowDetails {
            var window = WindowDetails()
            window.coarseValue = try members.decodeIfPresent(CoarseValue.self, forKey: coarse)
            window.previousCoarseValue = try members.decodeIfPresent(CoarseValue.self, forKey: previous)
            window.lockTimestamp = try members.decodeIfPresent(Int64.self, forKey: lock)
            window.iapRevenue = try table(iapRevenue)
            window.adRevenue = try table(adRevenue)
            return window
        }

        fineValue = try members.decodeIfPresent(Int.self, forKey: isSKAN3 ? .skan3Value : .fineValue)
        firstCallTimestamp = try members.decodeIfPresent(Int64.self, forKey: .firstCall)
        lastCallTimestamp = try members.decodeIfPresent(Int64.self, forKey: .lastCall)
        iapRevenue = try table(.iapRevenue)
        guard !isSKAN3 else { return }
        previousFineValue = try members.decodeIfPresent(Int.self, forKey: .previousFineValue)
        adRevenue = try table(.adRevenue)
        p0 = try window(.p0Coarse, .p0PreviousCoarse, .p0Lock, .p0IAPRevenue, .p0AdRevenue)
        p1 = try window(.p1Coarse, .p1PreviousCoarse, .p1Lock, .p1IAPRevenue, .p1AdRevenue)
        p2 = try window(.p2Coarse, .p2PreviousCoarse, .p2Lock, .p2IAPRevenue, .p2AdRevenue)
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
