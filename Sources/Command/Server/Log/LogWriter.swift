import CSKANSystem
import SKANCore
import SKANSystem

/// The number of bytes that a pipe accepts at once if it is ready to be written to (PIPE_BUF).
private var atOnce: Int { 4096 }

/// The thread that writes a log. It never blocks on a pipe, so that it can end even if nobody reads the pipe.
final class LogWriter: @unchecked Sendable {
    private let take: (inout ByteBuffer) -> Bool
    private let isEnding: () -> Bool
    private var thread: SystemThread?

    /// `take` waits for lines and moves them into an empty buffer; it returns false once there will be no more lines.
    /// `isEnding` returns whether the log is ending; the writer then waits only briefly for a reader.
    init(_ take: @escaping (inout ByteBuffer) -> Bool, isEnding: @escaping () -> Bool) {
        self.take = take
        self.isEnding = isEnding
    }

    /// Returns false if no thread can be started.
    func start() -> Bool {
        thread = SystemThread { self.serve() }
        return thread != nil
    }

    func join() { thread?.join() }

    private func serve() {
        var buffer = ByteBuffer(capacity: 65_536)
        while take(&buffer) {
            buffer.withBytes { write($0) }
            buffer.removeAll()
        }
    }

    /// Text that cannot be written is lost, for example because the reader has gone.
    private func write(_ text: Bytes) {
        var rest = text
        var patience = 5
        while !rest.isEmpty {
            var errors = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&errors, 1, 100) > 0 else {
                if isEnding() { patience -= 1 }
                if patience == 0 { return }
                continue
            }
            let count = CSKANSystem.write(STDERR_FILENO, rest.baseAddress, min(rest.count, atOnce))
            if count < 0 && (systemError == EINTR || systemError == EAGAIN) { continue }
            guard count > 0 else { return }
            rest = Bytes(rebasing: rest.dropFirst(count))
        }
    }
}
