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
    ///   - ticket: The ticket of the request, below 2⁶³; 0 = none: the order of answers is then neither checked nor
    ///     recorded.
    ///   - body: The unchanged body of an answer with HTTP status 200, at most 64 KiB.
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

    /// Gets the next value after a session or an event: request, GET by the engine's transport, and apply, in one call.
    /// If the engine has conversion models, the install's model decides instead: it counts the call as one session or
    /// event of the current window, also when it answers ``Outcome/noNewValue`` or ``Outcome/windowLocked``. An
    /// install's window never goes back: once a value was taken or something was counted in a window, an earlier clock
    /// counts as that window's first second. Without a model, a clock that is more than an hour earlier than that
    /// second was set back on purpose, and is used as it is. If others change the record meanwhile, only the last step
    /// runs again, never the GET. Clock. Rules, "Update conversion values", "Event ids", "Windows", "Model decision",
    /// "Model counts".
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
        try await updateConversionValues(installID, event, eventID, device, nil)
    }

    /// The same for an event that carries its amount: revenue and event in one call, of which the model sees both. The
    /// amount is added as revenue, unless the event id is among those of revenue, and counts in the measures of the
    /// model that name the event. So one id counts an amount once and an event once, whether they come in one call, in
    /// two, or again. Clock. Rules, "Events with an amount", "Model measures".
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - event: 1...32 printable ASCII bytes; nil = a session, "__SESSION__".
    ///   - eventID: nil, or the id that makes a retry count once.
    ///   - device: What is known of the device.
    ///   - amount: Below 10¹² in magnitude; below zero a refund. nil: none came, and there is no currency either.
    ///   - currency: Three ASCII letters, ISO 4217.
    ///   - adMonetization: true = ad revenue, false = in-app purchase (IAP). SKAN 3 knows only the latter.
    /// - Returns: As without an amount. With ``Outcome/windowClosed`` the amount stays added.
    /// - Throws: As without an amount, and ``SKANError/Code/limitExceeded`` as for revenue. With models an error
    ///   changes nothing. With a transport the amount is saved before the request is made: give an event id, and repeat
    ///   the call.
    @discardableResult
    public nonisolated(nonsending) func updateConversionValues(
        _ installID: String, event: String? = nil, eventID: String? = nil, device: Device = Device(), amount: Amount?,
        currency: String? = nil, adMonetization: Bool = false
    ) async throws -> UpdateResult {
        let paid = EventMoney(given: amount.map { .exact($0) }, currency: currency, adMonetization: adMonetization)
        return try await updateConversionValues(installID, event, eventID, device, paid)
    }

    /// The same for an amount that is a `Double`, read as its shortest decimal form.
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - event: 1...32 printable ASCII bytes; nil = a session, "__SESSION__".
    ///   - eventID: nil, or the id that makes a retry count once.
    ///   - device: What is known of the device.
    ///   - amount: Finite, below 10¹² in magnitude; below zero a refund.
    ///   - currency: Three ASCII letters, ISO 4217.
    ///   - adMonetization: true = ad revenue, false = in-app purchase (IAP). SKAN 3 knows only the latter.
    @discardableResult
    public nonisolated(nonsending) func updateConversionValues(
        _ installID: String, event: String? = nil, eventID: String? = nil, device: Device = Device(), amount: Double,
        currency: String? = nil, adMonetization: Bool = false
    ) async throws -> UpdateResult {
        let paid = EventMoney(given: .number(amount), currency: currency, adMonetization: adMonetization)
        return try await updateConversionValues(installID, event, eventID, device, paid)
    }

    private nonisolated(nonsending) func updateConversionValues(
        _ installID: String, _ event: String?, _ eventID: String?, _ device: Device, _ paid: EventMoney?
    ) async throws -> UpdateResult {
        let protocolVersion = settings.protocolVersion
        return UpdateResult(
            try await perform(installID) { texts in
                let event = try texts.eventName(event)
                let id = try texts.eventID(eventID)
                let amount = try paid?.amount(protocolVersion, &texts)
                return UpdateCall(event: event, eventID: id, amount: amount, try texts.device(device))
            })
    }
}

/// The money that came with an event, as it was given.
struct EventMoney {
    let given: Revenue.Given?
    let currency: String?
    let adMonetization: Bool

    /// nil where there is none.
    func amount(_ protocolVersion: SKANCore.ProtocolVersion, _ texts: inout CallTexts) throws -> EventAmount? {
        guard let given, let currency else {
            if given == nil, currency == nil, !adMonetization { return nil }
            throw SKANError(.invalidArgument, "currency: expected an amount and its currency, got one of them")
        }
        let amount = try money(given)
        let letters = texts.keep(currency, limit: 3)
        return try translated { () throws(Failure) in
            EventAmount(
                amount: amount, currency: try Arguments.currency(letters),
                kind: try Arguments.kind(adMonetization: adMonetization, protocolVersion))
        }
    }
}
