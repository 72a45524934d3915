/// Rules, "Model decode": what a conversion model says of a value, as a JSON document.
extension ConversionModel {
    /// All rules of a window with a fine value, a coarse value, or both, and what holds for all of them. Fine 0 in
    /// window 0 is also what registering alone gives. nil where nothing gives it: undecodable. INVALID_ARGUMENT for
    /// what is no window or value, or where no value is given.
    @_optimize(size)
    package func decode(window: Int32, fine: Int32, coarse: Int32) throws(Failure) -> ByteBuffer? {
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

        var text = ByteBuffer(capacity: 1024)
        text.put("{\"window\":")
        text.append(decimal: Int64(window))
        text.put(",\"currency\":\"")
        currency.write(to: &text)
        text.put("\",\"rules\":[")
        for index in found.indices {
            if index > 0 { text.put(",") }
            write(found[index], of: part, to: &text)
        }
        text.put("],\"envelope\":")
        write(envelope, to: &text)
        text.put(isRegistration ? ",\"registration\":true}" : "}")
        return text
    }

    /// A rule by its number, with all defaults filled in.
    @_optimize(size)
    private func write(_ number: Int, of window: ModelWindow, to text: inout ByteBuffer) {
        let rule = window.rules[number]
        text.put("{\"rule\":")
        text.append(decimal: Int64(number))
        text.put(",\"fine\":")
        text.append(value: rule.fine)
        text.put(",\"coarse\":")
        text.append(value: rule.coarse)
        text.put(rule.locksWindow ? ",\"lock\":true,\"when\":" : ",\"lock\":false,\"when\":")
        write(ModelEnvelope(window, [number]), to: &text)
        text.put("}")
    }

    /// Ranges as documents have them; a bound that is not there is null.
    @_optimize(size)
    private func write(_ envelope: ModelEnvelope, to text: inout ByteBuffer) {
        text.put("{\"events\":[")
        var isFirst = true
        for condition in envelope.counts where condition.axis >= 1 && condition.axis <= events.count {
            text.put(isFirst ? "{\"name\":" : ",{\"name\":")
            text.append(name: events[condition.axis &- 1])
            text.append(condition, "min_count", "max_count")
            isFirst = false
        }
        text.put("],\"revenue\":[")
        isFirst = true
        for condition in envelope.revenue {
            text.put(isFirst ? "{\"kind\":\"" : ",{\"kind\":\"")
            text.put(condition.axis.kindName)
            text.put("\",\"scope\":\"")
            text.put(condition.axis.scopeName)
            text.put("\",\"min\":")
            text.append(bound: condition.min)
            text.put(",\"max\":")
            text.append(bound: condition.max)
            text.put("}")
            isFirst = false
        }
        text.put("],\"sessions\":")
        text.append(envelope.counts.first { $0.axis == CountCondition.sessions })
        text.put(",\"day\":")
        text.append(envelope.counts.first { $0.axis == CountCondition.day })
        text.put("}")
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

extension ByteBuffer {
    /// A text, without code of its own at every place.
    @inline(never)
    mutating func put(_ text: StaticString) { append(text) }

    @inline(never)
    mutating func append(value: UInt8?) {
        if let value { append(decimal: UInt64(value)) } else { put("null") }
    }

    /// An event's name as a JSON string.
    mutating func append(name: EventName) {
        var bytes = ByteBuffer(capacity: 32)
        name.write(to: &bytes)
        append(json: bytes.bytes)
    }

    /// Printable ASCII as a JSON string.
    mutating func append(json text: UnsafeRawBufferPointer) {
        put("\"")
        for byte in text {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { put("\\") }
            append(byte)
        }
        put("\"")
    }

    /// The rest of an event's object.
    fileprivate mutating func append(_ condition: CountCondition, _ min: StaticString, _ max: StaticString) {
        put(",\"")
        put(min)
        put("\":")
        append(decimal: condition.min)
        put(",\"")
        put(max)
        put("\":")
        if condition.max == CountCondition.open { put("null") } else { append(decimal: condition.max) }
        put("}")
    }

    /// A range, null where there is none.
    fileprivate mutating func append(_ condition: CountCondition?) {
        guard let condition else {
            put("null")
            return
        }
        put("{\"min\":")
        append(decimal: condition.min)
        put(",\"max\":")
        if condition.max == CountCondition.open { put("null") } else { append(decimal: condition.max) }
        put("}")
    }

    fileprivate mutating func append(bound: Int128) {
        if bound == RevenueCondition.open || bound == RevenueCondition.openBelow {
            put("null")
        } else {
            Money(units: bound).write(to: &self)
        }
    }
}
