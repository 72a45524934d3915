extension InstallState {
    /// Rules, "Import": reads a details document. Throws LIMIT_EXCEEDED or INVALID_DOCUMENT.
    package init(importing json: UnsafeRawBufferPointer, _ protocolVersion: ProtocolVersion) throws(Failure) {
        guard json.count <= Limits.responseBytes else {
            throw Failure(.limitExceeded, "json: \(json.count) bytes, the limit is \(Limits.responseBytes)")
        }
        let document: JSONDetails
        do throws(JSONFault) {
            document = JSONDetails(try JSONDocument(json))
        } catch {
            throw Failure(.invalidDocument, "json: \(error.description), in \(quoted: json)")
        }
        try self.init(importing: document, protocolVersion)
    }
}

private final class JSONDetails: DetailsDocument {
    private let json: JSONDocument

    init(_ json: JSONDocument) { self.json = json }

    private func member(_ key: DocumentKey) -> JSONValue? {
        for member in json.members where member.key.withUTF8({ key.isEqual($0) }) { return member.value }
        return nil
    }

    func value(_ key: DocumentKey) -> DocumentValue { member(key).map { DocumentValue($0) } ?? .none }

    func forEachMember(of key: DocumentKey, _ body: (UnsafeRawBufferPointer, DocumentValue) -> Bool) {
        guard let members = member(key)?.members else { return }
        for member in members {
            guard member.key.withUTF8({ body($0, DocumentValue(member.value)) }) else { return }
        }
    }
}

extension DocumentValue {
    fileprivate init(_ json: JSONValue) {
        switch json.kind {
        case .null: self = .none
        case .true, .false: self = .other("true or false")
        case .number: self = .number(json.text)
        case .string: self = json.string.map { .text($0) } ?? .none
        case .array: self = .other("an array")
        case .object: self = .object
        }
    }
}
