internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// A file that this process may only read, or whose folder it cannot write to, as on read-only media. For such a file
/// SQLite cannot create the log and its index, which it needs to read a file that others write to.
struct ReadOnlyFile: Equatable {
    private enum Log {
        /// The log and its index exist: others may be writing, and SQLite reads both.
        case indexed
        /// There is no log: nobody writes to the file, and it contains all changes.
        case none
        /// The log has no index, and may contain changes that are not in the file yet.
        case unindexed
    }

    private let path: [UInt8]
    private let log: Log
    private let size: off_t
    /// The seconds and nanoseconds of the file's last change, and the file's inode number.
    private let changed: [Int]

    /// Returns nil if this process can write to the file, or if the file does not exist.
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

    /// The reason why the file cannot be read; nil if it can.
    var problem: Message? {
        guard log == .unindexed else { return nil }
        return """
            the folder cannot be written to, and has the file's -wal with changes but not its -shm: copy the file with \
            both to a folder that can be written to
            """
    }

    /// The URI with which SQLite opens the file. A file without a log is opened as immutable, so that SQLite uses
    /// neither a log nor locks.
    var uri: CText {
        var uri = ByteBuffer(capacity: path.count * 3 + 32)
        uri.append("file:")
        path.withUnsafeBytes { uri.appendPercentEncoded($0) }
        uri.append(log == .indexed ? "?mode=ro" : "?mode=ro&immutable=1")
        return uri.withBytes { CText($0) }
    }

    /// Whether the file must be opened again: its log or the log's index appeared or vanished, a file without a log was
    /// changed, or this process can write to the file now.
    func hasChanged(_ file: CText) -> Bool {
        let now = ReadOnlyFile(file)
        return log == .indexed ? now == nil || now?.log != .indexed : now != self
    }
}
