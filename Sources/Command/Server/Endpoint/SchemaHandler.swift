import SKANCommandModels
import SKANCommandOutbox
import SKANCore
import SKANSystem

/// Rules, "Models for networks": an app's model in row form, for a network with a key.
struct SchemaHandler {
    let served: ServedConfiguration
    let reads: SchemaReads
    let log: ServerLog

    var route: HTTPServerRoute { HTTPServerRoute("GET", "/schemas/*", name: "schemas", answer) }

    private func answer(_ request: HTTPServerRequest) -> HTTPServerAnswer {
        let configuration = served.current
        // Everything is looked up before the key is checked, so that the response time reveals nothing.
        let key = request.bearer ?? []
        let network = key.withUnsafeBytes { configuration.readers.network(of: $0) }
        let app = bundle(request.path)
        let model = app.flatMap { configuration.apps.firstModel($0) }
        guard let network else { return HTTPServerAnswer(401, schemaError: "Unauthorized", "wrong_key") }
        guard let model else { return HTTPServerAnswer(404, schemaError: "Not Found", "unknown_app") }
        let document = configuration.schemas.document(
            of: model, for: network, configuration.readers.map(of: network))
        reads.add(network)
        log.event("schema", "network \(Message(utf8: network)) read the model of \(Message(utf8: app ?? []))")
        if isKnown(document.etag, request.unlessETag) {
            return HTTPServerAnswer(304, nil, [], outcome: "not_modified", etag: document.etag)
        }
        return HTTPServerAnswer(200, "application/json", document.rows, outcome: "rows", etag: document.etag)
    }
}

/// Returns the app's id from a path such as "/schemas/com.example.app", percent-decoded; nil if it is missing or cannot
/// be an app's id.
private func bundle(_ path: Bytes) -> [UInt8]? {
    let encoded = Bytes(rebasing: path.dropFirst(("/schemas/" as StaticString).utf8CodeUnitCount))
    guard !encoded.isEmpty, encoded.count <= 3 * Limits.installIDBytes else { return nil }
    let name = [UInt8](unsafeUninitializedCapacity: encoded.count) { memory, count in
        count = PercentCoding.decode(encoded, into: UnsafeMutableRawBufferPointer(memory), plusIsSpace: false).count
    }
    return name.count <= Limits.installIDBytes && name.withUnsafeBytes({ isPlainText($0) }) ? name : nil
}

/// Whether If-None-Match (RFC 9110, 13.1.2) is "*", or a list that contains this ETag, weak or not.
private func isKnown(_ etag: Message, _ condition: [UInt8]?) -> Bool {
    guard let condition else { return false }
    return condition.split(separator: UInt8(ascii: ",")).contains { part in
        part.withUnsafeBytes { part in
            let one = trimmed(part)
            let weak = ("W/" as StaticString).bytes
            let strong = one.starts(with: weak) ? Bytes(rebasing: one.dropFirst(weak.count)) : one
            return strong.elementsEqual(etag.utf8) || one.elementsEqual(("*" as StaticString).bytes)
        }
    }
}

extension HTTPServerAnswer {
    fileprivate init(_ status: UInt32, schemaError reason: StaticString, _ outcome: StaticString) {
        self.init(status, "application/json", HTTPServerAnswer.errorBody(reason).utf8, outcome: outcome)
    }
}
