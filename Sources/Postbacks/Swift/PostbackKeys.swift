internal import SKAN
internal import SKANCore
internal import SKANPostbackVerification

/// The public keys that postbacks are verified with: Apple's keys, of which some may be replaced, and any others that
/// are added. They are parsed once, and copies share them.
public struct PostbackKeys: Sendable {
    /// A public key.
    public struct Key: Sendable {
        /// A version of SKAdNetwork's postbacks, "1.0" to "4.0", or the `kid` of a JWS.
        public var name: String
        /// The key, a SubjectPublicKeyInfo in padded base64. Its curve is P-256; if `name` is a version, P-192 is
        /// allowed, too. nil = there is no key with this name, so postbacks that need it are unverifiable.
        public var spki: String?
        /// Whether postbacks signed with this key are ``Postback/Result/development``, not valid.
        public var isDevelopment: Bool

        public init(name: String, spki: String?, isDevelopment: Bool = false) {
            self.name = name
            self.spki = spki
            self.isDevelopment = isDevelopment
        }
    }

    /// Apple's keys.
    public static let apple = PostbackKeys(given: nil)

    private let given: PostbackKeySet?

    private init(given: PostbackKeySet?) { self.given = given }

    /// Creates a set of Apple's keys, in which each given key replaces the one of the same name or is added.
    ///
    /// - Throws: `SKANError.Code.invalidArgument` for an invalid name or key, `SKANError.Code.limitExceeded` for more
    ///   than 256 keys.
    public init(_ keys: [Key]) throws {
        for key in keys {
            try checkText(key.name, "name")
            try checkText(key.spki ?? "", "spki")
        }
        let given = keys.map { key in
            GivenKey(
                name: [UInt8](key.name.utf8), spki: key.spki.map { [UInt8]($0.utf8) },
                isDevelopment: key.isDevelopment)
        }
        self.given = try translated { () throws(Failure) in try PostbackKeySet(given) }
    }

    func set() throws(Failure) -> PostbackKeySet {
        if let given { return given }
        return try .apple()
    }
}

/// Throws if a text contains a NUL, because other languages give names and keys as C strings, which cannot contain one.
/// `name`: "name" or "spki", for the message.
private func checkText(_ text: String, _ name: String) throws {
    if text.utf8.contains(0) { throw SKANError(.invalidArgument, "\(name): has a NUL") }
}
