internal import SKAN
internal import SKANCore
internal import SKANHTTPClient
internal import SKANSystem
internal import Synchronization

/// A request that is shared by the task that waits for it and by the task's cancellation handler, which may run before
/// the request is started.
final class TransportRequest: Sendable {
    typealias Continuation = CheckedContinuation<[UInt8], any Error>

    private enum State {
        case new
        case started(UInt64)
        case cancelled
    }

    private let client: HTTPClient
    private let state = Mutex(State.new)

    init(_ client: HTTPClient) { self.client = client }

    func start(_ url: CText, _ continuation: Continuation) {
        do {
            try state.withLock { state in
                if case .cancelled = state { throw CancellationError() }
                state = .started(try client.start(url) { continuation.resume(with: answer($0)) })
            }
        } catch {
            continuation.resume(throwing: (error as? Failure).map { SKANError($0) } ?? error)
        }
    }

    func cancel() {
        let number: UInt64? = state.withLock { state in
            defer { state = .cancelled }
            if case .started(let number) = state { return number }
            return nil
        }
        if let number { client.cancel(number) }
    }
}

private func answer(_ outcome: HTTPOutcome) -> Result<[UInt8], any Error> {
    switch outcome {
    case .answered(let body): .success(body)
    case .cancelled: .failure(CancellationError())
    case .tooLarge(let words): .failure(SKANError(Failure(.limitExceeded, words)))
    case .failed(let words, _, let isSent): .failure(SKANError(Failure(transportStatus(isSent: isSent), words)))
    }
}

extension SKANError {
    init(_ failure: Failure) {
        self.init(Code(rawValue: failure.status.rawValue), String(decoding: failure.message.utf8, as: UTF8.self))
    }
}
