/// Rules, "Model decode", as JSON documents have it.
extension DecodedValue {
    /// The whole document.
    @_optimize(size)
    package func json() -> ByteBuffer {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.key("window")
        json.integer(Int64(window))
        json.key("currency")
        json.currency(model.currency)
        json.key("rules")
        json.beginArray()
        for number in rules {
            json.beginObject()
            model.writeMembers(ofRule: number, of: model.windows[window], to: &json)
            json.endObject()
        }
        json.endArray()
        json.key("envelope")
        model.write(envelope, to: &json)
        if isRegistration {
            json.key("registration")
            json.bool(true)
        }
        json.endObject()
        return json.finish()
    }
}

extension ConversionModel {
    /// What a document says of a rule, with all defaults filled in.
    @_optimize(size)
    package func writeMembers(ofRule number: Int, of window: ModelWindow, to json: inout JSONWriter) {
        let rule = window.rules[number]
        json.key("rule")
        json.integer(Int64(number))
        json.write(fine: rule.fine, coarse: rule.coarse, locksWindow: rule.locksWindow)
        json.key("when")
        write(ModelEnvelope(window, [number]), to: &json)
    }

    /// Ranges as documents have them; a bound that is not there is null.
    @_optimize(size)
    fileprivate func write(_ envelope: ModelEnvelope, to json: inout JSONWriter) {
        json.beginObject()
        json.key("events")
        json.beginArray()
        for condition in envelope.counts {
            guard let name = event(of: condition) else { continue }
            json.beginObject()
            json.key("name")
            json.name(name)
            json.write(condition, "min_count", "max_count")
            json.endObject()
        }
        json.endArray()
        json.key("revenue")
        json.beginArray()
        for condition in envelope.revenue { json.write(condition) }
        json.endArray()
        json.key("sessions")
        json.write(envelope.counts.first { $0.axis == CountCondition.sessions })
        json.key("day")
        json.write(envelope.counts.first { $0.axis == CountCondition.day })
        json.endObject()
    }
}

extension JSONWriter {
    /// What a rule sets, also where it is none.
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
        string(utf8: bytes.bytes)
    }

    @_optimize(size)
    mutating func name(key name: EventName) {
        var bytes = ByteBuffer(capacity: 32)
        name.write(to: &bytes)
        key(utf8: bytes.bytes)
    }

    /// The bounds of a range as two members.
    @_optimize(size)
    fileprivate mutating func write(_ condition: CountCondition, _ min: StaticString, _ max: StaticString) {
        key(min)
        integer(condition.min)
        key(max)
        integer(condition.max == CountCondition.open ? nil : condition.max)
    }

    /// A range, null where there is none.
    @_optimize(size)
    fileprivate mutating func write(_ condition: CountCondition?) {
        guard let condition else { return null() }
        beginObject()
        write(condition, "min", "max")
        endObject()
    }

    @_optimize(size)
    fileprivate mutating func write(_ condition: RevenueCondition) {
        beginObject()
        key("kind")
        string(condition.axis.kindName)
        key("scope")
        string(condition.axis.scopeName)
        key("min")
        write(bound: condition.least)
        key("max")
        write(bound: condition.end)
        endObject()
    }

    @_optimize(size)
    private mutating func write(bound: Money?) {
        if let bound { money(bound) } else { null() }
    }
}
