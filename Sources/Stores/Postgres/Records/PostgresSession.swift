internal import CSKANPQ
internal import CSKANSystem
internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// A session with the server that never waits beyond a deadline. Used by one thread at a time.
final class PostgresSession {
    let settings: PostgresSettings
    /// The session of libpq; nil once it has ended. libpq treats nil as a broken session.
    private(set) var link: OpaquePointer?
    /// Whether the session must not be used again: the server has announced its end, or it is unknown what the server
    /// is doing.
    var isDying = false
    /// Whether the server was reached but did not answer in time.
    private(set) var isLate = false
    /// Whether the server committed without the confirmation of its synchronous standbys, because the statement was
    /// cancelled while it waited for them.
    fileprivate var isUnreplicated = false
    /// Whether the session is still being set up. Meanwhile, a refused statement does not make it unusable.
    var isSettingUp = true
    /// Whether each statement is prepared, by the raw value of its `PostgresStatement`.
    var isPrepared = [Bool](repeating: false, count: PostgresStatement.allCases.count)

    /// Begins to connect to a host, whose server must be of the kind `wanted`.
    convenience init(
        _ settings: PostgresSettings, _ host: PostgresHost, wanted: StaticString?
    ) throws(ServerTrouble) {
        self.init(settings)
        let (keywords, values) = settings.address.parameters(of: host, wanted: wanted)
        link = keywords.withPointers { keywords in
            values.withPointers { values in PQconnectStartParams(keywords, values, 0) }
        }
        guard link != nil else { throw trouble(.unreached, "connect", "out of memory") }
        // By default, libpq prints notices on stderr.
        PQsetNoticeReceiver(link, takeNotice, Unmanaged.passUnretained(self).toOpaque())
    }

    private init(_ settings: PostgresSettings) { self.settings = settings }

    deinit { end() }

    /// After a time-out the server is asked to cancel the statement, and `place` is freed once the session has ended on
    /// the server.
    func end(holding place: HeldPlace? = nil) {
        defer { link = nil }
        if isLate && PQsocket(link) >= 0 {
            // libpq would otherwise pass later notices to this object.
            PQsetNoticeReceiver(link, { _, _ in }, nil)
            EndingSessions.add(EndingSession(link, isPooled: settings.isPooled, place))
        } else {
            PQfinish(link)
            place?.free()
        }
    }

    /// Whether the session may be used for the next call.
    var isFit: Bool { !isDying && PQstatus(link) == CONNECTION_OK }

    /// Whether an idle session can still be used. If there is something to read, the server has either ended the
    /// session or sent a notice, which is ignored.
    func isAlive() -> Bool {
        while hasEvent(Int32(POLLIN), within: 0) {
            guard PQconsumeInput(link) != 0 else { return false }
            _ = PQisBusy(link)  // parses what came
            guard isFit else { return false }
        }
        return !isDying
    }

    // MARK: Waiting

    /// Returns false after the deadline.
    func wait(for events: Int32, until deadline: Int64) -> Bool {
        while true {
            let left = millisecondsLeft(deadline)
            if hasEvent(events, within: Int32(min(left, 1_000_000))) { return true }
            if left == 0 { return false }
        }
    }

    /// Whether the socket has one of these events, or an error, which libpq then describes.
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

    /// The error of the session, with libpq's message.
    func broken(_ doing: StaticString) -> ServerTrouble {
        isDying = true
        return trouble(.unknown, doing, Message(PQerrorMessage(link)))
    }

    // MARK: Exchange

    /// Sends everything in libpq's buffer. The server may not take more until something was read from it.
    func flush(_ doing: StaticString, until deadline: Int64) throws(ServerTrouble) {
        while true {
            let unsent = PQflush(link)
            if unsent == 0 { return }
            if unsent < 0 { throw broken(doing) }
            guard wait(for: Int32(POLLIN | POLLOUT), until: deadline) else { throw late(doing) }
            guard PQconsumeInput(link) != 0 else { throw broken(doing) }
        }
    }

    /// Sends everything in libpq's buffer, then reads until libpq has a result; nil if libpq returns NULL.
    func next(_ doing: StaticString, until deadline: Int64) throws(ServerTrouble) -> ServerAnswer? {
        while PQisBusy(link) != 0 {
            try flush(doing, until: deadline)
            // The whole answer may have arrived while the last statement was flushed; then nothing more comes.
            if PQisBusy(link) == 0 { break }
            guard wait(for: Int32(POLLIN), until: deadline) else { throw late(doing) }
            guard PQconsumeInput(link) != 0 else { throw broken(doing) }
        }
        guard let result = PQgetResult(link) else { return nil }
        return ServerAnswer(result)
    }

    /// The error for a statement whose outcome is in doubt although its answer reports success; nil if there is no
    /// doubt. A server also reports success if it committed but a request to cancel ended its wait for its synchronous
    /// standbys.
    func doubt(_ doing: StaticString) -> ServerTrouble? {
        guard isUnreplicated else { return nil }
        isUnreplicated = false
        return trouble(.unknown, doing, "the server has committed, and not waited for its synchronous standbys")
    }

    /// The error that an answer reports; nil if the statement succeeded.
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

/// The number of milliseconds until the deadline, at least 0.
func millisecondsLeft(_ deadline: Int64) -> Int64 { max(deadline - millisecondsNow(), 0) }

/// Takes a notice of the server. FATAL and PANIC end the session. A warning about standbys is recognised by the name of
/// the function in the server's source, which is the same in every language.
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
