internal import SKANCore
internal import SKANEngine

extension Engine {
    /// Records a re-engagement. If the app reports that it already made a first call, which may have overwritten
    /// values, those values are due again, whatever the outcome. Clock. Rules, "Re-engage".
    ///
    /// - Returns: The outcome, and the re-engagement's number from 1, also for a repeated open; 0 if there is none. The
    ///   outcome is ``Outcome/ok``, ``Outcome/duplicateEvent`` (this open is already known), ``Outcome/windowClosed``
    ///   (it is too late, or a newer re-engagement has begun) or ``Outcome/unsupported``.
    /// - Throws: ``SKANError/Code/misuse`` if the engine has no models for re-engagements.
    @discardableResult
    public nonisolated(nonsending) func reengage(
        _ installID: String, _ report: ReengagementReport
    ) async throws -> (outcome: Outcome, number: UInt32) {
        var texts = CallTexts()
        defer { texts.free() }
        let openID = texts.keep(ifAny: report.openID, limit: Limits.eventIDBytes)
        let tag = texts.keep(ifAny: report.tag, limit: Limits.tagBytes)
        let reference = texts.keep(ifAny: report.reference, limit: Limits.referenceBytes)
        let system = try texts.system(report.osVersion)
        let core = try translated { () throws(Failure) in
            try SKANCore.ReengagementReport(
                openID: openID, tag: tag, reference: reference, openedAt: report.openedAt,
                isStarted: report.isStarted, isOverlapping: report.isOverlapping, system: system)
        }
        let reengage = Reengage(core)
        let status = try await perform(installID) { _ in ReengagementCall(reengage) }
        return (Outcome(status), reengage.number)
    }

    /// Ends a re-engagement: from then on it counts nothing and has no calls. Rules, "End".
    ///
    /// - Returns: ``Outcome/ok``, or ``Outcome/notFound`` if there is none with this number.
    @discardableResult
    public nonisolated(nonsending) func endReengagement(
        _ installID: String, number: UInt32
    ) async throws -> Outcome {
        let end = try translated { () throws(Failure) in try EndReengagement(number: number) }
        return Outcome(try await perform(installID) { _ in ReengagementCall(end, readsClock: false) })
    }

    /// The install's re-engagements, by number, as the JSON array that skan.h describes at `skan_reengagements`. It
    /// contains conversion tags: keep it out of logs. Changes nothing. Rules, "Re-engagement details".
    public nonisolated(nonsending) func reengagements(_ installID: String) async throws -> String {
        let document = ReengagementsDocument()
        _ = try await perform(installID) { _ in ReengagementCall(document, readsClock: false) }
        return String(decoding: document.json, as: UTF8.self)
    }

    /// Explains what the model of a re-engagement sees now. The document is that of ``explanation(_:)``, and also has
    /// revenue of scope "conversion". Changes nothing. Clock. Rules, "Model explanation".
    ///
    /// - Returns: ``Outcome/ok`` with the document, ``Outcome/notFound``, or ``Outcome/windowClosed`` if the
    ///   re-engagement is not active.
    /// - Throws: ``SKANError/Code/modelUnknown``.
    public nonisolated(nonsending) func explanation(
        _ installID: String, reengagement number: UInt32
    ) async throws -> ExplanationResult {
        let explanation = try translated { () throws(Failure) in try ReengagementExplanation(number: number) }
        let status = try await perform(installID) { _ in ReengagementCall(explanation) }
        return ExplanationResult(
            outcome: Outcome(status), json: status == .ok ? String(decoding: explanation.json, as: UTF8.self) : nil)
    }
}
