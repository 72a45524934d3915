/// Rules, "Endpoint requests": the query of a request to a protocol's endpoint. Throws INVALID_ARGUMENT for any other
/// path.
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

extension EndpointRequest {
    /// Decodes a query into memory of at least its size, which must outlive the request, and makes all checks that do
    /// not need the user's record.
    package init(
        _ query: UnsafeRawBufferPointer, in memory: UnsafeMutableRawBufferPointer, _ protocolVersion: ProtocolVersion,
        models: [ConversionModel], now: Int64
    ) throws(EndpointRejection) {
        guard let items = QueryItems(query, in: memory) else { throw .parameter("a") }
        // An engine of SKAN 3 without models is the published test endpoint.
        let isTest = protocolVersion == .skan3 && models.isEmpty
        try self.init(items, protocolVersion, isTest: isTest)
        guard isTest || !models.isEmpty else { throw .noModel(app: [UInt8](app)) }
        try checkOpen(at: now)
    }
}
