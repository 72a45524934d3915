/// What all engines share about users: their records, the models that they began with, and the clock.
struct EndpointUsers: Sendable {
    let records: InstallRecords
    let models: KeptModels
    let clock: ServerClock
}
