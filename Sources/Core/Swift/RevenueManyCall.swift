internal import SKANCore
internal import SKANEngine

extension Engine {
    /// Adds many amounts in order, for example all purchases of a match at once, each as
    /// ``updateRevenue(_:amount:currency:kind:eventID:)-(_,Amount,_,_,_)`` does. An install may have several items.
    /// Each install is loaded once and saved once. One call of the store, ``Store/loadMany(_:)`` or
    /// ``Store/saveMany(_:)``, handles up to 1024 installs. Installs do not depend on each other: if one fails, the
    /// others are still saved. The items of an install are saved all or not at all: if the save fails, its error
    /// becomes the result of every item whose result depends on the save.
    ///
    /// Reads the clock once for all items. Rules, "Many amounts", "Update revenue".
    ///
    /// - Parameter items: At most 65536.
    /// - Returns: The result of each item, which is what a single call would have returned or thrown: ``Outcome/ok``,
    ///   ``Outcome/duplicateEvent``, or an error.
    /// - Throws: An error of the whole call, which then has changed nothing: ``SKANError/Code/limitExceeded`` (too many
    ///   items), ``SKANError/Code/misuse``, ``SKANError/Code/clock``; or `CancellationError` if the store threw it and
    ///   nothing was changed. If something was changed, `CancellationError` is the `underlying` error of the items that
    ///   it affected.
    @discardableResult
    public nonisolated(nonsending) func updateRevenueMany(
        _ items: [Revenue]
    ) async throws -> [Result<Outcome, SKANError>] {
        guard items.count <= Limits.revenueItems else {
            throw SKANError(
                .limitExceeded, "items: expected at most \(Limits.revenueItems), got \(items.count)")
        }
        try checkNotInHook()
        guard !items.isEmpty else { return [] }
        var texts = CallTexts()
        defer { texts.free() }
        let batch = batch(items, now: seconds(try now()), &texts)
        defer { batch.destroy() }
        var thrown: [Int: any Error] = [:]
        switch storage {
        case .memory(let memory):
            batch.perform(on: memory.records)
        case .host(let store):
            for start in stride(from: 0, to: batch.installCount, by: Limits.batchItems) {
                var left = Array(start..<min(start + Limits.batchItems, batch.installCount))
                while !left.isEmpty {
                    left = await perform(left, of: batch, store, &thrown)
                }
            }
        }
        let results = items.indices.map { result(of: $0, batch, thrown) }
        if thrown.values.contains(where: isCancellation), !results.contains(where: isChange) {
            throw CancellationError()
        }
        return results
    }

    /// Waits for the turn of the first install, then works on it and on all others whose turns are free. Returns the
    /// installs that are left.
    private nonisolated(nonsending) func perform(
        _ installs: [Int], of batch: RevenueBatch, _ store: any Store, _ thrown: inout [Int: any Error]
    ) async -> [Int] {
        guard let turns, let first = installs.first else { return [] }
        let turn = await turns.take(batch.key(first))
        let round = TurnRound(installs, of: batch, first: turn, turns.turns)
        defer { round.end(turns.turns) }
        var host = HostStore(engine: self, store: store)
        await host.drive(RevenuePart(batch, round.installs))
        for (position, error) in host.thrown { thrown[round.installs[position]] = error }
        return round.left
    }

    private func batch(_ items: [Revenue], now: Int64, _ texts: inout CallTexts) -> RevenueBatch {
        var batch = RevenueBatch(settings.protocolVersion, count: items.count)
        for (index, item) in items.enumerated() {
            do {
                let key = try texts.installKey(item.installID)
                batch.add(
                    index, key, try item.call(settings.protocolVersion, &texts).rule(now: now, settings.reengagements))
            } catch {
                batch.refuse(index, failure(error))
            }
        }
        return batch
    }
}

private func failure(_ error: any Error) -> Failure {
    guard let error = error as? SKANError else {
        return Failure(.invalidArgument, "item: expected what a single call takes")
    }
    return Failure(Status(rawValue: error.code.rawValue), Message(utf8: Array(error.message.utf8)))
}

/// Whether the item's change was, or may have been, applied.
private func isChange(_ result: Result<Outcome, SKANError>) -> Bool {
    switch result {
    case .success(let outcome): outcome == .ok
    case .failure(let error): error.code == .storeUnknown
    }
}

private func result(of index: Int, _ batch: RevenueBatch, _ thrown: [Int: any Error]) -> Result<Outcome, SKANError> {
    guard let failure = batch.failure(index) else { return .success(Outcome(batch.status(index))) }
    switch failure.status {
    case .store, .storeUnknown:
        return .failure(SKANError(failure, underlying: thrown[batch.install(of: index)]))
    default:
        return .failure(SKANError(failure))
    }
}
