package import SKANCore
package import SKANSystem

/// How much longer than its time a request is waited for. The client ends it in time; what this covers is a client that
/// cannot, as libcurl before 7.87 waits for the end of a name look-up.
private let patience: Int64 = 200

extension HTTPClient {
    /// A request that its caller waits for, whatever the client's thread does.
    package func get(_ url: CText) throws(Failure) -> [UInt8] {
        let deadline = millisecondsNow() + Int64(settings.timeout) + patience
        let waited = WaitedRequest()
        let number: UInt64
        do throws(Failure) {
            number = try start(url) { waited.take($0) }
        } catch {
            throw Failure(.transport, error.message)
        }
        guard let outcome = waited.wait(until: deadline) else {
            cancel(number)
            throw Failure(
                .transport, "the client's thread gave no answer in time: it may be waiting for a name look-up")
        }
        switch outcome {
        case .answered(let body): return body
        case .tooLarge(let words): throw Failure(.limitExceeded, words)
        case .cancelled(let words), .failed(let words, _): throw Failure(.transport, words)
        }
    }
}

/// What the waiting thread and the client's thread share.
private final class WaitedRequest: @unchecked Sendable {
    private let monitor = Monitor()
    private var outcome: HTTPOutcome?

    func take(_ outcome: HTTPOutcome) {
        monitor.hold {
            self.outcome = outcome
            monitor.signal()
        }
    }

    /// nil after the time.
    func wait(until deadline: Int64) -> HTTPOutcome? {
        monitor.hold {
            while outcome == nil {
                if !monitor.wait(until: deadline) { break }
            }
            return outcome
        }
    }
}
