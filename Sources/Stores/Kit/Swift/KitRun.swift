internal import CSKAN
internal import CSKANStoreKit
internal import SKAN
internal import Synchronization

/// One run: how stores are opened, and what became of the laws so far.
final class KitRun: Sendable {
    private let openStore: @Sendable () async throws -> any Store
    private let reopenStore: (@Sendable () async throws -> Void)?
    private let reported = Mutex<[LawResult]>([])
    private let thrown = Mutex<[any Error]>([])

    init(
        open: @escaping @Sendable () async throws -> any Store, reopen: (@Sendable () async throws -> Void)?
    ) {
        openStore = open
        reopenStore = reopen
    }

    var results: [LawResult] { reported.withLock { $0 } }

    /// Keeps what a store threw, for the report of the law.
    func note(_ error: any Error) {
        thrown.withLock { if $0.count < 8 { $0.append(error) } }
    }

    private func takeThrown() -> [any Error] {
        thrown.withLock { errors in
            defer { errors = [] }
            return errors
        }
    }

    // MARK: The functions that C calls

    private static func run(_ context: UnsafeMutableRawPointer?) -> KitRun? {
        context.map { Unmanaged<KitRun>.fromOpaque($0).takeUnretainedValue() }
    }

    static let open: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<skan_store>?) -> skan_status = {
        guard let run = run($0), let out = $1 else { return Answer.failed }
        switch waiting(run.openStore) {
        case .success(let store):
            out.pointee = Handle(store, run).hooks()
            return Answer.ok
        case .failure(let error):
            run.note(error)
            return Answer.failed
        }
    }

    static let reopen: @convention(c) (UnsafeMutableRawPointer?) -> skan_status = {
        guard let run = run($0), let reopen = run.reopenStore else { return Answer.ok }
        switch waiting(reopen) {
        case .success:
            return Answer.ok
        case .failure(let error):
            run.note(error)
            return Answer.failed
        }
    }

    static let report: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<skan_store_kit_result>?) -> Void = {
        guard let run = run($0), let result = $1?.pointee else { return }
        let reason = String(cString: result.reason)
        let outcome: LawResult.Outcome =
            switch result.outcome {
            case SKAN_STORE_KIT_PASSED: .passed
            case SKAN_STORE_KIT_NOT_APPLICABLE: .notApplicable(reason: reason)
            default: .failed(reason: reason)
            }
        let law = LawResult(
            number: Int(result.number), law: String(cString: result.law), outcome: outcome, thrown: run.takeThrown())
        run.reported.withLock { $0.append(law) }
    }
}
