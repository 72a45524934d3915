package import SKANCore

/// The data that the estimates of a report are based on.
package struct BroughtBasis {
    /// The number of the app's own installs that are old enough for each horizon.
    package let installs: PerHorizon<UInt64>
    package let left: LeftInstalls
    /// The number of installs and redownloads that postbacks report with a fine value.
    package private(set) var fine: UInt64 = 0
    /// The number of installs and redownloads that postbacks report with a coarse value alone.
    package private(set) var coarse: UInt64 = 0
    /// The number of installs and redownloads that postbacks report without a value.
    package private(set) var hidden: UInt64 = 0
    package let redownloads: UInt64
    /// The number of reported installs that are too young for each horizon, so that their revenue is forecast.
    package private(set) var young = PerHorizon<UInt64>(repeating: 0)
    package let organic: OrganicInstalls
    package let warnings: [AssumptionWarning]
    /// The fine values that postbacks reported, each with the number of the app's own installs that have it; sorted by
    /// model and value.
    package private(set) var behind: [ToldValueBasis] = []

    /// `later`: the checks of windows 1 and 2 for each network.
    package init(
        _ groups: InstallGroups, _ postbacks: PostbackValues, _ organic: OrganicInstalls, _ later: [[LaterCheck]]
    ) {
        self.init(groups, postbacks.values, organic, postbacks.facts, later)
    }

    init(
        _ groups: InstallGroups, _ values: [PostbackValueCount], _ organic: OrganicInstalls, _ facts: PostbackFacts,
        _ later: [[LaterCheck]]
    ) {
        self.organic = organic
        redownloads = facts.redownloads
        warnings = AssumptionWarning.all(groups, facts, values, later, organic)
        installs = groups.counted
        left = groups.left
        let today = groups.now / Day.seconds
        var postbacks = [UInt64](repeating: 0, count: groups.groupCount)
        for value in values {
            let count = UInt64(value.count)
            switch value.key.value {
            case .coarse: coarse += count
            case .hidden: hidden += count
            case .fine(let told):
                fine += count
                if groups.models.indices.contains(value.key.model) {
                    postbacks[value.key.model * InstallGroup.count + told] += count
                }
            }
            for horizon in Horizon.dated where today - value.key.day < horizon.seconds / Day.seconds {
                young[horizon.rawValue] += count
            }
        }
        for (place, count) in postbacks.enumerated() where count > 0 {
            let (model, value) = place.quotientAndRemainder(dividingBy: InstallGroup.count)
            let installs = UInt64(groups[model, value].installs)
            behind.append(
                ToldValueBasis(
                    model: groups.models[model].version, value: value, installs: installs, postbacks: count))
        }
    }

    /// The number of the app's own installs with the rarest of the reported values; nil if no postback of a given model
    /// carried a fine value.
    package var fewestBehindValue: UInt64? { behind.map { $0.installs }.min() }

    package var told: UInt64 { fine + coarse + hidden }
}

/// A fine value that postbacks reported, with the number of postbacks and of the app's own installs that have it.
package struct ToldValueBasis {
    package let model: SHA256
    package let value: Int
    package let installs: UInt64
    package let postbacks: UInt64
}
