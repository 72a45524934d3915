extension ConversionModel {
    /// Rules, "Model document": reads a conversion model's document. INVALID_DOCUMENT.
    package static func read(json: UnsafeRawBufferPointer) throws(Failure) -> ConversionModel {
        guard json.count <= Limits.modelBytes else {
            throw invalid("\(json.count) bytes, the limit is \(Limits.modelBytes)")
        }
        do throws(JSONFault) {
            _ = try JSONDocument(json)
        } catch {
            throw invalid("\(error.description), in \(quoted: json)")
        }
        return try read(DocumentNode(checked: json), version: SHA256(of: json))
    }

    /// A failure of the document as a whole, whose JSON pointer is empty.
    private static func invalid(_ reason: Message) -> Failure {
        Failure(.invalidDocument, "model at \"\": \(reason)")
    }
}
