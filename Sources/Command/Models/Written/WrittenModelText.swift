import SKANCommandOutput
import SKANCore

extension WrittenModel {
    /// The document, with one rule per line.
    var text: Message {
        var lines = WrittenLines()
        lines.add("{")
        lines.add("  \"schema\": 1,")
        lines.add("  \"id\": \(quoted(id)),")
        lines.add("  \"protocol\": \(protocolVersion.rawValue),")
        if !conversion.isEmpty { lines.add("  \"conversion\": \(quoted(conversion)),") }
        lines.add("  \"currency\": \(quoted(currency)),")
        if !rates.isEmpty {
            let rates = joined(rates.map { "\(quoted($0.currency)): \(quoted($0.rate))" })
            lines.add("  \"rates\": {\(rates)},")
        }
        if !raiseOnly { lines.add("  \"raise_only\": false,") }
        if !measures.list.isEmpty {
            lines.add("  \"measures\": {")
            lines.add(measures.list.map { "    \(quoted($0.name)): \($0.definition)" })
            lines.add("  },")
        }
        lines.add("  \"windows\": [")
        for (number, window) in windows.enumerated() {
            window.add(to: &lines, isLast: number == windows.count - 1)
        }
        lines.add("  ]")
        lines.add("}")
        return lines.message
    }
}

private struct WrittenLines {
    private var text: [UInt8] = []

    var message: Message { Message(utf8: text) }

    mutating func add(_ line: Message) {
        text += line.utf8
        text.append(UInt8(ascii: "\n"))
    }

    /// Adds lines separated by commas.
    mutating func add(_ elements: [Message]) {
        for (number, element) in elements.enumerated() {
            let comma: StaticString = number == elements.count - 1 ? "" : ","
            add("\(element)\(comma)")
        }
    }
}

extension WrittenWindow {
    fileprivate func add(to lines: inout WrittenLines, isLast: Bool) {
        let end: StaticString = isLast ? "" : ","
        if rules.isEmpty, coarseRules == nil { return lines.add("    {\"rules\": []}\(end)") }
        lines.add("    {\"rules\": [")
        lines.add(rules.map { "      \($0.document)" })
        if let coarseRules {
            lines.add("    ], \"coarse_rules\": [")
            lines.add(coarseRules.map { "      \($0.document)" })
        }
        lines.add("    ]}\(end)")
    }
}

extension WrittenMeasure {
    /// The measure as JSON, without its name.
    var definition: Message {
        var members: [Message] = ["\"\(counting.word)\": [\(joined(events.map { quoted($0) }))]"]
        if isLifetime { members.append("\"scope\": \"lifetime\"") }
        if let kind { members.append("\"kind\": \"\(RevenueAxis(kind, .window).kindName)\"") }
        if let amount { members.append("\"amount\": \(object(amount.members))") }
        if let day { members.append("\"day\": \(object(day.membersFromZero))") }
        if let hours { members.append("\"hours\": \(object(hours.membersFromZero))") }
        return object(members)
    }
}

extension WrittenRule {
    fileprivate var document: Message {
        var members: [Message] = []
        if !digits.isEmpty {
            members.append("\"digits\": [\(joined(digits.map { $0.document }))]")
            if let fine, fine > 0 { members.append("\"first\": \(fine)") }
            if let coarseSteps { members.append("\"coarse\": [\(coarseSteps.medium), \(coarseSteps.high)]") }
        } else {
            if let fine { members.append("\"fine\": \(fine)") }
            if let coarse { members.append("\"coarse\": \"\(coarseName(UInt8(clamping: coarse)))\"") }
        }
        if locksWindow { members.append("\"lock\": true") }
        if when != WrittenConditions() { members.append("\"when\": \(when.document)") }
        return object(members)
    }
}

extension WrittenDigit {
    fileprivate var document: Message {
        let subject: Message =
            switch self.subject {
            case .event(let name): "\"event\": \(quoted(name))"
            case .revenue(let axis): "\"revenue\": \(object(axis.members))"
            case .range(let key): "\"\(key.row.digit)\": true"
            }
        return object([subject, "\"at\": [\(joined(bounds.map { Message(utf8: $0) }))]"])
    }
}

extension WrittenConditions {
    fileprivate var document: Message {
        object(ConditionKey.all.compactMap { key in value(of: key).map { "\"\(key.row.name)\": \($0)" } })
    }

    /// nil if there are no conditions with this key.
    private func value(of key: ConditionKey) -> Message? {
        switch key {
        case .events:
            return events.isEmpty ? nil : "[\(joined(events.map { event in event.document }))]"
        case .revenue:
            let list = joined(revenue.map { object($0.axis.members + $0.amount.membersFromZero) })
            return revenue.isEmpty ? nil : revenue.count == 1 ? list : "[\(list)]"
        case .measures:
            let list = joined(measures.map { object(["\"name\": \(quoted($0.measure))"] + $0.range.membersFromZero) })
            return measures.isEmpty ? nil : "[\(list)]"
        default:
            return self[key].map { object($0.membersFromZero) }
        }
    }
}

extension WrittenEvent {
    fileprivate var document: Message {
        // The default minimum is 1, which is not written.
        let count = WrittenRange(min: count.min == 1 ? nil : count.min, max: count.max)
        return object(["\"name\": \(quoted(name))"] + count.members("min_count", "max_count"))
    }
}

extension RevenueAxis {
    /// The members for kind and scope, except those that have the default value.
    fileprivate var members: [Message] {
        var members: [Message] = []
        if kind != .iap { members.append("\"kind\": \"\(kindName)\"") }
        if scope != .window { members.append("\"scope\": \"\(scopeName)\"") }
        return members
    }
}

extension WrittenRange<Int64> {
    /// The members of a range whose minimum is 0 by default. A minimum of 0 is written only if there is no maximum.
    fileprivate var membersFromZero: [Message] {
        WrittenRange(min: min == 0 && max != nil ? nil : min ?? (max == nil ? 0 : nil), max: max).members("min", "max")
    }

    fileprivate func members(_ minKey: StaticString, _ maxKey: StaticString) -> [Message] {
        var members: [Message] = []
        if let min { members.append("\"\(minKey)\": \(min)") }
        if let max { members.append("\"\(maxKey)\": \(max)") }
        return members
    }
}

extension WrittenRange<Money> {
    /// A minimum of 0 is written only if there is no maximum, as for counts.
    fileprivate var membersFromZero: [Message] {
        WrittenRange(min: min == .zero && max != nil ? nil : min ?? (max == nil ? .zero : nil), max: max).members
    }

    fileprivate var members: [Message] {
        var members: [Message] = []
        if let min { members.append("\"min\": \(Message(writing: min.write))") }
        if let max { members.append("\"max\": \(Message(writing: max.write))") }
        return members
    }
}

private func object(_ members: [Message]) -> Message { "{\(joined(members))}" }

private func joined(_ words: [Message]) -> Message { listed(words) }

private func quoted(_ text: [UInt8]) -> Message {
    var json = JSONWriter(capacity: text.count + 8)
    text.withUnsafeBytes { json.string(utf8: $0) }
    return Message(utf8: json.finish().array)
}
