internal import CSKANSupport
internal import CSKANSystem
internal import SKANCommandOutput
package import SKANCore
internal import SKANSystem

/// Structured lines on standard error: one JSON object each, without keys, tokens or ids of users. Those of requests
/// within a fifth of a second. Any thread.
package final class ServerLog: @unchecked Sendable {
    package enum Level: Sendable {
        case nothing, errors, requests
    }

    /// Changes while no other thread is there.
    private var level = Level.nothing
    private let lock = Lock()
    private var text = ByteBuffer(capacity: ServerLog.room)
    /// Of the newest line, without its fraction.
    private var second: (number: Int64, text: Message) = (.min, "")
    private var flusher: RepeatingThread?

    private static var room: Int { 65_536 }
    /// Of a method that a client sends, as much as a line tells.
    private static var methodBytes: Int { 16 }

    package init() {}

    /// Before this it says nothing. False: no thread can be started.
    package func start(_ level: Level) -> Bool {
        if level == .nothing { return true }
        self.level = level
        let flusher = RepeatingThread(everyMilliseconds: 200) { [unowned(unsafe) self] in
            self.lock.hold { self.flush() }
        }
        self.flusher = flusher
        return flusher.start()
    }

    /// Writes what is left, once nobody else has anything to say.
    package func stop() {
        if level == .nothing { return }
        flusher?.stop()
        flusher = nil
        lock.hold { flush() }
        level = .nothing
    }

    /// One answered request. Of a path it tells only where no route fits.
    func request(
        _ route: StaticString?, _ request: HTTPServerRequest, _ answer: HTTPServerAnswer, microseconds: UInt64
    ) {
        if level == .nothing || (level == .errors && answer.status < 500) { return }
        lock.hold {
            begin("request")
            text.append(",\"route\":\"")
            text.append(route ?? "other")
            text.append("\",\"method\":")
            text.append(logged: request.method, atMost: ServerLog.methodBytes)
            if route == nil {
                text.append(",\"path\":")
                text.append(logged: request.path, atMost: loggedLength(ofPath: request.path))
            }
            text.append(",\"status\":")
            text.append(decimal: UInt64(answer.status))
            text.append(",\"outcome\":\"")
            text.append(answer.outcome)
            text.append("\",\"microseconds\":")
            text.append(decimal: microseconds)
            text.append("}\n")
            if text.count > ServerLog.room / 2 { flush() }
        }
    }

    /// Something that an operator has to know, seen at once.
    package func event(_ event: StaticString, _ words: Message? = nil) {
        if level == .nothing { return }
        lock.hold {
            begin(event)
            if let words {
                text.append(",\"message\":")
                words.utf8.withUnsafeBytes { text.append(logged: $0, atMost: .max) }
            }
            text.append("}\n")
            flush()
        }
    }

    // MARK: The lock is held

    private func begin(_ event: StaticString) {
        let now = support_now()
        let number = now / 1_000_000
        if second.number != number { second = (number, Message(utf8: utcTime(number).utf8.dropLast())) }
        text.append("{\"time\":\"")
        second.text.utf8.withUnsafeBytes { text.append($0) }
        text.append(".")
        text.append(decimal: UInt64(bitPattern: now / 1000 % 1000), digits: 3)
        text.append("Z\",\"event\":\"")
        text.append(event)
        text.append("\"")
    }

    /// What cannot be written is lost: whoever serves does not wait for who reads no log.
    private func flush() {
        var rest = text.bytes
        while !rest.isEmpty {
            let count = write(STDERR_FILENO, rest.baseAddress, rest.count)
            if count < 0 && systemError == EINTR { continue }
            guard count > 0 else { break }
            rest = Bytes(rebasing: rest[min(count, rest.count)...])
        }
        text.removeAll()
    }
}
