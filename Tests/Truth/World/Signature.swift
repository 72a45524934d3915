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
        let versions: [Message] = ["3.0", "4.0", "apple-cas-identifier/0"]
        return try PostbackKeySet(versions.map { GivenKey(name: $0.utf8, spki: spki, isDevelopment: false) })
    }

    /// The signature in padded base64, as SKAdNetwork has it.
    func signature(_ text: [UInt8]) -> [UInt8] {
        encoded(der(text), .standard)
    }

    /// The signature's two numbers in unpadded base64url, as a JWS has them.
    func numbers(_ text: [UInt8]) -> [UInt8] {
        var rest = der(text).dropFirst(2)
        var numbers: [UInt8] = []
        for _ in 0..<2 {
            let count = Int(rest.dropFirst().first ?? 0)
            let number = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
            numbers += [UInt8](repeating: 0, count: 32 - number.count) + number
            rest = rest.dropFirst(2 + count)
        }
        return encoded(numbers, .url)
    }

    private func encoded(_ bytes: [UInt8], _ form: Base64) -> [UInt8] { bytes.withUnsafeBytes { form.encode($0) } }

    private func der(_ text: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 80)
        var count = signature.count
        guard EVP_MD_CTX_reset(context) == 1, EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, text, text.count) == 1
        else { fatalError("no signature") }
        return Array(signature.prefix(count))
    }
}
