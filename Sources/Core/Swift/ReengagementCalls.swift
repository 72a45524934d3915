internal import SKANCore
internal import SKANEngine

extension Engine {
    /// Records a re-engagement. If the app made a first call that may have overwritten values, those are due again,
    /// whatever the outcome. Clock. Rules, "Re-engage".
    ///
    /// - Returns: ``Outcome/ok``, ``Outcome/duplicateEvent`` (this open is known), ``Outcome/windowClosed`` (too late,
    ///   or a newer one began), ``Outcome/unsupported``; and the re-engagement's number, from 1, also for a repeated
    ///   open, or 0 if there is none.
    /// - Throws: ``SKANError/Code/misuse`` where the engine has no models for re-engagements.
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

    /// ``updateConversionValues(_:event:eventID:device:)`` for the install and its re-engagements, in one step;
    /// ``pendingCalls(_:osVersion:)`` gives the updates. Clock. Rules, "Update conversions", "Credit".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - event: 1...32 printable ASCII bytes; nil = a session, "__SESSION__".
    ///   - eventID: As there; both functions remember the same ids.
    ///   - reengagement: Which one is credited beside the install: 0 = as the engine credits, else this one alone, if
    ///     it is active.
    ///   - device: What is known of the device.
    ///   - amount: nil, or the money that came with the event, below 10¹² in magnitude; it is added first, and below
    ///     zero it is a refund.
    ///   - currency: Three ASCII letters, ISO 4217, beside an amount.
    ///   - adMonetization: true = ad revenue, false = in-app purchase (IAP).
    /// - Returns: ``Outcome/ok`` where any conversion has a new value, ``Outcome/noNewValue``,
    ///   ``Outcome/duplicateEvent``, ``Outcome/notRegistered``, ``Outcome/windowClosed``.
    /// - Throws: What
    ///   ``updateConversionValues(_:event:eventID:device:amount:currency:adMonetization:)-(_,_,_,_,Double,_,_)``
    ///   throws; then nothing is counted, but for an amount that was saved before a request.
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

    /// The calls that wait for the app, in the order to make them; with or without re-engagements. May save. Clock.
    /// Rules, "Calls".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - osVersion: Calls that the device's system lacks are left out; nil = not known: everything.
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

    /// Records the results of a list of calls in its order, in one save: one result for each id, the worst of its
    /// calls. An id that is not the last update of a conversion is ignored. Clock. Rules, "Acknowledging calls".
    public nonisolated(nonsending) func acknowledgeCalls(
        _ installID: String, _ results: [(id: UInt64, result: CallResult)]
    ) async throws {
        let acknowledgement = CallAcknowledgement(results.count) { index in
            (results[index].id, SKANCore.CallResult(rawValue: results[index].result.rawValue) ?? .failed)
        }
        _ = try await perform(installID) { _ in ReengagementCall(acknowledgement) }
    }

    /// Ends a re-engagement: it counts nothing any more, and has no calls. Rules, "End".
    ///
    /// - Returns: ``Outcome/ok``, or ``Outcome/notFound`` if there is none of this number.
    @discardableResult
    public nonisolated(nonsending) func endReengagement(
        _ installID: String, number: UInt32
    ) async throws -> Outcome {
        let end = try translated { () throws(Failure) in try EndReengagement(number: number) }
        return Outcome(try await perform(installID) { _ in ReengagementCall(end, readsClock: false) })
    }

    /// The install's re-engagements, by number, as the JSON array that skan.h describes at `skan_reengagements`. It
    /// holds tags: keep it out of logs. Changes nothing. Rules, "Re-engagement details".
    public nonisolated(nonsending) func reengagements(_ installID: String) async throws -> String {
        let document = ReengagementsDocument()
        _ = try await perform(installID) { _ in ReengagementCall(document, readsClock: false) }
        return String(decoding: document.json, as: UTF8.self)
    }

    /// Explains what the model of a re-engagement sees now: the document of ``explanation(_:)``, with revenue of scope
    /// "conversion" too. Changes nothing. Clock. Rules, "Model explanation".
    ///
    /// - Returns: ``Outcome/ok`` with the document, ``Outcome/notFound``, ``Outcome/windowClosed`` (it is not active).
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
    /// The version of a system; its form is checked as every device's.
    fileprivate mutating func system(_ version: String?) throws -> UnsafeRawBufferPointer? {
        _ = try device(Device(osVersion: version))
        return keep(ifAny: version, limit: Limits.textBytes)
    }
}
