import SKANCore
package import SKANSystem

/// A request that has arrived completely. Its bytes are valid only while the request is answered. Parts that never
/// arrived are empty.
package struct HTTPServerRequest {
    package let method: Bytes
    /// The path and query as received.
    package let target: Bytes
    package let body: Bytes
    /// The token of "Authorization: Bearer"; nil without that header.
    package let bearer: [UInt8]?
    /// The value of If-None-Match; nil without that header.
    package let unlessETag: [UInt8]?
    package let coding: ContentCoding
    /// The value of X-Request-ID, by which a proxy in front names the request in logs; nil without that header.
    let id: [UInt8]?
    /// nil if the address is not known.
    package let client: ClientAddress?
    private let pathLength: Int

    package init(
        method: Bytes, target: Bytes, body: Bytes, bearer: [UInt8]? = nil, unlessETag: [UInt8]? = nil,
        coding: ContentCoding = .none, id: [UInt8]? = nil, client: ClientAddress? = nil
    ) {
        self.method = method
        self.target = target
        self.body = body
        self.bearer = bearer
        self.unlessETag = unlessETag
        self.coding = coding
        self.id = id
        self.client = client
        pathLength = target.firstIndex(of: UInt8(ascii: "?")) ?? target.count
    }

    package var path: Bytes { Bytes(rebasing: target[..<pathLength]) }

    private var query: Bytes { Bytes(rebasing: target[min(pathLength + 1, target.count)...]) }

    /// The value of the first query item with this name, decoded, with `+` as a space; nil if there is no such item, or
    /// its value has more than `longest` bytes or contains a NUL.
    package func item(_ name: StaticString, atMost longest: Int) -> [UInt8]? {
        let query = query
        var start = 0
        while start < query.count {
            let end = query[start...].firstIndex(of: UInt8(ascii: "&")) ?? query.count
            let equals = query[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
            if isDecoded(Bytes(rebasing: query[start..<equals]), name) {
                return decoded(Bytes(rebasing: query[min(equals + 1, end)..<end]), atMost: longest)
            }
            start = end + 1
        }
        return nil
    }
}

/// Whether percent-encoded text decodes to a name. Texts that are too short or too long are not decoded.
private func isDecoded(_ encoded: Bytes, _ name: StaticString) -> Bool {
    guard encoded.count >= name.utf8CodeUnitCount, encoded.count <= 3 * name.utf8CodeUnitCount else { return false }
    return decoded(encoded, atMost: name.utf8CodeUnitCount)?.elementsEqual(name.bytes) ?? false
}

private func decoded(_ encoded: Bytes, atMost longest: Int) -> [UInt8]? {
    // Nothing is decoded into an empty array, whose storage is shared.
    guard !encoded.isEmpty else { return [] }
    guard encoded.count <= 3 * longest else { return nil }
    let value = [UInt8](unsafeUninitializedCapacity: encoded.count) { memory, count in
        count = PercentCoding.decode(encoded, into: UnsafeMutableRawBufferPointer(memory), plusIsSpace: true).count
    }
    return value.count <= longest && !value.contains(0) ? value : nil
}
