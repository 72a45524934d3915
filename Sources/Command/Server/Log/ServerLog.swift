import CSKANSupport
import SKANCommandOutput
package import SKANCore
import SKANSystem

/// Structured lines on standard error: one JSON object each, without keys, tokens or user ids. Lines of requests are
/// written within a fifth of a second. A separate thread writes, so that serving threads never wait. If nobody reads,
/// lines are buffered while there is room, and further ones are dropped and counted. Thread-safe.
package final class ServerLog: @unchecked Sendable {
    package enum Level: Sendable {
        case nothing, errors, requests
    }

    /// How much of clients' addresses request lines contain. Set before `start`.
    package var addresses = LoggedAddress.none
    /// The sampling interval: one of every `sample` requests without an error is logged. Set before `start`.
    package var sample: UInt64 = 1
    /// The level of the log. It does not change after `start`, because the thread that ends a hanging process can read
    /// it at any time.
    private var level = Level.nothing
    private let monitor = Monitor()
    private var text = ByteBuffer(capacity: ServerLog.enough)
    /// The number of dropped lines since the start.
    private var dropped: UInt64 = 0
    /// The number of dropped lines that no line of the log has reported yet.
    private var untold: UInt64 = 0
    private var isUrgent = false
    private var repeated = RepeatedLines()
    /// The number of requests without an error, from which the sample is drawn.
    private var fine: UInt64 = 0
    private var isStopped = false
    /// The time of the newest line in whole seconds, as a number and as text.
    private var second: (number: Int64, text: Message) = (.min, "")
    private var writer: LogWriter?

    /// The number of bytes from which waiting lines are written at once.
    private static var enough: Int { 32_768 }
    private static var room: Int { 1 << 20 }
    /// The maximum number of bytes of a client's method in a line.
    private static var methodBytes: Int { 16 }

    package init() {}

    /// Before the start, the log ignores every line. Returns false if no thread can be started.
    package func start(_ level: Level) -> Bool {
        if level == .nothing { return true }
        self.level = level
        let writer = LogWriter(
            { [unowned(unsafe) self] buffer in self.take(into: &buffer) },
            isEnding: { [unowned(unsafe) self] in self.isEnding })
        self.writer = writer
        return writer.start()
    }

    /// Writes the remaining lines and ends the thread. Call it once nobody logs any more.
    package func stop() {
        if level == .nothing { return }
        finish()
        writer?.join()
        writer = nil
    }

    /// Asks the writing thread to end, and does not wait for it.
    func finish() {
        monitor.hold {
            isStopped = true
            monitor.broadcast()
        }
    }

    var droppedLines: UInt64 { monitor.hold { dropped } }

    /// Whether the log is ending, so that the writer no longer waits long for a reader.
    private var isEnding: Bool { monitor.hold { isStopped } }

    /// Waits a moment for lines and moves them into an empty buffer. Returns false once the log is stopped and no lines
    /// are left.
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
            begin("log_lines_dropped", .warning)
            end(with: "\(lines) lines were dropped: nobody read the log")
        }
        for line in isStopped ? repeated.takeAll() : repeated.due(at: millisecondsNow()) {
            begin(line.event, line.level)
            text.append(line: ",\"repeated\":\(line.count)")
            end(with: line.words)
        }
        buffer.append(text)
        text.removeAll()
        return buffer.count > 0 || !isStopped
    }

    /// The path is logged only if no route matches it.
    func request(
        _ route: StaticString?, _ request: HTTPServerRequest, _ answer: HTTPServerAnswer, microseconds: UInt64
    ) {
        if level == .nothing || (level == .errors && answer.status < 500) { return }
        let client = request.client?.text(addresses)
        monitor.hold {
            guard isSampled(answer.status), hasRoom() else { return }
            begin("request", answer.status >= 500 ? .error : .info)
            if let id = request.id {
                text.append(",\"id\":")
                id.withUnsafeBytes { text.append(logged: $0, atMost: RequestHead.longestID) }
            }
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
            if sample > 1, answer.status < 400 { text.append(line: ",\"sample\":\(sample)") }
            text.append("}\n")
            if text.count > ServerLog.enough { monitor.signal() }
        }
    }

    /// Logs an event that an operator needs to know, without delay.
    package func event(_ event: StaticString, _ words: Message? = nil, _ kind: LineLevel = .info) {
        if level == .nothing { return }
        monitor.hold { write(event, words, kind) }
    }

    /// Logs a problem that may occur with every request. It is logged at once or, if it was logged within the last
    /// minute, once a minute with the number of times that it recurred.
    package func trouble(_ event: StaticString, _ words: Message, _ kind: LineLevel = .error) {
        if level == .nothing { return }
        monitor.hold {
            if repeated.isNew(event, kind, words, at: millisecondsNow()) { write(event, words, kind) }
        }
    }

    /// Logs how many connections were above a limit, that of one client or that of all clients.
    func refused(_ note: ConnectionNotes.Note) {
        if level == .nothing { return }
        let client = note.client?.text(addresses)
        monitor.hold {
            guard hasRoom() else { return }
            begin("connections_refused", .warning)
            if let client { text.append(line: ",\"client\":\"\(client)\"") }
            text.append(line: ",\"connections\":\(note.count)")
            let limit: StaticString = note.limit == .ofClient ? "--max-connections-per-peer" : "--max-connections"
            end(with: "connections above \(limit) were answered 503 or closed")
        }
    }

    // MARK: The monitor is held

    private func hasRoom() -> Bool {
        if text.count < ServerLog.room { return true }
        dropped += 1
        untold += 1
        return false
    }

    private func write(_ event: StaticString, _ words: Message?, _ kind: LineLevel) {
        guard hasRoom() else { return }
        begin(event, kind)
        end(with: words)
        isUrgent = true
        monitor.signal()
    }

    private func isSampled(_ status: UInt32) -> Bool {
        guard status < 400, sample > 1 else { return true }
        defer { fine += 1 }
        return fine % sample == 0
    }

    private func begin(_ event: StaticString, _ kind: LineLevel) {
        let now = support_now()
        let number = now / 1_000_000
        if second.number != number { second = (number, Message(utf8: utcTime(number).utf8.dropLast())) }
        text.append("{\"time\":\"")
        second.text.utf8.withUnsafeBytes { text.append($0) }
        text.append(".")
        text.append(decimal: UInt64(bitPattern: now / 1000 % 1000), digits: 3)
        text.append("Z\",\"level\":\"")
        text.append(kind.name)
        text.append("\",\"event\":\"")
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
