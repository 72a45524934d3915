internal import Synchronization

/// What a store throws, for the report of the law. From any thread.
final class ThrownErrors: Sendable {
    private let errors = Mutex<[any Error]>([])

    func note(_ error: any Error) {
        errors.withLock { if $0.count < 8 { $0.append(error) } }
    }

    /// What was thrown since the last time.
    func take() -> [any Error] {
        errors.withLock { errors in
            defer { errors = [] }
            return errors
        }
    }
}
