internal import Dispatch
internal import SKANSystem

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
