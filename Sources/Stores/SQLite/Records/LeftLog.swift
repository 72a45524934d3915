internal import CSKANSystem
internal import SKANSystem

/// Identifies a file independent of its name.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// nil if there is no file.
    init?(_ path: CText) {
        var found = stat()
        guard stat(path.characters, &found) == 0 else { return nil }
        device = found.st_dev
        number = found.st_ino
    }
}

/// Identifies a write-ahead log that has frames: by its file, whose number another file may get later, and by its
/// header, which has a random part.
struct LogIdentity: Equatable {
    let file: FileIdentity
    private let head: [UInt8]

    /// nil if there is no log, or it is empty.
    init?(_ path: CText) {
        let opened = system_open(path.characters, O_RDONLY | O_CLOEXEC, 0)
        guard opened >= 0, let file = FileIdentity(path) else { return nil }
        defer { close(opened) }  // SQLite has no locks on it
        var head = [UInt8](repeating: 0, count: 32)
        let length = head.withUnsafeMutableBytes { read(opened, $0.baseAddress, $0.count) }
        guard length == head.count else { return nil }
        self.file = file
        self.head = head
    }
}

/// The write-ahead log of a file that was replaced. SQLite finds a log by its name alone. If the file was moved and its
/// log stayed, SQLite would take it for the log of the new file, and write the old pages over that.
final class LeftLog {
    private let lock = Lock()
    private var left: (path: CText, log: LogIdentity, file: FileIdentity)?

    /// Notes that a connection found its file replaced, and the log of the replaced file.
    func note(_ path: CText, _ log: LogIdentity, of file: FileIdentity) { lock.hold { left = (path, log, file) } }

    /// The path of a log that must not be used with the file that is now at this path; nil if there is none.
    func inTheWay(of path: CText) -> CText? {
        lock.hold {
            guard let left, let file = FileIdentity(path) else { return nil }
            if file != left.file && LogIdentity(left.path) == left.log { return left.path }
            self.left = nil
            return nil
        }
    }
}
