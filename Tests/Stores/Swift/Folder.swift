import Glibc

/// A folder of a test's own, which goes with it.
final class Folder: Sendable {
    let name: String

    init() throws {
        var template = Array("/tmp/skan-stores-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw NoFolder() }
        name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    struct NoFolder: Error {}

    func path(_ file: String) -> String { "\(name)/\(file)" }

    deinit {
        if let files = opendir(name) {
            while let entry = readdir(files) {
                let file = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                unlink(path(file))
            }
            closedir(files)
        }
        rmdir(name)
    }
}
