internal import Dispatch
internal import SKANSystem
internal import Synchronization

/// A thread for the kit, which waits for tasks: none that runs them may do so.
enum KitThread {
    /// Nil where no thread can be started.
    static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        await withUnsafeContinuation { continuation in
            let thread = SystemThread { continuation.resume(returning: work()) }
            if let thread { thread.detach() } else { continuation.resume(returning: nil) }
        }
    }
}

/// What a task comes to; this thread, which must not be one of those that run tasks, waits for it.
func waiting<Success: Sendable>(
    _ work: @escaping @Sendable () async throws -> Success
) -> Result<Success, any Error> {
    let ended = Ended<Success>()
    Task.detached {
        do {
            ended.set(.success(try await work()))
        } catch {
            ended.set(.failure(error))
        }
    }
    return ended.wait()
}

private final class Ended<Success: Sendable>: Sendable {
    private let result = Mutex<Result<Success, any Error>?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    func set(_ result: Result<Success, any Error>) {
        self.result.withLock { $0 = result }
        isSet.signal()
    }

    func wait() -> Result<Success, any Error> {
        isSet.wait()
        return result.withLock { $0 } ?? .failure(CancellationError())
    }
}
