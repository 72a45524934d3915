internal import CSKAN
internal import CSKANStoreKit
internal import CStoreAccess
public import SKAN

/// Proves that a store keeps the contract of `Store`, law by law.
///
///     let results = try await StoreKit.run(isDurable: true, isShared: true) { try await MyStore(path: "test.db") }
///     for result in results { #expect(result.holds, "\(result)") }
///
/// The kit is the one of C (store_kit.h). It runs on threads of its own, which wait for the store's tasks. It takes
/// stores to be in good health: how one reports failures is for its own tests. Records are bytes to it:
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
    /// Of the generated sequences; 0 = drawn from the clock. One that fails tells it.
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
        let numbers = try Numbers(self)
        let run = KitRun(open: open, reopen: reopen)
        let failed = await KitThread.run { numbers.runKit(run) }
        guard failed >= 0 else { throw SKANError(.invalidArgument, "the kit cannot be run as it is") }
        return run.results
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

    /// From 1.
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

/// The kit's numbers in C's types. C reads zero as the default, so it is refused where it is not.
private struct Numbers: Sendable {
    let kit: StoreKit
    let threads, rounds, steps: UInt32

    init(_ kit: StoreKit) throws {
        func number(_ number: Int, _ name: String, _ range: ClosedRange<Int>) throws -> UInt32 {
            guard range.contains(number) else {
                throw SKANError(.invalidArgument, "\(name): expected \(range), got \(number)")
            }
            return UInt32(number)
        }
        guard kit.prefix.utf8.count <= SKAN_STORE_KIT_PREFIX_MAX, !kit.prefix.utf8.contains(0) else {
            throw SKANError(.invalidArgument, "prefix: expected at most \(SKAN_STORE_KIT_PREFIX_MAX) bytes without NUL")
        }
        self.kit = kit
        threads = try number(kit.threads, "threads", 2...Int(SKAN_STORE_KIT_THREADS_MAX))
        rounds = try number(kit.rounds, "rounds", 1...1_000_000)
        steps = try number(kit.steps, "steps", 1...100_000)
    }

    func runKit(_ run: KitRun) -> Int32 {
        kit.prefix.withCString { prefix in
            var native = skan_store_kit()
            native.size = MemoryLayout<skan_store_kit>.size
            native.context = Unmanaged.passUnretained(run).toOpaque()
            native.open = KitRun.open
            native.reopen = KitRun.reopen
            native.report = KitRun.report
            native.durable = kit.isDurable
            native.shared = kit.isShared
            native.prefix = prefix
            native.threads = threads
            native.rounds = rounds
            native.steps = steps
            native.seed = kit.seed
            return skan_store_kit_run(&native)
        }
    }
}
