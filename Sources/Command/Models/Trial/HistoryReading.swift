import CSKANSystem
import SKANCommandOutput
import SKANCore
import SKANSystem

/// Reads the lines of a history, one after the other.
struct HistoryReader {
    /// The time and line number of the last valid step.
    private var before: (time: Int64, number: UInt64)?

    /// Notes that a step was valid; later steps must not be earlier than it.
    mutating func took(_ step: HistoryStep) { before = (step.time, step.number) }

    func step(_ line: Bytes, number: UInt64) throws(WrongLine) -> HistoryStep {
        let members = try HistoryMembers(line)
        let kind = try kind(members)
        let time = try time(members)
        let id = try members.text(.id)
        return HistoryStep(
            number: number, time: time, writtenTime: members[.time]?.message, action: try action(kind, members), id: id)
    }

    private func kind(_ members: HistoryMembers) throws(WrongLine) -> HistoryKey {
        let found = HistoryKey.actions.filter { members[$0] != nil }
        // An event or a session may have revenue, too.
        let isPaid = found.count == 2 && found[1] == .revenue && found[0] != .register && found[0] != .reengage
        guard let kind = found.first, found.count == 1 || isPaid else {
            throw WrongLine("expected one of register, reengage, event, session and revenue, got \(found.count)")
        }
        if members[.revenue] == nil, members[.currency] != nil || members[.ad] != nil {
            throw WrongLine("currency and ad: only revenue has them")
        }
        if kind == .register, members[.id] != nil { throw WrongLine("id: expected none, since register takes no id") }
        if kind == .reengage, members[.id] != nil {
            throw WrongLine("id: expected open_id inside reengage, which names the open")
        }
        return kind
    }

    private func time(_ members: HistoryMembers) throws(WrongLine) -> Int64 {
        guard let value = members[.time] else {
            guard let before else { throw WrongLine("time: missing, the first line needs it") }
            return before.time
        }
        let read: Int64? =
            switch value.kind {
            case .number: unixSeconds(digits: value.text)
            case .string: utcSeconds(value.text)
            default: nil
            }
        guard let time = read else {
            throw members.expected(
                "whole seconds from 0 to 253402300799 or a time such as \"2026-01-31T10:00:00Z\"", .time)
        }
        if let before, time < before.time {
            throw WrongLine("time: expected no earlier time than in line \(before.number), got \(value.message)")
        }
        return time
    }

    private func action(_ kind: HistoryKey, _ members: HistoryMembers) throws(WrongLine) -> HistoryStep.Action {
        switch kind {
        case .event:
            return .event(name: try members.text(.event) ?? [], try paid(members))
        case .revenue:
            return .revenue(try revenue(members))
        case .reengage:
            return .reengage(try reengagement(members))
        case .session:
            try members.requireTrue(.session)
            return .session(try paid(members))
        default:
            try members.requireTrue(.register)
            return .register
        }
    }

    private func reengagement(_ members: HistoryMembers) throws(WrongLine) -> HistoryReengagement {
        guard let value = members[.reengage], value.kind == .object,
            let inner = value.text.withUnsafeBytes({ try? JSONDocument(Bytes($0)).members })
        else { throw members.expected("an object with tag, open_id and reference, or {}", .reengage) }
        var found = HistoryReengagement()
        for member in inner {
            guard let text = member.value.string?.withExactUTF8({ [UInt8]($0) }) else {
                throw members.expected("text as each value", .reengage)
            }
            if member.key.isEqual("tag") {
                found.tag = text
            } else if member.key.isEqual("open_id") {
                found.openID = text
            } else if member.key.isEqual("reference") {
                found.reference = text
            } else {
                throw members.expected("no keys but tag, open_id and reference", .reengage)
            }
        }
        return found
    }

    /// nil if the event or the session has no revenue.
    private func paid(_ members: HistoryMembers) throws(WrongLine) -> HistoryRevenue? {
        members[.revenue] == nil ? nil : try revenue(members)
    }

    private func revenue(_ members: HistoryMembers) throws(WrongLine) -> HistoryRevenue {
        guard let amount = members[.revenue], amount.kind == .number else {
            throw members.expected("a number", .revenue)
        }
        guard let currency = try members.text(.currency) else {
            throw WrongLine("currency: missing, revenue has one, such as \"USD\"")
        }
        return HistoryRevenue(amount: amount.text, currency: currency, isAd: try members.boolean(.ad))
    }
}
