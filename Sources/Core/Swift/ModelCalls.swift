internal import SKANCore
internal import SKANEngine

/// What ``Engine/explanation(_:)`` answers: how it ended, and the document where there is one.
public struct ExplanationResult: Hashable, Sendable {
    /// ``Outcome/ok``, ``Outcome/notRegistered`` or ``Outcome/windowClosed``.
    public let outcome: Outcome

    /// nil unless the outcome is ``Outcome/ok``.
    public let json: String?
}

extension Engine {
    /// What the install's conversion model sees now, and which of its rules holds. Changes nothing. Clock. Rules,
    /// "Model explanation".
    ///
    /// The document is `{"model": its version, "id", "window", "day", "sessions", "events": {name: count}, "currency",
    /// "revenue": {"window": {"iap", "ad", "all"}, "lifetime": {...}}, "currencies_without_rate": [...], "rule": its
    /// number in the window from 0, or null, "fine", "coarse", "lock"}`. Revenue is in the model's currency; what came
    /// in a currency without a rate counts as nothing, and is named.
    ///
    /// - Returns: ``Outcome/ok`` with the document, ``Outcome/notRegistered`` or ``Outcome/windowClosed``.
    /// - Throws: ``SKANError/Code/modelUnknown``, and ``SKANError/Code/misuse`` where the engine has no models.
    public nonisolated(nonsending) func explanation(_ installID: String) async throws -> ExplanationResult {
        var texts = CallTexts()
        defer { texts.free() }
        let key = try texts.installKey(installID)
        try checkNotInHook()
        guard !models.isEmpty else {
            throw SKANError(.misuse, "models: the engine was made without conversion models")
        }
        let now = seconds(try now())
        let state = try await state(key)
        guard state.isRegistered else { return ExplanationResult(outcome: .notRegistered, json: nil) }
        guard let window = state.window(at: now) else { return ExplanationResult(outcome: .windowClosed, json: nil) }
        let json = try translated { () throws(Failure) in
            String(try models.model(of: state).explain(state, window, now: now))
        }
        return ExplanationResult(outcome: .ok, json: json)
    }

    /// MISUSE for a call that gets values from an endpoint, where models decide them.
    func checkNoModels() throws {
        guard models.isEmpty else {
            throw SKANError(.misuse, "models: the engine decides values by its models; use updateConversionValues")
        }
    }

    /// The install's conversion model decides, in the change of the record that counts the event.
    nonisolated(nonsending) func decide(
        _ key: InstallKey, _ event: UnsafeRawBufferPointer, _ eventID: UnsafeRawBufferPointer?
    ) async throws -> UpdateResult {
        let decision = ModelDecision(models: models, event: event, now: seconds(try now()))
        var transaction = Transaction(ConversionEnding(eventID: eventID, decision: decision), protocolVersion)
        let status = try await perform(&transaction, key)
        return UpdateResult(status, transaction.rule.update)
    }
}
