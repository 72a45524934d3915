public import SKAN
internal import SKANCore
internal import SKANStoreLaws

/// Proves that a store keeps the contract of `Store`, law by law.
///
///     let results = try await StoreKit.run(isDurable: true, isShared: true) { try await MyStore(path: "test.db") }
///     for result in results { #expect(result.holds, "\(result)") }
///
/// The laws are those of C's kit (store_kit.h). They run on threads of its own, which wait for the store's tasks. The
/// kit takes stores to be in good health: how one reports failures is for its own tests. Records are bytes to it:
/// `MemoryStore`, which takes records of libskan only, cannot be proved by it.
public struct StoreKit: Sendable {
    /// Records and versions outlive the last handle.
    public var isDurable: Bool
    /// Handles that are open together see the same records.
    public var isShared: Bool
    /// Every key begins with it; records of other keys are left alone. At most 64 bytes. "" for a store of the test's
    /// own, where very short keys are tried too.
    public var prefix = "skan-store-kit/"
    /// Threads of the laws about several at once, 2...64.
    public var threads = 4
    /// How often laws repeat what chance may hide, 1...1000000.
    public var rounds = 200
    /// Steps of the generated sequences, 1...100000.
    public var steps = 4000
    /// The seed of the generated sequences; 0 = drawn from the clock. A sequence that fails tells it.
    public var seed: UInt64 = 0

    public init(isDurable: Bool, isShared: Bool) {
        self.isDurable = isDurable
        self.isShared = isShared
    }

    /// Runs every law, each whatever became of those before.
    ///
    /// - Parameters:
    ///   - reopen: Of a durable store; called while no handle is open, to make sure that the next one finds what is
    ///     really kept.
    ///   - open: Opens a handle. One is open all the time; of a shared store, up to one more for each thread.
    /// - Returns: What became of each law, in their order.
    /// - Throws: `SKANError.Code.invalidArgument` where a member is out of its range; nothing was run then.
    public func run(
        reopen: (@Sendable () async throws -> Void)? = nil, open: @escaping @Sendable () async throws -> any Store
    ) async throws -> [LawResult] {
        let settings = try settings()
        let opener = KitOpener(open: open, reopen: reopen)
        let results = await KitThread.run {
            var results: [LawResult] = []
            Law.proveAll(settings, opener) { number, law, outcome in
                results.append(LawResult(number, law, outcome, opener.thrown.take()))
            }
            return results
        }
        guard let results else { throw SKANError(.misuse, "no thread can be started for the kit") }
        return results
    }

    /// The same with everything else as it is by default.
    public static func run(
        isDurable: Bool, isShared: Bool, open: @escaping @Sendable () async throws -> any Store
    ) async throws -> [LawResult] {
        try await StoreKit(isDurable: isDurable, isShared: isShared).run(open: open)
    }
}

/// What became of a law.
public struct LawResult: Sendable, CustomStringConvertible {
    public enum Outcome: Sendable, Hashable {
        case passed
        /// What came instead.
        case failed(reason: String)
        /// It is about what the store does not claim to do.
        case notApplicable(reason: String)
    }

    /// The number of the law, from 1.
    public let number: Int
    /// The law's name, kept from version to version.
    public let law: String
    public let outcome: Outcome
    /// What the store threw meanwhile, at most the first eight.
    public let thrown: [any Error]

    /// Whether the law is not broken.
    public var holds: Bool {
        if case .failed = outcome { false } else { true }
    }

    public var description: String {
        switch outcome {
        case .passed: "\(number) \(law): passed"
        case .failed(let reason): "\(number) \(law): failed: \(reason)\(thrown.map { "\nthrown: \($0)" }.joined())"
        case .notApplicable(let reason): "\(number) \(law): not applicable: \(reason)"
        }
    }
}

extension LawResult {
    fileprivate init(_ number: Int, _ law: Law, _ outcome: LawOutcome, _ thrown: [any Error]) {
        self.number = number
        self.law = "\(law.name)"
        self.thrown = thrown
        self.outcome =
            switch outcome {
            case .success: .passed
            case .failure(.broken(let reason)): .failed(reason: String(decoding: reason.utf8, as: UTF8.self))
            case .failure(.notApplicable(let why)): .notApplicable(reason: String(decoding: why.utf8, as: UTF8.self))
            }
    }
}

extension StoreKit {
    fileprivate func settings() throws -> LawSettings {
        var settings = LawSettings()
        settings.isDurable = isDurable
        settings.isShared = isShared
        settings.prefix = Array(prefix.utf8)
        settings.threads = threads
        settings.rounds = rounds
        settings.steps = steps
        settings.seed = seed == 0 ? LawSettings.seedOfClock() : seed
        if let problem = settings.problem {
            throw SKANError(.invalidArgument, String(decoding: problem.utf8, as: UTF8.self))
        }
        return settings
    }
}
