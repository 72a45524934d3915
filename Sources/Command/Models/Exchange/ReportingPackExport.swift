import SKANCommandOutput
import SKANCore

/// A model as the schema table of Google's App Reporting Pack, with messages on the parts that the table cannot
/// express.
struct ReportingPackExport {
    private(set) var refusals: [Message] = []
    /// Messages on differences that do not prevent the export.
    private(set) var notes: [Message] = []
    private var rows: [ReportingPackRow] = []
    private let model: ConversionModel
    private let map: EventMap

    /// `app`: the app's id in the rows; nil if it is the model's id.
    init(_ model: ConversionModel, _ map: EventMap, app: [UInt8]?) {
        self.model = model
        self.map = map
        if model.isForReengagements { refusals.append("a model for re-engagements, which the table cannot say") }
        for (number, rule) in model.windows[0].list.rules.enumerated() {
            add(rule, number, app ?? model.id)
        }
        let isFineAlone = model.windows.dropFirst().allSatisfy { $0.rules.isEmpty }
        if !isFineAlone { notes.append("the table has fine values only: windows 1 and 2 are left out") }
        if model.windows[0].rules.contains(where: { $0.coarse != nil }) || model.windows[0].coarseList != nil {
            notes.append("the table has fine values only: coarse values are left out")
        }
        if model.windows[0].rules.contains(where: { $0.locksWindow }) {
            notes.append("the table does not say which values lock the window")
        }
    }

    private mutating func add(_ rule: ModelRule, _ number: Int, _ app: [UInt8]) {
        guard let fine = rule.fine else { return }
        var found: [ReportingPackRow] = []
        for condition in model.windows[0].list.conditions[rule.conditions] where !condition.isEverything {
            guard let change = change(for: condition) else {
                let subject = model.row(of: condition).subject
                return refusals.append("rule \(number) has a condition on \(subject), which the table cannot say")
            }
            let event = map.theirs(model.row(of: condition).event)
            let place = found.firstIndex { $0.event == event } ?? found.count
            if place == found.count {
                found.append(
                    ReportingPackRow(app: app, fine: Int(fine), count: 1, low: .zero, high: .zero, event: event))
            }
            change(&found[place])
        }
        if found.isEmpty {
            return notes.append("rule \(number) always holds, and has no row")
        }
        rows += found
    }

    /// Returns the change that a condition makes in the row of its event; nil if the table cannot express the
    /// condition.
    private func change(for condition: ModelCondition) -> ((inout ReportingPackRow) -> Void)? {
        switch condition.axis.subject {
        case .count(let place):
            let isSaid = place > 0 || map.entry(of: sessionName) != nil
            guard isSaid, condition.end == nil, condition.min >= 1 else { return nil }
            return { $0.count = Int64(clamping: condition.min) }
        case .measure(let number):
            guard model.measures.list[number].isMoneyOfOneEvent, let low = condition.leastAmount,
                let high = condition.endAmount, low.units >= 0
            else { return nil }
            return { ($0.low, $0.high) = (low, high) }
        default: return nil
        }
    }

    var lines: [Message] {
        var writer = CSVWriter()
        for column in ReportingPackColumn.allCases { writer.plain("\(column.name)") }
        var lines = [writer.endRow()]
        for row in rows {
            writer.text(Message(utf8: row.app))
            writer.plain("\(row.fine)")
            writer.plain("\(row.count)")
            for amount in [row.low, row.high, row.middle] { writer.plain(Message(writing: amount.write)) }
            writer.text(Message(utf8: row.event))
            lines.append(writer.endRow())
        }
        return lines
    }
}
