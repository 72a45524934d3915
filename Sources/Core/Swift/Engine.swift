internal import CSKANSupport
internal import SKANCore
internal import SKANEngine

/// The SKAdNetwork (SKAN) state of installs, for server-to-server integrations. An engine applies the rules of one
/// protocol to the records of one store.
///
/// A game's back end keeps, for every app install, what Apple's SKAdNetwork needs: when the install was first seen, its
/// revenue, its conversion values and which postback window it is in. The whole life of an install:
///
///     let configuration = Configuration(
///         endpointURL: "https://skan.example.com", sdkKey: key, bundleID: "com.example.game")
///     let engine = try Engine(configuration) { url in
///         try await client.get(url)  // the body of an answer with HTTP status 200
///     }
///     try await engine.register("player-1")                                        // first launch
///     try await engine.updateConversionValues(
///         "player-1", Event("purchase", eventID: "order-1", amount: 4.99, currency: "USD"))
///
///     let json = try await engine.pendingCallsJSON("player-1")      // send this when the app calls next
///     // When the app has reported the result:
///     try await engine.acknowledgeCalls("player-1", [(id: reportedID, result: .delivered)])
///
/// Know before production:
/// - **Tasks.** An engine may be used from any number of tasks at once, and any number of processes may share a store:
///   every change is a compare-and-set on the install's record. Calls of one engine that change the same install use
///   the store in turns, one after the other: Rules, "Turns". A call stays on its caller's actor, except while it waits
///   for its turn or for a hook; it blocks no thread and holds no lock meanwhile.
/// - **Outcomes and errors.** A result that is expected in normal operation is a value, an ``Outcome``. Unless the
///   outcome is ``Outcome/ok`` or the method says otherwise, nothing was changed. A call that fails throws a
///   ``SKANError`` and has changed nothing, except with ``SKANError/Code/storeUnknown``: then the change may have been
///   applied. Give revenue an event id, and call again. An amount that came with an event stays added if the request
///   after it failed.
/// - **Cancellation.** If a transport or store throws `CancellationError`, the call throws it too and has changed
///   nothing; if a change may have been applied, it throws ``SKANError/Code/storeUnknown`` instead. The engine itself
///   checks for cancellation only while it waits for its turn, and in its pauses between attempts to save. Calls throw
///   no other types than these two.
/// - **Memory.** Sizes are limited before anything is allocated: a record has at most 32 KiB, an answer 64 KiB.
/// - **Units.** Times are Unix seconds unless a name says microseconds. Money is exact: see ``Amount``.
///
/// Where a method names a rule, as in Rules, "Register", it follows that rule of `Sources/Core/Rules.md` in this
/// package. Apple's own words are in the documentation of SKAdNetwork, "Receiving ad attributions and postbacks".
///
/// ## What every method takes and throws
/// An *install id* is 1...128 bytes of UTF-8 without control bytes (00–1F and 7F). The host chooses it, and the store
/// gets it unchanged. An unknown install has an empty state. Every method may throw, besides the errors that it lists,
/// - ``SKANError/Code/invalidArgument``: an argument is not as described; this is checked before anything else,
/// - ``SKANError/Code/misuse``: the call comes from a hook of this engine, or the install's record is of the other
///   protocol,
/// - ``SKANError/Code/store``, ``SKANError/Code/corruptRecord``, ``SKANError/Code/recordTooNew``,
/// - if it changes state, ``SKANError/Code/storeConflict``, ``SKANError/Code/storeUnknown``,
/// - if it reads the clock, ``SKANError/Code/clock``: Rules, "Clock".
public final class Engine: Sendable {
    /// Gets the body of a URL over HTTP, for ``updateConversionValues(_:_:)``. Must throw unless the answer has HTTP
    /// status 200; the call then throws ``SKANError/Code/transport``. It passes on a `CancellationError`, and the codes
    /// ``SKANError/Code/limitExceeded`` and ``SKANError/Code/transportUnknown`` of a ``SKANError``. The URL begins with
    /// ``Configuration/endpointURL``. It carries the SDK key: keep it out of logs. A transport is a hook: see ``Store``
    /// for the rules of hooks.
    public typealias Transport = @Sendable (_ url: String) async throws -> [UInt8]

    /// Returns the time in microseconds since 1970-01-01T00:00:00Z. If the time is unknown, it must throw, or return a
    /// number from -999999 to -1 or one before the year 1. Other times before 1970 are valid.
    public typealias Clock = @Sendable () throws -> Int64

    let settings: EngineSettings
    let storage: Storage
    /// The turns of calls on a host's store; nil for the in-memory store, which needs none.
    let turns: AwaitedTurns?
    let transport: Transport?
    private let clock: Clock?

    enum Storage {
        /// Rules run directly on its records.
        case memory(MemoryStore)
        case host(any Store)
    }

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - configuration: The protocol, the endpoint, and what requests say about the app.
    ///   - store: The store that holds the installs.
    ///   - models: At most 1024 conversion models of the engine's protocol, which decide values in place of an
    ///     endpoint. The first is for new installs, the others are for installs that were registered with them. An
    ///     engine with models takes no transport, and its request and apply methods throw misuse.
    ///   - reengagements: The engine's models and settings for re-engagements; none by default.
    ///   - transport: nil = none; ``updateConversionValues(_:_:)`` then throws misuse unless the engine has models.
    ///   - clock: nil = the system's clock.
    /// - Throws: ``SKANError/Code/invalidArgument``, naming the part of the configuration that is not as described, or
    ///   saying what is wrong with the models.
    public init(
        _ configuration: Configuration = Configuration(), store: any Store = MemoryStore(),
        models: [ConversionModel] = [], reengagements: Reengagements = Reengagements(), transport: Transport? = nil,
        clock: Clock? = nil
    ) throws {
        let protocolVersion = configuration.protocolVersion.core
        let models = try checkedModels(models, "models", protocolVersion)
        settings = try checkedSettings(
            EngineSettings(
                protocolVersion, try RequestTarget(configuration), models, hasTransport: transport != nil,
                try reengagementSettings(reengagements, protocolVersion)))
        storage = (store as? MemoryStore).map { .memory($0) } ?? .host(store)
        turns = store is MemoryStore ? nil : AwaitedTurns()
        self.transport = transport
        self.clock = clock
    }
}

// MARK: Time

extension Engine {
    /// Microseconds since 1970.
    func now() throws -> Int64 {
        guard let clock else {
            let now = support_now()
            guard now >= 0 else { throw SKANError(.clock, "clock: the system's clock failed") }
            return now
        }
        let now: Int64
        do {
            now = try clock()
        } catch {
            throw SKANError(.clock, "clock: threw \(type(of: error))", underlying: error)
        }
        try translated { () throws(Failure) in try checkTime(now) }
        return now
    }
}
