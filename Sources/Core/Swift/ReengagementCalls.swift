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

    /// Does what ``updateConversionValues(_:event:eventID:device:)`` does for the install and its re-engagements, in
    /// one step. ``pendingCalls(_:osVersion:)`` gives the updates. Clock. Rules, "Update conversions", "Credit".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - event: 1...32 printable ASCII bytes; nil = a session, "__SESSION__".
    ///   - eventID: As for that method; both remember the same ids.
    ///   - reengagement: The re-engagement that is credited in addition to the install: 0 = those that the engine
    ///     credits, otherwise only this one, if it is active.
    ///   - device: What is known of the device.
    ///   - amount: nil, or the money that came with the event, below 10¹² in magnitude; it is added first. Negative = a
    ///     refund.
    ///   - currency: Three ASCII letters, ISO 4217; required with an amount.
    ///   - adMonetization: true = ad revenue, false = in-app purchase (IAP).
    /// - Returns: ``Outcome/ok`` if any conversion has a new value, ``Outcome/noNewValue``, ``Outcome/duplicateEvent``,
    ///   ``Outcome/notRegistered`` or ``Outcome/windowClosed``.
    /// - Throws: The errors of
    ///   ``updateConversionValues(_:event:eventID:device:amount:currency:adMonetization:)-(_,_,_,_,Double,_,_)``; then
    ///   nothing is counted, except an amount that was saved before a request.
    @discardableResult
    public nonisolated(nonsending) func updateConversions(
        _ installID: String, event: String? = nil, eventID: String? = nil, reengagement: UInt32 = 0,
        device: Device = Device(), amount: Amount? = nil, currency: String? = nil, adMonetization: Bool = false
    ) async throws -> Outcome {
        let protocolVersion = settings.protocolVersion
        let paid = EventMoney(given: amount.map { .exact($0) }, currency: currency, adMonetization: adMonetization)
        return Outcome(
            try await perform(installID) { texts in
                let event = try texts.eventName(event)
                let id = try texts.eventID(eventID)
                let amount = try paid.amount(protocolVersion, &texts)
                return ReengagementCall(
                    event: event, eventID: id, amount: amount, reengagement: reengagement, try texts.device(device))
            })
    }

    /// The calls that wait for the app, in the order in which the app must make them; also for an install without
    /// re-engagements. May save the record. Clock. Rules, "Calls".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - osVersion: The device's iOS version; calls that it lacks are left out. nil = unknown: all calls.
    /// - Returns: The calls; empty if nothing is pending.
    public nonisolated(nonsending) func pendingCalls(
        _ installID: String, osVersion: String? = nil
    ) async throws -> [AppCall] {
        try await listing(installID, osVersion).calls.map { AppCall($0) }
    }

    /// The waiting calls as the JSON that a server sends to its app: `{"valid_seconds", "calls": [{"id", "conversion",
    /// "framework", "conversion_type", "window", "fine_value", "coarse_value", "lock_window", "tag"}]}`. Clock. Rules,
    /// "Calls".
    public nonisolated(nonsending) func pendingCallsJSON(
        _ installID: String, osVersion: String? = nil
    ) async throws -> String {
        let listing = try await listing(installID, osVersion)
        return String(listing.calls.json(now: listing.now))
    }

    private nonisolated(nonsending) func listing(
        _ installID: String, _ osVersion: String?
    ) async throws -> CallListing {
        var texts = CallTexts()
        defer { texts.free() }
        let listing = CallListing(system: try texts.system(osVersion))
        _ = try await perform(installID) { _ in ReengagementCall(listing) }
        return listing
    }

    /// Records the results of a list of calls, in the order of the list, in one save. Give one result for each id: the
    /// worst of its calls. An id that is not the last update of a conversion is ignored. Clock. Rules, "Acknowledging
    /// calls".
    public nonisolated(nonsending) func acknowledgeCalls(
        _ installID: String, _ results: [(id: UInt64, result: CallResult)]
    ) async throws {
        let acknowledgement = CallAcknowledgement(results.count) { index in
            (results[index].id, SKANCore.CallResult(rawValue: results[index].result.rawValue) ?? .failed)
        }
        _ = try await perform(installID) { _ in ReengagementCall(acknowledgement) }
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

extension CallTexts {
    /// The bytes of a system version, checked like the version of any device.
    fileprivate mutating func system(_ version: String?) throws -> UnsafeRawBufferPointer? {
        _ = try device(Device(osVersion: version))
        return keep(ifAny: version, limit: Limits.textBytes)
    }
}
