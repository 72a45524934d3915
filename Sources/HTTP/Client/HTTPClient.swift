internal import CSKANCurl
internal import CSKANSystem
package import SKANCore
package import SKANSystem

/// Makes requests, mostly GETs, without a waiting thread for each: one thread of its own, started with the first
/// request, drives all of them. Lives until `end()`.
package final class HTTPClient: ForkedClient, @unchecked Sendable {
    package let settings: HTTPSettings
    /// nil until there is a request. The lock guards this, the properties below, and `isCancelled` of each request.
    private var loop: RequestLoop?
    /// The loop of the parent process, if this process is forked.
    private var parents: RequestLoop?
    private var thread = pthread_t()
    private var newestNumber: UInt64 = 0
    private var requests = NumberedRequests()
    /// Requests that were started, but that the thread has not taken over.
    private var new: [HTTPRequest] = []
    /// Requests that were cancelled, but that the thread has not ended.
    private var cancelled: [HTTPRequest] = []
    /// Whether the thread has been woken: it looks at all of this before it waits again.
    private var isAwake = false
    private var isEnding = false

    /// Makes a client, which does not connect anywhere yet.
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

    /// Ends its requests as cancelled, and its thread. Not inside what a request is told by, nor while another thread
    /// is in a call on it.
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

    /// Starts a request; answers the number to cancel it by, from 1, never used again by this client. `done` is called
    /// once, on the client's thread, maybe before this returns.
    ///
    /// Throws `.invalidArgument` where the URL is no absolute http or https URL, `.transport` where no thread can be
    /// started, or the client is at its end; `done` is not called then.
    ///
    /// - Parameter json: Makes it a POST with this body; nil: a GET.
    package func start(
        _ url: CText, json: [UInt8]? = nil, _ done: @escaping (HTTPOutcome) -> Void
    ) throws(Failure) -> UInt64 {
        let request = try HTTPRequest(url, json: json, timeout: settings.timeout, done)
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

    /// Ends a request soon, as cancelled; nothing where it is over.
    package func cancel(_ number: UInt64) {
        lock.hold {
            guard let loop, let found = requests[number], !found.isCancelled else { return }
            found.isCancelled = true
            cancelled.append(found)
            wake(loop)
        }
    }

    /// The lock is held.
    private func wake(_ loop: RequestLoop) {
        if isAwake { return }
        isAwake = true
        loop.wakeUp()
    }

    // MARK: The thread

    /// The lock is held.
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

    /// The host's signals are for the host's threads; and SIGPIPE, which is for the thread that writes, does not end
    /// the process.
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

    /// Takes over what other threads left; false: they ask to end.
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

    /// Nobody finds these requests any more: they are about to be told.
    private func forget(_ over: [HTTPRequest]) {
        lock.hold {
            for request in over { requests.remove(request) }
        }
    }

    /// What comes from other threads from now on wakes the thread.
    private func mayWait() -> Bool {
        lock.hold {
            isAwake = !new.isEmpty || !cancelled.isEmpty || isEnding
            return !isAwake
        }
    }

    // MARK: Forks

    /// Runs in the child, which has its parent's memory, but neither its thread nor a share in its connections: bytes
    /// that one of them sent on a connection would break it for the other. The child begins with a loop of its own. It
    /// ends the parent's loop only if that does not affect the parent: the loop's connections are disowned, and it has
    /// no request whose name look-up may run on a thread that the child does not have.
    override func forgetParents() {
        guard let loop else { return }
        loop.disown()
        if loop.isEmpty {
            parents = loop
        } else {
            // libcurl keeps pointers into it.
            _ = Unmanaged.passRetained(loop)
        }
        self.loop = nil
        // What waits for them is the parent's.
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
