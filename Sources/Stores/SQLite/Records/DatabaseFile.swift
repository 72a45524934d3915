internal import CSKANSystem
package import SKANCore
internal import SKANStorePool
package import SKANSystem

/// Checks, finds and creates the file of a store before SQLite opens it.
package enum DatabaseFile {
    /// Throws if SQLite would not take the path as the name of a file, as with ":memory:" or a URI. This must be
    /// checked first, because the store makes the path absolute, and SQLite would then create a file of that name.
    package static func check(_ path: UnsafePointer<CChar>?) throws(Failure) -> CText {
        guard let path else { throw Failure(.invalidArgument, "path: expected a file's name, got NULL") }
        let text = CText(copying: path)
        let name = text.message
        if name.utf8.isEmpty { throw Failure(.invalidArgument, "path: expected a file's name, got \"\"") }
        if strcmp(path, (":memory:" as StaticString).cString) == 0 {
            throw Failure(
                .invalidArgument,
                "path: expected a file's name, got \":memory:\"; an engine without a store keeps installs in memory"
            )
        }
        let scheme: StaticString = "file:"
        if strncmp(path, scheme.cString, scheme.utf8CodeUnitCount) == 0 {
            let isLong = name.utf8.count > 200
            let shown = Message(utf8: Array(name.utf8.prefix(200)))
            throw Failure(
                .invalidArgument,
                """
                path: expected a file's name, got a URI, \"\(shown)\"\((isLong ? "..." : "") as StaticString); a file \
                of this name is \"./file:...\"
                """
            )
        }
        return text
    }

    /// Returns the absolute path of a file, which names the same file even after the process changes its directory.
    static func find(_ path: CText) throws(Failure) -> CText {
        let characters = path.characters.dropLast()
        let slash = characters.lastIndex(of: CChar(ascii: "/"))
        let directory = slash.map { CText(utf8(characters[..<max($0, 1)])) } ?? CText([UInt8(ascii: ".")])
        let name = slash.map { characters[($0 + 1)...] } ?? characters[...]
        guard let resolved = realpath(directory.characters, nil) else { throw unable(path) }
        defer { free(resolved) }
        var found = Bytes(start: resolved, count: strlen(resolved)).map { $0 }
        if found.last != UInt8(ascii: "/") { found.append(UInt8(ascii: "/")) }
        return CText(found + utf8(name))
    }

    /// Creates an empty file with mode 0600 if there is none; SQLite would let the umask decide the mode. SQLite gives
    /// `-wal` and `-shm` the file's mode. No connection to the file may be opened meanwhile, because closing a file
    /// drops all locks that its process has on it.
    static func make(_ path: CText) throws(Failure) {
        let file = system_open(path.characters, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 {
            close(file)
        } else if systemError != EEXIST {
            throw unable(path)
        }
    }

    private static func unable(_ path: CText) -> Failure {
        Failure(.store, "\(path.message): unable to open database file: \(Message(systemError: systemError))")
    }

    private static func utf8(_ characters: some Sequence<CChar>) -> [UInt8] { characters.map { UInt8(bitPattern: $0) } }
}

extension CChar {
    fileprivate init(ascii: Unicode.Scalar) { self = CChar(bitPattern: UInt8(ascii: ascii)) }
}
