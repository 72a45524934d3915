internal import CSKANCurl
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// The URL of a request, and the part of it that messages may show. That part contains neither the query, which has the
/// SDK key, nor user and password.
struct RequestURL {
    let text: CText
    /// The host and port, such as "example.com:443", cut for messages.
    let host: Message
    let isSecure: Bool
    /// Rules, "Events with an id": whether the query has the id of an event, by which the server recognises a repeat.
    let hasEventID: Bool

    init(_ text: CText) throws(Failure) {
        guard let parts = curl_url() else { throw refusal(CURLUE_OUT_OF_MEMORY) }
        defer { curl_url_cleanup(parts) }
        let code = text.characters.withUnsafeBufferPointer {
            curl_url_set(parts, CURLUPART_URL, $0.baseAddress, 0)
        }
        guard code == CURLUE_OK else { throw refusal(code) }
        isSecure = try part(CURLUPART_SCHEME, of: parts, isSecureScheme)
        let host = try part(CURLUPART_HOST, of: parts) { Message($0) }
        let port = try part(CURLUPART_PORT, of: parts, flags: UInt32(CURLU_DEFAULT_PORT)) { Message($0) }
        self.host = ("\(host):\(port)" as Message).cut(HTTPLimits.hostBytes)
        self.text = text
        hasEventID = hasItem("event_id=", text)
    }
}

/// Whether an item of the query begins with `start` and has more text after it.
private func hasItem(_ start: StaticString, _ url: CText) -> Bool {
    let address = url.message.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = address.firstIndex(of: UInt8(ascii: "?")) else { return false }
    let count = start.utf8CodeUnitCount
    return address[(mark + 1)...].split(separator: UInt8(ascii: "&")).contains { item in
        item.count > count && (0..<count).allSatisfy { item[item.startIndex + $0] == start.utf8Start[$0] }
    }
}

private func part<Result>(
    _ part: CURLUPart, of parts: OpaquePointer, flags: UInt32 = 0,
    _ read: (UnsafePointer<CChar>) throws(Failure) -> Result
) throws(Failure) -> Result {
    var found: UnsafeMutablePointer<CChar>?
    let code = curl_url_get(parts, part, &found, flags)
    defer { curl_free(found) }
    guard code == CURLUE_OK, let found else { throw refusal(code) }
    return try read(found)
}

private func isSecureScheme(_ scheme: UnsafePointer<CChar>) throws(Failure) -> Bool {
    if strcmp(scheme, ("https" as StaticString).cString) == 0 { return true }
    if strcmp(scheme, ("http" as StaticString).cString) == 0 { return false }
    throw refusal(CURLUE_UNSUPPORTED_SCHEME)
}

private func refusal(_ code: CURLUcode) -> Failure {
    Failure(
        code == CURLUE_OUT_OF_MEMORY ? .transport : .invalidArgument,
        """
        url: expected an absolute http or https URL: \(Message(curl_url_strerror(code))) \
        (libcurl URL error \(code.rawValue))
        """)
}
