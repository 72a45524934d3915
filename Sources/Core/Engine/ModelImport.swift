import CSKANSupport
import SKANCore

extension ConversionModel {
    /// Rules, "Model document": reads a conversion model's document through json-c. INVALID_DOCUMENT.
    package static func read(json: UnsafeRawBufferPointer) throws(Failure) -> ConversionModel {
        guard json.count <= Limits.modelBytes else {
            throw invalid("\(json.count) bytes, the limit is \(Limits.modelBytes)")
        }
        var scanner = JSONScanner(json)
        if let fault = scanner.scan() { throw invalid("\(fault.description), in \(quoted: json)") }
        let start = json.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let root = support_read_json(start, json.count) else {
            throw invalid("json-c cannot read the document")
        }
        defer { support_free_json(root) }
        return try read(DocumentNode(root, in: nil), version: SHA256(of: json))
    }

    /// Of the document as a whole, whose JSON pointer is empty.
    private static func invalid(_ reason: Message) -> Failure {
        Failure(.invalidDocument, "model at \"\": \(reason)")
    }
}

extension DocumentNode {
    /// A value in json-c's hands, copied with all that it holds. Its depth was checked before.
    fileprivate convenience init(_ json: OpaquePointer?, in parent: DocumentNode?, key: [UInt8] = [], index: Int = -1) {
        var kind = Kind.null
        var text: [UInt8] = []
        switch support_json_kind(json) {
        case SUPPORT_JSON_BOOLEAN: kind = DocumentNode.text(json).first == UInt8(ascii: "t") ? .true : .false
        case SUPPORT_JSON_NUMBER: (kind, text) = (.number, DocumentNode.text(json))
        case SUPPORT_JSON_TEXT: (kind, text) = (.text, DocumentNode.text(json))
        case SUPPORT_JSON_ARRAY: kind = .array
        case SUPPORT_JSON_OBJECT: kind = .object
        default: break
        }
        self.init(kind, text: text, in: parent, key: key, index: index)
        for index in 0..<support_json_count(json) {
            children.append(DocumentNode(support_json_element(json, index), in: self, index: index))
        }
        guard kind == .object else { return }
        support_json_each(json, Unmanaged.passUnretained(self).toOpaque()) { context, name, json in
            guard let context, let name else { return false }
            let parent = Unmanaged<DocumentNode>.fromOpaque(context).takeUnretainedValue()
            let key = UnsafeRawBufferPointer(start: name, count: support_length(name, Limits.modelBytes))
            parent.children.append(DocumentNode(json, in: parent, key: [UInt8](key)))
            return true
        }
    }

    private static func text(_ json: OpaquePointer?) -> [UInt8] {
        var length = 0
        let start = support_json_text(json, &length)
        return [UInt8](UnsafeRawBufferPointer(start: start, count: length))
    }
}
