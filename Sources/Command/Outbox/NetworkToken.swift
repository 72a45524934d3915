package import SKANCore
package import SKANSystem

/// What a network proves itself by: bytes, filled up with zeros, so that all take equally long to compare.
package struct NetworkToken: Sendable {
    private let bytes: [UInt8]
    private let count: Int

    /// The greatest number of tokens of a network: an old one is good until its holder has the new one.
    package static var most: Int { 4 }
    package static var lengths: ClosedRange<Int> { 16...256 }

    /// Makes the token of a text of any length; bytes beyond the length of the longest token are not looked at.
    package init(_ text: Bytes) {
        count = min(text.count, NetworkToken.lengths.upperBound + 1)
        let used = text.prefix(NetworkToken.lengths.upperBound)
        bytes = used + [UInt8](repeating: 0, count: NetworkToken.lengths.upperBound - used.count)
    }

    /// No token has its length.
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
