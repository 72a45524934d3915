import SKANCore
import SKANSystem

/// The request line and headers, checked according to RFC 9112. libmicrohttpd accepts requests that a proxy in front
/// may read differently: with bare LF, a space before the colon, a NUL, or two lengths. Version 0.9 has no options
/// against that.
///
/// The library has replaced each space of the request line, each colon after a name, and parts of line endings (see
/// `LineEnd`) by NUL. All other bytes are as received, so a NUL elsewhere came with the request.
struct RequestHead {
    private(set) var contentLength: Bytes?
    private(set) var isChunked = false
    /// The credentials after Bearer in Authorization; nil if the header has another scheme or is missing.
    private(set) var bearer: Bytes?
    /// The value of If-None-Match; nil if the header is missing or repeated.
    private(set) var unlessETag: Bytes?
    /// `.unknown` if Content-Encoding is repeated.
    private(set) var coding = ContentCoding.none
    /// The value of X-Request-ID, by which a proxy names the request; nil if it is missing, repeated, empty or longer
    /// than `longestID`.
    private(set) var id: Bytes?
    private let headers: Bytes

    static var longestID: Int { 128 }

    /// Reads a head; nil if the request is ambiguous. `targetLength` is the length of the target up to its first NUL;
    /// `versionStart` is the index at which the version begins according to the library.
    init?(_ head: Bytes, targetLength: Int, versionStart: Int) {
        let method = Bytes(rebasing: head.prefix { $0 != 0 })
        let target = Bytes(rebasing: head.dropFirst(method.count + 1).prefix(targetLength))
        guard !method.isEmpty, method.allSatisfy(isToken), !target.isEmpty, target.count == targetLength,
            versionStart == method.count + targetLength + 2
        else { return nil }
        let rest = Bytes(rebasing: head.dropFirst(versionStart))
        let version = Bytes(rebasing: rest.prefix(8))
        guard version.starts(with: ("HTTP/1." as StaticString).bytes),
            let headers = LineEnd.rest(behind: Bytes(rebasing: rest.dropFirst(8)))
        else { return nil }
        self.headers = headers
        guard read(isOld: version.last == UInt8(ascii: "0")) else { return nil }
    }

    /// Calls `body` with each header's name and its value without surrounding space. Returns false if the bytes are not
    /// valid headers.
    func forEach(_ body: (_ name: Bytes, _ value: Bytes) -> Void) -> Bool {
        var rest = headers
        while !LineEnd.isEmptyLine(rest) {
            let name = Bytes(rebasing: rest.prefix { $0 != 0 })
            rest = Bytes(rebasing: rest.dropFirst(name.count + 1))
            let value = Bytes(rebasing: rest.prefix { $0 != 0 })
            guard !name.isEmpty, name.allSatisfy(isToken), value.allSatisfy(isText),
                let next = LineEnd.rest(behind: Bytes(rebasing: rest.dropFirst(value.count)))
            else { return false }
            rest = next
            body(name, trimmed(value))
        }
        return rest.count == 2
    }

    private mutating func read(isOld: Bool) -> Bool {
        var (hosts, lengths, codings, authorizations) = (0, 0, 0, 0)
        var (length, isChunked, bearer): (Bytes?, Bool, Bytes?) = (nil, false, nil)
        var (conditions, unlessETag): (Int, Bytes?) = (0, nil)
        var (ids, id): (Int, Bytes?) = (0, nil)
        var coding: ContentCoding?
        let isWhole = forEach { name, value in
            if name.isName("host") {
                hosts += 1
            } else if name.isName("content-length") {
                lengths += 1
                length = value
            } else if name.isName("transfer-encoding") {
                codings += 1
                isChunked = value.isName("chunked")
            } else if name.isName("authorization") {
                authorizations += 1
                bearer = credentials(value)
            } else if name.isName("if-none-match") {
                conditions += 1
                unlessETag = value
            } else if name.isName("x-request-id") {
                ids += 1
                id = value
            } else if name.isName("content-encoding") {
                coding = coding == nil ? ContentCoding(value) : .unknown
            }
        }
        contentLength = length
        self.isChunked = isChunked
        self.bearer = bearer
        self.coding = coding ?? .none
        self.id = id.flatMap { ids == 1 && 1...RequestHead.longestID ~= $0.count ? $0 : nil }
        self.unlessETag = conditions == 1 ? unlessETag : nil
        // The number of Host headers is checked too, because the library would answer a request without Host twice.
        return isWhole && (hosts == 1 || (isOld && hosts == 0)) && authorizations <= 1 && lengths + codings <= 1
            && (codings == 0 || (isChunked && !isOld))
    }
}

extension Bytes {
    /// Whether the bytes are this name in upper or lower case. `name` must be in lower case.
    func isName(_ name: StaticString) -> Bool {
        count == name.utf8CodeUnitCount && zip(self, name.bytes).allSatisfy { asLower($0) == $1 }
    }
}

private func asLower(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

/// The end of a line, as libmicrohttpd leaves it. Version 0.9 replaces both CR and LF by NUL. Version 1.0 leaves LF,
/// and ends the text by a NUL in place of CR or of the first blank before CR.
private enum LineEnd {
    /// Whether the bytes begin with the empty line that ends the headers.
    static func isEmptyLine(_ bytes: Bytes) -> Bool { starts(bytes, with: "\0\0") || starts(bytes, with: "\r\n") }

    /// nil if `bytes` do not begin with a line end.
    static func rest(behind bytes: Bytes) -> Bytes? {
        // The text of a line without a value ends before CR.
        for end in ["\0\0\n", "\0\n", "\0\0"] as [StaticString] where starts(bytes, with: end) {
            return Bytes(rebasing: bytes.dropFirst(end.utf8CodeUnitCount))
        }
        guard bytes.first == 0 else { return nil }
        let behindBlanks = Bytes(rebasing: bytes.dropFirst().drop(while: isBlank))
        return starts(behindBlanks, with: "\r\n") ? Bytes(rebasing: behindBlanks.dropFirst(2)) : nil
    }

    private static func starts(_ bytes: Bytes, with text: StaticString) -> Bool { bytes.starts(with: text.bytes) }
}

func trimmed(_ value: Bytes) -> Bytes {
    let start = value.firstIndex { !isBlank($0) } ?? value.count
    let end = value.lastIndex { !isBlank($0) } ?? start - 1
    return Bytes(rebasing: value[start..<end + 1])
}

/// Returns the credentials after "Bearer" (in upper or lower case) and a space; nil if the scheme is not Bearer.
private func credentials(_ value: Bytes) -> Bytes? {
    let scheme = Bytes(rebasing: value.prefix { !isBlank($0) })
    return scheme.isName("bearer") ? trimmed(Bytes(rebasing: value[scheme.count...])) : nil
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

private func isText(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == 0x09 }

/// Whether names of methods and headers may contain this byte.
private func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: ("!#$%&'*+-.^_`|~" as StaticString).bytes.contains(byte)
    }
}
