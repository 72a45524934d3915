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
        json.key("filters")
        json.write(filter)
        json.member("currency", text: currency == nil ? nil : currencyText.utf8)
        json.write(costRates)
        json.write(costs)
        json.write("counted", count: tally.counted)
        json.key("arrived")
        json.beginObject()
        json.write("first", moment: tally.arrived?.first)
        json.write("last", moment: tally.arrived?.last)
        json.endObject()
        if let brought = total.brought {
            json.key("estimated_revenue_to_date")
            json.write(brought.figures, .toDate)
        }
        json.writeValues(tally)
        json.write(quality)
        if let basis {
            json.write(basis, of: self)
            json.write(basis.organic)
            json.write(target, hasCosts: hasCosts)
            // These members are written even if there are no installs.
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
        key("apps")
        beginArray()
        for app in apps {
            beginObject()
            member("app", app.filter.app)
            write(app.costs)
            write("counted", count: app.tally.counted)
            writeValues(app.tally)
            key("total")
            write(app.lines, by: app.dimension)
            endObject()
        }
        endArray()
    }

    /// Writes what was refused, the values, and the days of arrival.
    fileprivate mutating func writeValues(_ tally: Tally) {
        key("refused")
        write(tally.refused.reasons)
        writeMembers(tally[values: .installs])
        key("reengagement")
        beginObject()
        writeMembers(tally[values: .reengagements])
        endObject()
        key("days")
        write(tally.days.days)
    }

    fileprivate mutating func write(_ filter: ReportFilter) {
        beginObject()
        member("network", text: filter.network)
        member("app", filter.app)
        write("from", moment: filter.from)
        write("to", moment: filter.to)
        endObject()
    }

    /// Writes "cost_rates".
    fileprivate mutating func write(_ rates: [CostRate]) {
        key("cost_rates")
        beginArray()
        for rate in rates {
            beginObject()
            member("currency", text: Message(writing: rate.currency.write).utf8)
            member("rate", text: rate.rate.shortestText.utf8)
            member("model", text: rate.model.id)
            member("version", text: Message(writing: rate.model.version.write).utf8)
            endObject()
        }
        endArray()
    }

    /// Writes "costs".
    fileprivate mutating func write(_ costs: CountedCosts) {
        key("costs")
        beginObject()
        write("counted", money: costs.counted)
        write("counted_without_date", money: costs.withoutDate)
        write("not_reported_yet", money: costs.unreported)
        write("outside_of_time", money: costs.outside)
        endObject()
    }

    fileprivate mutating func write(_ reasons: [CountedReason]) {
        beginObject()
        for reason in reasons { write(reason.key, count: reason.count) }
        endObject()
    }

    fileprivate mutating func writeMembers(_ values: ValueCounts) {
        key("values_without_revenue")
        write(values.unpriced.reasons)
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

    fileprivate mutating func write(_ days: [ArrivalDay]) {
        beginArray()
        for day in days {
            beginObject()
            member("arrived", text: utcDay(day.day * Day.seconds).utf8)
            write("installs", count: day.installs)
            write("installed_from", moment: day.installed.from)
            write("installed_until", moment: day.installed.untilUnlocked)
            write("installed_until_if_locked", moment: day.installed.until)
            endObject()
        }
        endArray()
    }
}

/// Members of a report's document; null if there is no value.
extension JSONWriter {
    mutating func write(_ name: StaticString, count: UInt64) { member(name, Int64(clamping: count)) }

    /// Writes a time given in Unix seconds.
    mutating func write(_ name: StaticString, moment: Int64?) { member(name, text: moment.map { utcTime($0).utf8 }) }

    mutating func write(_ name: StaticString, money: Money?) { member(name, text: money?.exactText.utf8) }
}
