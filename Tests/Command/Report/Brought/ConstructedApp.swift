import SKANCore
import SKANPostbackReceiving
import Testing

@testable import SKANCommandReport
@testable import SKANCommandRows
@testable import SKANTruth

/// An app whose installs and postbacks a test lays down one by one, and the report of them.
struct ConstructedApp {
    static let day: Int64 = 86_400
    /// Those until which every install has an estimate: of the others own installs would have to be older.
    static let horizons = Horizon.ofWindows + [.toDate]
    static let now: Int64 = 1_760_000_000
    /// Values 0 and 1 stand for no revenue, 2 for 1 dollar or more, 3 for 10 or more.
    private static let document = """
        {"schema": 1, "id": "constructed", "currency": "USD", "rates": {"EUR": "1.10"}, "windows": [
            {"rules": [
                {"fine": 0, "coarse": 0, "when": {}},
                {"fine": 1, "coarse": 0, "when": {"sessions": {"min": 2}}},
                {"fine": 2, "coarse": 1, "when": {"revenue": {"kind": "all", "min": 1, "max": 10}}},
                {"fine": 3, "coarse": 2, "when": {"revenue": {"kind": "all", "min": 10}}}]},
            {"rules": [{"coarse": 0, "when": {}}]}, {"rules": [{"coarse": 0, "when": {}}]}]}
        """

    /// The second one differs by its id alone.
    private let versions: [SHA256]
    private var models = RevenueModels()
    private var groups: InstallGroups
    private var tally = Tally()

    init() throws {
        let second = ConstructedApp.document.split(separator: "constructed").joined(separator: "second")
        let read = try [ConstructedApp.document, second].map { document in
            try Array(document.utf8).withUnsafeBytes { try ConversionModel.read(json: $0) }
        }
        versions = read.map { $0.version }
        for model in read { _ = models.add(model) }
        groups = InstallGroups(models, now: ConstructedApp.now)
        tally.installValues = PostbackValues()
    }

    /// Installs of the app's own store. `revenue`: what each brought in windows 0, 1 and 2, in `currency`; `after`: what it
    /// brought after them; `later`: the coarse values of windows 1 and 2.
    mutating func addInstalls(
        _ count: Int, days: Double, fine: UInt8, revenue: [Double] = [], currency: StaticString = "USD",
        after: Double = 0, model: Int = 0, later: [UInt8?] = []
    ) throws {
        var install = InstallState(.skan4)
        install.conversion.first = ConstructedApp.now - Int64(days * Double(ConstructedApp.day))
        install.conversion.last = install.conversion.first
        install.conversion.fine = fine
        install.conversion.windows[.first].coarse = fine > 0 ? fine - 1 : 0
        for (window, coarse) in zip([Window.second, .third], later) {
            install.conversion.windows[window].coarse = coarse
        }
        install.conversion.model = InstallModel(versions[model])
        let currency = try #require(Currency(currency.bytes))
        for (window, amount) in zip(Window.all, revenue) where amount != 0 {
            let money = Money(units: Int128(amount * 100) * Money.scale / 100)
            for table in [RevenueTable.lifetime(.iap), .window(window, .iap)] {
                #expect(install.revenue.add(money, currency, to: table) == nil)
            }
        }
        if after != 0 {
            let money = Money(units: Int128(after * 100) * Money.scale / 100)
            #expect(install.revenue.add(money, currency, to: .lifetime(.iap)) == nil)
        }
        for _ in 0..<count { groups.add(install) }
    }

    /// Winning postbacks of a campaign, of window 0 unless another is named; later ones have two digits.
    mutating func addPostbacks(
        _ count: Int, days: Double, until: Double? = nil, fine: Int? = nil, coarse: Int? = nil,
        of campaign: String = "39", model: Int = 0, isOfOtherModel: Bool = false, isUndecided: Bool = false,
        window: Window = .first, network: String = "n", conversion: AdConversion = .install
    ) {
        let installed = ConstructedApp.now - Int64(days * Double(ConstructedApp.day))
        let latest = until.map { ConstructedApp.now - Int64($0 * Double(ConstructedApp.day)) } ?? installed
        let digits = window == .first ? campaign : String(campaign.suffix(2))
        let version = isOfOtherModel ? SHA256(words: InlineArray<8, UInt32>(repeating: 1)) : versions[model]
        for _ in 0..<count {
            tally.add(
                ObservedPostback(
                    outcome: .counted, result: .valid, window: window, conversion: conversion,
                    isWinning: true, fine: fine, coarse: coarse, decoding: .notDecoded,
                    model: isUndecided ? nil : version,
                    network: [UInt8](network.utf8),
                    identifier: CampaignIdentifier([UInt8](digits.utf8)[...]), app: 1,
                    received: installed + 4 * ConstructedApp.day,
                    dates: EstimatedDates(from: installed, until: latest, untilUnlocked: latest)),
                models, .none)
        }
    }

    /// What the report says of all campaigns, then of each, by horizon.
    func report() -> [BroughtLine] { reportWithOrganic().lines }

    /// What the estimates rest on.
    func basis() -> BroughtBasis {
        var tally = tally
        tally.end()
        var lines = ReportLines(tally, .none)
        return lines.add(what: &tally, groups)
    }

    /// The report's lines as a target and costs make them.
    func lines(
        _ target: ReturnTarget? = nil, campaigns: Campaigns = .none, _ filter: ReportFilter = ReportFilter()
    ) -> [ReportLine] {
        var tally = tally
        let costs = CountedCosts(campaigns, filter, madeAt: ConstructedApp.now)
        tally.add(costs, campaigns)
        tally.end()
        var lines = ReportLines(tally, campaigns)
        _ = lines.add(what: &tally, groups, target, costs, filter)
        return lines.lines
    }

    /// Groups of installs that a test lays down.
    static func groups(_ lay: (inout ConstructedApp) throws -> Void) throws -> InstallGroups {
        var app = try ConstructedApp()
        try lay(&app)
        return app.groups
    }

    func reportWithOrganic(
        _ filter: ReportFilter = ReportFilter()
    ) -> (lines: [BroughtLine], organic: OrganicInstalls) {
        var tally = tally
        tally.end()
        var lines = ReportLines(tally, .none)
        let basis = lines.add(what: &tally, groups, nil, .none, filter)
        let told = lines.lines.filter { $0.level == .total || $0.level == .campaign }
        return (told.compactMap { $0.brought }, basis.organic)
    }

    func total(_ horizon: Horizon) throws -> BroughtFigure { try #require(report().first?[horizon].figure) }
}

extension Optional {
    func require() throws -> Wrapped { try #require(self) }
}
