internal import SKANEngine

/// What a call answers that may give an update: how it ended, and the update where there is one.
public struct UpdateResult: Hashable, Sendable {
    public let outcome: Outcome

    /// The update that the app passes to Apple; it stays pending until it is acknowledged. nil unless the outcome is
    /// ``Outcome/ok``, and after a registration in SKAN 3, which begins without a value.
    public let update: Update?
}

extension UpdateResult {
    init(_ answer: UpdateAnswer) {
        outcome = Outcome(answer.status)
        update = answer.update.map { Update($0) }
    }
}
