internal import CSKANSystem
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
            throw Failure(.transport, "the client's thread gave no answer in time: it may wait for a name look-up")
        }
        switch outcome {
        case .answered(let body): return body
        case .tooLarge(let words): throw Failure(.limitExceeded, words)
        case .cancelled(let words), .failed(let words): throw Failure(.transport, words)
        }
    }
}

/// Between the one who waits and the client's thread.
private final class WaitedRequest: @unchecked Sendable {
    private struct Locks {
        var mutex = pthread_mutex_t()
        var isTold = pthread_cond_t()
    }

    private let locks = UnsafeMutablePointer<Locks>.allocate(capacity: 1)
    private var outcome: HTTPOutcome?

    init() {
        locks.initialize(to: Locks())
        var monotonic = pthread_condattr_t()
        pthread_condattr_init(&monotonic)
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC)
        pthread_mutex_init(&locks.pointee.mutex, nil)
        pthread_cond_init(&locks.pointee.isTold, &monotonic)
        pthread_condattr_destroy(&monotonic)
    }

    deinit {
        pthread_cond_destroy(&locks.pointee.isTold)
        pthread_mutex_destroy(&locks.pointee.mutex)
        locks.deallocate()
    }

    func take(_ outcome: HTTPOutcome) {
        pthread_mutex_lock(&locks.pointee.mutex)
        self.outcome = outcome
        pthread_cond_signal(&locks.pointee.isTold)
        pthread_mutex_unlock(&locks.pointee.mutex)
    }

    /// nil after the time.
    func wait(until deadline: Int64) -> HTTPOutcome? {
        var end = timespec(tv_sec: Int(deadline / 1000), tv_nsec: Int(deadline % 1000) * 1_000_000)
        pthread_mutex_lock(&locks.pointee.mutex)
        defer { pthread_mutex_unlock(&locks.pointee.mutex) }
        while outcome == nil {
            if pthread_cond_timedwait(&locks.pointee.isTold, &locks.pointee.mutex, &end) != 0 { break }
        }
        return outcome
    }
}
