import SKANCommandRows
import SKANCore
import SKANTruth

extension AssumptionWarning {
    /// The warning's name in JSON.
    var key: StaticString {
        switch finding {
        case .largestPayer: "largest_payer"
        case .cohorts, .cohortsOfPayers: "cohorts"
        case .olderVersions: "older_versions"
        case .missingValues: "missing_values"
        case .missingInstalls: "missing_installs"
        case .moreInstallsThanTheStore, .moreRevenueThanTheStore: "more_than_the_store"
        case .laterWindows: "later_windows"
        case .laterPostbacks: "later_postbacks"
        }
    }

    /// `networks`: the titles of the report's networks, in the order of its lines.
    func sentence(_ networks: [Message]) -> Message {
        switch finding {
        case .largestPayer:
            """
            One of the own installs brought \(percent(share)) of all revenue to date. Every estimate depends on \
            whether it is one of the line's.
            """
        case .cohorts: cohorts("Own installs")
        case .cohortsOfPayers: cohorts("Own installs that brought anything")
        case .olderVersions:
            """
            \(percent(share)) of the installs have a fine value by SKAdNetwork before 4.0, whose window ends 24 hours \
            after the last update: they may have brought more than own installs with that value.
            """
        case .missingValues:
            """
            \(percent(share)) of the postbacks whose source identifier has three or four digits have no value, though \
            Apple gives one there: the app did not call updatePostbackConversionValue.
            """
        case .missingInstalls:
            """
            For \(percent(share)) of the installs that postbacks report, the store has no install of these \
            days with that value: installs are not registered there, or the store is of another app.
            """
        case .moreInstallsThanTheStore:
            """
            Postbacks report \(percent(share)) more installs than the store has: installs are not registered there, or \
            the store is of another app.
            """
        case .moreRevenueThanTheStore:
            """
            The campaigns are estimated to have brought \(percent(share)) more revenue than all own installs together: \
            postbacks report more installs with high values than the store has.
            """
        case .laterWindows(let network, let check): laterWindows(networks[network], check)
        case .laterPostbacks(let network, let check): laterPostbacks(networks[network], check)
        }
    }

    private func cohorts(_ whose: StaticString) -> Message {
        """
        \(whose) of the later half brought \(percent(share)) of what those of the earlier half with the same \
        value did from day 2 to day 7: forecasts take them for alike.
        """
    }

    private func laterWindows(_ network: Message, _ check: LaterCheck) -> Message {
        let what: StaticString =
            switch check.kind {
            case .any: "have a"
            case .aboveLow: "have a medium or high"
            case .high: "have a high"
            }
        return """
            \(percent(check.told / check.installs)) of the installs of \(network) \(what) value in window \
            \(check.window.rawValue), where own installs with the same values let expect \
            \(percent(check.expected / check.installs)): players that ads bring are unlike others of the same value.
            """
    }

    private func laterPostbacks(_ network: Message, _ check: LaterCheck) -> Message {
        let (told, expected) = (UInt64(max(check.told, 0)), UInt64(max(check.expected, 0)))
        return """
            Postbacks of window \(check.window.rawValue) report \(told.readable) values of \(network), where own \
            installs let expect \(expected.readable): too far apart to be explained by players. Estimates of this \
            network do not use them.
            """
    }
}

/// Returns a share in percent: "48 %".
private func percent(_ share: Double) -> Message { "\(BroughtFigure.text(share * 100, places: 0) ?? "?") %" }
