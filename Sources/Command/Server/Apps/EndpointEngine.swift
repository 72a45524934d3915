import SKANCore
import SKANEngine
import SKANSystem

/// Rules, "Endpoint requests", "Endpoint decisions", "Kept models": answers the requests of apps that share the same
/// models.
final class EndpointEngine: Sendable {
    private let protocolVersion: ProtocolVersion
    /// The models; the first is for new users. If there are none, the engine is the published test endpoint for SKAN 3
    /// if `isTest` is true; otherwise it tells new users that there is no model.
    private let models: [ConversionModel]
    private let isTest: Bool
    private let users: EndpointUsers

    init(
        _ protocolVersion: ProtocolVersion, _ models: [ConversionModel], isTest: Bool = false, _ users: EndpointUsers
    ) {
        self.isTest = isTest
        self.protocolVersion = protocolVersion
        self.models = models
        self.users = users
    }

    /// Answers a request with a status and JSON. If the status is `.rejected`, the JSON contains the reason.
    func answer(_ target: Bytes) throws(Failure) -> (status: Status, json: [UInt8]) {
        let older = users.models.older(protocolVersion)
        var unknown: SHA256?
        do throws(Failure) { return try answer(target, older, &unknown) } catch {
            guard let version = unknown, let model = try users.models.find(version) else { throw error }
            return try answer(target, older + [model], &unknown)
        }
    }

    /// Answers a request. If the user's model is neither one of the engine's nor in `older`, sets `unknown` to that
    /// model's version and throws.
    private func answer(
        _ target: Bytes, _ older: [ConversionModel], _ unknown: inout SHA256?
    ) throws(Failure) -> (status: Status, json: [UInt8]) {
        let call = try AnswerCall(target, protocolVersion, models, older: OlderModels(older, hasTest: isTest))
        let now = users.clock.microseconds
        try checkTime(now)
        var status = Status.rejected
        if let key = call.read(at: now) {
            var version: SHA256?
            defer { unknown = version }
            status = try users.records.perform(key, protocolVersion) { state throws(Failure) in
                do throws(Failure) { return try call.run(on: &state) } catch {
                    if error.status == .modelUnknown { version = state.conversion.model?.version }
                    throw error
                }
            }
        }
        return (status, call.json(status).array)
    }
}
