internal import SKANCore
internal import SKANEngine

extension Engine {
    /// Reports a session or an event, and gets the next conversion values. The engine's transport asks the endpoint; if
    /// the engine has conversion models, the install's model decides instead. In the same step, the models of active
    /// re-engagements that are credited decide their values. ``pendingCalls(_:osVersion:)`` hands the values to the
    /// app.
    ///
    /// The event's amount, if it has one, is first added as revenue, unless revenue was already added under the event
    /// id. Measures of the model that name the event count the amount too. So one id counts an amount once and an event
    /// once, whether they come in one call, in two calls, or repeatedly. The id is remembered if the call returns an
    /// outcome other than ``Outcome/notRegistered``, and not if it throws. With ``Outcome/windowClosed`` the amount
    /// stays added.
    ///
    /// A model counts the call as one session or event of the current window, even if the outcome is
    /// ``Outcome/noNewValue`` or ``Outcome/windowLocked``. An install's window never goes back: once a window has a
    /// value or has counted something, a clock's time before the window's first second is replaced by that second.
    /// Without a model, a time more than an hour before that second is used as it is, because the clock must have been
    /// set back on purpose.
    ///
    /// With models, a call that throws changes nothing. With a transport, the amount is saved before the request is
    /// sent, so give an event id, and repeat the call after an error. If the record is changed elsewhere meanwhile,
    /// only the last step runs again; the request is never sent again. Reads the clock. Rules, "Update conversion
    /// values", "Events with an amount", "Update conversions", "Event ids", "Windows", "Model decision", "Model
    /// counts", "Model measures", "Credit".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - event: A session by default.
    /// - Returns: An outcome as from ``applyResponse(_:_:ticket:body:)``, and the install's new value. In an engine
    ///   with models for re-engagements, ``Outcome/ok`` means that the install or a re-engagement has a new value.
    /// - Throws: The errors of ``applyResponse(_:_:ticket:body:)``; ``SKANError/Code/limitExceeded`` as for revenue;
    ///   ``SKANError/Code/transport`` and ``SKANError/Code/transportUnknown`` with the transport's error;
    ///   ``SKANError/Code/misuse`` if the engine has neither a transport nor models; with models
    ///   ``SKANError/Code/modelUnknown``.
    @discardableResult
    public nonisolated(nonsending) func updateConversionValues(
        _ installID: String, _ event: Event = Event()
    ) async throws -> UpdateResult {
        guard settings.countsReengagements(event.reengagement) else {
            return UpdateResult(try await perform(installID) { UpdateCall(try event.checked(settings, &$0)) })
        }
        return try await performConversions(installID) { ReengagementCall(try event.checked(settings, &$0)) }
    }

    /// Creates the request for the next conversion value, for hosts with an HTTP client of their own: a URL to GET, and
    /// a ticket. Together with ``applyResponse(_:_:ticket:body:)`` this does in two steps what
    /// ``updateConversionValues(_:_:)`` does with a transport. The event's amount is added and saved, as in that
    /// method. With ``Outcome/windowClosed`` the event id is remembered, too; nothing else changes. If the install
    /// needs no request, credited re-engagements are decided at once. Reads the clock. Rules, "Request", "Events with
    /// an amount", "SKAN 3 requests", "Tickets".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - event: A session by default.
    /// - Returns: ``Outcome/ok``, ``Outcome/duplicateEvent``, ``Outcome/notRegistered`` or ``Outcome/windowClosed``.
    /// - Throws: ``SKANError/Code/misuse`` if the engine has models or no endpoint, ``SKANError/Code/modelUnknown``.
    public nonisolated(nonsending) func conversionRequest(
        _ installID: String, _ event: Event = Event()
    ) async throws -> RequestResult {
        let answer =
            settings.countsReengagements(event.reengagement)
            ? try await perform(installID) { ReengagementRequestCall(try event.checked(settings, &$0)) }
            : try await perform(installID) { RequestCall(try event.checked(settings, &$0)) }
        let request = answer.url.map { ConversionRequest(url: String(taking: $0), ticket: answer.ticket) }
        return RequestResult(outcome: Outcome(answer.status), request: request)
    }

    /// Applies the endpoint's answer to a request, and remembers the event's id. Credited re-engagements are decided in
    /// the same step, unless the answer is stale. Reads the clock. Rules, "Apply response", "SKAN 3 values", "Event
    /// ids".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - event: The event of the request. Its device and amount are not read.
    ///   - ticket: The ticket of the request, below 2⁶³; 0 = none; the order of answers is then neither checked nor
    ///     recorded.
    ///   - body: The unchanged body of an answer with HTTP status 200, at most 64 KiB.
    /// - Returns: ``Outcome/ok`` with the install's new value, ``Outcome/duplicateEvent``, ``Outcome/noNewValue``,
    ///   ``Outcome/staleResponse``, ``Outcome/windowLocked``, ``Outcome/windowClosed`` or ``Outcome/notRegistered``.
    /// - Throws: ``SKANError/Code/limitExceeded``, ``SKANError/Code/malformedResponse``,
    ///   ``SKANError/Code/illegalValue``, ``SKANError/Code/rejected`` with the endpoint's reason.
    @discardableResult
    public nonisolated(nonsending) func applyResponse(
        _ installID: String, _ event: Event = Event(), ticket: UInt64 = 0, body: some Collection<UInt8> & Sendable
    ) async throws -> UpdateResult {
        guard settings.countsReengagements(event.reengagement) else {
            return UpdateResult(
                try await perform(installID) { texts in
                    _ = try texts.eventName(event.name, settings)
                    let id = try texts.eventID(event.eventID)
                    try translated { () throws(Failure) in try Arguments.checkTicket(ticket) }
                    return ResponseCall(eventID: id, ticket: ticket, try texts.keep(body, "body"))
                })
        }
        return try await performConversions(installID) { texts in
            let (name, id) = (try texts.eventName(event.name, settings), try texts.eventID(event.eventID))
            try translated { () throws(Failure) in try Arguments.checkTicket(ticket) }
            return ReengagementCall(
                event: name, eventID: id, reengagement: event.reengagement, ticket: ticket,
                body: try texts.keep(body, "body"))
        }
    }

    /// Runs a call that decides the values of the install and of its re-engagements.
    private nonisolated(nonsending) func performConversions(
        _ installID: String, _ make: (inout CallTexts) throws -> ReengagementCall
    ) async throws -> UpdateResult {
        var made: ReengagementCall?
        let status = try await perform(installID) { texts in
            let call = try make(&texts)
            made = call
            return call
        }
        return UpdateResult(
            outcome: Outcome(status), update: status == .ok ? made?.installUpdate.map { Update($0) } : nil)
    }
}
