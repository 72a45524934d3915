import CSKANSystem
package import SKANCommandOutput
import SKANCore
package import SKANSystem

/// Reads campaigns' files. The first row names the columns, in any order: network and identifier, and optionally
/// campaign, ad_set, cost, currency, network_name, date and app. A row with a date is for that day, and there may be a
/// row for each day. A row with an app applies to that app alone.
extension Campaigns {
    /// Reads the file; "-" is standard input. If the file is invalid, throws a message with the place and the reason.
    @export(interface)
    package static func read(_ path: CText) throws(CommandEnd) -> Campaigns {
        try withInput(path) { file, name throws(CommandEnd) in try read(CSVReader(CSVInput(file), name: name)) }
    }

    static func read(_ reader: consuming CSVReader) throws(CommandEnd) -> Campaigns {
        guard try reader.readRow() else {
            throw reader.fault(column: 1, "expected the names of columns, got the end of the file")
        }
        let columns = try CampaignColumns(reader)
        var rows: [CampaignRow] = []
        while try reader.readRow() { rows.append(try columns.row(reader)) }
        let campaigns = Campaigns(rows)
        if let why = campaigns.disagreement ?? campaigns.networkDisagreement { throw .complaint(reader.name, why) }
        return campaigns
    }

    /// A message about the first row that gives its network another name than a row before it; nil if there is none.
    private var networkDisagreement: Message? {
        for row in rows where !row.networkName.isEmpty {
            guard let name = networkName(row.network), name != row.networkName else { continue }
            return """
                line \(row.line): expected network_name "\(Message(utf8: name))" as in another row of \
                \(Message(utf8: row.network)), got "\(Message(utf8: row.networkName))"
                """
        }
        return nil
    }

    /// A message about the first row that repeats another one, or that gives its campaign another name than an earlier
    /// row; nil if there is none.
    private var disagreement: Message? {
        var called: [Int64?: [UInt8]] = [:]
        var earlier = RowsOfIdentifier()
        for (place, row) in rows.enumerated() {
            let before = place > 0 ? rows[place - 1] : nil
            let isOfSameCampaign = before?.isOfSameCampaign(as: row) == true
            if !isOfSameCampaign { called = [:] }
            if !isOfSameCampaign || before?.identifier != row.identifier || before?.app != row.app {
                earlier = RowsOfIdentifier()
            }
            if let line = earlier.repeated(by: row) {
                return """
                    line \(row.line): \(row.identifier.message) of \(Message(utf8: row.network)) is in line \(line) \
                    already
                    """
            }
            earlier.add(row)
            let name = called[row.app] ?? row.campaign
            guard row.campaign.isEmpty || name == row.campaign else {
                return """
                    line \(row.line): expected campaign "\(Message(utf8: name))" as for the other identifiers of \
                    \(Message(utf8: row.network)) that end with \(Message(utf8: [UInt8](row.identifier.campaign))), \
                    got "\(Message(utf8: row.campaign))"
                    """
            }
            if !row.campaign.isEmpty { called[row.app] = row.campaign }
        }
        return nil
    }
}

/// The rows checked so far that have the same identifier: either one row without a date, or one for each day.
private struct RowsOfIdentifier {
    private var first: UInt64?
    private var undated: UInt64?
    private var days: [Int64: UInt64] = [:]

    mutating func add(_ row: CampaignRow) {
        first = first ?? row.line
        if let day = row.day { days[day] = row.line } else { undated = undated ?? row.line }
    }

    /// The line number of an earlier row that covers a day of `row`; nil if there is none. A row without a date covers
    /// all days.
    func repeated(by row: CampaignRow) -> UInt64? { row.day.map { days[$0] ?? undated } ?? first }
}

extension CampaignColumns {
    fileprivate func row(_ reader: borrowing CSVReader) throws(CommandEnd) -> CampaignRow {
        guard reader.cells.count == count else {
            throw reader.fault(
                column: reader.cells.count,
                "expected \(count) cells as in the first row, got \(reader.cells.count)")
        }
        let network = cell(.network, of: reader)
        let identifier = CampaignIdentifier(cell(.identifier, of: reader)[...])
        let cost = cell(.cost, of: reader)
        let amount = Money(plain: cost)
        guard !network.isEmpty else { throw fault(.network, of: reader, "expected an ad network's id, got nothing") }
        guard identifier.isSound else {
            throw fault(
                .identifier, of: reader,
                """
                expected two to four digits, or "campaign-id N" of SKAdNetwork before 4.0, got "\(identifier.message)"
                """)
        }
        guard cost.isEmpty || amount != nil else {
            throw fault(
                .cost, of: reader,
                """
                expected an amount as 1250.50, at most 12 places behind the point, got "\(Message(utf8: cost))"
                """)
        }
        return CampaignRow(
            network: network, identifier: identifier, campaign: cell(.campaign, of: reader),
            adSet: cell(.adSet, of: reader), cost: amount, currency: try currency(reader), line: reader.line,
            networkName: cell(.networkName, of: reader), day: try day(reader), app: try app(reader))
    }

    /// nil if the row names no app.
    private func app(_ reader: borrowing CSVReader) throws(CommandEnd) -> Int64? {
        let text = cell(.app, of: reader)
        guard !text.isEmpty else { return nil }
        guard let app = wholeNumber(ofDigits: text), app > 0 else {
            throw fault(
                .app, of: reader,
                "expected the id of an app in the App Store as 525463029, got \"\(Message(utf8: text))\"")
        }
        return app
    }

    /// Days since 1970; nil if the row has no date.
    private func day(_ reader: borrowing CSVReader) throws(CommandEnd) -> Int64? {
        let text = cell(.date, of: reader)
        guard !text.isEmpty else { return nil }
        guard let seconds = utcDaySeconds(text) else {
            throw fault(.date, of: reader, "expected a day as 2026-01-31, got \"\(Message(utf8: text))\"")
        }
        return seconds / Day.seconds
    }

    /// nil if the row names no currency.
    private func currency(_ reader: borrowing CSVReader) throws(CommandEnd) -> Currency? {
        let text = cell(.currency, of: reader)
        guard !text.isEmpty else { return nil }
        guard text.allSatisfy({ 0x41...0x5A ~= $0 }), let currency = text.withUnsafeBytes({ Currency($0) }) else {
            throw fault(
                .currency, of: reader, "expected three capital letters, \"USD\", got \"\(Message(utf8: text))\"")
        }
        return currency
    }
}

extension CampaignIdentifier {
    fileprivate var message: Message { Message(utf8: [UInt8](text)) }
}
