import CSKANSupport
import SKANCore

extension InstallState {
    /// Rules, "Import": reads a details document through json-c. LIMIT_EXCEEDED, INVALID_DOCUMENT.
    package init(importing json: UnsafeRawBufferPointer, _ protocolVersion: ProtocolVersion) throws(Failure) {
        guard json.count <= Limits.responseBytes else {
            throw Failure(.limitExceeded, "json: \(json.count) bytes, the limit is \(Limits.responseBytes)")
        }
        var scanner = JSONScanner(json)
        if let fault = scanner.scan() {
            throw Failure(.invalidDocument, "json: \(fault.description), in \(quoted: json)")
        }
        let start = json.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let root = support_read_json(start, json.count) else {
            throw Failure(.invalidDocument, "json: json-c cannot read the document")
        }
        defer { support_free_json(root) }
        try self.init(importing: JSONCDocument(root: root), protocolVersion)
    }
}

/// A document in json-c's hands.
private final class JSONCDocument: DetailsDocument {
    let root: OpaquePointer

    init(root: OpaquePointer) { self.root = root }

    private static func value(_ json: OpaquePointer?) -> DocumentValue {
        switch support_json_kind(json) {
        case SUPPORT_JSON_BOOLEAN: return .other("true or false")
        case SUPPORT_JSON_NUMBER: return .number(text(json))
        case SUPPORT_JSON_TEXT: return .text(text(json))
        case SUPPORT_JSON_ARRAY: return .other("an array")
        case SUPPORT_JSON_OBJECT: return .object
        default: return .none
        }
    }

    private static func text(_ json: OpaquePointer?) -> UnsafeRawBufferPointer {
        var length = 0
        let start = support_json_text(json, &length)
        return UnsafeRawBufferPointer(start: start, count: length)
    }

    private func member(_ key: DocumentKey) -> OpaquePointer? {
        var name = ByteBuffer(capacity: 48)
        key.write(to: &name)
        name.append(0)
        return support_json_member(root, name.bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
    }

    func value(_ key: DocumentKey) -> DocumentValue { JSONCDocument.value(member(key)) }

    func forEachMember(of key: DocumentKey, _ body: (UnsafeRawBufferPointer, DocumentValue) -> Bool) {
        withoutActuallyEscaping(body) { body in
            withUnsafePointer(to: Walk(body: body)) { walk in
                support_json_each(member(key), UnsafeMutableRawPointer(mutating: walk)) { context, name, json in
                    guard let walk = context?.assumingMemoryBound(to: Walk.self), let name else { return false }
                    let text = UnsafeRawBufferPointer(start: name, count: support_length(name, Limits.responseBytes))
                    return walk.pointee.body(text, JSONCDocument.value(json))
                }
            }
        }
    }

    private struct Walk {
        let body: (UnsafeRawBufferPointer, DocumentValue) -> Bool
    }
}
