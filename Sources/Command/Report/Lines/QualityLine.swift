/// A network's line in the part on data quality.
struct QualityLine {
    /// The network's id; empty for postbacks that name no network.
    let network: [UInt8]
    /// The network's name in the campaigns' file.
    let networkName: [UInt8]?
    let quality: NetworkQuality
    let warnings: [QualityWarning]

    var title: [UInt8] { line.title }

    /// A line without counts, which provides the network's title.
    var line: ReportLine {
        var line = ReportLine(level: .network)
        line.network = network
        line.networkName = networkName
        return line
    }
}
