import SKANCore
import SKANSystem

/// A postback taken out of the text, JSON string or base64 in which a program wrapped it.
struct WrappedPostback {
    /// Apple's document; the unwrapped text if no document of Apple's was found in it.
    let document: [UInt8]

    /// `value`: an object, or a text that holds one.
    init(_ value: ColumnValue) {
        let text = value.kind == .string ? unwrapped(value.text) : value.text
        document = text.withUnsafeBytes { appleDocument(ofObject: $0) } ?? text
    }
}

/// Returns the text of an object, taken out of JSON strings and base64 at most three times.
private func unwrapped(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0..<3 {
        guard let inner = text.withUnsafeBytes({ inside($0) }) else { break }
        text = inner
    }
    return text
}

/// Returns the contents of a text that is not an object: those of a JSON string, with or without its quotes, or decoded
/// base64; nil for any other text.
private func inside(_ text: Bytes) -> [UInt8]? {
    let text = trimmedText(text)
    guard let first = text.first else { return nil }
    let quote = UInt8(ascii: "\"")
    if first == quote { return string(text) }
    if first == UInt8(ascii: "{") {
        return text.dropFirst().first == UInt8(ascii: "\\") ? string([quote] + text + [quote]) : nil
    }
    let decoded = text.withUnsafeBytes { Base64.standard.decode($0) ?? Base64.url.decode($0) }
    return decoded.flatMap { $0.first == UInt8(ascii: "{") || $0.first == quote ? $0 : nil }
}

/// nil if the text is not a JSON string.
private func string(_ text: [UInt8]) -> [UInt8]? {
    let document = [UInt8](StaticString("{\"\":").bytes) + text + [UInt8(ascii: "}")]
    return document.withUnsafeBytes { try? JSONDocument($0).members.first?.value.string?.utf8 }
}

/// Returns the object itself if its members have Apple's names, otherwise an object with Apple's names and types. nil
/// if the text is not an object, or has no signature under any name.
private func appleDocument(ofObject text: Bytes) -> [UInt8]? {
    guard let document = try? JSONDocument(text) else { return nil }
    if document.members.contains(where: { AppleMember.named($0.key.utf8)?.isSignature ?? false }) {
        return [UInt8](text)
    }
    var json = JSONWriter(capacity: text.count + 64)
    var written: [AppleMember] = []
    json.beginObject()
    for each in document.members {
        let value = ColumnValue(each.value)
        guard !value.isAbsent, let member = AppleMember.named(like: each.key.utf8) else { continue }
        if written.contains(where: { $0.isNamed(member.name) }) { continue }
        written.append(member)
        json.write(member, value)
    }
    json.endObject()
    return written.contains { $0.isSignature } ? json.finish().array : nil
}
