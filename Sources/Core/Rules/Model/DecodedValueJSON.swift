/// Rules, "Model decode": writes a decoded value as a JSON document.
extension DecodedValue {
    @_optimize(size)
    package func json() -> ByteBuffer {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.key("window")
        json.integer(Int64(window))
        json.key("currency")
        json.currency(model.currency)
        if !model.measures.isEmpty {
            json.key("measures")
            json.write(model.measures)
        }
        json.key("rules")
        model.write(rules, of: model.windows[window].list, to: &json)
        json.key("envelope")
        model.write(envelope, to: &json)
        if let coarse, let list = model.windows[window].coarseList {
            json.key("coarse_rules")
            model.write(coarse.rules, of: list, to: &json)
            json.key("coarse_envelope")
            model.write(coarse.envelope, to: &json)
        }
        if isRegistration {
            json.key("registration")
            json.bool(true)
        }
        json.endObject()
        return json.finish()
    }
}

extension ConversionModel {
    @_optimize(size)
    fileprivate func write(_ rules: [Int], of list: RuleList, to json: inout JSONWriter) {
        json.beginArray()
        for number in rules {
            json.beginObject()
            writeMembers(ofRule: number, of: list, to: &json)
            json.endObject()
        }
        json.endArray()
    }

    /// Writes the members of a rule, with all defaults filled in.
    @_optimize(size)
    package func writeMembers(ofRule number: Int, of list: RuleList, to json: inout JSONWriter) {
        let rule = list.rules[number]
        json.key("rule")
        json.integer(Int64(number))
        json.write(fine: rule.fine, coarse: rule.coarse, locksWindow: rule.locksWindow)
        json.key("when")
        write(ModelEnvelope(list, [number]), to: &json)
    }

    /// A missing bound is null.
    @_optimize(size)
    fileprivate func write(_ envelope: ModelEnvelope, to json: inout JSONWriter) {
        json.beginObject()
        for key in ConditionKey.all where shows(key) {
            let row = key.row
            json.key(row.name)
            if case .range(let axis, let unit) = row.form {
                json.write(envelope.condition(axis)?.inUnits(of: unit))
                continue
            }
            json.beginArray()
            for condition in envelope.conditions where key.lists(condition.axis) { write(condition, to: &json) }
            json.endArray()
        }
        json.endObject()
    }

    /// Writes a condition that is an element of a list.
    @_optimize(size)
    private func write(_ condition: ModelCondition, to json: inout JSONWriter) {
        json.beginObject()
        switch condition.axis.subject {
        case .revenue(let axis):
            json.key("kind")
            json.string(axis.kindName)
            json.key("scope")
            json.string(axis.scopeName)
            json.writeBounds(condition)
        case .measure(let number):
            json.member("name", text: measures.list[number].name)
            json.writeBounds(condition)
        default:
            json.key("name")
            if let event = event(of: condition) { json.name(event) }
            json.writeBounds(condition, "min_count", "max_count")
        }
        json.endObject()
    }
}

extension JSONWriter {
    /// A value that the rule does not set is null.
    @_optimize(size)
    mutating func write(fine: UInt8?, coarse: UInt8?, locksWindow: Bool) {
        key("fine")
        integer(fine.map { Int64($0) })
        key("coarse")
        integer(coarse.map { Int64($0) })
        key("lock")
        bool(locksWindow)
    }

    @_optimize(size)
    mutating func name(_ name: EventName) {
        var bytes = ByteBuffer(capacity: 32)
        name.write(to: &bytes)
        bytes.withBytes { string(utf8: $0) }
    }

    @_optimize(size)
    mutating func name(key name: EventName) {
        var bytes = ByteBuffer(capacity: 32)
        name.write(to: &bytes)
        bytes.withBytes { key(utf8: $0) }
    }

    /// `min`, `max`: the keys of the two members.
    @_optimize(size)
    package mutating func writeBounds(
        _ condition: ModelCondition, _ min: StaticString = "min", _ max: StaticString = "max"
    ) {
        key(min)
        write(bound: condition.min == ModelCondition.openBelow ? nil : condition.min, condition.isAmount)
        key(max)
        write(bound: condition.end, condition.isAmount)
    }

    @_optimize(size)
    private mutating func write(bound: Int128?, _ isAmount: Bool) {
        guard let bound else { return null() }
        if isAmount { money(Money(units: bound)) } else { integer(Int64(truncatingIfNeeded: bound)) }
    }

    /// Writes a range, or null if there is none.
    @_optimize(size)
    fileprivate mutating func write(_ condition: ModelCondition?) {
        guard let condition else { return null() }
        beginObject()
        writeBounds(condition)
        endObject()
    }

    /// Writes the definitions of all measures by name, with all defaults.
    @_optimize(size)
    fileprivate mutating func write(_ measures: ModelMeasures) {
        beginObject()
        for measure in measures.list {
            measure.name.withUnsafeBytes { key(utf8: $0) }
            beginObject()
            key(measure.counting.word)
            beginArray()
            for event in measure.events { name(event) }
            endArray()
            key("scope")
            string(RevenueAxis(nil, lifetime: measure.isLifetime).scopeName)
            key("kind")
            string(RevenueAxis(measure.kind, lifetime: false).kindName)
            key("amount")
            write(measure.amount)
            key("day")
            write(measure.isTimeInDays ? measure.time?.inDays : nil)
            key("hours")
            write(measure.isTimeInDays ? nil : measure.time)
            endObject()
        }
        endObject()
    }
}
