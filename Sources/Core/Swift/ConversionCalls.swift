internal import SKANCore
internal import SKANEngine

extension Engine {
    /// The request for the next conversion value: a URL to GET, and a ticket to hand to
    /// ``applyResponse(_:ticket:body:)`` with the answer. Changes nothing. Clock. Rules, "Request", "SKAN 3 requests",
    /// "Tickets".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - event: 1...32 printable ASCII bytes; nil = a session, "__SESSION__".
    ///   - device: What is known of the device.
    /// - Returns: ``Outcome/ok``, ``Outcome/notRegistered`` or ``Outcome/windowClosed``.
    public nonisolated(nonsending) func conversionRequest(
        _ installID: String, event: String? = nil, device: Device = Device()
    ) async throws -> RequestResult {
        let answer = try await perform(installID) { texts in
            RequestCall(event: try texts.eventName(event), try texts.device(device))
        }
        let request = answer.url.map { ConversionRequest(url: String(taking: $0), ticket: answer.ticket) }
        return RequestResult(outcome: Outcome(answer.status), request: request)
    }

    /// Applies the endpoint's answer to a request. Clock. Rules, "Apply response", "SKAN 3 values".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - ticket: Of the request, below 2⁶³; 0 = none: the order of answers is then neither checked nor recorded.
    ///   - body: The answer's body as it came, at most 64 KiB (HTTP status 200 only).
    /// - Returns: ``Outcome/ok`` with the update for the app, ``Outcome/noNewValue``, ``Outcome/staleResponse``,
    ///   ``Outcome/windowLocked``, ``Outcome/windowClosed`` or ``Outcome/notRegistered``.
    /// - Throws: ``SKANError/Code/limitExceeded``, ``SKANError/Code/malformedResponse``,
    ///   ``SKANError/Code/illegalValue``, ``SKANError/Code/rejected`` with the endpoint's reason.
    @discardableResult
    public nonisolated(nonsending) func applyResponse(
        _ installID: String, ticket: UInt64 = 0, body: some Collection<UInt8> & Sendable
    ) async throws -> UpdateResult {
        UpdateResult(
            try await perform(installID) { texts in
                try translated { () throws(Failure) in try Arguments.checkTicket(ticket) }
                return ResponseCall(ticket: ticket, try texts.keep(body, "body"))
            })
    }

    /// The next value, after a session or an event: request, GET by the engine's transport, and apply, in one call.
    /// Where the engine has conversion models, the install's model decides instead: it counts the call as one session
    /// or event of the current window, also when it answers ``Outcome/noNewValue`` or ``Outcome/windowLocked``. A
    /// model's window never goes back: once something was counted in a window, an earlier clock counts as that window's
    /// first second. Where others change the record meanwhile, only the last step runs again, never the GET. Clock.
    /// Rules, "Update conversion values", "Event ids", "Model decision", "Model counts".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - event: 1...32 printable ASCII bytes; nil = a session, "__SESSION__".
    ///   - eventID: nil, or as for revenue, with memory of its own: among the install's last 64 of these calls, a
    ///     second call with the same id makes no request. Remembered when the call returns an outcome other than
    ///     ``Outcome/notRegistered``, not when it throws.
    ///   - device: What is known of the device.
    /// - Returns: As ``applyResponse(_:ticket:body:)``, or ``Outcome/duplicateEvent``.
    /// - Throws: As ``applyResponse(_:ticket:body:)``, ``SKANError/Code/transport`` with what the transport threw, and
    ///   ``SKANError/Code/misuse`` where the engine has neither transport nor models; with models
    ///   ``SKANError/Code/modelUnknown``.
    @discardableResult
    public nonisolated(nonsending) func updateConversionValues(
        _ installID: String, event: String? = nil, eventID: String? = nil, device: Device = Device()
    ) async throws -> UpdateResult {
        UpdateResult(
            try await perform(installID) { texts in
                let event = try texts.eventName(event)
                let id = try texts.eventID(eventID)
                return UpdateCall(event: event, eventID: id, try texts.device(device))
            })
    }
}
