import CSKANSystem
import SKANCommandOutput
import SKANCore
import SKANSQLiteRecords
import SKANStorePool
import SKANSystem

extension StoreKind {
    /// SQLite files, with URLs such as "sqlite:players.db" and "sqlite:/var/lib/players.db".
    package static var sqlite: StoreKind {
        let help = StoreHelp(
            form: "sqlite:FILE",
            text: """
                An SQLite file, which may be on read-only media for a command that only reads. SQLite's own :memory: \
                and URIs are refused.
                """)
        return StoreKind(.sqlite, help, isThere: isFile) { url, use, report throws(StoreRefusal) in
            let path = try filePath(url)
            var found = stat()
            if use != .fills && stat(path.characters, &found) != 0 {
                throw StoreRefusal(Message(systemError: systemError), .found)
            }
            var options = SQLiteOptions()
            options.isFull = use != .removes
            options.onlyReads = use == .reads
            do throws(Failure) {
                return try openSQLite(try DatabaseFile.check(path.characters), options, report: report)
            } catch {
                throw StoreRefusal(error.message, .found)
            }
        }
    }
}

/// Whether the file exists and is not empty. Throws if it could not be written to, or created.
@Sendable private func isFile(_ url: CText) throws(StoreRefusal) -> Bool {
    let path = try filePath(url)
    var found = stat()
    let isThere = stat(path.characters, &found) == 0
    let text = path.message.utf8
    let folder = text.lastIndex(of: UInt8(ascii: "/")).map { CText([UInt8](text[...$0])) } ?? CText([UInt8(ascii: ".")])
    // SQLite creates further files next to it, so the folder must be writable too.
    for place in isThere ? [path, folder] : [folder] where access(place.characters, W_OK) != 0 {
        throw StoreRefusal("\(place.message) cannot be written to: \(Message(systemError: systemError))", .found)
    }
    return isThere && found.st_size > 0
}

/// Returns the path in a URL, and refuses names that are special to SQLite. SQLite would refuse them too, but it is not
/// asked if the file must exist and is missing.
private func filePath(_ url: CText) throws(StoreRefusal) -> CText {
    let path = [UInt8](url.message.utf8.dropFirst(StaticString("sqlite:").bytes.count))
    let slash = UInt8(ascii: "/")
    let hasAuthority = path.starts(with: [slash, slash]) && (path.count == 2 || path[2] != slash)
    if path.isEmpty || hasAuthority {
        throw StoreRefusal(
            "expected sqlite:FILE, for instance sqlite:players.db or sqlite:/var/lib/players.db", .usage)
    }
    if path.elementsEqual(StaticString(":memory:").bytes) {
        throw StoreRefusal(
            """
            expected sqlite:FILE, got SQLite's name for an in-memory database, which would be lost at the end of this \
            command
            """,
            .usage)
    }
    if path.starts(with: StaticString("file:").bytes) {
        throw StoreRefusal(
            "expected sqlite:FILE, got a URI of SQLite; for a file of this name, write sqlite:./file:...", .usage)
    }
    return CText(path)
}
