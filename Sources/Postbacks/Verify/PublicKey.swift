internal import CSKANCrypto
internal import SKANCore

/// A public key as given by a host.
package struct GivenKey {
    /// 1...128 bytes.
    package let name: [UInt8]?
    /// The key, a SubjectPublicKeyInfo in padded base64; nil if there shall be no key with this name.
    package let spki: [UInt8]?
    /// Whether postbacks signed with this key are tests.
    package let isDevelopment: Bool

    package init(name: [UInt8]?, spki: [UInt8]?, isDevelopment: Bool) {
        self.name = name
        self.spki = spki
        self.isDevelopment = isDevelopment
    }

    package static var nameBytes: Int { 128 }
    package static var spkiLetters: Int { 1024 }
}

/// A key that was parsed and checked.
final class PublicKey: @unchecked Sendable {
    let name: [UInt8]
    let isDevelopment: Bool
    let isP256: Bool
    private let parsed: OpaquePointer
    /// A prepared verification context; each verification uses a copy.
    private let ready: OpaquePointer

    /// `place`: the index among the given keys, for messages.
    convenience init(
        _ name: [UInt8], _ spki: [UInt8], isDevelopment: Bool, place: Int, _ library: OpaquePointer
    ) throws(Failure) {
        guard spki.count <= GivenKey.spkiLetters, let der = spki.withUnsafeBytes({ Base64.standard.decode($0) }) else {
            throw Failure(
                .invalidArgument,
                "keys[\(place)].spki: expected padded base64 of at most \(GivenKey.spkiLetters) letters")
        }
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        guard let parsed = key(of: der, library) else { throw Self.noCurve(place) }
        let isP256 = isOnCurve(parsed, "prime256v1")
        guard isP256 || isOnCurve(parsed, "prime192v1") else {
            EVP_PKEY_free(parsed)
            throw Self.noCurve(place)
        }
        guard let ready = EVP_PKEY_CTX_new_from_pkey(library, parsed, nil) else {
            EVP_PKEY_free(parsed)
            throw Self.noMemoryForKeys
        }
        self.init(name, isDevelopment: isDevelopment, isP256: isP256, parsed, ready)
        guard EVP_PKEY_verify_init(ready) == 1 else { throw Self.noMemoryForKeys }
    }

    /// Takes ownership of `parsed` and `ready`, which `deinit` frees.
    private init(
        _ name: [UInt8], isDevelopment: Bool, isP256: Bool, _ parsed: OpaquePointer, _ ready: OpaquePointer
    ) {
        self.name = name
        self.isDevelopment = isDevelopment
        self.isP256 = isP256
        self.parsed = parsed
        self.ready = ready
    }

    deinit {
        EVP_PKEY_CTX_free(ready)
        EVP_PKEY_free(parsed)
    }

    /// Whether `signature`, in DER, is this key's ECDSA signature of a text whose SHA-256 is `digest`.
    func fits(_ signature: [UInt8], _ digest: SHA256) throws(Failure) -> Bool {
        var digest = digest.words
        for index in digest.indices { digest[index] = digest[index].bigEndian }
        guard let context = EVP_PKEY_CTX_dup(ready) else { throw Self.noMemory }
        defer { EVP_PKEY_CTX_free(context) }
        // Keeps errors about signatures that do not match out of the thread's error queue.
        ERR_set_mark()
        defer { ERR_pop_to_mark() }
        let answer = signature.withUnsafeBufferPointer { signature in
            withUnsafeBytes(of: &digest) { digest in
                EVP_PKEY_verify(
                    context, signature.baseAddress, signature.count,
                    digest.baseAddress?.assumingMemoryBound(to: UInt8.self), digest.count)
            }
        }
        if answer != 1, crypto_is_out_of_memory() != 0 { throw Self.noMemory }
        return answer == 1
    }

    static var noMemoryForKeys: Failure { Failure(.limitExceeded, "no memory for keys") }

    private static var noMemory: Failure { Failure(.limitExceeded, "no memory for a postback") }

    private static func noCurve(_ place: Int) -> Failure {
        Failure(
            .invalidArgument,
            "keys[\(place)].spki: expected the SubjectPublicKeyInfo of a key of curve P-256 or P-192")
    }
}

/// Parses a SubjectPublicKeyInfo in DER. Returns nil if it is invalid or other bytes follow it.
private func key(of der: [UInt8], _ library: OpaquePointer) -> OpaquePointer? {
    der.withUnsafeBufferPointer { der in
        var next = der.baseAddress
        guard let parsed = d2i_PUBKEY_ex(nil, &next, der.count, library, nil) else { return nil }
        if let base = der.baseAddress, let next, next == base + der.count { return parsed }
        EVP_PKEY_free(parsed)
        return nil
    }
}

private func isOnCurve(_ key: OpaquePointer, _ name: StaticString) -> Bool {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { curve in
        var length = 0
        guard
            EVP_PKEY_get_utf8_string_param(key, crypto_curve_parameter(), curve.baseAddress, curve.count, &length) == 1,
            length < curve.count
        else { return false }
        return isText(UnsafeRawBufferPointer(start: curve.baseAddress, count: length), name)
    }
}
