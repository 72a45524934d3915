internal import CSKANCrypto
internal import CSKANSystem
internal import SKANCore
internal import SKANPostbackVerification

/// A key of the world's own, which stands for Apple's.
struct SigningKey {
    private let key: OpaquePointer
    private let context: OpaquePointer

    init() {
        let making = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(making) }
        var made: OpaquePointer?
        guard EVP_PKEY_keygen_init(making) == 1, EVP_PKEY_CTX_set_group_name(making, "prime256v1") == 1,
            EVP_PKEY_generate(making, &made) == 1, let made, let context = EVP_MD_CTX_new()
        else { fatalError("no key") }
        (key, self.context) = (made, context)
    }

    func keySet() throws(Failure) -> PostbackKeySet {
        var der: UnsafeMutablePointer<UInt8>?
        let count = Int(i2d_PUBKEY(key, &der))
        defer { free(der) }
        let spki = Base64.standard.encode(UnsafeRawBufferPointer(start: der, count: count))
        let versions: [Message] = ["3.0", "4.0"]
        return try PostbackKeySet(versions.map { GivenKey(name: $0.utf8, spki: spki, isDevelopment: false) })
    }

    /// The signature in padded base64.
    func signature(_ text: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 80)
        var count = signature.count
        guard EVP_MD_CTX_reset(context) == 1, EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, text, text.count) == 1
        else { fatalError("no signature") }
        return signature.withUnsafeBytes { Base64.standard.encode(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
}
