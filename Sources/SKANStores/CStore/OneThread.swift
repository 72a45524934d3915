internal import CStoreAccess
internal import SKAN

/// One piece of work on a thread that ends with it.
enum OneThread {
    static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        guard let threads = skan_access_threads_create(1) else { throw SKANError(.store, "no memory for a thread") }
        return try await withUnsafeThrowingContinuation { continuation in
            let piece = Work { _ in
                continuation.resume(with: Swift.Result(catching: work))
            }
            skan_access_threads_end(threads, Work.run, piece.retained())
        }
    }
}
