import SKANCommandRows
import SKANCore
import SKANTruth

/// The counts for a report. Memory grows with the number of networks, campaigns and days, not with postbacks.
struct Tally {
    private var index: TallyIndex
    let dimension: ReportDimension
    private(set) var days = ArrivalDays()
    private var values = InlineArray<2, ValueCounts>(repeating: ValueCounts())
    private(set) var counted: UInt64 = 0
    /// The arrival times of the first and the last counted postback in Unix seconds; nil if there are none.
    private(set) var arrived: (first: Int64, last: Int64)?
    var refused = RefusedCounts()
    private(set) var quality = QualityTally()
    /// The names of the events that the lines count.
    private(set) var events = EventNames()
    /// Whether a sum of money exceeded `Money.mostReported`.
    private(set) var isFull = false
    /// The values of installs and redownloads, for estimates; nil if none were asked for.
    var installValues: PostbackValues?

    init(_ dimension: ReportDimension = .campaign) {
        self.dimension = dimension
        index = TallyIndex(dimension)
    }

    var lines: [TallyLine] { index.lines }
    subscript(values group: ConversionGroup) -> ValueCounts { values[group.rawValue] }

    mutating func add(refused observed: borrowing ObservedPostback) {
        refused[observed.refusedReason] += 1
        quality.add(refused: observed)
    }

    /// Counts a postback that was not refused. If its type is unknown, it is counted separately and enters no figure.
    mutating func add(_ observed: borrowing ObservedPostback, _ models: RevenueModels, _ campaigns: Campaigns) {
        let (group, window, received) = (observed.conversion.group, observed.window, observed.received)
        quality.add(observed)
        counted += 1
        arrived = arrived.map { (min($0.first, received), max($0.last, received)) } ?? (received, received)
        if observed.conversion == .unknownType { return }
        let line = index.line(of: observed, campaigns)
        guard observed.isWinning else {
            index.lines[line].counts[group, window].lost += 1
            return
        }
        index.lines[line].counts[group, window].conversions[observed.conversion] += 1
        if window == .first, observed.conversion != .redownload {
            index.lines[line].counts[dates: group].widen(to: observed.dates)
        }
        if window == .first, observed.conversion == .install { days.addInstall(arrived: received, observed.dates) }
        if group == .installs, window == .first {
            index.lines[line].counts.weeks.addInstall(arrived: received)
            if dimension == .campaign { index.lines[line].counts.countries.addInstall(observed.country) }
        }
        if group == .installs {
            addInstallValue(of: observed, models, line: index.lines[line].number)
            for event in events.numbers(of: models.events(of: observed)) {
                index.lines[line].counts.events.add(event, window)
            }
        }
        addValue(of: observed, models, to: line)
    }

    private mutating func addInstallValue(of observed: borrowing ObservedPostback, _ models: RevenueModels, line: Int) {
        if observed.window == .first {
            installValues?.add(ReportedPostback(observed), line: line, model: models.place(observed))
        } else {
            installValues?.add(later: ReportedPostback(observed), line: line)
        }
    }

    private mutating func addValue(of observed: borrowing ObservedPostback, _ models: RevenueModels, to line: Int) {
        let (group, window) = (observed.conversion.group, observed.window)
        let value = values[group.rawValue].add(observed, models)
        let isFine = index.lines[line].counts[group, window].add(value)
        isFull = isFull || !isFine
    }

    /// Adds the counted costs, including those of campaigns without postbacks.
    mutating func add(_ costs: CountedCosts, _ campaigns: Campaigns) {
        isFull = isFull || costs.isFull
        for row in costs.rows {
            // An identifier may have a row for each day; all of them belong to the line of the first row.
            let place = campaigns.place(row.network, row.identifier, of: row.app)
            let line = index.line(row.network, row.identifier.campaign, campaigns, row: place)
            if !index.lines[line].counts.add(cost: row.cost) { isFull = true }
        }
    }

    /// Sorts the lines by network, campaign and ad set. Do not count anything afterwards.
    mutating func end() { index.end() }

    /// Frees the lines, of which there may be many. Call this once the report's lines are made from them.
    mutating func dropLines() { index = TallyIndex(dimension) }
}
