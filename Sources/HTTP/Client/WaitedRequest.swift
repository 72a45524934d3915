package import SKANCore
package import SKANSystem

/// The time to wait for a request beyond its time-out, in milliseconds. The client normally ends a request in time, but
/// libcurl before 7.87 may block until a name look-up ends.
private let patience: Int64 = 200

extension HTTPClient {
    /// Makes a request and waits for its result. Throws if the result does not come in time because the client's thread
    /// is blocked.
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
                .transportUnknown, "the client's thread gave no answer in time: it may be waiting for a name look-up")
        }
        switch outcome {
        case .answered(let body): return body
        case .tooLarge(let words): throw Failure(.limitExceeded, words)
        case .cancelled(let words, let isSent), .failed(let words, _, let isSent):
            throw Failure(transportStatus(isSent: isSent), words)
        }
    }
}

/// The state that the waiting thread and the client's thread share.
private final class WaitedRequest: @unchecked Sendable {
    private let monitor = Monitor()
    private var outcome: HTTPOutcome?

    func take(_ outcome: HTTPOutcome) {
        monitor.hold {
            self.outcome = outcome
            monitor.signal()
        }
    }

    /// nil if there is no outcome by `deadline`.
    func wait(until deadline: Int64) -> HTTPOutcome? {
        monitor.hold {
            while outcome == nil {
                if !monitor.wait(until: deadline) { break }
            }
            return outcome
        }
    }
}
