public import SKAN
package import SKANCore
package import SKANStorePool
internal import SKANSystem
internal import Synchronization

/// A libskan store whose calls block on a disk or a server, as an asynchronous `Store`. The calls never run on the
/// threads that run Swift's tasks, but on the store's own threads. It has as many of them as connections.
///
/// If a task is cancelled before its call begins, the call is not made: nothing is changed, and the engine's call
/// throws `CancellationError`. A call that has begun is completed. When the last reference to the store is gone, one of
/// the store's threads closes it.
open class CompanionStore: Store, @unchecked Sendable {
    /// Receives the error of every failed call, for a log. The error's text comes from the library behind the store; it
    /// contains no key, record or password. The store's threads call this function, several at once; it must not call
    /// the store or its engine.
    public typealias Report = @Sendable (SKANError) -> Void

    private let threads: WorkThreads
    private let records: RecordStore

    /// Opens the store on the calling thread.
    package init(
        threads limit: UInt32, report: Report?,
        open: (_ report: ((Failure) -> Void)?) throws(Failure) -> RecordStore
    ) throws {
        let told: ((Failure) -> Void)? = report.map { report in { report(SKANError($0)) } }
        do throws(Failure) { records = try open(told) } catch { throw SKANError(error) }
        threads = WorkThreads(Int(limit))
    }

    deinit {
        threads.end { [records] in withExtendedLifetime(records) {} }
    }

    public func load(_ key: String) async throws -> StoredRecord? {
        try checkKey(key)
        return try await onThread { records throws(Failure) in
            var found: StoredRecord?
            _ = try Array(key.utf8).withBytes { key throws(Failure) in
                try records.load(key) { record, version in
                    found = StoredRecord([UInt8](record), version: version)
                    return true
                }
            }
            return found
        }
    }

    public func save(_ key: String, _ record: [UInt8], expected: UInt64) async throws -> SaveResult {
        try checkKey(key)
        return try await onThread { records throws(Failure) in
            let version = try Array(key.utf8).withBytes { key throws(Failure) in
                try record.withBytes { record throws(Failure) in
                    try records.save(key, record, expected: expected)
                }
            }
            return version.map { .saved(version: $0) } ?? .conflict
        }
    }

    public func remove(_ key: String, expected: UInt64) async throws -> RemoveResult {
        try checkKey(key)
        return try await onThread { records throws(Failure) in
            try Array(key.utf8).withBytes { key throws(Failure) in
                try records.remove(key, expected: expected) ? .removed : .conflict
            }
        }
    }

    public func loadMany(_ keys: [String]) async throws -> [Result<StoredRecord?, any Error>] {
        try checkCount(keys.count)
        for key in keys { try checkKey(key) }
        return try await onThread { records throws(Failure) in
            var found = [StoredRecord?](repeating: nil, count: keys.count)
            var failure: Failure?
            return withPacked(keys.map { $0.utf8 }) { keys in
                var items = keys.map { LoadItem(key: $0) }
                items.withUnsafeMutableBufferPointer { items in
                    do throws(Failure) {
                        try records.loadMany(items) { index, record in
                            found[index] = StoredRecord([UInt8](record), version: items[index].version)
                            return true
                        }
                    } catch { failure = error }
                }
                return items.indices.map { index in
                    switch items[index].status {
                    case .ok, .notFound: .success(found[index])
                    case let status: .failure(storeError(status, failure))
                    }
                }
            }
        }
    }

    public func saveMany(_ saves: [SaveRequest]) async throws -> [Result<SaveResult, any Error>] {
        try checkCount(saves.count)
        for save in saves { try checkKey(save.key) }
        return try await onThread { records throws(Failure) in
            var failure: Failure?
            return withPacked(saves.map { Array($0.key.utf8) } + saves.map(\.record)) { bytes in
                var items = saves.indices.map { index in
                    SaveItem(key: bytes[index], record: bytes[saves.count + index], expected: saves[index].expected)
                }
                items.withUnsafeMutableBufferPointer { items in
                    do throws(Failure) { try records.saveMany(items) } catch { failure = error }
                }
                return items.map { item in
                    switch item.status {
                    case .ok: .success(.saved(version: item.version))
                    case .storeConflict: .success(.conflict)
                    case let status: .failure(storeError(status, failure))
                    }
                }
            }
        }
    }

    /// Makes the call on one of the store's threads and returns its answer. If this throws without having made the
    /// call, nothing was changed.
    private func onThread<Answer: Sendable>(
        _ call: @escaping @Sendable (RecordStore) throws(Failure) -> Answer
    ) async throws -> Answer {
        let isCancelled = Flag()
        let answer: Result<Answer, Failure>? = try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                let isTaken = threads.perform { [records] in
                    continuation.resume(
                        returning: isCancelled.isSet
                            ? nil : Result { () throws(Failure) in try call(records) })
                }
                if !isTaken {
                    continuation.resume(throwing: StoreFailure("no thread could be started for the call"))
                }
            }
        } onCancel: {
            isCancelled.set()
        }
        switch answer {
        case .success(let answer): return answer
        case .failure(let failure): throw storeError(failure.status, failure)
        case nil: throw StoreFailure("the task was cancelled before the call", underlying: CancellationError())
        }
    }
}

/// Runs blocking work on a new thread, so that it does not block a thread of Swift's tasks.
package func onThreadOfItsOwn<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer
{
    try await withUnsafeThrowingContinuation { continuation in
        WorkThreads(1).end { continuation.resume(with: Result(catching: work)) }
    }
}

private final class Flag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// Copies all parts into one block of memory, one after the other, and passes the copies to `body`.
private func withPacked<Result>(_ parts: [some Collection<UInt8>], _ body: ([Bytes]) -> Result) -> Result {
    let all = parts.flatMap { $0 }
    return all.withUnsafeBytes { all in
        var start = 0
        return body(
            parts.map { part in
                defer { start += part.count }
                return Bytes(rebasing: all[start..<start + part.count])
            })
    }
}

private func storeError(_ status: Status, _ failure: Failure?) -> any Error {
    let words = failure.map { String(decoding: $0.message.utf8, as: UTF8.self) } ?? "\(status.name)"
    return status == .store ? StoreFailure(words) : SKANError(.storeUnknown, words)
}

extension SKANError {
    /// Converts a failure to an error. Drops "options." from messages, because C's options are parameters in Swift.
    package init(_ failure: Failure) {
        let message = String(decoding: failure.message.utf8, as: UTF8.self)
        let option = "options."
        let isOfOption = failure.status == .invalidArgument && message.hasPrefix(option)
        self.init(
            Code(rawValue: failure.status.rawValue), isOfOption ? String(message.dropFirst(option.count)) : message)
    }
}

private func checkKey(_ key: String) throws {
    if key.utf8.contains(0) { throw StoreFailure("expected a key without NUL") }
}

private func checkCount(_ count: Int) throws {
    guard 1...Limits.batchItems ~= count else {
        throw StoreFailure("expected 1 to \(Limits.batchItems) keys at once, got \(count)")
    }
}
