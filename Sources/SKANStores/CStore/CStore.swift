package import CSKAN
internal import CStoreAccess
public import SKAN

/// A store that is written in C, as a `Store`: what `SKANSQLite` and its like have in common.
///
/// Its calls wait for a disk or a server. They do so on threads of the store's own, as many as it has connections,
/// never on those that run Swift's tasks. A task that is cancelled before its call began makes no call: nothing was
/// changed, and the engine's call ends with `CancellationError`. A call that has begun goes on to its end.
///
/// The store is closed, on one of its threads, once nobody refers to it any more.
open class CStore: Store, @unchecked Sendable {
    /// Told what went wrong whenever a call fails, in the words of the library behind the store: for a log. They name
    /// no key, record or password. Called on the store's threads, several at once; it must not call the store or its
    /// engine.
    public typealias Report = @Sendable (SKANError) -> Void

    private let hooks: Hooks
    private let threads: OpaquePointer
    private let reporter: Reporter

    /// How a store of C is opened: `report` and its context go into the options.
    package typealias Open = (
        _ report: ReportFunction, _ context: UnsafeMutableRawPointer, _ out: inout skan_store,
        _ error: inout OpaquePointer?
    ) -> skan_status

    package typealias ReportFunction =
        @convention(c) (
            UnsafeMutableRawPointer?, skan_status, UnsafePointer<CChar>?
        ) -> Void

    /// Opens it, on this thread.
    package init(threads limit: UInt32, report: Report?, open: Open) throws {
        let reporter = Reporter(report)
        var store = skan_store()
        var failure: OpaquePointer?
        let context = Unmanaged.passUnretained(reporter).toOpaque()
        guard open(Reporter.function, context, &store, &failure) == Answer.ok else { throw SKANError(taking: failure) }
        guard let threads = skan_access_threads_create(limit) else {
            store.finalize?(store.context)
            throw SKANError(.store, "no memory for threads")
        }
        self.hooks = Hooks(store: store)
        self.threads = threads
        self.reporter = reporter
    }

    deinit {
        let work = Work { [hooks, reporter] _ in
            withExtendedLifetime(reporter) { hooks.store.finalize?(hooks.store.context) }
        }
        skan_access_threads_end(threads, Work.run, work.retained())
    }

    public func load(_ key: String) async throws -> StoredRecord? {
        try checkKey(key)
        return try await onThread { $0.load(key) }.found()
    }

    public func save(_ key: String, _ record: [UInt8], expected: UInt64) async throws -> SaveResult {
        try checkKey(key)
        return try await onThread { $0.save(key, record, expected) }.saved()
    }

    public func remove(_ key: String, expected: UInt64) async throws -> RemoveResult {
        try checkKey(key)
        let removed = try await onThread { $0.remove(key, expected) }
        return try removed.isApplied() ? .removed : .conflict
    }

    public func loadMany(_ keys: [String]) async throws -> [Result<StoredRecord?, any Error>] {
        try checkCount(keys.count)
        for key in keys { try checkKey(key) }
        return try await onThread { $0.loadMany(keys) }.map { loaded in Result { try loaded.found() } }
    }

    public func saveMany(_ saves: [SaveRequest]) async throws -> [Result<SaveResult, any Error>] {
        try checkCount(saves.count)
        for save in saves { try checkKey(save.key) }
        return try await onThread { $0.saveMany(saves) }.map { written in Result { try written.saved() } }
    }

    /// What the call answers. Throws where it was not made: nothing was changed then.
    private func onThread<Answer: Sendable>(_ call: @escaping @Sendable (Hooks) -> Answer) async throws -> Answer {
        let cancellation = Cancellation()
        let answer: Answer?? = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let work = Work { [hooks] isDone in
                    guard isDone else { return continuation.resume(returning: nil) }
                    continuation.resume(returning: .some(cancellation.hasCome ? nil : call(hooks)))
                }
                let context = work.retained()
                if !skan_access_threads_do(threads, Work.run, context) { Work.giveUp(context) }
            }
        } onCancel: {
            cancellation.come()
        }
        guard let answer else { throw StoreFailure("no thread could be started for the call") }
        guard let answer else {
            throw StoreFailure("the task was cancelled before the call", underlying: CancellationError())
        }
        return answer
    }
}

/// C would cut it.
private func checkKey(_ key: String) throws {
    if key.utf8.contains(0) { throw StoreFailure("a key has no NUL") }
}

/// C does not look.
private func checkCount(_ count: Int) throws {
    guard 1...Int(SKAN_BATCH_MAX) ~= count else {
        throw StoreFailure("expected 1 to \(SKAN_BATCH_MAX) keys at once, got \(count)")
    }
}
