import SKANCommandRows
import SKANCore

/// The tally of each app, as a report on that app alone would have it. Empty as long as all postbacks are of one app,
/// because the tally of the whole report is then also the tally of the app.
struct AppTallies {
    private var only: Int64?
    private var tallies: [Int64: Tally] = [:]
    private var refused: [Int64: RefusedCounts] = [:]

    /// The apps' ids in ascending order; empty if all postbacks are of one app.
    var apps: [Int64] { tallies.keys.sorted() }

    subscript(app: Int64) -> Tally? {
        guard var tally = tallies[app] else { return nil }
        tally.refused = refused[app] ?? RefusedCounts()
        return tally
    }

    /// Returns whether a postback of `app` is the first of a second app. If so, call `divide` before counting it.
    mutating func isSecond(_ app: Int64?) -> Bool {
        guard tallies.isEmpty, let app else { return false }
        let first = only ?? app
        only = first
        return first != app
    }

    /// Begins to count each app separately. `whole`: the tally of all postbacks so far, which are of one app.
    mutating func divide(_ whole: Tally) {
        guard let only else { return }
        var first = whole
        first.installValues = nil
        tallies[only] = first
    }

    /// Counts a postback that was not refused.
    mutating func add(_ observed: borrowing ObservedPostback, _ models: RevenueModels, _ campaigns: Campaigns) {
        guard !tallies.isEmpty, let app = observed.app, let dimension = tallies.values.first?.dimension else { return }
        tallies[app, default: Tally(dimension)].add(observed, models, campaigns)
    }

    mutating func add(refused observed: borrowing ObservedPostback) {
        guard let app = observed.app else { return }
        refused[app, default: RefusedCounts()][observed.refusedReason] += 1
    }
}
