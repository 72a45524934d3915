import SKANCore
import SKANSystem

/// Returns the name of the member in which an object that is not a postback contains one, as text or as an object; nil
/// if there is none.
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
