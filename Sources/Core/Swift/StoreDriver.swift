internal import SKANCore
internal import SKANEngine

/// The asynchronous driver, which carries out calls on the in-memory store or on a host's store.
extension Engine {
    /// Carries out a call on an install, in the steps of `InstallCall`. `make` creates the call from checked arguments,
    /// whose texts stay valid until the call ends.
    nonisolated(nonsending) func perform<Call: InstallCall>(
        _ installID: String, _ make: (inout CallTexts) throws -> Call
    ) async throws -> Call.Answer {
        var texts = CallTexts()
        defer { texts.free() }
        let key = try texts.installKey(installID)
        var call = try make(&texts)
        try checkNotInHook()
        try translated { () throws(Failure) in try call.check(settings) }
        while true {
            let now = call.asksClock(settings) ? try now() : 0
            var rule = try translated { () throws(Failure) in try call.rule(settings, now) }
            let (status, state) = try await perform(&rule, key)
            let url = try translated { () throws(Failure) in
                guard let url = try call.request(settings, status, rule, state) else { return String?.none }
                return String(url)
            }
            guard let url else {
                return try translated { () throws(Failure) in try call.answer(settings, status, rule, state) }
            }
            try withBytes(of: try await get(url), "body") { body throws(Failure) in try call.received(body, settings) }
        }
    }

    nonisolated(nonsending) func perform<R: Rule>(
        _ rule: inout R, _ key: UnsafeRawBufferPointer
    ) async throws -> (status: Status, state: InstallState) {
        switch storage {
        case .memory(let memory):
            var state = InstallState(settings.protocolVersion)
            let status = try translated { () throws(Failure) in try memory.records.perform(&state, key, &rule) }
            return (status, state)
        case .host(let store):
            var ownRule = rule
            let change = SingleInstall(key, settings.protocolVersion) { state throws(Failure) in
                try ownRule.run(on: &state)
            }
            let status = try await perform(change, store, mayChange: R.mayChange)
            rule = ownRule
            return (status, change.state)
        }
    }

    /// Removes the record of a key, whatever it holds.
    nonisolated(nonsending) func remove(_ key: UnsafeRawBufferPointer) async throws {
        switch storage {
        case .memory(let memory):
            let number = try translated { () throws(Failure) in try memory.records.forget(key) }
            settings.numbers.forget(upTo: number)
        case .host(let store):
            let removal = SingleInstall(removing: key)
            defer { settings.numbers.forget(upTo: removal.removedNumber) }
            _ = try await perform(removal, store)
        }
    }

    nonisolated(nonsending) func perform(
        _ work: some CallWork, _ store: any Store, mayChange: Bool = true
    ) async throws -> Status {
        let turn = mayChange ? await turns?.take(work.key(0)) : nil
        defer { if let turn { turns?.end(turn) } }
        if let turn, turn.isNone, Task.isCancelled { throw CancellationError() }
        var host = HostStore(engine: self, store: store)
        await host.drive(work)
        do throws(Failure) {
            return try work.end()
        } catch {
            switch error.status {
            case .store where isCancellation(host.thrown[0]): throw CancellationError()
            case .store, .storeUnknown: throw SKANError(error, underlying: host.thrown[0])
            default: throw SKANError(error)
            }
        }
    }

    /// Asks the endpoint with the host's transport.
    private nonisolated(nonsending) func get(_ url: String) async throws -> [UInt8] {
        guard let transport else { throw SKANError(.misuse, "transport: the engine was made without one") }
        do {
            return try await HookCall.run(of: self) { try await transport(url) }
        } catch let error as CancellationError {
            throw error
        } catch SKANError.Code.limitExceeded {
            throw SKANError(.limitExceeded, "transport: the answer is longer than the transport accepts")
        } catch {
            // libskan's own errors hold no secrets. Other errors may, so only their type is named.
            let words = (error as? SKANError)?.message ?? "threw \(type(of: error))"
            let isUnknown = SKANError.Code.transportUnknown ~= error
            throw SKANError(isUnknown ? .transportUnknown : .transport, "transport: \(words)", underlying: error)
        }
    }
}

/// A host's store: carries out steps of work with the store's methods, and converts their results for the core.
struct HostStore {
    let engine: Engine
    let store: any Store
    /// The last error that a hook threw for each position.
    private(set) var thrown: [Int: any Error] = [:]

    init(engine: Engine, store: any Store) {
        self.engine = engine
        self.store = store
    }

    mutating nonisolated(nonsending) func drive(_ work: any InstallWork) async {
        while true {
            switch work.next() {
            case .load(let pause): await load(work, after: pause)
            case .save: await save(work)
            case .remove: await remove(work)
            case .done: return
            }
        }
    }

    private mutating nonisolated(nonsending) func load(_ work: any InstallWork, after pause: UInt32) async {
        let isMany = work.isMany
        var hook: StaticString = isMany ? "store.loadMany" : "store.load"
        let keys = work.due.map { key(of: work, $0) }
        let answers = await answers(work) { [engine, store] _ in
            if pause > 0 {
                let own = hook
                hook = "pause before the next attempt"
                try await Task.sleep(nanoseconds: UInt64(pause) * 1000)
                hook = own
            }
            return try await HookCall.run(of: engine) {
                guard !isMany else { return try await store.loadMany(keys) }
                return [.success(try await store.load(keys[0]))]
            }
        }
        for (position, answer) in answers {
            switch answer {
            case .success(.some(let record)) where record.version == 0:
                thrown[position] = nil
                work.loadFailed(position, "\(hook): answered a record with version 0")
            case .success(.some(let record)):
                record.bytes.withUnsafeBytes { work.loaded(position, $0, version: record.version) }
            case .success(.none):
                work.loaded(position, nil, version: 0)
            case .failure(let error):
                work.loadFailed(position, "\(hook): \(words(error))")
            }
        }
    }

    private mutating nonisolated(nonsending) func save(_ work: any InstallWork) async {
        let saves = Dictionary(
            uniqueKeysWithValues: work.due.map {
                ($0, SaveRequest(key(of: work, $0), record(of: work, $0), expected: work.expectedVersion($0)))
            })
        let hook: StaticString = work.isMany ? "store.saveMany" : "store.save"
        let isMany = work.isMany
        let answers = await answers(work) { [engine, store] due in
            let saves = due.compactMap { saves[$0] }
            return try await HookCall.run(of: engine) {
                guard !isMany, let save = saves.first else { return try await store.saveMany(saves) }
                return [.success(try await store.save(save.key, save.record, expected: save.expected))]
            }
        }
        for (position, answer) in answers {
            let expected = work.expectedVersion(position)
            switch answer {
            case .success(.saved(let version)) where version == 0 || version == expected:
                let found: Message = "answered saved with version \(version) after version \(expected)"
                work.ended(position, .unknown("\(hook): \(found)"))
            case .success(.saved): work.ended(position, .applied)
            case .success(.conflict): work.ended(position, .conflict)
            case .failure(let error): work.ended(position, WriteEnd(error, hook))
            }
        }
    }

    private mutating nonisolated(nonsending) func remove(_ work: any InstallWork) async {
        let position = work.due.first ?? 0
        let (key, version) = (key(of: work, position), work.expectedVersion(position))
        let answers = await answers(work) { [engine, store] _ in
            try await HookCall.run(of: engine) { [.success(try await store.remove(key, expected: version))] }
        }
        for (position, answer) in answers {
            switch answer {
            case .success(.removed): work.ended(position, .applied)
            case .success(.conflict): work.ended(position, .conflict)
            case .failure(let error): work.ended(position, WriteEnd(error, "store.remove"))
            }
        }
    }

    /// Calls the hook for the positions that are due, and returns the result for each. If the hook throws, its error is
    /// the result for every position. Keeps all errors in `thrown`.
    private mutating nonisolated(nonsending) func answers<Answer>(
        _ work: any InstallWork, _ hook: ([Int]) async throws -> [Result<Answer, any Error>]
    ) async -> [(position: Int, answer: Result<Answer, any Error>)] {
        let due = work.due
        var answers: [Result<Answer, any Error>]
        do {
            answers = try await hook(due)
            if answers.count != due.count {
                let error = SKANError(.storeUnknown, "expected \(due.count) results, got \(answers.count)")
                answers = due.map { _ in .failure(error) }
            }
        } catch {
            answers = due.map { _ in .failure(error) }
        }
        for (position, answer) in zip(due, answers) {
            if case .failure(let error) = answer { thrown[position] = error }
        }
        return Array(zip(due, answers)).map { (position: $0, answer: $1) }
    }
}

private func key(of work: any InstallWork, _ position: Int) -> String {
    String(decoding: work.key(position), as: UTF8.self)
}

private func record(of work: any InstallWork, _ position: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: work.recordBound(position)) { memory, count in
        guard let base = memory.baseAddress else { return }
        count = work.writeRecord(position, to: base)
    }
}

extension WriteEnd {
    /// Creates the result of a write whose hook threw this error.
    fileprivate init(_ error: any Error, _ hook: StaticString) {
        let message: Message = "\(hook): \(words(error))"
        self = error is StoreFailure ? .failed(message) : .unknown(message)
    }
}

/// The text of an error: of libskan's own errors the message, of others only the type, because their text may hold
/// secrets.
private func words(_ error: any Error) -> Message {
    switch error {
    case let failure as StoreFailure: Message(utf8: Array("failed: \(failure.message)".utf8))
    case let error as SKANError: Message(utf8: Array("failed: \(error.message)".utf8))
    default: Message(utf8: Array("threw \(type(of: error))".utf8))
    }
}

/// Whether a hook was cancelled before it changed anything.
func isCancellation(_ error: (any Error)?) -> Bool {
    error is CancellationError || (error as? StoreFailure)?.underlying is CancellationError
}
