import SKANCommandRows

/// The part of a report on data quality.
struct DataQuality {
    /// Networks with counted postbacks, sorted by id; then networks that only refused postbacks name, those with most
    /// postbacks first.
    private(set) var lines: [QualityLine] = []
    /// The number of networks that are left out of `lines`, and the number of refused postbacks that name them.
    private(set) var left: (networks: Int, postbacks: UInt64) = (0, 0)
    private(set) var total = NetworkQuality()
    /// The unknown types, versions and keys, each with its number of postbacks; the most frequent first.
    private(set) var unknown: [(name: UnknownName, count: UInt64)] = []

    /// The maximum number of networks without counted postbacks, and of unknown names, that are shown. Anybody can make
    /// up more.
    private static var shown: Int { 20 }

    init() {}

    /// `end`: the end of the period that the report covers, in Unix seconds.
    init(_ tally: QualityTally, _ campaigns: Campaigns, until end: Int64) {
        var refusedAlone: [QualityLine] = []
        for (network, quality) in tally.networks {
            total.add(quality)
            let line = QualityLine(
                network: network, networkName: campaigns.networkName(network), quality: quality,
                warnings: QualityWarning.all(quality.days, until: end))
            if quality.counted > 0 { lines.append(line) } else { refusedAlone.append(line) }
        }
        lines.sort { $0.network.lexicographicallyPrecedes($1.network) }
        refusedAlone.sort { one, other in
            let (first, second) = (one.quality.refusedCount, other.quality.refusedCount)
            return first == second ? one.network.lexicographicallyPrecedes(other.network) : first > second
        }
        lines += refusedAlone.prefix(DataQuality.shown)
        for line in refusedAlone.dropFirst(DataQuality.shown) {
            left = (left.networks + 1, left.postbacks + line.quality.refusedCount)
        }
        let names = tally.unknown.sorted { one, other in
            one.value == other.value ? one.key.name.lexicographicallyPrecedes(other.key.name) : one.value > other.value
        }
        unknown = names.prefix(DataQuality.shown).map { (name: $0.key, count: $0.value) }
    }

    var hasWarnings: Bool { lines.contains { !$0.warnings.isEmpty } }
    /// Whether the table has to show the part on data quality.
    var isRemarkable: Bool { total.isRemarkable || hasWarnings }

    /// Returns the quality of a network's postbacks, or of all postbacks if `network` is nil. Returns nil if `lines`
    /// does not have the network.
    func quality(of network: [UInt8]?) -> NetworkQuality? {
        guard let network else { return total }
        return lines.first { $0.network == network }?.quality
    }
}
