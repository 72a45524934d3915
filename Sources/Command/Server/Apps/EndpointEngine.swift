import SKANCore
import SKANEngine
import SKANSystem

/// Rules, "Endpoint requests", "Endpoint decisions", "Kept models": answers the requests of apps that share the same
/// models.
final class EndpointEngine: Sendable {
    private let protocolVersion: ProtocolVersion
    /// The first model is for new users. Without models, the engine is the published test endpoint of SKAN 3 if
    /// `isTest` is true; otherwise it answers new users that there is no model.
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

    /// If the status is `.rejected`, the JSON contains the reason.
    func answer(_ target: Bytes) throws(Failure) -> (status: Status, json: [UInt8]) {
        let older = users.models.older(protocolVersion)
        var unknown: SHA256?
        do throws(Failure) { return try answer(target, older, &unknown) } catch {
            guard let version = unknown, let model = try users.models.find(version) else { throw error }
            return try answer(target, older + [model], &unknown)
        }
    }

    /// If the user's model is neither in `models` nor in `older`, throws and sets `unknown` to that model's version.
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
