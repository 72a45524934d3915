internal import CSKANSupport
internal import SKANCommandOutput
package import SKANCore
internal import SKANSystem

/// Structured lines on standard error: one JSON object each, without keys, tokens or ids of users. Those of requests
/// within a fifth of a second. A thread of its own writes them: where nobody reads, as many lines wait as there is room
/// for, the others are dropped and counted, and whoever serves does not wait. Any thread.
package final class ServerLog: @unchecked Sendable {
    package enum Level: Sendable {
        case nothing, errors, requests
    }

    /// How much of clients' addresses lines of requests tell. Before it starts.
    package var addresses = LoggedAddress.none
    /// Stays from the start on: the thread that ends a process which hangs may still ask for it.
    private var level = Level.nothing
    private let monitor = Monitor()
    private var text = ByteBuffer(capacity: ServerLog.enough)
    /// Lines that were dropped, and how many of them the log itself does not tell yet.
    private var dropped: UInt64 = 0
    private var untold: UInt64 = 0
    private var isUrgent = false
    private var isStopped = false
    /// The second of the newest line, without its fraction.
    private var second: (number: Int64, text: Message) = (.min, "")
    private var writer: LogWriter?

    /// Is written without a pause.
    private static var enough: Int { 32_768 }
    private static var room: Int { 1 << 20 }
    /// The greatest number of bytes of a client's method that a line contains.
    private static var methodBytes: Int { 16 }

    package init() {}

    /// Starts the log, which says nothing before. False: no thread can be started.
    package func start(_ level: Level) -> Bool {
        if level == .nothing { return true }
        self.level = level
        let writer = LogWriter(
            { [unowned(unsafe) self] buffer in self.take(into: &buffer) },
            isEnding: { [unowned(unsafe) self] in self.isEnding })
        self.writer = writer
        return writer.start()
    }

    /// Writes what is left, once nobody else has anything to say.
    package func stop() {
        if level == .nothing { return }
        finish()
        writer?.join()
        writer = nil
    }

    /// Lets the thread end that writes.
    func finish() {
        monitor.hold {
            isStopped = true
            monitor.broadcast()
        }
    }

    var droppedLines: UInt64 { monitor.hold { dropped } }

    /// Nobody waits for a reader for long.
    private var isEnding: Bool { monitor.hold { isStopped } }

    /// Moves what is to be written into an empty buffer, after a pause; false once there is nothing and it is stopped.
    private func take(into buffer: inout ByteBuffer) -> Bool {
        monitor.take()
        defer { monitor.give() }
        let moment = millisecondsNow() + 200
        while !isStopped && !isUrgent && text.count < ServerLog.enough {
            if !monitor.wait(until: moment) { break }
        }
        isUrgent = false
        if untold > 0 {
            let lines = untold
            untold = 0
            begin("log_lines_dropped")
            end(with: "\(lines) lines were dropped: nobody read the log")
        }
        buffer.append(text)
        text.removeAll()
        return buffer.count > 0 || !isStopped
    }

    /// Logs one answered request. The path is logged only if no route fits it.
    func request(
        _ route: StaticString?, _ request: HTTPServerRequest, _ answer: HTTPServerAnswer, microseconds: UInt64
    ) {
        if level == .nothing || (level == .errors && answer.status < 500) { return }
        let client = request.client?.text(addresses)
        monitor.hold {
            guard hasRoom() else { return }
            begin("request")
            text.append(",\"route\":\"")
            text.append(route ?? "other")
            text.append("\",\"method\":")
            text.append(logged: request.method, atMost: ServerLog.methodBytes)
            if route == nil {
                text.append(",\"path\":")
                text.append(logged: request.path, atMost: loggedLength(ofPath: request.path))
            }
            if let client { text.append(line: ",\"client\":\"\(client)\"") }
            text.append(",\"status\":")
            text.append(decimal: UInt64(answer.status))
            text.append(",\"outcome\":\"")
            text.append(answer.outcome)
            text.append("\",\"microseconds\":")
            text.append(decimal: microseconds)
            text.append("}\n")
            if text.count > ServerLog.enough { monitor.signal() }
        }
    }

    /// Something that an operator has to know, seen at once.
    package func event(_ event: StaticString, _ words: Message? = nil) {
        if level == .nothing { return }
        monitor.hold {
            guard hasRoom() else { return }
            begin(event)
            end(with: words)
            isUrgent = true
            monitor.signal()
        }
    }

    /// Connections above a limit, of one client or of all of them.
    func refused(_ note: ConnectionNotes.Note) {
        if level == .nothing { return }
        let client = note.client?.text(addresses)
        monitor.hold {
            guard hasRoom() else { return }
            begin("connections_refused")
            if let client { text.append(line: ",\"client\":\"\(client)\"") }
            text.append(line: ",\"connections\":\(note.count)")
            let limit: StaticString = note.limit == .ofClient ? "--max-connections-per-peer" : "--max-connections"
            end(with: "connections above \(limit) were answered 503 or closed")
        }
    }

    // MARK: The monitor is held

    private func hasRoom() -> Bool {
        if text.count < ServerLog.room { return true }
        dropped &+= 1
        untold &+= 1
        return false
    }

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

    private func end(with words: Message?) {
        if let words {
            text.append(",\"message\":")
            words.utf8.withUnsafeBytes { text.append(logged: $0, atMost: .max) }
        }
        text.append("}\n")
    }
}
