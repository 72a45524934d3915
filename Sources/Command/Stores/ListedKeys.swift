import SKANCore
import SKANSystem

/// Remembers which keys were listed, for stores that may list a key twice, as Redis may. Takes up to 48 bytes for each
/// key.
struct ListedKeys {
    /// The first half of each key's SHA-256.
    private var prints: Set<KeyPrint> = []

    /// Returns whether the key is new.
    mutating func add(_ key: Bytes) -> Bool { prints.insert(KeyPrint(SHA256(of: key))).inserted }
}

private struct KeyPrint: Hashable {
    let high, low: UInt64

    init(_ digest: SHA256) {
        high = UInt64(digest.words[0]) << 32 | UInt64(digest.words[1])
        low = UInt64(digest.words[2]) << 32 | UInt64(digest.words[3])
    }
}
