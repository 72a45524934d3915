internal import Synchronization

/// One request, between a task that waits for it and the cancellation of that task, which may come before it starts.
final class Request: Sendable {
    private enum State {
        case new
        case started(UInt64)
        case cancelled
    }

    private let transport: HTTPTransport
    private let state = Mutex(State.new)

    init(_ transport: HTTPTransport) { self.transport = transport }

    func start(_ url: String, _ continuation: Continuation) {
        do {
            try state.withLock { state in
                if case .cancelled = state { throw CancellationError() }
                state = .started(try transport.start(url, continuation))
            }
        } catch {
            continuation.resume(throwing: error)
        }
    }

    func cancel() {
        let number: UInt64? = state.withLock { state in
            defer { state = .cancelled }
            if case .started(let number) = state { return number }
            return nil
        }
        if let number { transport.cancel(number) }
    }
}
