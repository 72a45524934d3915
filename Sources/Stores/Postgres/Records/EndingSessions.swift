internal import CSKANPQ
internal import CSKANSystem
internal import SKANSystem

/// The sessions of this process that timed out and have not ended yet. While there are any, one thread waits for their
/// ends. For each server, another thread sends the requests to cancel, one after the other, because each request opens
/// a connection to the server. libpq waits for the answer to such a request without a time-out. The caller whose
/// statement timed out has no time left for that, and a server that is gone must not delay the requests to other
/// servers.
final class EndingSessions: ForkMember {
    private let lock = Lock()
    private var sessions: [EndingSession] = []
    /// The addresses of the servers to which a thread is sending requests to cancel.
    private var asked: [[UInt8]] = []
    private var isWatching = false

    /// Prepares the list. Call this before the first session is opened, but not in a call that a fork waits for,
    /// because this can itself wait for the fork.
    static func prepare() {
        pthread_once(&once) {
            let made = EndingSessions()
            shared = made
            Forks.tell(made)
        }
    }

    /// Can be called within a call that a fork waits for.
    static func add(_ session: EndingSession) {
        if let shared { shared.add(session) } else { session.end() }
    }

    private func add(_ session: EndingSession) {
        let isWatched = lock.hold {
            sessions.append(session)
            if session.hasRequest { ask(session.server) }
            if !isWatching { isWatching = start { $0.watch() } }
            if !isWatching { sessions.removeLast() }
            return isWatching
        }
        if !isWatched { session.end() }
    }

    /// Starts a thread that sends a server the requests to cancel, unless such a thread is running. If no thread can be
    /// started, the sessions end without a request. The lock must be held.
    private func ask(_ server: [UInt8]) {
        if asked.contains(server) { return }
        if start({ $0.request(server) }) { asked.append(server) }
    }

    private func start(_ work: @escaping (EndingSessions) -> Void) -> Bool {
        guard let thread = SystemThread({ work(self) }) else { return false }
        thread.detach()
        return true
    }

    // MARK: Threads

    private func request(_ server: [UInt8]) {
        while let (session, request) = lock.hold({ nextRequest(server) }) {
            var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            let isAnswered = withUnsafeMutableBytes(of: &words) { words in
                PQcancel(request, words.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(words.count)) != 0
            }
            PQfreeCancel(request)
            lock.hold { session.requestEnded(isAnswered: isAnswered) }
        }
    }

    private func nextRequest(_ server: [UInt8]) -> (EndingSession, OpaquePointer)? {
        for session in sessions where session.server == server {
            if let request = session.takeRequest() { return (session, request) }
        }
        asked.removeAll { $0 == server }
        return nil
    }

    private func watch() {
        while true {
            var sockets = lock.hold { sessions.map { $0.awaited } }
            _ = sockets.withUnsafeMutableBufferPointer { poll($0.baseAddress, nfds_t($0.count), 20) }
            var over: [EndingSession] = []
            let isLast = lock.hold {
                for session in sessions where session.isOver() { over.append(session) }
                sessions.removeAll { session in over.contains { $0 === session } }
                if sessions.isEmpty { isWatching = false }
                return sessions.isEmpty
            }
            for session in over { session.end() }
            if isLast { return }
        }
    }

    // MARK: Forks

    func announceFork() {}

    /// Nothing to do: ending sessions hold no lock while they wait.
    func awaitQuiet() {}

    func beforeFork() { lock.take() }

    /// Closes and forgets the sessions in the child, since they and their threads belong to the parent.
    func afterFork(isChild: Bool) {
        if isChild {
            for session in sessions { session.disown() }
            sessions.removeAll()
            asked.removeAll()
            isWatching = false
        }
        lock.give()
    }
}

private nonisolated(unsafe) var once = pthread_once_t()
private nonisolated(unsafe) var shared: EndingSessions?
