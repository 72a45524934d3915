import SKANCore
package import SKANSystem

/// Remembers which keys were seen, for stores that may list a key twice. Takes up to 48 bytes for each key.
package struct SeenKeys {
    private var prints: Set<KeyPrint> = []

    package init() {}

    /// Adds a key; returns whether it is new. Keys end with the 64 hexadecimal digits of a SHA-256, and the first 32 of
    /// these digits identify the key.
    package mutating func add(_ key: Bytes) -> Bool { prints.insert(KeyPrint(key)).inserted }

    /// Adds an install id; returns whether it is new. An install id can be any text, so it is identified by its
    /// SHA-256.
    package mutating func add(install key: Bytes) -> Bool {
        prints.insert(KeyPrint(SHA256(of: UnsafeRawBufferPointer(key)))).inserted
    }
}

private struct KeyPrint: Hashable {
    private let high: UInt64
    private let low: UInt64

    /// The key's first letter goes into the print, too, because it distinguishes "postback/" from "refused/".
    init(_ key: Bytes) {
        let digits = key.drop { $0 != UInt8(ascii: "/") }.dropFirst()
        high = KeyPrint.number(digits.prefix(16)) ^ UInt64(key.first ?? 0)
        low = KeyPrint.number(digits.dropFirst(16).prefix(16))
    }

    init(_ digest: SHA256) {
        high = UInt64(digest.words[0]) << 32 | UInt64(digest.words[1])
        low = UInt64(digest.words[2]) << 32 | UInt64(digest.words[3])
    }

    private static func number(_ digits: Slice<Bytes>) -> UInt64 {
        digits.reduce(0) { $0 << 4 | UInt64(isDigit($1) ? $1 & 15 : ($1 & 15) + 9) }
    }
}
