internal import SKANCore

/// The versions that a store gave to one key, none of which may come twice.
struct GivenVersions {
    /// The versions in the order in which they came.
    private(set) var numbers: [UInt64] = []
    private var known: Set<UInt64> = []

    mutating func add(_ version: UInt64) throws(LawEnd) {
        guard known.insert(version).inserted else {
            throw .broken("version \(version) came more than once among \(numbers.count + 1) of one key")
        }
        numbers.append(version)
    }

    func contains(_ version: UInt64) -> Bool { known.contains(version) }
}
