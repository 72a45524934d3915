internal import CSKANSystem
internal import SKANCommandOutput
internal import SKANCore
internal import SKANSQLiteRecords
internal import SKANStorePool
internal import SKANSystem

extension StoreKind {
    /// "sqlite:players.db", "sqlite:/var/lib/players.db".
    package static var sqlite: StoreKind {
        StoreKind(.sqlite) { url, use, report throws(StoreRefusal) in
            let path = try filePath(url)
            var found = stat()
            if use != .fills && stat(path.characters, &found) != 0 {
                throw StoreRefusal(Message(systemError: systemError), .found)
            }
            var options = SQLiteOptions()
            options.isFull = use != .removes
            do throws(Failure) {
                return try openSQLite(try DatabaseFile.check(path.characters), options, report: report)
            } catch {
                throw StoreRefusal(error.message, .found)
            }
        }
    }
}

/// What follows the scheme. SQLite refuses its own names of other things too, but is not asked about a file that has to
/// be there and is not.
private func filePath(_ url: CText) throws(StoreRefusal) -> CText {
    let path = [UInt8](url.message.utf8.dropFirst(StaticString("sqlite:").bytes.count))
    let slash = UInt8(ascii: "/")
    let hasAuthority = path.starts(with: [slash, slash]) && (path.count == 2 || path[2] != slash)
    if path.isEmpty || hasAuthority {
        throw StoreRefusal(
            "expected sqlite:FILE, sqlite:players.db or sqlite:/var/lib/players.db for instance", .usage)
    }
    if path.elementsEqual(StaticString(":memory:").bytes) {
        throw StoreRefusal(
            "expected sqlite:FILE, got SQLite's name for memory of its own, which would end with this command", .usage)
    }
    if path.starts(with: StaticString("file:").bytes) {
        throw StoreRefusal("expected sqlite:FILE, got SQLite's name for a URI; ./file:... is a file", .usage)
    }
    return CText(path)
}
