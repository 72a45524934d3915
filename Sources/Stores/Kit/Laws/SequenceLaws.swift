internal import SKANCore
internal import SKANSystem

/// Laws of all calls together: random sequences of operations, generated from a seed, are compared with a model. A
/// sequence that fails is shortened as long as it still fails.
extension Law {
    static let ofSequences = [
        Law("generated sequences on one handle are as the model says") { run, store throws(LawEnd) in
            try run.play(store, reopens: false, hasTwoHandles: false)
        },
        Law("generated sequences on two handles are as the model says") { run, store throws(LawEnd) in
            try run.play(store, reopens: false, hasTwoHandles: true)
        },
        Law("generated sequences with reopening are as the model says") { run, store throws(LawEnd) in
            try run.isDurable()
            try run.play(store, reopens: true, hasTwoHandles: run.settings.isShared)
        },
    ]
}

extension LawRun {
    fileprivate func play(_ store: Handle, reopens: Bool, hasTwoHandles: Bool) throws(LawEnd) {
        var world = try SequenceWorld(self, hasTwoHandles: hasTwoHandles)
        let chances = SequenceChances(offers: store.store.offers, reopens: reopens, hasTwoHandles: hasTwoHandles)
        var drawing = self.drawing
        let operations = (0..<settings.steps).map { _ in chances.operation(&drawing) }
        guard let (count, reason) = world.run(operations) else { return }
        let first: Message = "seed \(settings.seed), operation \(count): \(reason)"
        let story = FailedSequence([SequenceOperation](operations[..<count])).told(&world, hasTwoHandles: hasTwoHandles)
        throw .broken("\(first)\n\(story)")
    }
}

/// A sequence that failed at its last operation.
private struct FailedSequence {
    private var operations: [SequenceOperation]
    private var reason: Message = ""
    /// The time at which shortening stops, because each run may be slow: some calls fail only after a million pages.
    private let deadline = millisecondsNow() + 60_000

    private static var mostReplays: Int { 400 }
    /// The greatest number of operations in a report.
    private static var mostShown: Int { 40 }

    init(_ operations: [SequenceOperation]) { self.operations = operations }

    private var firstShown: Int { max(0, operations.count - FailedSequence.mostShown) }

    func told(_ world: inout SequenceWorld, hasTwoHandles: Bool) -> Message {
        var short = self
        var text: Message
        if short.failsAgain(&world) {
            short.shorten(&world)
            short.leaveKeysOut(&world)
            text = """
                made shorter: \(short.reason)
                at the end of these operations, on keys without records:
                """
        } else {
            text = "not seen again with the same operations; the last of them:"
        }
        if short.firstShown > 0 { text = "\(text)\n... (\(short.firstShown) operations)" }
        for operation in short.operations[short.firstShown...] {
            text = "\(text)\n\(operation.told(hasTwoHandles: hasTwoHandles))"
        }
        return text
    }

    /// Runs the sequence again. If it fails, cuts it after the operation that failed now. Returns whether it failed.
    private mutating func failsAgain(_ world: inout SequenceWorld) -> Bool {
        guard millisecondsNow() < deadline else { return false }
        guard let (count, reason) = world.run(operations) else { return false }
        operations.removeLast(operations.count - count)
        self.reason = reason
        return true
    }

    /// Removes operations that the failure does not need.
    private mutating func shorten(_ world: inout SequenceWorld) {
        var replays = 0
        var chunk = operations.count / 2
        while chunk > 0 && replays < FailedSequence.mostReplays {
            var isShorter = false
            var from = 0
            while from + chunk <= operations.count, operations.count > chunk, replays < FailedSequence.mostReplays {
                replays += 1
                var candidate = self
                candidate.operations.removeSubrange(from..<from + chunk)
                if candidate.failsAgain(&world) {
                    self = candidate
                    isShorter = true
                } else {
                    from += chunk
                }
            }
            if !isShorter || chunk >= operations.count { chunk /= 2 }
        }
    }

    /// Removes keys that the failure does not need from batch operations.
    private mutating func leaveKeysOut(_ world: inout SequenceWorld) {
        var index = firstShown
        while index < operations.count {
            let isOfMany = operations[index].kind == .loadMany || operations[index].kind == .saveMany
            for key in 0..<SequenceOperation.keyCount where isOfMany && index < operations.count {
                let fewer = operations[index].keys & ~(1 << key)
                if fewer == operations[index].keys || fewer == 0 { continue }
                var candidate = self
                candidate.operations[index].keys = fewer
                if candidate.failsAgain(&world) { self = candidate }
            }
            index += 1
        }
    }
}
