import SKANCommandStores
import SKANCore
package import SKANSystem

/// The URL at which a partner is called: http or https, without a user, and for GET with `{id}`. It may contain known
/// placeholders, but only in the query, so that no value changes the host or path. It may contain secrets.
package struct PartnerURL: Sendable {
    private enum Piece {
        case text([UInt8])
        case value(PartnerPlaceholder)
    }

    private var pieces: [Piece] = []

    package static var byteCount: Int { 4096 }

    /// Parses a URL. An error says what is wrong without showing the URL. `needsID`: the URL must contain the id,
    /// because nothing else lets the partner recognise a repeated message.
    @export(interface)
    package init(_ text: Bytes, needsID: Bool = true) throws(PartnerURLProblem) {
        guard let host = text.behind("https://") ?? text.behind("http://") else {
            throw PartnerURLProblem("expected http:// or https://")
        }
        try checkHost(host)
        var plain: [UInt8] = []
        var isQuery = false
        var position = 0
        while position < text.count {
            let byte = text[position]
            try check(byte, isQuery: isQuery)
            if byte == UInt8(ascii: "?") { isQuery = true }
            guard byte == UInt8(ascii: "{") else {
                plain.append(byte)
                position += 1
                continue
            }
            let (placeholder, length) = try placeholder(text.dropFirst(position))
            pieces += [.text(plain), .value(placeholder)]
            plain.removeAll()
            position += length
        }
        pieces.append(.text(plain))
        guard hasID || !needsID else {
            throw PartnerURLProblem("expected {id} in the query, so that the partner can drop repeats")
        }
    }

    private var hasID: Bool {
        pieces.contains { piece in
            if case .value(.id) = piece { true } else { false }
        }
    }

    /// The values are percent-encoded.
    package func filled(_ values: PartnerValues) -> CText {
        var url = ByteBuffer(capacity: 512)
        for piece in pieces {
            switch piece {
            case .text(let text): text.withUnsafeBytes { url.append($0) }
            case .value(let placeholder): values[placeholder]?.withUnsafeBytes { url.appendPercentEncoded($0) }
            }
        }
        return CText(url.array)
    }
}

package struct PartnerURLProblem: Error {
    package let words: StaticString

    fileprivate init(_ words: StaticString) { self.words = words }
}

private func checkHost(_ rest: Bytes) throws(PartnerURLProblem) {
    let host = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    if host.isEmpty { throw PartnerURLProblem("expected a host") }
    if host.contains(UInt8(ascii: "@")) {
        throw PartnerURLProblem("expected no user and no password before the host")
    }
}

private func check(_ byte: UInt8, isQuery: Bool) throws(PartnerURLProblem) {
    switch byte {
    case 0...0x20, 0x7F...:
        throw PartnerURLProblem("expected printable ASCII without spaces")
    case UInt8(ascii: "#"):
        throw PartnerURLProblem("expected no fragment")
    case UInt8(ascii: "{") where !isQuery, UInt8(ascii: "}") where !isQuery:
        throw PartnerURLProblem("expected placeholders only in the query, after \"?\"")
    case UInt8(ascii: "}"):
        throw noPlaceholder
    default:
        break
    }
}

private var noPlaceholder: PartnerURLProblem {
    PartnerURLProblem("a brace that begins or ends no placeholder that there is")
}

/// Returns the placeholder at the beginning of `text`, and its length including both braces.
private func placeholder(_ text: Slice<Bytes>) throws(PartnerURLProblem) -> (PartnerPlaceholder, length: Int) {
    guard let end = text.firstIndex(of: UInt8(ascii: "}")) else { throw noPlaceholder }
    let name = text[..<end].dropFirst()
    guard let found = PartnerPlaceholder(named: name) else { throw noPlaceholder }
    return (found, name.count + 2)
}
