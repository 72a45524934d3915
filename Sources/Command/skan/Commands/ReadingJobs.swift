import SKANCommandOutput
import SKANCore

/// The options of a command that reads all of a store.
protocol TakesJobs: SendableMetatype {
    var jobs: Int { get set }
}

extension OptionGroup where Values: TakesJobs {
    static var reading: OptionGroup {
        OptionGroup(
            "Reading",
            .number(
                "jobs", "N", 1...8, { $1(&$0.jobs) },
                "Reads the store over N connections at a time; the output is the same."))
    }
}

/// The options of a command that only reads a store.
struct AskedReading: TakesJobs {
    var jobs = 1
}
