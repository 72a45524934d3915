internal import SKANCore
internal import SKANEngine

extension Engine {
    /// Records a re-engagement. If the app reports that it already made its first call, that call may have overwritten
    /// values. Those values then wait for delivery again, whatever the outcome. Reads the clock. Rules, "Re-engage".
    ///
    /// - Returns: The outcome, and the re-engagement's number from 1, also if the open is already known; 0 if there is
    ///   no re-engagement. The outcome is ``Outcome/ok``, ``Outcome/duplicateEvent`` (this open is already known),
    ///   ``Outcome/windowClosed`` (it is too late, or a newer re-engagement has begun) or ``Outcome/unsupported``.
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

    /// Returns the install's re-engagements, in the order of their numbers. Changes nothing. Rules, "Re-engagement
    /// details".
    public nonisolated(nonsending) func reengagements(_ installID: String) async throws -> [Reengagement] {
        let reading = ReengagementsReading()
        _ = try await perform(installID) { _ in ReengagementCall(reading, readsClock: false) }
        return reading.found
    }
}

private final class ReengagementsReading: ReengagementWork {
    var moment = ReengagementMoment()
    private(set) var found: [Reengagement] = []

    func run(on state: inout InstallState) throws(Failure) -> Verdict {
        found = state.reengagements.map { Reengagement($0) }
        return .unchanged(.ok)
    }
}
