/// Rules, "Request", "SKAN 3 requests", "Events with an id": the URL that asks the endpoint for the next value.

/// The parts of a request's URL that are the same for all requests of an engine: the endpoint, and the items about the
/// app.
package struct RequestTarget: Sendable {
    /// Rules, "Published endpoint": the URL of the published endpoint.
    package static var publishedEndpoint: StaticString { "https://sdk-api-v1.singular.net" }
    private static var publishedHost: StaticString { "sdk-api-v1.singular.net" }

    package let hasEndpoint: Bool
    private let protocolVersion: ProtocolVersion
    /// Whether the endpoint is the host's own, not the published one.
    private let isOwnEndpoint: Bool
    /// The start of every URL: the endpoint, the path and `?`.
    private let head: [UInt8]
    // The next three texts are percent-encoded, and empty if they were not given.
    private let sdkKey: [UInt8]
    private let bundleID: [UInt8]
    private let appVersion: [UInt8]

    /// Throws INVALID_ARGUMENT with the name of the text that is invalid. `endpoint`: nil if no endpoint is asked.
    package init(
        _ protocolVersion: ProtocolVersion, endpoint: UnsafeRawBufferPointer?, sdkKey: UnsafeRawBufferPointer?,
        bundleID: UnsafeRawBufferPointer?, appVersion: UnsafeRawBufferPointer?
    ) throws(Failure) {
        self.protocolVersion = protocolVersion
        let address = try endpoint.map { given throws(Failure) in try RequestTarget.checked(given) }
        hasEndpoint = address != nil
        isOwnEndpoint = address.map { !RequestTarget.isPublished($0) } ?? false
        let path: StaticString =
            switch protocolVersion {
            case .skan4: "/api/v2/conversion_value?"
            case .skan3: "/api/v1/conversion_value?"
            }
        var head = ByteBuffer(capacity: 128)
        if let address { head.append(address) }
        head.append(path)
        self.head = head.array
        self.sdkKey = RequestTarget.encoded(try Arguments.text(sdkKey, "sdk_key"))
        self.bundleID = RequestTarget.encoded(try Arguments.text(bundleID, "bundle_id"))
        self.appVersion = RequestTarget.encoded(try Arguments.text(appVersion, "app_version"))
    }

    /// The checked URL of the endpoint, without a trailing slash.
    private static func checked(_ given: UnsafeRawBufferPointer) throws(Failure) -> UnsafeRawBufferPointer {
        guard given.count <= Limits.endpointBytes else {
            throw Failure(.invalidArgument, "endpoint_url: expected at most \(Limits.endpointBytes) bytes, got more")
        }
        // The message does not show the URL, because its query may contain a key.
        guard hasPrefix(given, "https://") || hasPrefix(given, "http://") else {
            throw Failure(.invalidArgument, "endpoint_url: expected a URL that begins with http:// or https://")
        }
        for index in 0..<given.count {
            let byte = given[index]
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte <= 0x20 || byte >= 0x7F {
                throw Failure(
                    .invalidArgument,
                    "endpoint_url: expected printable ASCII without `?`, `#` and space, got byte \(byte) at \(index)")
            }
        }
        let endsInSlash = given.last == UInt8(ascii: "/")
        return endsInSlash ? UnsafeRawBufferPointer(rebasing: given.dropLast()) : given
    }

    /// Whether a checked URL is on the published endpoint's host, in any spelling.
    private static func isPublished(_ address: UnsafeRawBufferPointer) -> Bool {
        let host = RequestTarget.publishedHost
        guard let start = address.firstIndex(of: UInt8(ascii: "/")).map({ $0 &+ 2 }),
            address.count &- start >= host.utf8CodeUnitCount
        else { return false }
        for index in 0..<host.utf8CodeUnitCount {
            let byte = address[start &+ index]
            let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            guard (isCapital ? byte | 0x20 : byte) == host.utf8Start[index] else { return false }
        }
        let end = start &+ host.utf8CodeUnitCount
        guard end < address.count else { return true }
        return address[end] == UInt8(ascii: "/") || address[end] == UInt8(ascii: ":")
            || address[end] == UInt8(ascii: ".")
    }

    private static func hasPrefix(_ text: UnsafeRawBufferPointer, _ prefix: StaticString) -> Bool {
        text.count > prefix.utf8CodeUnitCount && text.starts(with: prefix.bytes)
    }

    private static func encoded(_ text: UnsafeRawBufferPointer?) -> [UInt8] {
        guard let text else { return [] }
        var buffer = ByteBuffer(capacity: text.count * 3 + 1)
        buffer.appendPercentEncoded(text)
        return buffer.array
    }
}

/// The checked facts about the device that an event came from.
package struct Device {
    package let osVersion: UnsafeRawBufferPointer?
    let idfv: UnsafeRawBufferPointer?
    let idfa: UnsafeRawBufferPointer?

    package init(
        osVersion: UnsafeRawBufferPointer?, idfv: UnsafeRawBufferPointer?, idfa: UnsafeRawBufferPointer?
    ) throws(Failure) {
        self.osVersion = try Arguments.text(osVersion, "os_version")
        self.idfv = try Arguments.text(idfv, "idfv")
        self.idfa = try Arguments.text(idfa, "idfa")
    }

    /// Creates a device about which nothing is known.
    package init() { (osVersion, idfv, idfa) = (nil, nil, nil) }
}

extension RequestTarget {
    /// The event's amount and its id are sent only to the host's own endpoint.
    package func url(
        event: UnsafeRawBufferPointer, eventID: UnsafeRawBufferPointer? = nil, amount: EventAmount? = nil,
        device: Device, state: InstallState
    ) -> ByteBuffer {
        var text = ByteBuffer(capacity: 1024)
        head.withUnsafeBytes { text.append($0) }
        var query = Query(text)
        query.add("a", encoded: sdkKey)
        if protocolVersion == .skan4 { query.add("v", device.osVersion) }
        query.add("i", encoded: bundleID)
        query.add("app_v", encoded: appVersion)
        query.add("n", event)
        query.add("p", platform)
        query.add("idfv", device.idfv)
        query.add("idfa", device.idfa)
        switch protocolVersion {
        case .skan4:
            state.writeDetails(to: &query)
        case .skan3:
            query.add("conversion_value", state.conversion.fine.map { Int64($0) })
            state.revenue.withTotals(of: .lifetime(.iap)) { query.add("total_revenue_by_currency", $0) }
            query.add("first_call_to_skadnetwork_timestamp", state.conversion.first)
            query.add("last_call_to_skadnetwork_timestamp", state.conversion.last)
        }
        if isOwnEndpoint {
            if let amount { query.add(amount) }
            query.add("event_id", eventID)
        }
        return query.finish()
    }

    private var platform: UnsafeRawBufferPointer {
        let name: StaticString = "iOS"
        return name.bytes
    }
}

extension InstallState {
    /// Rules, "Metadata": the items that the host adds to its session and event calls.
    package func metadata() -> ByteBuffer {
        var query = Query(ByteBuffer(capacity: 512))
        switch conversion.protocolVersion {
        case .skan4:
            writeDetails(to: &query)
        case .skan3:
            query.add("skan_conversion_value", conversion.fine.map { Int64($0) })
            query.add("skan_first_call_timestamp", conversion.first)
            query.add("skan_last_call_timestamp", conversion.last)
        }
        return query.finish()
    }
}

extension Query {
    /// Adds the amount as items of a request to the host's own endpoint.
    fileprivate mutating func add(_ amount: EventAmount) {
        add("event_revenue", amount.amount)
        var currency = ByteBuffer(capacity: 3)
        amount.currency.write(to: &currency)
        currency.withBytes { add("event_currency", $0) }
        if amount.kind == .ad { add("event_ad", 1) }
    }
}
