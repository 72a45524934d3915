package import SKANCore
package import SKANSystem

/// A network's secret token, padded with zeros so that every comparison takes equally long.
package struct NetworkToken: Sendable {
    private let bytes: [UInt8]
    private let count: Int

    /// The maximum number of tokens of a network. A network may have several, so that an old one stays valid until the
    /// network uses the new one.
    package static var most: Int { 4 }
    package static var lengths: ClosedRange<Int> { 16...256 }

    /// Makes a token from a text of any length. Bytes beyond the maximum length are ignored, but such a token equals no
    /// valid one.
    package init(_ text: Bytes) {
        count = min(text.count, NetworkToken.lengths.upperBound + 1)
        let used = text.prefix(NetworkToken.lengths.upperBound)
        bytes = used + [UInt8](repeating: 0, count: NetworkToken.lengths.upperBound - used.count)
    }

    /// A token that equals no valid one, since it is empty.
    static var none: NetworkToken { NetworkToken(Bytes(start: nil, count: 0)) }

    var text: [UInt8] { [UInt8](bytes.prefix(count)) }
    package var digest: SHA256 { bytes.withUnsafeBytes { SHA256(of: $0) } }

    @inline(never)
    package func equals(_ other: NetworkToken) -> Bool {
        var difference: UInt8 = count == other.count ? 0 : 1
        for index in 0..<NetworkToken.lengths.upperBound { difference |= bytes[index] ^ other.bytes[index] }
        return difference == 0
    }
}
