import SKANCore
import Testing

@testable import SKANCommandReport

private func lineNamed(_ reference: String, _ dimension: ReportDimension) -> Int? {
    var install = InstallState(.skan4)
    var conversion = Conversion(.skan4)
    conversion.first = 1_700_000_000
    install.reengagements = [
        Reengagement(number: 1, conversion, tag: [], openID: [], reference: Array(reference.utf8))
    ]
    var opens = ReportedOpens("memory", from: nil, to: nil)
    opens.add(install)
    var line = ReportLine(level: .campaign)
    line.dimension = dimension
    line.network = Array("one.example".utf8)
    line.identifier = Array("39".utf8)
    return opens.lines(of: [ReportLine(level: .total), line]).first?.line
}

@Test func aReferenceNamesACampaignByItsIdentifier() {
    #expect(lineNamed("39", .campaign) == 1 && lineNamed("one.example/39", .campaign) == 1)
    #expect(lineNamed("40", .campaign) == nil)
}

/// A country, or an app that showed ads, may have the same text.
@Test func linesOfOtherDimensionsAreNotNamed() {
    #expect(lineNamed("39", .sourceApp) == nil && lineNamed("39", .country) == nil)
}
