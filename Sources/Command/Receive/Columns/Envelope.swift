import SKANCore
import SKANSystem

/// Returns the name of the member that contains a postback, as text or as an object. Returns nil if the object itself
/// is a postback, or if no member contains one.
func memberWithPostback(in text: Bytes) -> [UInt8]? {
    guard let document = try? JSONDocument(text, allowsDuplicates: true) else { return nil }
    let isSigned = document.members.contains { AppleMember.named(like: $0.key.utf8)?.isSignature ?? false }
    if isSigned { return nil }
    return document.members.first { namesSignature($0.value.string?.utf8 ?? [UInt8]($0.value.text)) }?.key.utf8
}

/// Whether a text contains the name of a signature, in Apple's style or with underscores.
private func namesSignature(_ text: [UInt8]) -> Bool {
    let names: [StaticString] = ["attribution-signature", "attribution_signature", "jws-string", "jws_string"]
    return text.indices.contains { start in names.contains { text[start...].starts(with: $0.bytes) } }
}
