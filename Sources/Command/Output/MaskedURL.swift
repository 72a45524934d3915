package import SKANCore
package import SKANSystem

/// A URL as it may be shown: without what stands between `user:` and '@', and without the values of items whose name
/// has "pass" in it. In doubt the scheme alone.
package func maskedURL(_ url: Bytes) -> Message {
    let items = maskedItems([UInt8](url))
    // Where an '@' went with an item, nobody can say what was the password.
    if let start = authorityStart(url), url[start...].contains(at), !items.contains(at) {
        return Message(utf8: items.prefix(start) + mask)
    }
    return Message(utf8: maskedAuthority(items))
}

private let at = UInt8(ascii: "@")
private var mask: [UInt8] { [UInt8](repeating: UInt8(ascii: "*"), count: 3) }

/// Values of query items, also of those in a connection string of libpq, which is no URL.
private func maskedItems(_ url: [UInt8]) -> [UInt8] {
    var masked: [UInt8] = []
    var rest = url[...]
    while !rest.isEmpty {
        let end = rest.dropFirst().firstIndex { StaticString("?& \t\n").bytes.contains($0) } ?? rest.endIndex
        let item = rest[..<end]
        if let equals = item.firstIndex(of: UInt8(ascii: "=")), namesPassword(item[..<equals]) {
            masked += item[...equals] + mask
        } else {
            masked += item
        }
        rest = rest[end...]
    }
    return masked
}

/// Whether it has "pass" in it, in any case.
private func namesPassword(_ name: ArraySlice<UInt8>) -> Bool {
    let word = StaticString("pass").bytes
    return name.indices.contains { start in
        name[start...].count >= word.count && zip(name[start...], word).allSatisfy { $0 | 0x20 == $1 }
    }
}

/// The password before the host. It may hold a '/', '?' or '@' that should have been escaped: the last '@' ends it.
private func maskedAuthority(_ url: [UInt8]) -> [UInt8] {
    guard let start = url.withUnsafeBytes({ authorityStart($0) }), let end = url[start...].lastIndex(of: at),
        let colon = url[start..<end].firstIndex(of: UInt8(ascii: ":"))
    else { return url }
    return url[...colon] + mask + url[end...]
}

/// The place at which the text behind the first "://" begins.
private func authorityStart(_ url: Bytes) -> Int? {
    let mark = StaticString("://").bytes
    return url.indices.first { url[$0...].starts(with: mark) }.map { $0 + mark.count }
}
