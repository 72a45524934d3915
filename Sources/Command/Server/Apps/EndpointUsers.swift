/// What engines know of users: their records, the models that they began with, and the time.
struct EndpointUsers: Sendable {
    let records: InstallRecords
    let models: KeptModels
    let clock: ServerClock
}
