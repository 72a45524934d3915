internal import SKANCore
internal import SKANEngine

/// The result of ``Engine/answerRequest(_:)``.
public struct AnswerResult: Hashable, Sendable {
    /// ``Outcome/ok`` (a value), ``Outcome/noNewValue`` or ``Outcome/windowLocked``; nil if the answer is a reason, in
    /// the words of the published endpoint.
    public let outcome: Outcome?

    /// The answer's body, for HTTP status 200.
    public let json: String
}

extension Engine {
    /// The other side of ``conversionRequest(_:event:device:)``: answers a request to a conversion-value endpoint. The
    /// engine's conversion models decide, the first of them for new users, from what the request says about the install
    /// and from the counts of sessions and events, which requests do not carry: they are in the engine's store, in a
    /// record for each app and user (idfv, otherwise idfa; one of zeros is none) whose key begins with the path's
    /// version, "v2/com.app/..." for an idfv, "v2-idfa/com.app/..." for an idfa. A first-call timestamp other than
    /// before is a new install of that user: its counts start again, by the first model. An engine of SKAN 3 without
    /// models is the published test endpoint: it answers 0, 1, 2 to the first three events of a user, then no value,
    /// and asks neither for a key nor for an app. The same request counts its event again. Clock. Rules, "Endpoint
    /// requests", "Endpoint users", "Endpoint decisions", "Test endpoint".
    ///
    /// - Parameter target: Path and query, as they stand in the request line: "/api/v2/conversion_value?a=...", v1 for
    ///   SKAN 3; at most 65 536 bytes.
    /// - Throws: ``SKANError/Code/invalidArgument`` (the path is another one, or the target too long),
    ///   ``SKANError/Code/misuse`` where the engine has a transport, ``SKANError/Code/modelUnknown``.
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
        let (status, _) = try await perform(&call, key, String(decoding: key, as: UTF8.self))
        return AnswerResult(outcome: Outcome(status), json: String(call.json(status)))
    }
}
