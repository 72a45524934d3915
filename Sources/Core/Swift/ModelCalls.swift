internal import SKANCore
internal import SKANEngine

/// The result of ``Engine/explanation(_:reengagement:)``: its outcome, and the document, if there is one.
public struct ExplanationResult: Hashable, Sendable {
    /// The outcome: ``Outcome/ok``, ``Outcome/notRegistered``, ``Outcome/notFound`` or ``Outcome/windowClosed``.
    public let outcome: Outcome

    /// The document; nil unless the outcome is ``Outcome/ok``.
    public let json: String?
}

extension Engine {
    /// Explains what the conversion model of the install, or of one of its re-engagements, sees now, and which of its
    /// rules wins. Changes nothing. Reads the clock. Rules, "Model explanation".
    ///
    /// The document is `{"model": its version, "id", "window", "day", "sessions", "events": {name: count}, "currency",
    /// "revenue": {"window": {"iap", "ad", "all"}, "lifetime": {...}}, "currencies_without_rate": [...], "rule": its
    /// number in the window from 0, or null, "fine", "coarse", "lock"}`. Revenue is in the model's currency. Revenue in
    /// a currency without a rate counts as nothing; these currencies are listed.
    ///
    /// The document of a re-engagement also has revenue of scope "conversion", the revenue since the tap.
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - number: The re-engagement's number; 0 = the install.
    /// - Returns: ``Outcome/ok`` with the document, ``Outcome/notRegistered``, ``Outcome/notFound`` (no such
    ///   re-engagement is kept) or ``Outcome/windowClosed`` (also if the re-engagement is not active).
    /// - Throws: ``SKANError/Code/modelUnknown``; ``SKANError/Code/misuse`` if the engine has no models.
    public nonisolated(nonsending) func explanation(
        _ installID: String, reengagement number: UInt32 = 0
    ) async throws -> ExplanationResult {
        guard number == 0 else {
            let explanation = ReengagementExplanation(number: number)
            let status = try await perform(installID) { _ in ReengagementCall(explanation) }
            let json = status == .ok ? String(decoding: explanation.json, as: UTF8.self) : nil
            return ExplanationResult(outcome: Outcome(status), json: json)
        }
        let (status, json) = try await perform(installID) { _ in ExplainCall() }
        return ExplanationResult(outcome: Outcome(status), json: json.map { String(taking: $0) })
    }
}
