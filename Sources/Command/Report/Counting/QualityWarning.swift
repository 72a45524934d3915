/// A warning about the postbacks of a network.
enum QualityWarning {
    /// No postbacks arrive any more. `last`: the arrival of the last one, in Unix seconds. `days`: the number of full
    /// days since then. `active`: the number of days with a postback. `of`: the number of days examined, up to the day
    /// of the last postback.
    case stopped(last: Int64, days: Int64, active: Int64, of: Int64)
    /// The share of values without a meaning rose. `recent`: the counts of the 7 days up to the last postback.
    /// `earlier`: the counts of up to 83 days before these.
    case illegalRose(recent: ValueDay, earlier: ValueDay)

    /// The warning's name in JSON.
    var key: StaticString {
        switch self {
        case .stopped: "stopped"
        case .illegalRose: "illegal_share_rose"
        }
    }

    /// `end`: the end of the period that the report covers, in Unix seconds.
    static func all(_ days: ValueDays, until end: Int64) -> [QualityWarning] {
        if days.isEmpty { return [] }
        return [stopped(days, end), rose(days)].compactMap { $0 }
    }

    private static func stopped(_ days: ValueDays, _ end: Int64) -> QualityWarning? {
        let first = max(days.first, days.last - QualityStatistics.days + 1)
        let (observed, silent) = (days.last - first + 1, dayNumber(end) - days.last - 1)
        let active = days.active(first...days.last)
        let chance = QualityStatistics.chanceOfSilence(active: active, of: observed, silent: silent)
        guard chance < QualityStatistics.mostChance else { return nil }
        return .stopped(last: days.lastArrival, days: silent, active: active, of: observed)
    }

    private static func rose(_ days: ValueDays) -> QualityWarning? {
        let recentFrom = days.last - QualityStatistics.recentDays + 1
        let first = max(days.first, days.last - QualityStatistics.days + 1)
        guard first < recentFrom else { return nil }
        let (recent, earlier) = (days.sum(recentFrom...days.last), days.sum(first...(recentFrom - 1)))
        let chance = QualityStatistics.chanceOfRise(recent: recent, earlier: earlier)
        return chance < QualityStatistics.mostChance ? .illegalRose(recent: recent, earlier: earlier) : nil
    }
}
