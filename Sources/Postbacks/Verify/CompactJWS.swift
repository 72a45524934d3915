internal import SKANCore

/// A JWS in compact form (RFC 7515): header, payload and signature in base64url, separated by dots.
struct CompactJWS {
    let header: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]
    /// The number of bytes, from the start of the text, that are signed: the header, a dot and the payload as received.
    let signedCount: Int

    init(_ text: UnsafeRawBufferPointer) throws(PostbackRefusal) {
        guard let first = text.firstIndex(of: dot), let second = text[(first &+ 1)...].firstIndex(of: dot),
            !text[(second &+ 1)...].contains(dot)
        else { throw .malformed("jws-string", "expected a compact JWS, of three parts") }
        header = try decoded(text[..<first], "header")
        payload = try decoded(text[(first &+ 1)..<second], "payload")
        signature = try decoded(text[(second &+ 1)...], "signature")
        signedCount = second
    }
}

private var dot: UInt8 { UInt8(ascii: ".") }

private func decoded(
    _ part: Slice<UnsafeRawBufferPointer>, _ name: StaticString
) throws(PostbackRefusal) -> [UInt8] {
    guard let bytes = Base64.url.decode(UnsafeRawBufferPointer(rebasing: part)) else {
        throw .malformed(name, "expected base64url without padding")
    }
    return bytes
}
