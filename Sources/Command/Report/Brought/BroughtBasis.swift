internal import SKANCore

/// What the estimates of a report rest on.
struct BroughtBasis {
    /// The installs' store, without a password.
    let store: Message
    /// Those in groups, by horizon.
    let installs: InlineArray<4, UInt64>
    let left: LeftInstalls
    /// Of the installs that postbacks tell of: what is known of their values.
    private(set) var fine: UInt64 = 0
    private(set) var coarse: UInt64 = 0
    private(set) var hidden: UInt64 = 0
    /// So many of the installs that postbacks tell of are too young for a horizon: they are forecast.
    private(set) var young = InlineArray<4, UInt64>(repeating: 0)
    /// The fewest installs that stand behind a fine value which a postback told; nil where none did.
    private(set) var fewestBehindValue: UInt64?

    init(_ groups: InstallGroups, _ values: [PostbackValueCount], models: Int, store: Message) {
        self.store = store
        installs = groups.counted
        left = groups.left
        let today = groups.now / ArrivalDay.seconds
        for value in values {
            let count = UInt64(value.count)
            switch value.key.value {
            case .coarse: coarse &+= count
            case .hidden: hidden &+= count
            case .fine(let told):
                fine &+= count
                guard value.key.model < models else { break }
                let behind = UInt64(groups[value.key.model, told].installs)
                fewestBehindValue = min(fewestBehindValue ?? behind, behind)
            }
            for horizon in Horizon.dated where today - value.key.day < horizon.seconds / ArrivalDay.seconds {
                young[horizon.rawValue] &+= count
            }
        }
    }

    var told: UInt64 { fine &+ coarse &+ hidden }

    /// In plain words.
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

extension ReportLines {
    /// Tells of each line what its installs brought, from a tally that ended.
    mutating func add(
        what tally: inout Tally, _ groups: InstallGroups, _ models: RevenueModels, _ store: Message
    ) -> BroughtBasis {
        let hasSeveralApps = tally.installValues?.hasSeveralApps ?? false
        let values = tally.installValues?.end() ?? []
        tally.installValues = nil
        add(Brought(tally.lines, values, groups, models: models.count, hasSeveralApps: hasSeveralApps))
        return BroughtBasis(groups, values, models: models.count, store: store)
    }
}
