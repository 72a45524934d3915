internal import SKANCore

/// The data that the estimates of a report are based on.
struct BroughtBasis {
    /// The URL of the installs' store, without its password.
    let store: Message
    /// The number of own installs that are old enough for each horizon.
    let installs: PerHorizon<UInt64>
    let left: LeftInstalls
    /// The numbers of installs and redownloads that postbacks report with a fine value, with a coarse value alone, or
    /// with neither.
    private(set) var fine: UInt64 = 0
    private(set) var coarse: UInt64 = 0
    private(set) var hidden: UInt64 = 0
    /// How many of these installs are redownloads.
    let redownloads: UInt64
    /// How many reported installs are too young for each horizon, so that their revenue is forecast.
    private(set) var young = PerHorizon<UInt64>(repeating: 0)
    /// Organic installs, and the totals of the store.
    let organic: OrganicInstalls
    /// Assumptions that do not hold.
    let warnings: [AssumptionWarning]
    /// The own installs with each fine value that a postback reported, by model and value.
    private(set) var behind: [ToldValueBasis] = []

    init(
        _ groups: InstallGroups, _ values: [PostbackValueCount], _ models: RevenueModels, _ organic: OrganicInstalls,
        _ facts: PostbackFacts, _ later: [(network: Message, checks: [LaterCheck])], store: Message
    ) {
        self.store = store
        self.organic = organic
        redownloads = facts.redownloads
        warnings = AssumptionWarning.all(groups, facts, values, later, organic)
        installs = groups.counted
        left = groups.left
        let today = groups.now / Day.seconds
        var postbacks = [UInt64](repeating: 0, count: models.count * InstallGroup.count)
        for value in values {
            let count = UInt64(value.count)
            switch value.key.value {
            case .coarse: coarse &+= count
            case .hidden: hidden &+= count
            case .fine(let told):
                fine &+= count
                if value.key.model < models.count { postbacks[value.key.model * InstallGroup.count + told] &+= count }
            }
            for horizon in Horizon.dated where today - value.key.day < horizon.seconds / Day.seconds {
                young[horizon.rawValue] &+= count
            }
        }
        for (place, count) in postbacks.enumerated() where count > 0 {
            let (model, value) = place.quotientAndRemainder(dividingBy: InstallGroup.count)
            guard let version = models[model]?.model.version else { continue }
            let installs = UInt64(groups[model, value].installs)
            behind.append(ToldValueBasis(model: version, value: value, installs: installs, postbacks: count))
        }
    }

    /// The smallest number of own installs with a reported value; nil if no postback carried a fine value.
    var fewestBehindValue: UInt64? { behind.map { $0.installs }.min() }

    var told: UInt64 { fine &+ coarse &+ hidden }

    /// The assumptions in plain words.
    static var assumptions: [StaticString] {
        [
            "An install that an ad brought brings as much as the app's own installs with the same value.",
            "Apple hides values by the size of the crowd, not by what they are.",
            "The store of installs is of this app, and has all of them.",
            "Installs that are too young for a horizon will bring what older ones brought.",
            "Rates between currencies are those of the models.",
        ]
    }
}

/// A fine value that postbacks reported.
struct ToldValueBasis {
    let model: SHA256
    let value: Int
    /// The number of the app's own installs with that value.
    let installs: UInt64
    let postbacks: UInt64
}

extension ReportLines {
    /// Adds to each line the estimated revenue of its installs, from a tally that has ended.
    mutating func add(
        what tally: inout Tally, _ groups: InstallGroups, _ models: RevenueModels, _ store: Message,
        _ target: ReturnTarget? = nil, _ costs: CountedCosts = .none, _ filter: ReportFilter = ReportFilter()
    ) -> BroughtBasis {
        let hasSeveralApps = tally.installValues?.hasSeveralApps ?? false
        let values = tally.installValues?.end() ?? []
        let facts = tally.installValues?.facts ?? PostbackFacts()
        let later = tally.installValues?.later ?? LaterPostbacks()
        tally.installValues = nil
        let brought = Brought(
            tally.lines, values, groups, models: models.count, hasSeveralApps: hasSeveralApps, costs, later,
            isWhole: filter.isOfAllTimes, isByCampaign: tally.dimension == .campaign)
        add(brought, target)
        if let later = brought.later { add(later) }
        let organic = brought.organic(lines.first?.brought?.figures.all ?? [], areKnown: filter.isOfAllPostbacks)
        return BroughtBasis(groups, values, models, organic, facts, laterChecks, store: store)
    }
}
