internal import CSKANCurl
internal import CSKANSystem
internal import SKANCore
internal import SKANSystem

/// The event loop for a client's requests: libcurl, its sockets, and its timers. Only one thread at a time may use it.
final class RequestLoop {
    /// The greatest number of idle handles to keep.
    private static var handles: Int { 64 }
    /// The number of attempts that can be under way beyond one per connection, because HTTP/2 connections are shared.
    private static var shared: Int { 1000 }

    let settings: HTTPSettings
    /// Requests that have begun and are not over, ordered by time.
    private var due = DueRequests()
    private var waiting = WaitingRequests()
    /// The number of attempts that are under way in libcurl.
    private var underWay = 0
    /// Requests that have ended but were not yet reported, in the order in which they ended.
    private var over: [HTTPRequest] = []
    fileprivate var sockets = WatchedSockets()
    /// The time at which libcurl must be called, even if nothing happens before.
    fileprivate var curlActsAt = Int64.max
    private let multi: UnsafeMutableRawPointer
    private let share: UnsafeMutableRawPointer
    private var wake: WakePipe
    private var idle: [EasyHandle] = []

    convenience init(_ settings: HTTPSettings) throws(Failure) {
        var wake = try WakePipe()
        let multi = curl_multi_init()
        let share = curl_share_init()
        guard let multi, let share, skan_curl_share_sessions(share) == CURLSHE_OK else {
            if let multi { curl_multi_cleanup(multi) }
            if let share { curl_share_cleanup(share) }
            wake.close()
            throw Failure(.transport, "libcurl: out of memory")
        }
        self.init(settings, multi, share, wake)
    }

    private init(
        _ settings: HTTPSettings, _ multi: UnsafeMutableRawPointer, _ share: UnsafeMutableRawPointer, _ wake: WakePipe
    ) {
        self.settings = settings
        self.multi = multi
        self.share = share
        self.wake = wake
        let context = Unmanaged.passUnretained(self).toOpaque()
        skan_curl_multi_set_socket_function(multi, watchSocket)
        skan_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        skan_curl_multi_set_timer_function(multi, setTimer)
        skan_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        skan_curl_multi_set_number(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        skan_curl_multi_set_number(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, Int(settings.maxConnections))
        skan_curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, Int(settings.maxConnections))
    }

    /// The loop must not have any requests.
    func end() {
        for easy in idle { easy.end() }
        idle.removeAll()
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
        wake.close()
    }

    func wakeUp() { wake.write() }

    /// Leaves the connections to the parent. Runs in the child of a fork.
    func disown() {
        sockets.disown()
        wake.close()
    }

    // MARK: Requests

    var isEmpty: Bool { due.isEmpty }

    /// The request begins when the loop acts next.
    func begin(_ request: HTTPRequest) {
        request.loop = Unmanaged.passUnretained(self).toOpaque()
        request.actsAt = request.deadline
        due.insert(request)
        waiting.append(request)
    }

    /// Does nothing if the request is over.
    func cancel(_ request: HTTPRequest) {
        guard request.place >= 0 else { return }
        request.cancel()
        moveOver(request)
    }

    func cancelAll() {
        while let request = due.first { cancel(request) }
    }

    /// Notes that a request's attempt has a connection or is opening one.
    fileprivate func givePlace(_ request: HTTPRequest) {
        if request.hasPlace { return }
        request.takePlace(settings)
        due.update(request)
    }

    private func moveOver(_ request: HTTPRequest) {
        takeOut(request)
        if let easy = request.easy {
            request.easy = nil
            if idle.count < RequestLoop.handles { idle.append(easy) } else { easy.end() }
        }
        request.isWaiting = false
        due.remove(request)
        over.append(request)
    }

    /// Returns the requests that are over, for the caller to report.
    func takeOver() -> [HTTPRequest] {
        defer { over = [] }
        return over
    }

    private func takeOut(_ request: HTTPRequest) {
        guard request.isUnderWay, let easy = request.easy else { return }
        curl_multi_remove_handle(multi, easy.curl)
        request.isUnderWay = false
        underWay -= 1
    }

    private func lendHandle(to request: HTTPRequest) -> EasyHandle? {
        guard let easy = request.easy ?? idle.popLast() ?? EasyHandle() else { return nil }
        let itself = Unmanaged.passUnretained(request).toOpaque()
        var code = easy.reset(settings)
        if code == CURLE_OK {
            var options = EasyOptions(easy.curl)
            options.set(CURLOPT_SHARE, pointer: share)
            options.set { skan_curl_set_open_socket_function($0, openSocket) }
            options.set(CURLOPT_OPENSOCKETDATA, pointer: itself)
            options.set { skan_curl_set_place_functions($0, itself, startLookUp, startSending) }
            // The context of this callback is the loop, because the connection may outlive the request.
            options.set { skan_curl_set_close_socket_function($0, closeSocket) }
            options.set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(self).toOpaque())
            code = options.code
        }
        if code == CURLE_OK { return easy }
        easy.end()
        return nil
    }

    /// Returns true if the attempt is under way; otherwise the request is over.
    private func beginAttempt(_ request: HTTPRequest) -> Bool {
        request.easy = lendHandle(to: request)
        guard let easy = request.easy else {
            request.fail("libcurl: a handle cannot be made")
            return false
        }
        guard request.prepareAttempt(easy, settings) else { return false }
        let code = curl_multi_add_handle(multi, easy.curl)
        guard code == CURLM_OK else {
            request.fail(Message(curl_multi_strerror(code)))
            return false
        }
        request.isUnderWay = true
        underWay += 1
        due.update(request)
        if !EasyHandle.tellsOfRequests { givePlace(request) }
        return true
    }

    /// Begins waiting attempts up to a limit. It can be above the number of connections, because HTTP/2 has many
    /// requests on one connection. libcurl can queue attempts too, but it searches the whole queue each time an attempt
    /// ends.
    private func beginAttempts() {
        let places = Int(settings.maxConnections) + (EasyHandle.tellsOfRequests ? RequestLoop.shared : 0)
        while underWay < places, let request = waiting.takeFirst() {
            if !beginAttempt(request) { moveOver(request) }
        }
    }

    // MARK: Acting

    /// Does everything that is due, without waiting.
    func act() {
        readMessages()
        actOnTime()
        if millisecondsNow() >= curlActsAt {
            curlActsAt = .max
            var running: Int32 = 0
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
        }
        readMessages()
        beginAttempts()
    }

    private func actOnTime() {
        let now = millisecondsNow()
        while let request = due.first, request.actsAt <= now {
            if request.isUnderWay {
                if timeIsUp(request, now) { moveOver(request) } else { due.update(request) }
            } else if request.isWaiting {
                request.fail(RequestLoop.noPlace)
                moveOver(request)
            } else {
                request.actsAt = request.deadline
                due.update(request)
                waiting.append(request)
            }
        }
    }

    private static var noPlace: Message {
        """
        \(Message(curl_easy_strerror(CURLE_OPERATION_TIMEDOUT))), waiting for a connection until the end of the whole \
        time
        """
    }

    /// Ends an attempt that took too long. Returns whether the request is over.
    private func timeIsUp(_ request: HTTPRequest, _ now: Int64) -> Bool {
        guard let easy = request.easy else { return true }
        let bytes = request.answer.headerBytes + request.answer.bodyBytes
        let whose: StaticString =
            now >= request.deadline ? "at the end of the whole time" : "at the end of the attempt's time"
        let code = CURLE_OPERATION_TIMEDOUT
        let words: Message =
            request.hasPlace
            ? "\(Message(curl_easy_strerror(code))), with \(bytes) bytes of the answer \(whose)" : RequestLoop.noPlace
        skan_curl_set_number(easy.curl, CURLOPT_FORBID_REUSE, 1)
        takeOut(request)
        return request.attemptEnded(
            AttemptEnd(
                code, status: easy.status, request.answer, isSent: easy.hasSent, systemError: 0, refusesTLS: false,
                words: words, settings),
            settings)
    }

    private func readMessages() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = message.pointee.data.result
            var context: UnsafeMutableRawPointer?
            skan_curl_get_private(message.pointee.easy_handle, &context)
            guard let context else { continue }
            let request = Unmanaged<HTTPRequest>.fromOpaque(context).takeUnretainedValue()
            takeOut(request)
            guard let easy = request.easy else { continue }
            let end = AttemptEnd(
                code, status: easy.status, request.answer, isSent: easy.hasSent, systemError: easy.systemError,
                refusesTLS: easy.refusesTLS, words: easy.words(for: code), settings)
            if request.attemptEnded(end, settings) { moveOver(request) } else { due.update(request) }
        }
    }

    // MARK: Waiting

    /// Fills in the descriptors to poll. Returns the greatest time to wait, in milliseconds, or -1 for no limit.
    func prepareWait(_ polled: inout [pollfd]) -> Int32 {
        polled.removeAll(keepingCapacity: true)
        polled.append(pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0))
        sockets.addPolled(to: &polled)
        let actsAt = min(curlActsAt, due.first?.actsAt ?? .max)
        guard actsAt != .max else { return -1 }
        return Int32(min(max(0, actsAt - millisecondsNow()), Int64(Int32.max)))
    }

    func take(_ polled: [pollfd]) {
        var running: Int32 = 0
        for each in polled where each.revents != 0 {
            if each.fd == wake.reader {
                wake.empty()
            } else {
                curl_multi_socket_action(multi, each.fd, selected(each.revents), &running)
            }
        }
    }
}

// MARK: Callbacks for libcurl

private func loop(_ context: UnsafeMutableRawPointer) -> RequestLoop {
    Unmanaged<RequestLoop>.fromOpaque(context).takeUnretainedValue()
}

/// Gives the request its place and returns its loop. `context` points to the request.
private func givePlace(_ context: UnsafeMutableRawPointer?) -> RequestLoop? {
    guard let context else { return nil }
    let request = Unmanaged<HTTPRequest>.fromOpaque(context).takeUnretainedValue()
    guard let context = request.loop else { return nil }
    let loop = loop(context)
    loop.givePlace(request)
    return loop
}

private let startLookUp: curl_resolver_start_callback = { _, _, context in givePlace(context) == nil ? 1 : 0 }

private let startSending: skan_curl_start_function = { context, _, _, _, _ in
    guard let context, givePlace(context) != nil else { return 1 }
    return Unmanaged<HTTPRequest>.fromOpaque(context).takeUnretainedValue().beginSending() ? 0 : 1
}

private let openSocket: curl_opensocket_callback = { context, _, address in
    guard let address, let loop = givePlace(context) else { return CURL_SOCKET_BAD }
    return loop.sockets.open(address.pointee, unansweredMilliseconds: loop.settings.attemptTimeout)
}

private let closeSocket: curl_closesocket_callback = { context, socket in
    guard let context else { return -1 }
    return loop(context).sockets.close(socket)
}

private let watchSocket: curl_socket_callback = { _, socket, what, context, _ in
    guard let context else { return -1 }
    loop(context).sockets.watch(socket, what)
    return 0
}

private let setTimer: curl_multi_timer_callback = { _, milliseconds, context in
    guard let context else { return -1 }
    loop(context).curlActsAt = milliseconds < 0 ? .max : millisecondsNow() + Int64(milliseconds)
    return 0
}
