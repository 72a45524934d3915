internal import CSKANSystem
internal import SKANSystem

/// A file, whatever its name.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// nil: there is none.
    init?(_ path: CText) {
        var found = stat()
        guard stat(path.characters, &found) == 0 else { return nil }
        device = found.st_dev
        number = found.st_ino
    }
}

/// A write-ahead log that has frames: its file, whose number another one may get, and its head, which has a random
/// part.
struct LogIdentity: Equatable {
    let file: FileIdentity
    private let head: [UInt8]

    /// nil: there is none, or it is empty.
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

/// The write-ahead log of a file that was replaced. SQLite finds a log by its name alone, and leaves it where the file
/// has moved: it would take what is left for the log of the new file, and write the old pages over it.
final class LeftLog {
    private let lock = Lock()
    private var left: (path: CText, log: LogIdentity, file: FileIdentity)?

    /// A connection says that its file was replaced, and what its log is.
    func note(_ path: CText, _ log: LogIdentity, of file: FileIdentity) { lock.hold { left = (path, log, file) } }

    /// The name of the log, where it is in the way of what is at the path of the file now.
    func inTheWay(of path: CText) -> CText? {
        lock.hold {
            guard let left, let file = FileIdentity(path) else { return nil }
            if file != left.file && LogIdentity(left.path) == left.log { return left.path }
            self.left = nil
            return nil
        }
    }
}
