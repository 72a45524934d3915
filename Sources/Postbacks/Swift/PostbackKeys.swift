internal import CSKANPostback
internal import SKAN
internal import SKANCStore

/// The public keys that postbacks are verified with: Apple's, with some replaced or added. Parsed once; copies share
/// them.
public struct PostbackKeys: Sendable {
    /// A public key.
    public struct Key: Sendable {
        /// A version of SKAdNetwork's postbacks, "1.0" to "4.0", or the `kid` of a JWS.
        public var name: String
        /// A SubjectPublicKeyInfo in padded base64, of P-256 or, for versions, P-192; nil = none: such postbacks are
        /// unverifiable.
        public var spki: String?
        /// What it signs is ``Postback/Result/development``, not valid.
        public var isDevelopment: Bool

        public init(name: String, spki: String?, isDevelopment: Bool = false) {
            self.name = name
            self.spki = spki
            self.isDevelopment = isDevelopment
        }
    }

    /// Apple's.
    public static let apple = PostbackKeys(shared: nil)

    private let shared: NativeKeys?

    private init(shared: NativeKeys?) { self.shared = shared }

    /// Apple's keys, but for those names that are given.
    ///
    /// - Throws: `SKANError.Code.invalidArgument` for a name or key that is none,
    ///   `SKANError.Code.limitExceeded` for more than 256.
    public init(_ keys: [Key]) throws {
        for key in keys {
            try checkText(key.name, "name")
            try checkText(key.spki ?? "", "spki")
        }
        shared = try NativeKeys(keys)
    }

    func withNative<Result>(_ body: (OpaquePointer?) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(shared) { try body(shared?.native) }
    }
}

/// A set of C, which never changes.
private final class NativeKeys: @unchecked Sendable {
    let native: OpaquePointer

    init(_ keys: [PostbackKeys.Key]) throws {
        var made: OpaquePointer?
        var failure: OpaquePointer?
        let texts = keys.map { (duplicated($0.name), $0.spki.map(duplicated)) }
        defer {
            for (name, spki) in texts {
                name.deallocate()
                spki?.deallocate()
            }
        }
        let given = zip(keys, texts).map { key, text in
            skan_postback_key(name: text.0, spki: text.1, is_development: key.isDevelopment ? 1 : 0)
        }
        let status = skan_postback_keys_create(given, given.count, &made, &failure)
        guard status == 0, let made else { throw SKANError(ending: failure) }
        native = made
    }

    deinit { skan_postback_keys_destroy(native) }
}

/// A C text that its owner deallocates.
private func duplicated(_ text: String) -> UnsafePointer<CChar> {
    let bytes = text.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { copy[index] = byte }
    return UnsafePointer(copy)
}
