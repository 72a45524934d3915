import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

/// The report as one JSON document. Amounts are strings with exact decimals.
extension Report {
    func printJSON() {
        var json = JSONWriter(capacity: 65_536)
        json.beginObject()
        json.member("schema", 2)
        json.write("made_at", moment: madeAt)
        json.member("store", text: store.utf8)
        json.object("filters") { $0.writeMembers(filter) }
        json.member("currency", text: currency == nil ? nil : currencyText.utf8)
        json.write(costRates)
        json.write(costs)
        json.write("counted", count: tally.counted)
        json.object("arrived") {
            $0.write("first", moment: tally.arrived?.first)
            $0.write("last", moment: tally.arrived?.last)
        }
        if let brought = total.brought {
            json.write("estimated_revenue_to_date", brought.figures, .toDate)
        }
        json.writeValues(tally)
        json.write(quality)
        if let basis {
            json.write(basis, of: self)
            json.write(basis.organic)
            json.write(target, hasCosts: hasCosts)
            // Lines have extrapolated revenue even if it is also estimated. This says what extrapolation is based on.
            json.member(
                "extrapolated_basis",
                text: [UInt8]("values alone; estimates with installs are in estimated_revenue".utf8))
        }
        if let opens { json.write(opens, lines) }
        if !apps.isEmpty { json.write(apps) }
        json.key("total")
        json.write(lines, by: dimension)
        json.endObject()
        StandardOutput.line(json.finish())
    }
}

extension JSONWriter {
    /// Writes "apps": the figures of each app alone.
    fileprivate mutating func write(_ apps: [Report]) {
        objects("apps", apps) { json, app in
            json.member("app", app.filter.app)
            json.write(app.costs)
            json.write("counted", count: app.tally.counted)
            json.writeValues(app.tally)
            json.key("total")
            json.write(app.lines, by: app.dimension)
        }
    }

    /// Writes the counts of refused postbacks, of values, and of installs by the day of arrival.
    fileprivate mutating func writeValues(_ tally: Tally) {
        object("refused") { $0.writeMembers(tally.refused.reasons) }
        writeMembers(tally[values: .installs])
        object("reengagement") { $0.writeMembers(tally[values: .reengagements]) }
        write(tally.days.days)
    }

    fileprivate mutating func writeMembers(_ filter: ReportFilter) {
        member("network", text: filter.network)
        member("app", filter.app)
        write("from", moment: filter.from)
        write("to", moment: filter.to)
    }

    /// Writes "cost_rates": the rates by which costs in other currencies were converted.
    fileprivate mutating func write(_ rates: [CostRate]) {
        objects("cost_rates", rates) { json, rate in
            json.member("currency", text: Message(writing: rate.currency.write).utf8)
            json.member("rate", text: rate.rate.shortestText.utf8)
            json.member("model", text: rate.model.id)
            json.member("version", text: Message(writing: rate.model.version.write).utf8)
        }
    }

    /// Writes "costs": the sums of costs that are counted, and of those that are not.
    fileprivate mutating func write(_ costs: CountedCosts) {
        object("costs") {
            $0.write("counted", money: costs.counted)
            $0.write("counted_without_date", money: costs.withoutDate)
            $0.write("not_reported_yet", money: costs.unreported)
            $0.write("outside_of_time", money: costs.outside)
        }
    }

    mutating func writeMembers(_ reasons: [CountedReason]) {
        for reason in reasons { write(reason.key, count: reason.count) }
    }

    fileprivate mutating func writeMembers(_ values: ValueCounts) {
        object("values_without_revenue") { $0.writeMembers(values.unpriced.reasons) }
        key("fine_values")
        beginArray()
        for index in values.fine.indices { integer(Int64(clamping: values.fine[index])) }
        endArray()
        key("coarse_values")
        beginArray()
        for window in values.coarse.indices {
            beginArray()
            for index in values.coarse[window].indices { integer(Int64(clamping: values.coarse[window][index])) }
            endArray()
        }
        endArray()
    }

    /// Writes "days": the installs by the day on which their postbacks arrived.
    fileprivate mutating func write(_ days: [ArrivalDay]) {
        objects("days", days) { json, day in
            json.member("arrived", text: utcDay(day.day * Day.seconds).utf8)
            json.write("installs", count: day.installs)
            json.write("installed_from", moment: day.installed.from)
            json.write("installed_until", moment: day.installed.untilUnlocked)
            json.write("installed_until_if_locked", moment: day.installed.until)
        }
    }
}

/// Methods that write members of a report's document. A value of nil is written as null.
extension JSONWriter {
    mutating func write(_ name: StaticString, count: UInt64) { member(name, Int64(clamping: count)) }

    /// `moment`: Unix seconds.
    mutating func write(_ name: StaticString, moment: Int64?) { member(name, text: moment.map { utcTime($0).utf8 }) }

    mutating func write(_ name: StaticString, money: Money?) { member(name, text: money?.exactText.utf8) }
}
