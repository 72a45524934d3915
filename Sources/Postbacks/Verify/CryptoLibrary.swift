internal import CSKANCrypto
internal import CSKANSystem
package import SKANCore

/// A separate libcrypto context, because the host's OpenSSL configuration may forbid P-192. It is never freed, since
/// threads may still be using it when the process ends.
enum CryptoLibrary {
    /// Created on first use; nil if there was not enough memory.
    static var context: OpaquePointer? {
        pthread_once(&once, begin)
        return library
    }

    fileprivate static var sha256: OpaquePointer? { context == nil ? nil : algorithm }
}

/// Computed by libcrypto, which uses the processor's instructions for it.
package func sha256(_ bytes: UnsafeRawBufferPointer) -> SHA256 {
    var digest = InlineArray<8, UInt32>(repeating: 0)
    let isMade = withUnsafeMutableBytes(of: &digest) { digest in
        let start = digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let algorithm = CryptoLibrary.sha256 else { return false }
        return EVP_Digest(bytes.baseAddress, bytes.count, start, nil, algorithm, nil) == 1
    }
    guard isMade else { return SHA256(of: bytes) }
    for index in digest.indices { digest[index] = UInt32(bigEndian: digest[index]) }
    return SHA256(words: digest)
}

private nonisolated(unsafe) var once = pthread_once_t()
private nonisolated(unsafe) var library: OpaquePointer?
private nonisolated(unsafe) var algorithm: OpaquePointer?

private func begin() {
    library = OSSL_LIB_CTX_new()
    algorithm = EVP_MD_fetch(library, "SHA256", nil)
}
