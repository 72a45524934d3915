internal import SKANCore
internal import SKANEngine

/// The result of ``Engine/explanation(_:)``: its outcome, and the document, if there is one.
public struct ExplanationResult: Hashable, Sendable {
    /// ``Outcome/ok``, ``Outcome/notRegistered`` or ``Outcome/windowClosed``.
    public let outcome: Outcome

    /// The document; nil unless the outcome is ``Outcome/ok``.
    public let json: String?
}

extension Engine {
    /// Explains what the install's conversion model sees now, and which of its rules holds. Changes nothing. Clock.
    /// Rules, "Model explanation".
    ///
    /// The document is `{"model": its version, "id", "window", "day", "sessions", "events": {name: count}, "currency",
    /// "revenue": {"window": {"iap", "ad", "all"}, "lifetime": {...}}, "currencies_without_rate": [...], "rule": its
    /// number in the window from 0, or null, "fine", "coarse", "lock"}`. Revenue is in the model's currency. Revenue in
    /// a currency without a rate counts as nothing; these currencies are listed.
    ///
    /// - Returns: ``Outcome/ok`` with the document, ``Outcome/notRegistered`` or ``Outcome/windowClosed``.
    /// - Throws: ``SKANError/Code/modelUnknown``; ``SKANError/Code/misuse`` if the engine has no models.
    public nonisolated(nonsending) func explanation(_ installID: String) async throws -> ExplanationResult {
        let (status, json) = try await perform(installID) { _ in ExplainCall() }
        return ExplanationResult(outcome: Outcome(status), json: json.map { String(taking: $0) })
    }
}
