internal import SKANCommandOutput
internal import SKANCore

/// What a command fills that reads all of a store.
protocol TakesJobs: SendableMetatype {
    var jobs: Int { get set }
}

extension OptionGroup where Values: TakesJobs {
    /// How a store is read.
    static var reading: OptionGroup {
        OptionGroup(
            "Reading",
            .number(
                "jobs", "N", 1...8, { $1(&$0.jobs) },
                "Reads the store over N connections at a time; the output is the same."))
    }
}

/// What a command fills that does nothing but read a store.
struct AskedReading: TakesJobs {
    var jobs = 1
}
