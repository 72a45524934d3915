internal import SKANCore
internal import SKANEngine
internal import SKANSystem

/// Rules, "Endpoint requests", "Endpoint decisions": answers the requests of apps that have the same models.
final class EndpointEngine: Sendable {
    private let protocolVersion: ProtocolVersion
    /// The first one is for new users. None: of SKAN 3 it is the published test endpoint, of SKAN 4 it says so.
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

    /// How a request ended, with the JSON it is answered with; of `.rejected` that holds the reason.
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
