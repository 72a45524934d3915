internal import SKANCore

/// Versions that a store gave to one key, none of which may come twice.
struct GivenVersions {
    private(set) var numbers: [UInt64] = []

    mutating func add(_ version: UInt64) { numbers.append(version) }
    mutating func add(_ versions: [UInt64]) { numbers += versions }

    /// One that is there twice.
    var repeated: UInt64? {
        let sorted = numbers.sorted()
        return zip(sorted, sorted.dropFirst()).first { $0 == $1 }?.0
    }

    func expectNoRepetition() throws(LawEnd) {
        guard let repeated else { return }
        throw .broken("version \(repeated) came more than once among \(numbers.count) of one key")
    }
}
