package import SKANCommandOutput
package import SKANCore
package import SKANPostbackVerification
package import SKANSystem

extension PostbackKeySet {
    /// Reads a file of keys, {"keys": [{"name", "spki", "development"}]}. Returns Apple's keys, replaced or extended by
    /// the file's keys, and the digest of the file.
    package static func read(_ file: CText) throws(CommandEnd) -> (keys: PostbackKeySet, digest: SHA256) {
        let text: [UInt8]
        do throws(FileTrouble) { text = try readFile(file, limit: fileBytes, isRegular: true) } catch {
            throw .complaint(file.message, error.words(limit: fileBytes))
        }
        do throws(Failure) {
            let set = try PostbackKeySet(try text.withBytes { text throws(Failure) in try keys(text) })
            return (set, text.withUnsafeBytes { SHA256(of: $0) })
        } catch {
            throw .complaint(file.message, error.message)
        }
    }
}

private var fileBytes: Int { 1 << 20 }

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
            name: key.members.value("name")?.string?.utf8, spki: key.members.value("spki")?.string?.utf8,
            isDevelopment: key.members.value("development")?.kind == .true)
    }
}
