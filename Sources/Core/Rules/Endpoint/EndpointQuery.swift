/// Rules, "Endpoint requests": the query of a request's target, which is a path and a query. Throws INVALID_ARGUMENT if
/// the target is too long, or if the path is not that of the protocol's endpoint.
package func endpointQuery(
    _ target: UnsafeRawBufferPointer, _ protocolVersion: ProtocolVersion
) throws(Failure) -> UnsafeRawBufferPointer {
    guard target.count <= Limits.requestBytes else {
        throw Failure(.invalidArgument, "target: expected at most \(Limits.requestBytes) bytes, got more")
    }
    let path: StaticString = protocolVersion == .skan4 ? "/api/v2/conversion_value" : "/api/v1/conversion_value"
    let end = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
    guard target[..<end].elementsEqual(path.bytes) else {
        let found = UnsafeRawBufferPointer(rebasing: target[..<end])
        throw Failure(.invalidArgument, "target: expected the path \(path), got \(quoted: found)")
    }
    return UnsafeRawBufferPointer(rebasing: target[min(end &+ 1, target.count)...])
}

/// Rules, "Kept models": models that earlier users began with. New users never get one of these.
package struct OlderModels {
    package let list: [ConversionModel]
    /// Whether users without a model are users of the test endpoint, if there is no model for new users.
    package let hasTest: Bool

    package init(_ list: [ConversionModel], hasTest: Bool) { (self.list, self.hasTest) = (list, hasTest) }
}

/// Whether an engine acts as the published test endpoint, as an engine of SKAN 3 without models does.
func isTestEndpoint(_ protocolVersion: ProtocolVersion, _ models: [ConversionModel], _ older: OlderModels?) -> Bool {
    protocolVersion == .skan3 && models.isEmpty && older?.hasTest != false
}

extension EndpointRequest {
    /// Decodes a query, and makes all checks that do not need the user's record. `memory` must be at least as large as
    /// the query, and outlive the request. `older`: nil if there cannot be older models, so that no user has a model if
    /// `models` is empty.
    package init(
        _ query: UnsafeRawBufferPointer, in memory: UnsafeMutableRawBufferPointer, _ protocolVersion: ProtocolVersion,
        models: [ConversionModel], older: OlderModels? = nil, now: Int64
    ) throws(EndpointRejection) {
        guard let items = QueryItems(query, in: memory) else { throw .parameter("a") }
        let isTest = isTestEndpoint(protocolVersion, models, older)
        if isTest, older?.list.isEmpty == false, let whole = try? EndpointRequest(items, protocolVersion) {
            self = whole
        } else {
            try self.init(items, protocolVersion, isTest: isTest)
        }
        guard isTest || !models.isEmpty || older != nil else { throw .noModel(app: [UInt8](app)) }
        try checkOpen(at: now)
    }
}
