internal import SKANCore
internal import SKANEngine

/// The driver of batches that waits: many loads and saves in one call of a host's store.
extension Engine {
    nonisolated(nonsending) func perform(
        _ batch: RevenueBatch, _ items: [Revenue], _ store: any Store, _ thrown: inout ThrownByStore
    ) async {
        var start = 0
        while start < batch.installCount {
            let end = min(start + Limits.batchItems, batch.installCount)
            let keys = (start..<end).map { items[batch.firstItem($0)].installID }
            await perform(RevenuePart(batch, start..<end), keys, store, &thrown)
            start = end
        }
    }

    private nonisolated(nonsending) func perform(
        _ part: RevenuePart, _ keys: [String], _ store: any Store, _ thrown: inout ThrownByStore
    ) async {
        var part = part
        defer { part.destroy() }
        while true {
            switch part.next() {
            case .load(let pause): await load(&part, keys, store, after: pause, &thrown)
            case .save: await save(&part, keys, store, &thrown)
            case .done: return
            }
        }
    }

    private nonisolated(nonsending) func load(
        _ part: inout RevenuePart, _ keys: [String], _ store: any Store, after pause: UInt32,
        _ thrown: inout ThrownByStore
    ) async {
        let due = part.due
        var answers: [Result<StoredRecord?, any Error>] = []
        var hook = "store.loadMany"
        do {
            if pause > 0 {
                hook = "pause before the next attempt"
                try await Task.sleep(nanoseconds: UInt64(pause) * 1000)
                hook = "store.loadMany"
            }
            let wanted = due.map { keys[$0] }
            answers = try await HookCall.run(of: self) { try await store.loadMany(wanted) }
        } catch {
            answers = due.map { _ in .failure(error) }
        }
        guard answers.count == due.count else {
            let message = wrongCount("store.loadMany", answers.count, due.count)
            for position in due { part.loadFailed(position, message) }
            return
        }
        for (position, answer) in zip(due, answers) {
            switch answer {
            case .success(.some(let record)) where record.version == 0:
                part.loadFailed(position, "store.loadMany: answered a record with version 0")
            case .success(.some(let record)):
                record.bytes.withUnsafeBytes { part.loaded(position, $0, version: record.version) }
            case .success(.none):
                part.loaded(position, nil, version: 0)
            case .failure(let error):
                thrown.note(error, install: part.installs.lowerBound + position)
                part.loadFailed(position, Message(utf8: Array("\(hook): ".utf8) + words(error).utf8))
            }
        }
    }

    private nonisolated(nonsending) func save(
        _ part: inout RevenuePart, _ keys: [String], _ store: any Store, _ thrown: inout ThrownByStore
    ) async {
        let due = part.due
        let saves = due.map { position in
            SaveRequest(
                keys[position], record(of: part, position), expected: part.expectedVersion(position))
        }
        var answers: [Result<SaveResult, any Error>] = []
        do {
            answers = try await HookCall.run(of: self) { try await store.saveMany(saves) }
        } catch {
            answers = due.map { _ in .failure(error) }
        }
        guard answers.count == due.count else {
            let message = wrongCount("store.saveMany", answers.count, due.count)
            for position in due { part.saved(position, .unknown(message)) }
            return
        }
        for (index, position) in due.enumerated() {
            if case .failure(let error) = answers[index] {
                thrown.note(error, install: part.installs.lowerBound + position)
            }
            part.saved(position, writeEnd(answers[index], after: saves[index].expected, "store.saveMany"))
        }
    }
}

private func wrongCount(_ hook: StaticString, _ found: Int, _ expected: Int) -> Message {
    "\(hook): expected \(expected) results, got \(found)"
}

/// What is to be saved of an install.
private func record(of part: RevenuePart, _ position: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: part.recordBound(position)) { memory, count in
        guard let base = memory.baseAddress else { return }
        count = part.writeRecord(position, to: base)
    }
}

/// What a store threw last, of each install.
struct ThrownByStore {
    private var errors: [Int: any Error] = [:]
    private(set) var isCancellation = false

    mutating func note(_ error: any Error, install: Int) {
        errors[install] = error
        if SKAN.isCancellation(error) { isCancellation = true }
    }

    func error(install: Int) -> (any Error)? { errors[install] }
}
