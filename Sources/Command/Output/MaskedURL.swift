package import SKANCore
package import SKANSystem

/// Returns a URL without secrets: masks the password between `user:` and '@', and the values of items whose names
/// contain "pass". If in doubt, shows only the scheme. If the URL has no "://" and does not begin with "sqlite:", masks
/// everything between the first ':' and the last '@'.
package func maskedURL(_ url: Bytes) -> Message {
    let items = maskedItems([UInt8](url))
    // If masking an item removed an '@', it is unclear which part was the password.
    if url.contains(at), !items.contains(at), let start = authorityStart(url) ?? colonEnd(url) {
        return Message(utf8: items.prefix(start) + mask)
    }
    return Message(utf8: authorityStart(url) == nil ? maskedWithoutScheme(items) : maskedAuthority(items))
}

private let at = UInt8(ascii: "@")
private let colon = UInt8(ascii: ":")
private var mask: [UInt8] { [UInt8](repeating: UInt8(ascii: "*"), count: 3) }

/// Masks the values of items whose names contain "pass": of query items, and of items in libpq's connection strings,
/// which are not URLs.
private func maskedItems(_ url: [UInt8]) -> [UInt8] {
    var masked: [UInt8] = []
    var rest = url[...]
    while !rest.isEmpty {
        let end = rest.dropFirst().firstIndex(where: endsItem) ?? rest.endIndex
        let name = rest[..<end].prefix { $0 != UInt8(ascii: "=") }
        if namesPassword(name), let value = value(behind: name, in: rest) {
            masked += rest[..<value.startIndex] + mask
            rest = rest[value.endIndex...]
        } else {
            masked += rest[..<end]
            rest = rest[end...]
        }
    }
    return masked
}

private func endsItem(_ byte: UInt8) -> Bool { StaticString("?& \t\n").bytes.contains(byte) }

/// Whether the name contains "pass", in any case.
private func namesPassword(_ name: ArraySlice<UInt8>) -> Bool {
    let word = StaticString("pass").bytes
    return name.indices.contains { start in
        name[start...].count >= word.count && zip(name[start...], word).allSatisfy { $0 | 0x20 == $1 }
    }
}

/// Returns the value of an item; nil if no "=" follows the name. In libpq's connection strings, a value may be quoted
/// and follow blanks.
private func value(behind name: ArraySlice<UInt8>, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let isBlank = { (byte: UInt8) in StaticString(" \t\n").bytes.contains(byte) }
    let equals = text[name.endIndex...].drop(while: isBlank)
    guard equals.first == UInt8(ascii: "=") else { return nil }
    let value = equals.dropFirst().drop(while: isBlank)
    let quote = UInt8(ascii: "'")
    let isQuoted = value.first == quote
    var end = isQuoted ? value.startIndex + 1 : value.startIndex
    while end < value.endIndex {
        if isQuoted ? value[end] == quote : endsItem(value[end]) { break }
        end += value[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return value[..<min(isQuoted ? end + 1 : end, value.endIndex)]
}

/// Masks the password before the host. The last '@' ends the password, which may contain an unescaped '/', '?' or '@'.
private func maskedAuthority(_ url: [UInt8]) -> [UInt8] {
    guard let start = url.withUnsafeBytes({ authorityStart($0) }), let end = url[start...].lastIndex(of: at),
        let colon = url[start..<end].firstIndex(of: colon)
    else { return url }
    return url[...colon] + mask + url[end...]
}

/// Masks everything between the first ':' and the last '@'. URLs that begin with "sqlite:" stay as they are, because a
/// file's name may contain both.
private func maskedWithoutScheme(_ url: [UInt8]) -> [UInt8] {
    guard !url.starts(with: StaticString("sqlite:").bytes), let end = url.lastIndex(of: at),
        let colon = url[..<end].firstIndex(of: colon)
    else { return url }
    return url[...colon] + mask + url[end...]
}

/// Returns the index after the first "://"; nil if there is none.
private func authorityStart(_ url: Bytes) -> Int? {
    let mark = StaticString("://").bytes
    return url.indices.first { url[$0...].starts(with: mark) }.map { $0 + mark.count }
}

/// Returns the index after the first ':'; nil if there is none.
private func colonEnd(_ url: Bytes) -> Int? { url.firstIndex(of: colon).map { $0 + 1 } }
