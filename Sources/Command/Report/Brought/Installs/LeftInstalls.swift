internal import SKANCore

/// Installs that the estimates leave out, by reason.
struct LeftInstalls {
    var unregistered: UInt64 = 0
    var skan3: UInt64 = 0
    /// Younger than `InstallGroups.reportingAge`.
    var young: UInt64 = 0
    var withoutModel: UInt64 = 0
    var otherModels: UInt64 = 0
    /// The number of installs that are not left out, but have some revenue in a currency for which their model has no
    /// rate.
    var unrated: UInt64 = 0
    /// Records that could not be read.
    var damaged: UInt64 = 0
    /// The first few model versions that were not given, each with its number of installs.
    private(set) var versions: [(version: SHA256, installs: UInt64)] = []

    private static var mostVersions: Int { 16 }

    /// The reasons, each with its number of installs.
    var reasons: [(key: StaticString, words: StaticString, count: UInt64)] {
        [
            ("unregistered", "not registered", unregistered),
            ("skan_3", "of SKAN 3", skan3),
            ("too_young_to_have_reported", "too young to have reported (less than three and a half days old)", young),
            ("without_model", "without a model", withoutModel),
            ("other_models", "of models that were not given", otherModels),
            ("damaged", "could not be read", damaged),
        ]
    }

    var sum: UInt64 { unregistered &+ skan3 &+ young &+ withoutModel &+ otherModels &+ damaged }

    mutating func add(otherModel version: SHA256?) {
        guard let version else {
            withoutModel &+= 1
            return
        }
        otherModels &+= 1
        if let place = versions.firstIndex(where: { $0.version == version }) {
            versions[place].installs &+= 1
        } else if versions.count < LeftInstalls.mostVersions {
            versions.append((version, 1))
        }
    }
}
