import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

private func observed(fine: Int) -> ObservedPostback {
    ObservedPostback(
        outcome: .counted, result: .valid, window: .first, conversion: .install, isWinning: true, fine: fine,
        coarse: nil, decoding: .notDecoded, model: nil, network: nil, identifier: CampaignIdentifier([]), app: nil,
        received: 0, dates: EstimatedDates(from: 0, until: 0, untilUnlocked: 0))
}

@Test func valuesThatNeverCameAreNotExplained() {
    var tally = Tally()
    for fine in [3, 5, 3] { tally.add(observed(fine: fine), RevenueModels(), .none) }
    tally.end()
    let report = Report(
        store: "store", madeAt: 0, filter: ReportFilter(), tally: tally, currency: nil,
        meanings: ValueMeanings(RevenueModels()), hasRevenue: false, basis: nil, lines: [])
    let chart = report.fineValuesChart
    #expect(chart.meanings.map { String(decoding: $0.term.utf8, as: UTF8.self) } == ["3", "5"])
    #expect(chart.remark?.utf8.elementsEqual("What the values mean, by the model:".utf8) == true)
}
