/// Rules, "Model decode": what a conversion model says of a value, as a JSON document.
extension ConversionModel {
    /// All rules of a window with a fine value, a coarse value, or both, and what holds for all of them. Fine 0 in
    /// window 0 is also what registering alone gives. nil where nothing gives it: undecodable. INVALID_ARGUMENT for
    /// what is no window or value, or where no value is given.
    @_optimize(size)
    package func decode(window: Int32, fine: Int32, coarse: Int32) throws(Failure) -> ByteBuffer? {
        try checkValue(window, fine, coarse)
        let part = windows[Int(window)]
        var found: [Int] = []
        for index in part.rules.indices {
            let rule = part.rules[index]
            if fine >= 0, level(rule.fine) != Int(fine) { continue }
            if coarse >= 0, level(rule.coarse) != Int(coarse) { continue }
            found.append(index)
        }
        // In SKAN 3 too, where registering gives no value: none counts as 0, also with Apple.
        let isRegistration = window == 0 && fine == 0 && coarse < 0
        guard !found.isEmpty || isRegistration else { return nil }
        var envelope = ModelEnvelope(part, found)
        if isRegistration { envelope.takeInRegistration() }

        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.key("window")
        json.integer(Int64(window))
        json.key("currency")
        json.currency(currency)
        json.key("rules")
        json.beginArray()
        for number in found { write(number, of: part, to: &json) }
        json.endArray()
        json.key("envelope")
        write(envelope, to: &json)
        if isRegistration {
            json.key("registration")
            json.bool(true)
        }
        json.endObject()
        return json.finish()
    }

    @_optimize(size)
    private func checkValue(_ window: Int32, _ fine: Int32, _ coarse: Int32) throws(Failure) {
        guard window >= 0, window < windows.count else {
            throw Failure(.invalidArgument, "window: expected 0 to \(windows.count - 1), got \(window)")
        }
        guard fine >= -1, fine <= 63 else {
            throw Failure(.invalidArgument, "fine: expected 0 to 63, or -1 for none, got \(fine)")
        }
        guard coarse >= -1, coarse <= 2 else {
            throw Failure(.invalidArgument, "coarse: expected 0 to 2, or -1 for none, got \(coarse)")
        }
        guard fine >= 0 || coarse >= 0 else {
            throw Failure(.invalidArgument, "fine: expected a fine or a coarse value, got none")
        }
    }

    /// A rule by its number, with all defaults filled in.
    @_optimize(size)
    private func write(_ number: Int, of window: ModelWindow, to json: inout JSONWriter) {
        let rule = window.rules[number]
        json.beginObject()
        json.key("rule")
        json.integer(Int64(number))
        json.write(fine: rule.fine, coarse: rule.coarse, locksWindow: rule.locksWindow)
        json.key("when")
        write(ModelEnvelope(window, [number]), to: &json)
        json.endObject()
    }

    /// Ranges as documents have them; a bound that is not there is null.
    @_optimize(size)
    private func write(_ envelope: ModelEnvelope, to json: inout JSONWriter) {
        json.beginObject()
        json.key("events")
        json.beginArray()
        for condition in envelope.counts where condition.axis >= 1 && condition.axis <= events.count {
            json.beginObject()
            json.key("name")
            json.name(events[condition.axis &- 1])
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

/// The smallest ranges that hold all that some rules say; what one of them does not speak of is open.
private struct ModelEnvelope {
    private(set) var counts: [CountCondition] = []
    private(set) var revenue: [RevenueCondition] = []

    @_optimize(size)
    init(_ window: ModelWindow, _ rules: [Int]) {
        for axis in 0..<CountCondition.axes {
            var range: CountCondition?
            var named = 0
            for rule in rules {
                for index in window.rules[rule].conditions where window.conditions[index].axis == axis {
                    let condition = window.conditions[index]
                    named &+= 1
                    var wider = range ?? condition
                    wider.min = min(wider.min, condition.min)
                    wider.max = max(wider.max, condition.max)
                    range = wider
                }
            }
            guard var range else { continue }
            if named < rules.count { (range.min, range.max) = (0, CountCondition.open) }
            counts.append(range)
        }
        for number in 0..<RevenueAxis.count {
            let axis = RevenueAxis(number: number)
            var range: RevenueCondition?
            var named = 0
            for rule in rules {
                guard let condition = window.rules[rule].revenue, condition.axis == axis else { continue }
                named &+= 1
                var wider = range ?? condition
                wider.min = min(wider.min, condition.min)
                wider.max = max(wider.max, condition.max)
                range = wider
            }
            guard var range else { continue }
            if named < rules.count { (range.min, range.max) = (RevenueCondition.openBelow, RevenueCondition.open) }
            revenue.append(range)
        }
    }

    /// Widens the ranges to hold what is there after registering: nothing yet, on day 0.
    @_optimize(size)
    mutating func takeInRegistration() {
        for index in counts.indices { counts[index].min = 0 }
        for index in revenue.indices {
            revenue[index].min = min(revenue[index].min, 0)
            // Of refunds alone.
            if revenue[index].max <= 0 { revenue[index].max = RevenueCondition.open }
        }
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
        write(bound: condition.min)
        key("max")
        write(bound: condition.max)
        endObject()
    }

    @_optimize(size)
    private mutating func write(bound: Int128) {
        if bound == RevenueCondition.open || bound == RevenueCondition.openBelow {
            null()
        } else {
            money(Money(units: bound))
        }
    }
}
