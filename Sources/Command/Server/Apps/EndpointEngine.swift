import SKANCore
import SKANEngine
import SKANSystem

/// Rules, "Endpoint requests", "Endpoint decisions": answers the requests of apps with the same models.
final class EndpointEngine: Sendable {
    private let protocolVersion: ProtocolVersion
    /// The first model is for new users. Without models, SKAN 3 is the published test endpoint, and SKAN 4 answers that
    /// there is no model.
    private let models: [ConversionModel]
    private let records: InstallRecords
    private let clock: ServerClock

    init(
        _ protocolVersion: ProtocolVersion, _ models: [ConversionModel], _ records: InstallRecords,
        _ clock: ServerClock
    ) {
        self.protocolVersion = protocolVersion
        self.models = models
        self.records = records
        self.clock = clock
    }

    /// The status of a request, and the JSON of its answer. If the status is `.rejected`, the JSON has the reason.
    func answer(_ target: Bytes) throws(Failure) -> (status: Status, json: [UInt8]) {
        let call = try AnswerCall(target, protocolVersion, models)
        let now = clock.microseconds
        try checkTime(now)
        var status = Status.rejected
        if let key = call.read(at: now) {
            status = try records.perform(key, protocolVersion) { state throws(Failure) in try call.run(on: &state) }
        }
        return (status, call.json(status).array)
    }
}
