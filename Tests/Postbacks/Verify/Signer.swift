import CSKANCrypto
import SKANCore
import SKANPostbackVerification

/// Signs postbacks with keys of the tests' own.
struct Signer: @unchecked Sendable {
    static let shared = Signer()

    /// They stand for Apple's keys of every version, and for the kids "test/0", "test-development/0", "test-p192/0".
    let keys: PostbackKeySet
    private let p256: OpaquePointer
    private let p192: OpaquePointer

    private init() {
        (p256, p192) = (Signer.key("prime256v1"), Signer.key("prime192v1"))
        let names = [
            ("4.0", p256), ("3.0", p256), ("2.2", p256), ("2.1", p256), ("2.0", p192), ("1.0", p192), ("test/0", p256),
            ("test-development/0", p256), ("test-p192/0", p192),
        ]
        keys = try! PostbackKeySet(
            names.map { name, key in
                GivenKey(
                    name: Array(name.utf8), spki: Signer.spki(key), isDevelopment: name.hasPrefix("test-development"))
            })
    }

    private static func key(_ curve: String) -> OpaquePointer {
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, curve) == 1,
            EVP_PKEY_generate(context, &key) == 1, let key
        else { preconditionFailure("no key on \(curve)") }
        return key
    }

    private static func spki(_ key: OpaquePointer) -> [UInt8] {
        var der: UnsafeMutablePointer<UInt8>?
        let count = Int(i2d_PUBKEY(key, &der))
        defer { free(der) }
        return Array(Base64.standard.encode(UnsafeRawBufferPointer(start: der, count: count)))
    }

    private func sign(_ text: [UInt8], _ key: OpaquePointer) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 80)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, text, text.count) == 1
        else { preconditionFailure("no signature") }
        return Array(signature.prefix(count))
    }

    /// A postback of SKAdNetwork with these members and a signature of these texts.
    func skAdNetwork(_ version: String, signing texts: [String], _ members: String) -> [UInt8] {
        let text = Array(texts.joined(separator: "\u{2063}").utf8)
        let signature = sign(text, version < "2.1" ? p192 : p256).withUnsafeBytes { Base64.standard.encode($0) }
        return Array("{\(members),\"attribution-signature\":\"".utf8) + signature + Array("\"}".utf8)
    }

    /// A postback with a JWS of any header and payload.
    func jws(_ header: String, _ payload: String, _ more: String = "") -> [UInt8] {
        let parts = [header, payload].map { Array($0.utf8).withUnsafeBytes { Array(Base64.url.encode($0)) } }
        let text = parts[0] + [UInt8(ascii: ".")] + parts[1]
        let numbers = Signer.numbers(sign(text, p256)).withUnsafeBytes { Array(Base64.url.encode($0)) }
        return Array("{\"jws-string\":\"".utf8) + text + [UInt8(ascii: ".")] + numbers + Array("\"\(more)}".utf8)
    }

    /// One of AdAttributionKit, of a conversion type as JSON, nil for none.
    func kit(_ conversionType: String?, kid: String = "test/0", _ more: String = "") -> [UInt8] {
        let type = conversionType.map { ",\"conversion-type\":\($0)" } ?? ""
        return jws(#"{"alg":"ES256","kid":"\#(kid)"}"#, Signer.payload.dropLast() + type + "}", more)
    }

    static let payload =
        #"{"postback-identifier":"p","ad-network-identifier":"n","advertised-item-identifier":1,"#
        + #""source-identifier":"12","did-win":true,"postback-sequence-index":0}"#

    /// The two numbers of a DER signature, 32 bytes each.
    private static func numbers(_ der: [UInt8]) -> [UInt8] {
        var numbers: [UInt8] = []
        var rest = der.dropFirst(2)
        while rest.count > 2 {
            let count = Int(rest[rest.startIndex + 1])
            let number = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
            numbers += [UInt8](repeating: 0, count: 32 - number.count) + number
            rest = rest.dropFirst(2 + count)
        }
        return numbers
    }
}
