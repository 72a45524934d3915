internal import Dispatch
internal import SKANSystem

/// A thread for the kit. The kit blocks until tasks are done, so it must not run on a thread that runs tasks.
enum KitThread {
    /// Runs `work` on a new thread. Returns nil if no thread can be started.
    static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        await withUnsafeContinuation { continuation in
            let thread = SystemThread { continuation.resume(returning: work()) }
            if let thread { thread.detach() } else { continuation.resume(returning: nil) }
        }
    }
}

/// Blocks until a task is done, and returns its result. Must not be called on a thread that runs tasks.
func waiting<Success: Sendable>(
    _ work: @escaping @Sendable () async throws -> Success
) -> Result<Success, any Error> {
    nonisolated(unsafe) var result: Result<Success, any Error> = .failure(CancellationError())
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        ended.signal()
    }
    ended.wait()
    return result
}
