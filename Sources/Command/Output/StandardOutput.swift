import CSKANSystem
package import SKANCore
package import SKANSystem

/// Standard output, through stdio's buffer. A failure is remembered and reported at the end.
package enum StandardOutput {
    /// The errno of the first failed write; 0 if none has failed.
    private nonisolated(unsafe) static var reason: Int32 = 0

    package static func write(_ text: Message) { text.utf8.withUnsafeBytes { write($0) } }

    package static func write(_ bytes: Bytes) {
        if bytes.isEmpty { return }
        clearSystemError()
        if fwrite(bytes.baseAddress, 1, bytes.count, system_output()) < bytes.count { note() }
    }

    /// Writes the text and a line feed.
    package static func line(_ text: Message) { text.utf8.withUnsafeBytes { line($0) } }

    package static func line(_ bytes: Bytes) {
        write(bytes)
        write("\n")
    }

    package static func line(_ text: borrowing ByteBuffer) { text.withBytes { line($0) } }

    /// Writes out the buffer. Returns false if this or an earlier write failed.
    @discardableResult
    package static func flush() -> Bool {
        clearSystemError()
        if fflush(system_output()) != 0 { note() }
        return !hasFailed
    }

    package static var hasFailed: Bool { ferror(system_output()) != 0 || reason != 0 }

    /// Whether the reader has closed its end of standard output.
    static var hasNoReader: Bool {
        if reason == EPIPE { return true }
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) == 1 && Int32(output.revents) & POLLERR != 0
    }

    static var problem: Message { reason == 0 ? "could not be written" : Message(systemError: reason) }

    private static func note() {
        if reason == 0 { reason = systemError }
    }
}
