public import SKAN
internal import SKANCore
internal import SKANStoreLaws

/// Tests that a store keeps the contract of `Store`, law by law.
///
///     let results = try await StoreKit.run(isDurable: true, isShared: true) { try await MyStore(path: "test.db") }
///     for result in results { #expect(result.holds, "\(result)") }
///
/// The laws are those of C's kit (store_kit.h). They run on the kit's own threads, which wait for the store's tasks.
/// The kit expects a store that works, so test separately how your store reports failures. The kit's records are
/// arbitrary bytes, so it cannot test `MemoryStore`, which accepts only records of libskan.
public struct StoreKit: Sendable {
    /// Whether records and versions outlive the last handle.
    public var isDurable: Bool
    /// Whether handles that are open together see the same records.
    public var isShared: Bool
    /// The prefix of every key, at most 64 bytes; records under other keys are not touched. An empty prefix is for a
    /// store that only the test uses; the kit then tries very short keys, too.
    public var prefix = "skan-store-kit/"
    /// The number of threads in laws about several threads, 2...64.
    public var threads = 4
    /// The number of repetitions of steps that a faulty store fails only by chance, 1...1000000.
    public var rounds = 200
    /// The length of the generated sequences in steps, 1...100000.
    public var steps = 4000
    /// The seed of the generated sequences; 0 = taken from the clock. A failure names the seed.
    public var seed: UInt64 = 0

    public init(isDurable: Bool, isShared: Bool) {
        self.isDurable = isDurable
        self.isShared = isShared
    }

    /// Runs every law, even after one has failed.
    ///
    /// - Parameters:
    ///   - reopen: Called for a durable store while no handle is open, to make sure that the next handle finds only
    ///     what was really stored.
    ///   - open: Opens a handle. One handle is open all the time, and for a shared store up to one more for each
    ///     thread.
    /// - Returns: The result of each law, in order.
    /// - Throws: `SKANError.Code.invalidArgument` if a property is out of its range; then no law was run.
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

    /// Runs every law, with defaults for all other settings.
    public static func run(
        isDurable: Bool, isShared: Bool, open: @escaping @Sendable () async throws -> any Store
    ) async throws -> [LawResult] {
        try await StoreKit(isDurable: isDurable, isShared: isShared).run(open: open)
    }
}

/// The result of a law.
public struct LawResult: Sendable, CustomStringConvertible {
    public enum Outcome: Sendable, Hashable {
        case passed
        /// The law is broken; the reason says what happened instead.
        case failed(reason: String)
        /// The law is about something that the store does not claim.
        case notApplicable(reason: String)
    }

    /// The number of the law, from 1.
    public let number: Int
    /// The law's name, which stays the same in later versions.
    public let law: String
    public let outcome: Outcome
    /// The first errors that the store threw during this law, at most eight.
    public let thrown: [any Error]

    /// Whether the law was not broken: it holds, or it does not apply.
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
