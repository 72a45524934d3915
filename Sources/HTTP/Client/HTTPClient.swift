internal import CSKANCurl
internal import CSKANSystem
package import SKANCore
package import SKANSystem

/// A client that makes requests, mostly GETs. One thread of the client drives all of them, so no thread waits for a
/// single request. The thread starts with the first request, and the client exists until `end()`.
package final class HTTPClient: ForkedClient, @unchecked Sendable {
    package let settings: HTTPSettings
    /// nil before the first request. `lock` guards this property, those below, and `isCancelled` of each request.
    private var loop: RequestLoop?
    /// The loop of the parent process, if this process was forked.
    private var parents: RequestLoop?
    private var thread = pthread_t()
    private var newestNumber: UInt64 = 0
    private var requests = NumberedRequests()
    /// Requests that were started and that the thread has not yet taken.
    private var new: [HTTPRequest] = []
    /// Requests that were cancelled and that the thread has not yet ended.
    private var cancelled: [HTTPRequest] = []
    /// Whether the thread is awake or was woken. It then looks at `new`, `cancelled` and `isEnding` before it waits
    /// again.
    private var isAwake = false
    private var isEnding = false

    /// Does not connect anywhere before the first request.
    package convenience init(_ settings: HTTPSettings) throws(Failure) {
        try prepareLibcurl()
        if let file = settings.caFile { try checkReadable(file) }
        self.init(prepared: settings)
        Forks.tell(self)
    }

    private init(prepared settings: HTTPSettings) {
        self.settings = settings
        super.init()
    }

    /// Cancels all requests and ends the thread. Must not be called from a request's `done`, nor while another thread
    /// calls the client.
    package func end() {
        let loop: RequestLoop? = lock.hold {
            guard let loop = self.loop else { return nil }
            isEnding = true
            wake(loop)
            return loop
        }
        if let loop {
            pthread_join(thread, nil)
            loop.end()
        }
        Forks.forget(self)
        self.loop = nil
        endParents()
    }

    private func endParents() {
        parents?.end()
        parents = nil
    }

    // MARK: Requests

    /// Starts a request. Returns the request's number, at least 1, for cancelling it; the client never uses a number
    /// again. `done` is called once, on the client's thread, possibly before this returns.
    ///
    /// Throws `.invalidArgument` if the URL is not an absolute http or https URL, and `.transport` if no thread can be
    /// started or the client has ended. `done` is not called then.
    ///
    /// - Parameter json: The body of a POST; nil for a GET.
    package func start(
        _ url: CText, json: [UInt8]? = nil, _ done: @escaping (HTTPOutcome) -> Void
    ) throws(Failure) -> UInt64 {
        let request = try HTTPRequest(url, json: json, settings, done)
        lock.take()
        defer { lock.give() }
        if isEnding { throw Failure(.transport, "the client is being destroyed") }
        let loop = if let loop = self.loop { loop } else { try startLoop() }
        newestNumber += 1
        request.number = newestNumber
        requests.append(request)
        new.append(request)
        wake(loop)
        return request.number
    }

    /// Asks the client's thread to cancel the request with this number. Does nothing if the request has ended.
    package func cancel(_ number: UInt64) {
        lock.hold {
            guard let loop, let found = requests[number], !found.isCancelled else { return }
            found.isCancelled = true
            cancelled.append(found)
            wake(loop)
        }
    }

    /// The caller holds `lock`.
    private func wake(_ loop: RequestLoop) {
        if isAwake { return }
        isAwake = true
        loop.wakeUp()
    }

    // MARK: The thread

    /// The caller holds `lock`.
    private func startLoop() throws(Failure) -> RequestLoop {
        endParents()
        let made = try RequestLoop(settings)
        loop = made
        let failed = startThread()
        guard failed == 0 else {
            loop = nil
            made.end()
            throw Failure(.transport, "thread: \(Message(systemError: failed))")
        }
        return made
    }

    /// Starts the thread with all signals blocked, so that the host's threads handle the host's signals, and so that a
    /// SIGPIPE, which goes to the thread that writes, does not end the process.
    private func startThread() -> Int32 {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let serve: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context { Unmanaged<HTTPClient>.fromOpaque(context).takeUnretainedValue().serve() }
            return nil
        }
        let failed = pthread_create(&thread, nil, serve, Unmanaged.passUnretained(self).toOpaque())
        if failed == 0 { system_name_thread(thread, "libskan-http") }
        return failed
    }

    private func serve() {
        guard let loop = lock.hold({ self.loop }) else { return }
        var polled: [pollfd] = []
        var goesOn = true
        work.take()
        while goesOn {
            goesOn = takeNotes(loop)
            loop.act()
            let over = loop.takeOver()
            if !over.isEmpty {
                forget(over)
                work.give()
                for request in over { request.tell() }
                work.take()
                continue
            }
            if !goesOn || !mayWait() { continue }
            let milliseconds = loop.prepareWait(&polled)
            work.give()
            let ready = poll(&polled, nfds_t(polled.count), milliseconds)
            work.take()
            if ready > 0 { loop.take(polled) }
        }
        work.give()
    }

    /// Takes the requests and cancellations of other threads. Returns false if the client has to end.
    private func takeNotes(_ loop: RequestLoop) -> Bool {
        lock.take()
        isAwake = true
        let isEnding = self.isEnding
        let begun = new
        let cancelled = self.cancelled
        new = []
        self.cancelled = []
        lock.give()
        for request in begun { loop.begin(request) }
        for request in cancelled { loop.cancel(request) }
        if isEnding { loop.cancelAll() }
        return !isEnding
    }

    /// Removes requests that are over, so that no thread finds them any more. Their results are reported next.
    private func forget(_ over: [HTTPRequest]) {
        lock.hold {
            for request in over { requests.remove(request) }
        }
    }

    /// Returns whether the thread may wait, because there is no new work. If so, notes that it is not awake, so that
    /// other threads wake it when they add work.
    private func mayWait() -> Bool {
        lock.hold {
            isAwake = !new.isEmpty || !cancelled.isEmpty || isEnding
            return !isAwake
        }
    }

    // MARK: Forks

    /// Runs in the child of a fork. The child has a copy of the parent's memory, but not the parent's thread. It must
    /// not use the parent's connections, because bytes that one process sent would break a connection for the other. So
    /// the child starts with a new loop. It disowns the connections of its copy of the old loop, so that the parent is
    /// not affected, and destroys the copy if it has no requests: only then can no name look-up be under way on a
    /// thread that the child does not have.
    override func forgetParents() {
        guard let loop else { return }
        loop.disown()
        if loop.isEmpty {
            parents = loop
        } else {
            // Kept for ever, because libcurl has pointers to it.
            _ = Unmanaged.passRetained(loop)
        }
        self.loop = nil
        // Only the parent waits for these requests.
        requests.abandon()
        new = []
        cancelled = []
        isAwake = false
    }
}

private func checkReadable(_ file: CText) throws(Failure) {
    let failed = file.characters.withUnsafeBufferPointer { path in
        guard let path = path.baseAddress else { return ENOENT }
        return access(path, R_OK) == 0 ? 0 : systemError
    }
    guard failed != 0 else { return }
    throw Failure(
        .transport, "ca_file: \(file.message.cut(HTTPLimits.fileBytes)): \(Message(systemError: failed))")
}
