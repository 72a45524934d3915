import SKANCore
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

private let moment: Int64 = 1_700_000_000

private func installOpened(by reference: String) -> InstallState {
    var install = InstallState(.skan4)
    var conversion = Conversion(.skan4)
    conversion.first = moment
    install.reengagements = [
        Reengagement(number: 1, conversion, tag: [], openID: [], reference: Array(reference.utf8))
    ]
    return install
}

private func line(_ level: ReportLevel, _ network: String, _ dimension: ReportDimension = .campaign) -> ReportLine {
    var line = ReportLine(level: level)
    line.dimension = dimension
    line.network = Array(network.utf8)
    line.identifier = Array("39".utf8)
    return line
}

/// The place of the line that a reference names, in a report with a total and these lines.
private func lineNamed(_ reference: String, among lines: [ReportLine]) -> Int? {
    var opens = ReportedOpens("memory", from: nil, to: nil)
    opens.add(installOpened(by: reference))
    return opens.lines(of: [ReportLine(level: .total)] + lines).first?.line
}

private func lineNamed(_ reference: String, _ dimension: ReportDimension) -> Int? {
    lineNamed(reference, among: [line(.campaign, "one.example", dimension)])
}

@Test func aReferenceNamesACampaignByItsIdentifier() {
    #expect(lineNamed("39", .campaign) == 1 && lineNamed("one.example/39", .campaign) == 1)
    #expect(lineNamed("40", .campaign) == nil)
}

/// A country, or an app that showed ads, may have the same text.
@Test func linesOfOtherDimensionsAreNotNamed() {
    #expect(lineNamed("39", .sourceApp) == nil && lineNamed("39", .country) == nil)
}

@Test func aNameInTwoNetworksNamesNeitherUnlessTheNetworkStandsBeforeIt() {
    for level in [ReportLevel.campaign, .adSet] {
        let lines = [line(.campaign, "one.example"), line(level, "two.example")]
        #expect(lineNamed("39", among: lines) == nil)
        #expect(lineNamed("one.example/39", among: lines) == 1 && lineNamed("two.example/39", among: lines) == 2)
    }
}

@Test func aCampaignIsNamedRatherThanAnAdSetOfItsOwnWithItsIdentifier() {
    let lines = [line(.campaign, "one.example"), line(.adSet, "one.example")]
    #expect(lineNamed("39", among: lines) == 1 && lineNamed("one.example/39", among: lines) == 1)
    #expect(lineNamed("39", among: [lines[0], lines[0]]) == nil)
}

@Test func opensCountFromTheFirstMomentUpToTheLastAndNotAtTheLast() {
    for (from, to, count) in [
        (moment, moment + 1, 1), (moment, moment, 0), (moment - 1, moment, 0), (moment + 1, moment + 2, 0),
    ] as [(Int64, Int64, UInt64)] {
        var opens = ReportedOpens("memory", from: from, to: to)
        opens.add(installOpened(by: "39"))
        #expect(opens.sum.opens == count && opens.installs == count, "from \(from) to \(to)")
        #expect(opens.references.count == Int(count))
    }
}
