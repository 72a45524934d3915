internal import SKANCore
internal import SKANEngine

/// The result of ``Engine/answerRequest(_:)``.
public struct AnswerResult: Hashable, Sendable {
    /// The outcome: ``Outcome/ok`` (the answer has a value), ``Outcome/noNewValue`` or ``Outcome/windowLocked``. nil if
    /// the request is refused; ``json`` then gives the reason in the words of the published endpoint.
    public let outcome: Outcome?

    /// The answer's body, for HTTP status 200.
    public let json: String
}

extension Engine {
    /// Answers a request to a conversion-value endpoint: the counterpart of ``conversionRequest(_:_:)``. The engine's
    /// conversion models decide; the first of them is for new users. They decide from what the request says about the
    /// install, and from counts of sessions and events. Requests do not carry these counts, so the engine's store keeps
    /// them in a record for each app and user. The user is the idfv, otherwise the idfa, or the sing, sdid or
    /// custom_user_id of clients that send neither; an id of zeros counts as none. The record's key begins with the
    /// path's version: "v2/com.app/..." for an idfv, "v2-idfa/com.app/..." for an idfa.
    ///
    /// A new first-call timestamp means a new install of that user: its counts start again, with the first model. An
    /// engine of SKAN 3 without models is the published test endpoint: it answers 0, 1, 2 to a user's first three
    /// events, then no value, and requires neither a key nor an app.
    ///
    /// A request with an `event_id` that the user's record remembers is a repeat: it counts nothing, and is answered
    /// with the last value that was decided for the user. Ids are remembered for as long as an install's event ids. A
    /// request without an id counts each time. A UUID names the same user in capitals and in small letters. Reads the
    /// clock. Rules, "Endpoint requests", "Endpoint users", "Endpoint decisions", "Repeated requests", "Test endpoint".
    ///
    /// - Parameter target: The path and query, as in the request line: "/api/v2/conversion_value?a=...", with v1 for
    ///   SKAN 3; at most 65 536 bytes.
    /// - Throws: ``SKANError/Code/invalidArgument`` if the target has another path or is too long,
    ///   ``SKANError/Code/misuse`` if the engine has a transport, ``SKANError/Code/modelUnknown``.
    public nonisolated(nonsending) func answerRequest(_ target: String) async throws -> AnswerResult {
        var texts = CallTexts()
        defer { texts.free() }
        let target = texts.keep(target, limit: Limits.requestBytes)
        var call = try translated { () throws(Failure) in
            try AnswerCall(target, settings.protocolVersion, settings.models)
        }
        try checkNotInHook()
        try translated { () throws(Failure) in try call.check(settings) }
        guard let key = call.read(at: try now()) else {
            return AnswerResult(outcome: nil, json: String(call.json(.rejected)))
        }
        let (status, _) = try await perform(&call, key)
        return AnswerResult(outcome: Outcome(status), json: String(call.json(status)))
    }
}
