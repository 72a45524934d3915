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
        var texts = CallTexts()
        defer { texts.free() }
        let key = try texts.installKey(installID)
        let event = try texts.eventName(event)
        let device = try texts.device(device)
        try checkNotInHook()
        try checkNoModels()
        let now = try now()
        let state = try await state(key)
        guard state.isRegistered else { return RequestResult(outcome: .notRegistered, request: nil) }
        guard state.window(at: seconds(now)) != nil else { return RequestResult(outcome: .windowClosed, request: nil) }
        try translated { () throws(Failure) in try state.requireNoModel() }
        let request = ConversionRequest(
            url: url(event, device, state), ticket: try ticket(after: state.newestTicket, now))
        return RequestResult(outcome: .ok, request: request)
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
        var texts = CallTexts()
        defer { texts.free() }
        let key = try texts.installKey(installID)
        try translated { () throws(Failure) in try Arguments.checkTicket(ticket) }
        try checkNotInHook()
        try checkNoModels()
        let response = try response(body)
        let rule = ResponseApplication(response: response, ticket: ticket, now: seconds(try now()))
        var transaction = Transaction(rule, protocolVersion)
        let status = try await perform(&transaction, key)
        return UpdateResult(status, transaction.rule.update)
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
        var texts = CallTexts()
        defer { texts.free() }
        let key = try texts.installKey(installID)
        let event = try texts.eventName(event)
        let id = try texts.eventID(eventID)
        let device = try texts.device(device)
        try checkNotInHook()
        if !models.isEmpty { return try await decide(key, event, id) }
        guard let transport else {
            throw SKANError(
                .misuse, "transport: the engine was made without one; use request and apply, or give it one")
        }

        let start = try now()
        var beginning = Transaction(ConversionBeginning(eventID: id, now: seconds(start)), protocolVersion)
        let status = try await perform(&beginning, key)
        guard status == .ok else { return UpdateResult(status, nil) }
        let ticket = try ticket(after: beginning.state.newestTicket, start)
        let response = try response(try await get(url(event, device, beginning.state), transport))

        let application = ResponseApplication(response: response, ticket: ticket, now: seconds(try now()))
        var ending = Transaction(ConversionEnding(eventID: id, application: application), protocolVersion)
        let end = try await perform(&ending, key)
        return UpdateResult(end, ending.rule.update)
    }

    // MARK: Parts of these

    private func url(_ event: UnsafeRawBufferPointer, _ device: SKANCore.Device, _ state: InstallState) -> String {
        String(target.url(event: event, device: device, state: state))
    }

    private func ticket(after newest: UInt64, _ now: Int64) throws -> UInt64 {
        try translated { () throws(Failure) in try tickets.next(after: newest, now: now) }
    }

    private func response(_ body: some Collection<UInt8>) throws -> Response {
        try withBytes(of: body, "body") { body throws(Failure) in try Response(body, protocolVersion) }
    }

    private nonisolated(nonsending) func get(
        _ url: String, _ transport: @escaping Transport
    ) async throws -> [UInt8] {
        do {
            return try await HookCall.run(of: self) { try await transport(url) }
        } catch let error as CancellationError {
            throw error
        } catch SKANError.Code.limitExceeded {
            throw SKANError(.limitExceeded, "transport: the answer is longer than it takes")
        } catch {
            // libskan's own errors hold no secrets. Others may, so that only their type is named.
            let words = (error as? SKANError)?.message ?? "threw \(type(of: error))"
            throw SKANError(.transport, "transport: \(words)", underlying: error)
        }
    }
}
