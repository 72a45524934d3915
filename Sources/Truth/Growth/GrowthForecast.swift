/// Forecasts the revenue of installs that are too young for a horizon: what they brought so far, plus what older
/// installs brought after that age.
struct GrowthForecast {
    private var urns: [GrowthUrn] = []
    /// For each group, the source of its growth until each horizon; nil if no older installs show that growth.
    private var sources: [[GrowthSource?]]
    private var progress: GrowthProgress
    private var pace: PaceAfterWindows
    /// The age in weeks from which on nothing is left to forecast, because the install is old enough for every horizon
    /// whose growth is known.
    let lastWeeks: Int

    init(_ groups: InstallGroups, models: Int) {
        var sources = [[GrowthSource?]](repeating: [], count: groups.groupCount)
        for horizon in GrowthSource.horizons {
            for model in 0..<models {
                let places = model * InstallGroup.count..<(model + 1) * InstallGroup.count
                let found = GrowthSources(places.map { groups[$0] }, horizon, firstUrn: urns.count)
                urns += found.urns
                for (place, source) in zip(places, found.sources) { sources[place].append(source) }
            }
        }
        self.sources = sources
        progress = GrowthProgress(groups, sources, urns)
        pace = PaceAfterWindows(groups)
        let known = GrowthSource.horizons.enumerated().filter { place, _ in sources.contains { $0[place] != nil } }
        lastWeeks = known.map { $0.element.weeks }.max() ?? 0
    }

    /// Whether older installs show how a group grows until a horizon.
    func isKnown(_ group: Int, _ horizon: Horizon) -> Bool {
        guard let place = GrowthSource.horizons.firstIndex(of: horizon) else { return true }
        return sources[group][place] != nil
    }

    mutating func beginDraw(_ numbers: inout DrawnNumbers) {
        for urn in urns.indices { urns[urn].beginDraw() }
        progress.beginDraw(&numbers)
        pace.beginDraw(&numbers)
    }

    /// Adds the forecast of one young install to `revenue`, at the horizons that the install is too young for. `known`:
    /// the install's revenue after window 2 so far. The time at which this revenue came is drawn, and the revenue is
    /// subtracted from horizons before that time.
    mutating func complete(
        _ revenue: inout InstallRevenue, known: Double = 0, group: Int, week: Int,
        _ odds: borrowing LaterOdds, _ numbers: inout DrawnNumbers
    ) {
        guard week < lastWeeks || known != 0 else { return }
        var growth = 0.0
        if week < Horizon.day35.weeks {
            // Purchases are rare, so an install is taken to bring all of its remaining growth at once, or nothing.
            let isToCome = !numbers.isDrawn(progress.shares[week])
            if week < Horizon.day7.weeks {
                let first = isToCome ? drawGrowth(group, 0, odds, &numbers) : 0
                revenue[Horizon.day7.rawValue] += first
                growth = first + drawGrowth(group, 1, odds, &numbers)
            } else if isToCome {
                growth = drawGrowth(group, 1, odds, &numbers)
            }
            revenue[Horizon.day35.rawValue] += growth
        }
        completeAfterWindows(&revenue, known: known, growth, group, week, odds, &numbers)
    }

    /// Adds the forecast of `count` young installs, of which only group and age are known, to `revenue`, at the
    /// horizons that they are too young for.
    mutating func complete(
        _ revenue: inout InstallRevenue, count: Int, group: Int, week: Int, _ numbers: inout DrawnNumbers
    ) {
        var sum = 0.0
        if week < Horizon.day35.weeks {
            let toCome = count - numbers.binomial(count, progress.shares[week])
            let isFirst = week < Horizon.day7.weeks
            let first = isFirst ? drawGrowths(toCome, group, 0, &numbers) : 0
            revenue[Horizon.day7.rawValue] += first
            sum = first + drawGrowths(isFirst ? count : toCome, group, 1, &numbers)
            revenue[Horizon.day35.rawValue] += sum
        }
        var begin = 0.0
        for (place, horizon) in Horizon.afterWindows.enumerated() {
            let end = pace.ends[place]
            if week < horizon.weeks {
                let progress = max(pace.progress(week), begin)..<end
                sum += drawGrowths(count, group, place + GrowthSource.ofWindows.count, from: progress, &numbers)
            }
            revenue[horizon.rawValue] += sum
            begin = end
        }
    }

    /// Draws the growth of `count` installs until a horizon, and returns the sum. `range`: for horizons after the
    /// windows, an older install's revenue counts only if it came at a progress in this range (see `PaceAfterWindows`).
    private mutating func drawGrowths(
        _ count: Int, _ group: Int, _ place: Int, from range: Range<Double>? = nil, _ numbers: inout DrawnNumbers
    ) -> Double {
        guard let source = sources[group][place] else { return 0 }
        var sum = 0.0
        urns[source.urn].drawMany(count, &numbers) { growth, numbers in
            if let range, !range.contains(numbers.part() * pace.progress(growth.week)) { return }
            sum += growth.amount * source.scale
        }
        return sum
    }

    /// Adds the forecast of one install to the horizons after window 2. `growth`: the install's forecast growth until
    /// the end of window 2.
    private mutating func completeAfterWindows(
        _ revenue: inout InstallRevenue, known: Double, _ growth: Double, _ group: Int, _ week: Int,
        _ odds: borrowing LaterOdds, _ numbers: inout DrawnNumbers
    ) {
        let age = pace.progress(week)
        // The drawn progress at which the known revenue came.
        let time = known == 0 ? 0 : numbers.part() * age
        var (begin, sum) = (0.0, growth)
        // Avoids an array of horizons, which would be allocated for each of the millions of installs.
        for place in pace.ends.indices {
            guard let horizon = Horizon(rawValue: Horizon.day60.rawValue + place) else { break }
            let end = pace.ends[place]
            if week < horizon.weeks {
                let progress = max(age, begin)..<end
                sum += drawAfterWindows(group, place + GrowthSource.ofWindows.count, progress, odds, &numbers)
            }
            revenue[horizon.rawValue] += sum - (known != 0 && time >= end ? known : 0)
            begin = end
        }
    }

    /// Draws an older install and returns its revenue after window 2; 0 if this revenue came at a progress outside of
    /// `range` (see `PaceAfterWindows`).
    private mutating func drawAfterWindows(
        _ group: Int, _ place: Int, _ range: Range<Double>, _ odds: borrowing LaterOdds,
        _ numbers: inout DrawnNumbers
    ) -> Double {
        guard let source = sources[group][place] else { return 0 }
        let growth = urns[source.urn].draw(&numbers, odds)
        guard growth.amount != 0, range.contains(numbers.part() * pace.progress(growth.week)) else { return 0 }
        return growth.amount * source.scale
    }

    /// For installs of this age, the mean share of their revenue between window 2 and now that came after a horizon.
    func partAfter(_ horizon: Horizon, week: Int) -> Double {
        guard let place = Horizon.afterWindows.firstIndex(of: horizon), pace.progress(week) > 0 else { return 0 }
        return max(1 - pace.ends[place] / pace.progress(week), 0)
    }

    private mutating func drawGrowth(
        _ group: Int, _ place: Int, _ odds: borrowing LaterOdds, _ numbers: inout DrawnNumbers
    ) -> Double {
        guard let source = sources[group][place] else { return 0 }
        return urns[source.urn].draw(&numbers, odds).amount * source.scale
    }
}
