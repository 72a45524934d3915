extension ConversionModel {
    /// Rules, "Model document": reads a conversion model's document. INVALID_DOCUMENT.
    package static func read(json: UnsafeRawBufferPointer) throws(Failure) -> ConversionModel {
        guard json.count <= Limits.modelBytes else {
            throw invalid("\(json.count) bytes, the limit is \(Limits.modelBytes)")
        }
        let root: DocumentNode
        do throws(JSONFault) {
            root = DocumentNode(try JSONDocument(json))
        } catch {
            throw invalid("\(error.description), in \(quoted: json)")
        }
        return try read(root, version: SHA256(of: json))
    }

    /// A failure of the document as a whole, whose JSON pointer is empty.
    private static func invalid(_ reason: Message) -> Failure {
        Failure(.invalidDocument, "model at \"\": \(reason)")
    }
}

extension DocumentNode {
    fileprivate convenience init(_ document: JSONDocument) {
        self.init(.object, text: [], in: nil, key: [], index: -1)
        for member in document.members { add(member) }
    }

    private func add(_ member: JSONMember) {
        children.append(DocumentNode(member.value, in: self, key: member.key.withUTF8 { [UInt8]($0) }))
    }

    /// A value with all that it holds. Its depth was checked before.
    private convenience init(_ json: JSONValue, in parent: DocumentNode, key: [UInt8] = [], index: Int = -1) {
        var text: [UInt8] = []
        if json.kind == .number { text = [UInt8](json.text) }
        if let string = json.string { text = string.withUTF8 { [UInt8]($0) } }
        self.init(json.kind, text: text, in: parent, key: key, index: index)
        for element in json.elements {
            children.append(DocumentNode(element, in: self, index: children.count))
        }
        for member in json.members { add(member) }
    }
}
