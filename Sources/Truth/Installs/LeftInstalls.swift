package import SKANCore

/// The numbers of installs that the estimates leave out, by reason.
package struct LeftInstalls {
    package internal(set) var unregistered: UInt64 = 0
    package internal(set) var skan3: UInt64 = 0
    /// Younger than `InstallGroups.reportingAge`.
    package internal(set) var young: UInt64 = 0
    package internal(set) var withoutModel: UInt64 = 0
    package internal(set) var otherModels: UInt64 = 0
    /// The number of installs that are not left out, but have some revenue in a currency for which their model has no
    /// rate.
    package internal(set) var unrated: UInt64 = 0
    /// The number of records that could not be read.
    package internal(set) var damaged: UInt64 = 0
    /// Up to 16 versions of models that the report was not given, each with its number of installs.
    package private(set) var versions: [(version: SHA256, installs: UInt64)] = []

    private static var mostVersions: Int { 16 }

    mutating func add(otherModel version: SHA256?) {
        guard let version else {
            withoutModel += 1
            return
        }
        otherModels += 1
        if let place = versions.firstIndex(where: { $0.version == version }) {
            versions[place].installs += 1
        } else if versions.count < LeftInstalls.mostVersions {
            versions.append((version, 1))
        }
    }
}
