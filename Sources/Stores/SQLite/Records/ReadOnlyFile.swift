internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// A file that this process may read only, or whose folder it cannot write to, as on read-only media: there SQLite
/// cannot make the log and its index, which it needs to read a file that others write to.
struct ReadOnlyFile: Equatable {
    private enum Log {
        /// Both are there: others may be writing, and SQLite reads both.
        case indexed
        /// Nobody writes to the file, and all that was written is in it.
        case none
        /// There are changes that are not in the file yet.
        case unindexed
    }

    private let path: [UInt8]
    private let log: Log
    private let size: off_t
    /// When it was changed, and its number in the file system.
    private let changed: [Int]

    /// nil: the file can be written to, or there is none.
    init?(_ file: CText) {
        guard let resolved = realpath(file.characters, nil) else { return nil }
        defer { free(resolved) }
        let path = Bytes(start: resolved, count: strlen(resolved)).map { $0 }
        let folder = CText(path[...(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
        if access(resolved, W_OK) == 0 && access(folder.characters, W_OK) == 0 { return nil }
        var found = stat()
        guard stat(resolved, &found) == 0 else { return nil }
        self.path = path
        size = found.st_size
        changed = [found.st_mtim.tv_sec, found.st_mtim.tv_nsec, Int(truncatingIfNeeded: found.st_ino)]
        log = ReadOnlyFile.log(of: path)
    }

    private static func log(of path: [UInt8]) -> Log {
        var found = stat()
        guard stat(CText(path + StaticString("-wal").bytes).characters, &found) == 0 else { return .none }
        let isEmpty = found.st_size == 0
        if stat(CText(path + StaticString("-shm").bytes).characters, &found) == 0 { return .indexed }
        return isEmpty ? .none : .unindexed
    }

    /// What prevents reading; nil for nothing.
    var problem: Message? {
        guard log == .unindexed else { return nil }
        return """
            the folder cannot be written to, and has the file's -wal with changes but not its -shm: copy the file with \
            both to a folder that can be written to
            """
    }

    /// The URI by which SQLite opens it. As an immutable file it has neither log nor locks.
    var uri: CText {
        var uri = ByteBuffer(capacity: path.count * 3 + 32)
        uri.append("file:")
        path.withUnsafeBytes { uri.appendPercentEncoded($0) }
        uri.append(log == .indexed ? "?mode=ro" : "?mode=ro&immutable=1")
        return uri.withBytes { CText($0) }
    }

    /// Whether the file is no longer what it was: others have written to it or begun to, or it can be written to.
    func hasChanged(_ file: CText) -> Bool {
        let now = ReadOnlyFile(file)
        return log == .indexed ? now == nil || now?.log != .indexed : now != self
    }
}
