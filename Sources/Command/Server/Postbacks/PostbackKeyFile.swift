internal import SKANCommandOutput
internal import SKANCore
internal import SKANPostbackVerification
internal import SKANSystem

extension PostbackKeySet {
    /// Apple's keys, with those of a file, {"keys": [{"name", "spki", "development"}]}, replaced or added.
    static func read(_ file: CText) throws(CommandEnd) -> PostbackKeySet {
        let text: [UInt8]
        do throws(FileTrouble) { text = try readFile(file, limit: 1 << 20) } catch {
            switch error {
            case .system(let number): throw .complaint(file.message, Message(systemError: number))
            case .tooLarge: throw .complaint(file.message, "expected at most \(1 << 20) bytes")
            }
        }
        do throws(Failure) {
            let given = try text.withUnsafeBufferPointer { text throws(Failure) in try keys(Bytes(text)) }
            return try PostbackKeySet(given)
        } catch {
            throw .complaint(file.message, error.message)
        }
    }
}

private func keys(_ text: Bytes) throws(Failure) -> [GivenKey] {
    let document: JSONDocument
    do throws(JSONFault) { document = try JSONDocument(text) } catch {
        throw Failure(.invalidDocument, error.description)
    }
    let array = document.value("keys")
    let keys = array?.kind == .array ? array.map { [JSONValue]($0.elements) } : nil
    guard let keys, keys.count <= PostbackKeySet.most else {
        throw Failure(
            .invalidDocument, "expected {\"keys\": [...]} with at most \(PostbackKeySet.most) keys")
    }
    return keys.map { key in
        GivenKey(
            name: key.member("name")?.string?.utf8, spki: key.member("spki")?.string?.utf8,
            isDevelopment: key.member("development")?.kind == .true)
    }
}

extension JSONValue {
    fileprivate func member(_ name: StaticString) -> JSONValue? { members.first { $0.key.isEqual(name) }?.value }
}
