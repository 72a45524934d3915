internal import CSKANPQ
internal import CSKANSystem
internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// A session with the server: never waiting past a deadline. Used by one thread at a time.
final class PostgresSession {
    let settings: PostgresSettings
    /// libpq's; nil once it has ended, which libpq takes as a broken one.
    private(set) var link: OpaquePointer?
    /// Whether it is not to be used again: the server has said that it ends it, or what it does is not known.
    var isDying = false
    /// The server was reached and has not answered in time.
    private(set) var isLate = false
    /// The server has committed and given up waiting for its synchronous standbys, as it was asked to cancel the
    /// statement.
    fileprivate var isUnreplicated = false
    /// A refused statement leaves the session as it is.
    var isSettingUp = true
    /// Whether each `PostgresStatement` is prepared.
    var isPrepared = [Bool](repeating: false, count: PostgresStatement.allCases.count)

    /// Begins to reach a host, whose server has to be as `wanted`.
    convenience init(
        _ settings: PostgresSettings, _ host: PostgresHost, wanted: StaticString?
    ) throws(ServerTrouble) {
        self.init(settings)
        let (keywords, values) = settings.address.parameters(of: host, wanted: wanted)
        link = keywords.withPointers { keywords in
            values.withPointers { values in PQconnectStartParams(keywords, values, 0) }
        }
        guard link != nil else { throw trouble(.unreached, "connect", "out of memory") }
        // libpq prints notices on stderr unless somebody takes them.
        PQsetNoticeReceiver(link, takeNotice, Unmanaged.passUnretained(self).toOpaque())
    }

    private init(_ settings: PostgresSettings) { self.settings = settings }

    deinit { end() }

    /// Ends the session. After a time-out the server is asked to cancel the statement, and the place is freed when the
    /// session has ended on the server.
    func end(holding place: HeldPlace? = nil) {
        defer { link = nil }
        if isLate && PQsocket(link) >= 0 {
            // libpq would tell this object of notices.
            PQsetNoticeReceiver(link, { _, _ in }, nil)
            EndingSessions.add(EndingSession(link, isPooled: settings.isPooled, place))
        } else {
            PQfinish(link)
            place?.free()
        }
    }

    /// Whether it may be used for the next call.
    var isFit: Bool { !isDying && PQstatus(link) == CONNECTION_OK }

    /// An idle session that has something to read was ended by the server, or told something of no interest.
    func isAlive() -> Bool {
        while hasEvent(Int32(POLLIN), within: 0) {
            guard PQconsumeInput(link) != 0 else { return false }
            _ = PQisBusy(link)  // reads what came
            guard isFit else { return false }
        }
        return !isDying
    }

    // MARK: Waiting

    /// Waits for the socket; false after the deadline.
    func wait(for events: Int32, until deadline: Int64) -> Bool {
        while true {
            let left = millisecondsLeft(deadline)
            if hasEvent(events, within: Int32(min(left, 1_000_000))) { return true }
            if left == 0 { return false }
        }
    }

    /// True also for an error: libpq says what is wrong with the socket.
    private func hasEvent(_ events: Int32, within milliseconds: Int32) -> Bool {
        var socket = pollfd(fd: PQsocket(link), events: Int16(truncatingIfNeeded: events), revents: 0)
        let found = poll(&socket, 1, milliseconds)
        return found > 0 || (found < 0 && systemError != EINTR)
    }

    // MARK: Trouble

    func trouble(
        _ kind: ServerTrouble.Kind, _ doing: StaticString, _ words: Message, _ state: [UInt8] = []
    ) -> ServerTrouble {
        let line = singleLine(words.utf8, hiding: settings.address.password, room: 699)
        return ServerTrouble(
            kind: kind, message: "\(settings.address.name): \(doing): \(line)", state: ServerState(state))
    }

    func late(_ doing: StaticString) -> ServerTrouble {
        isDying = true
        isLate = PQstatus(link) != CONNECTION_STARTED
        let message: Message =
            "\(settings.address.name): \(doing): no answer from the server within \(settings.timeout) ms"
        return ServerTrouble(kind: .late, message: message)
    }

    /// What libpq says is wrong with the session.
    func broken(_ doing: StaticString) -> ServerTrouble {
        isDying = true
        return trouble(.unknown, doing, Message(PQerrorMessage(link)))
    }

    // MARK: Exchange

    /// Sends what libpq holds back, until nothing is left. The server may have to be read from before it takes more.
    func flush(_ doing: StaticString, until deadline: Int64) throws(ServerTrouble) {
        while true {
            let unsent = PQflush(link)
            if unsent == 0 { return }
            if unsent < 0 { throw broken(doing) }
            guard wait(for: Int32(POLLIN | POLLOUT), until: deadline) else { throw late(doing) }
            guard PQconsumeInput(link) != 0 else { throw broken(doing) }
        }
    }

    /// Sends what is unsent and reads until libpq has a result; nil where it gives NULL.
    func next(_ doing: StaticString, until deadline: Int64) throws(ServerTrouble) -> ServerAnswer? {
        while PQisBusy(link) != 0 {
            try flush(doing, until: deadline)
            // What was sent last may have been answered whole while it was flushed: then nothing more comes.
            if PQisBusy(link) == 0 { break }
            guard wait(for: Int32(POLLIN), until: deadline) else { throw late(doing) }
            guard PQconsumeInput(link) != 0 else { throw broken(doing) }
        }
        guard let result = PQgetResult(link) else { return nil }
        return ServerAnswer(result)
    }

    /// What is in doubt of a statement that was answered as done: a server that has to wait for its standbys does not
    /// answer otherwise where that was cut short by a cancel request.
    func doubt(_ doing: StaticString) -> ServerTrouble? {
        guard isUnreplicated else { return nil }
        isUnreplicated = false
        return trouble(.unknown, doing, "the server has committed, and not waited for its synchronous standbys")
    }

    /// What an answer means: nil, it is done.
    func judge(_ answer: borrowing ServerAnswer, _ doing: StaticString) -> ServerTrouble? {
        switch answer.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC: return nil
        case PGRES_PIPELINE_ABORTED:
            return trouble(.refused, doing, "an earlier statement of the batch failed")
        default: break
        }
        guard let code = answer.state, let primary = answer.primary else {
            isDying = true
            let words = answer.words
            return trouble(.unknown, doing, words.isEmpty ? "no answer that is known" : Message(utf8: words))
        }
        let state = ServerState([UInt8](code.prefix(5)))
        let kind = state.meaning(isError: answer.isError)
        if kind == .unknown || (!isSettingUp && !state.leavesSession) { isDying = true }
        let hint: StaticString =
            state.isOfName ? "; behind a connection pooler, set options.pooled, or pooled=1 in the URL" : ""
        let words: Message =
            "\(Message(utf8: [UInt8](primary.prefix(500)))) (SQLSTATE \(Message(utf8: state.code)))\(hint)"
        return trouble(kind, doing, words, state.code)
    }
}

/// Milliseconds that are left until then, at least 0.
func millisecondsLeft(_ deadline: Int64) -> Int64 { max(deadline - millisecondsNow(), 0) }

/// A FATAL or PANIC ends the session. The function in the server's source tells a warning of standbys from others, in
/// every language.
private func takeNotice(_ context: UnsafeMutableRawPointer?, _ notice: OpaquePointer?) {
    guard let context else { return }
    let source = PQresultErrorField(notice, Int32(pq_source_function))
    if let source, strcmp(source, ("SyncRepWaitForLSN" as StaticString).cString) == 0 {
        Unmanaged<PostgresSession>.fromOpaque(context).takeUnretainedValue().isUnreplicated = true
    }
    let severity = severity(of: notice)
    if severity.elementsEqual(StaticString("FATAL").bytes) || severity.elementsEqual(StaticString("PANIC").bytes) {
        Unmanaged<PostgresSession>.fromOpaque(context).takeUnretainedValue().isDying = true
    }
}
