internal import CSKANSystem
internal import SKANSystem

/// Identifies a file by its device and its inode number, whatever its name.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// Returns nil if there is no file at the path.
    init?(_ path: CText) {
        var found = stat()
        guard stat(path.characters, &found) == 0 else { return nil }
        device = found.st_dev
        number = found.st_ino
    }
}

/// Identifies a write-ahead log by its file and by its header, which has a random part. The file alone is not enough,
/// because another file may later get the same inode number.
struct LogIdentity: Equatable {
    let file: FileIdentity
    private let head: [UInt8]

    /// Returns nil if there is no log at the path, or if the log is empty.
    init?(_ path: CText) {
        let opened = system_open(path.characters, O_RDONLY | O_CLOEXEC, 0)
        guard opened >= 0, let file = FileIdentity(path) else { return nil }
        defer { close(opened) }  // SQLite has no locks on the log
        var head = [UInt8](repeating: 0, count: 32)
        let length = head.withUnsafeMutableBytes { read(opened, $0.baseAddress, $0.count) }
        guard length == head.count else { return nil }
        self.file = file
        self.head = head
    }
}

/// Remembers the write-ahead log that a replaced file left behind. SQLite finds a log by its name alone. If the file
/// was moved and its log stayed, SQLite would take that log for the log of the new file and write old pages over the
/// new file.
final class LeftLog {
    private let lock = Lock()
    private var left: (path: CText, log: LogIdentity, file: FileIdentity)?

    /// Notes that a connection found its file replaced, and which log belongs to the replaced file.
    func note(_ path: CText, _ log: LogIdentity, of file: FileIdentity) { lock.hold { left = (path, log, file) } }

    /// The path of a log that must not be used with the file that is now at `path`; nil if there is none.
    func inTheWay(of path: CText) -> CText? {
        lock.hold {
            guard let left, let file = FileIdentity(path) else { return nil }
            if file != left.file && LogIdentity(left.path) == left.log { return left.path }
            self.left = nil
            return nil
        }
    }
}
